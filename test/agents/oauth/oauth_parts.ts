import { createPublicFetch } from '../../../src/adapters/public_fetch.ts'
import { createLog } from '../../../src/core/log.ts'
import { connect } from '../../../src/db/connect.ts'
import type { OAuthParts } from '../../../src/oauth/clients.ts'
import { OAuthError } from '../../../src/oauth/errors.ts'
import { createDatabase } from '../../kit/database.ts'
import { type MetadataHost, startMetadataHost } from '../../kit/peers/metadata_host.ts'

export interface OAuthFixture {
  parts: OAuthParts
  host: MetadataHost
  /** Advances the clock, which otherwise stands still. */
  advance(seconds: number): void
  /** Actions of staff in administration. */
  setSourceStatus(identity: string, status: 'APPROVED' | 'BLOCKED'): Promise<void>
  sources(): Promise<{ identity: string; name: string; status: string }[]>
  close(): Promise<void>
}

/** The rules of the authorization server, on their own database and metadata host. */
export async function startOAuthParts(): Promise<OAuthFixture> {
  const database = await createDatabase()
  const connection = connect(database.url)
  const host = await startMetadataHost()
  const { db } = connection
  const publicFetch = createPublicFetch(host.fetchParts)
  let now = Date.now()
  const parts: OAuthParts = {
    db,
    issuer: 'https://api.example.com',
    publicFetch: (url) => publicFetch(url, 'tests'),
    takesDocuments: true,
    nativeCallbacks: [],
    admitStranger: () => Promise.resolve(),
    clock: () => new Date(now),
    log: createLog('silent'),
  }
  return {
    parts,
    host,
    advance: (seconds) => {
      now += seconds * 1000
    },
    async setSourceStatus(identity, status) {
      await db
        .updateTable('integration_sources')
        .set({ status })
        .where('identity', '=', identity)
        .executeTakeFirstOrThrow()
    },
    sources: () =>
      db
        .selectFrom('integration_sources')
        .select(['identity', 'name', 'status'])
        .orderBy('id')
        .execute(),
    async close() {
      await host.close()
      await connection.close()
      await database.drop()
    },
  }
}

/** The refusal of an authorization server's rule; undefined if it does not refuse. */
export async function refusalOf(work: Promise<unknown>) {
  try {
    await work
    return undefined
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    return { code: error.code, status: error.status, description: error.description }
  }
}
