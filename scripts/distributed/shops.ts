import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { day } from '../../src/core/time.ts'
import { hashToken, newToken, tokenPrefix } from '../../src/core/secrets.ts'
import { connect, type Connection } from '../../src/db/connect.ts'
import { distribute } from '../../src/db/distribution.ts'
import { migrate } from '../../src/db/migrate.ts'
import { createWorkspace } from '../../src/domain/site/workspaces.ts'
import { type Scope, scopes } from '../../src/generated/operations.ts'
import { insertKey } from '../../src/queries/agents/keys.ts'
import { ensureAccount } from '../../src/queries/people/accounts.ts'
import { build } from '../build.mjs'
import { makeDataFolder } from '../bench/data_folder.ts'
import { startService } from '../bench/sides.ts'
import type { Cluster } from './cluster.ts'
import { databaseAt, execute, introduceNodes } from './nodes.ts'

export interface Shop {
  workspaceId: string
  /** The path of everything in the workspace. */
  path: string
}

/** A service as in production on a distributed database, with shops on every node. */
export interface DistributedShops {
  /** The database at the coordinator. */
  databaseUrl: string
  connection: Connection
  origin: string
  apiKey: string
  shops: Shop[]
  /** What the service logged of answers with status 500. */
  internalErrors(): string[]
  stop(): Promise<void>
}

const name = 'vitrine_faults'
const shopCount = 24

export async function openShops({ coordinator, workers }: Cluster): Promise<DistributedShops> {
  await build()
  const workerUrls = workers.map(({ url }) => url)
  for (const url of [coordinator.url, ...workerUrls]) await execute(url, `create database ${name}`)
  await introduceNodes(name, coordinator.url, workerUrls)
  const databaseUrl = databaseAt(coordinator.url, name)
  const connection = connect(databaseUrl, { max: 2, patient: true })
  const dataDir = await makeDataFolder()
  try {
    const db = connection.db as unknown as Kysely<unknown>
    await migrate(db, { environment: 'development' })
    await distribute(db, () => undefined)
    const { apiKey, ids } = await foundShops(connection)
    const logFile = join(dataDir, 'service.log')
    const service = await startService(databaseUrl, dataDir, logFile)
    return {
      databaseUrl,
      connection,
      origin: service.origin,
      apiKey,
      internalErrors: () => internalErrorsIn(logFile),
      shops: ids.map((workspaceId) => ({ workspaceId, path: `/v1/workspaces/${workspaceId}` })),
      async stop() {
        await service.stop()
        await connection.close()
        await rm(dataDir, { recursive: true, force: true })
      },
    }
  } catch (error) {
    await connection.close()
    await rm(dataDir, { recursive: true, force: true })
    throw error
  }
}

function foundShops({ db }: Connection): Promise<{ apiKey: string; ids: string[] }> {
  const now = new Date()
  const apiKey = newToken('key', 'development')
  return db.transaction().execute(async (trx) => {
    const account = await ensureAccount(trx, 'faults@example.com', 'Faults')
    await trx
      .updateTable('accounts')
      .set({ workspace_limit: shopCount })
      .where('id', '=', account.id)
      .execute()
    const ids: string[] = []
    for (let number = 1; number <= shopCount; number++) {
      const shop = { name: `Shop ${number}`, subDomain: `shop-${number}`, templateKey: 'minimal' }
      ids.push(
        (await createWorkspace(trx, account.id, { ...shop, phone: '+905551234567' }, now)).id,
      )
    }
    await insertKey(trx, account.id, {
      name: 'Key of the traffic',
      scopes: Object.keys(scopes) as Scope[],
      prefix: tokenPrefix(apiKey),
      keyHash: hashToken(apiKey),
      now,
      expiresAt: new Date(now.getTime() + day),
    })
    return { apiKey, ids }
  })
}

function internalErrorsIn(logFile: string): string[] {
  const lines = readFileSync(logFile, 'utf8').trim().split('\n')
  return lines.filter((line) => line.includes('"status":500,'))
}
