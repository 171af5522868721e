import { type Kysely, sql, type Transaction } from 'kysely'
import { newId } from '../../core/ids.ts'
import { day } from '../../core/time.ts'
import type { Database } from '../../db/schema.ts'

export interface SourceRow {
  sourceId: string
  sourceStatus: 'APPROVED' | 'BLOCKED'
}

export interface ClientRow extends SourceRow {
  id: string
  metadata: unknown
  freshUntil: string | null
  keySet: unknown
}

const columns = [
  'oauth_clients.id',
  'oauth_clients.metadata',
  'oauth_clients.fresh_until as freshUntil',
  'oauth_clients.key_set as keySet',
  'integration_sources.id as sourceId',
  'integration_sources.status as sourceStatus',
] as const

export function findClientRow(db: Kysely<Database>, id: string): Promise<ClientRow | undefined> {
  return db
    .selectFrom('oauth_clients')
    .innerJoin('integration_sources', 'integration_sources.id', 'oauth_clients.source_id')
    .select(columns)
    .where('oauth_clients.id', '=', id)
    .executeTakeFirst()
}

export function findAgentSource(
  db: Kysely<Database>,
  identity: string,
): Promise<SourceRow | undefined> {
  return db
    .selectFrom('integration_sources')
    .select(['id as sourceId', 'status as sourceStatus'])
    .where('kind', '=', 'AGENT')
    .where('identity', '=', identity)
    .executeTakeFirst()
}

/**
 * The source of an agent, approved when first seen. An existing source keeps its status, so that a
 * blocked identity stays blocked; the lock delays a block until the client is stored.
 */
export async function ensureAgentSource(
  trx: Transaction<Database>,
  { identity, name, now }: { identity: string; name: string; now: Date },
): Promise<SourceRow> {
  return (
    trx
      .insertInto('integration_sources')
      .values({ id: newId('src'), kind: 'AGENT', identity, name, first_seen_at: now })
      // The update also locks an existing source, which the sweep may be about to delete.
      .onConflict((on) =>
        on
          .constraint('integration_sources_identity_key')
          .doUpdateSet({ name: (column) => column.ref('integration_sources.name') }),
      )
      .returning(['id as sourceId', 'status as sourceStatus'])
      .executeTakeFirstOrThrow()
  )
}

interface NewClient {
  id: string
  sourceId: string
  metadata: unknown
  freshUntil: Date | null
  now: Date
}

/** Stores a client; an existing document is replaced by its current version. */
export async function putClient(trx: Transaction<Database>, client: NewClient): Promise<void> {
  const metadata = JSON.stringify(client.metadata)
  await trx
    .insertInto('oauth_clients')
    .values({
      id: client.id,
      source_id: client.sourceId,
      metadata,
      fresh_until: client.freshUntil,
      created_at: client.now,
    })
    .onConflict((on) => on.column('id').doUpdateSet({ metadata, fresh_until: client.freshUntil }))
    .execute()
}

export async function updateFreshUntil(
  db: Kysely<Database>,
  id: string,
  freshUntil: Date,
): Promise<void> {
  await db
    .updateTable('oauth_clients')
    .set({ fresh_until: freshUntil })
    .where('id', '=', id)
    .execute()
}

export async function updateKeySet(
  db: Kysely<Database>,
  id: string,
  keySet: unknown,
): Promise<void> {
  await db
    .updateTable('oauth_clients')
    .set({ key_set: JSON.stringify(keySet) })
    .where('id', '=', id)
    .execute()
}

/** Records an assertion's id; false if it was used before. */
export async function insertAssertion(
  db: Kysely<Database>,
  { clientId, jtiHash, expiresAt }: { clientId: string; jtiHash: Buffer; expiresAt: Date },
): Promise<boolean> {
  const result = await db
    .insertInto('client_assertions')
    .values({ client_id: clientId, jti_hash: jtiHash, expires_at: expiresAt })
    .onConflict((on) => on.columns(['client_id', 'jti_hash']).doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

const idleDays = 30

/** Deletes clients that got no grant within a month. Their sources are swept later, unless they are blocked. */
export async function deleteIdleClients(db: Kysely<Database>, now: Date): Promise<void> {
  const idle = new Date(now.getTime() - idleDays * day)
  await db
    .deleteFrom('oauth_clients')
    .where('created_at', '<', sql<string>`${idle}`)
    .where((eb) => {
      const grants = eb.selectFrom('grants').whereRef('client_id', '=', 'oauth_clients.id')
      return eb.not(eb.exists(grants.select('grants.id')))
    })
    .where((eb) => {
      const requests = eb.selectFrom('authorization_requests')
      const ofClient = requests.whereRef('client_id', '=', 'oauth_clients.id')
      return eb.not(eb.exists(ofClient.select('authorization_requests.client_id')))
    })
    .execute()
}
