import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { handlers } from '../../handlers/index.ts'
import { diskMediaStore } from '../../src/adapters/media_store.ts'
import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/settings/config.ts'
import { createLog } from '../../src/core/log.ts'
import { newGuestToken } from '../../src/core/secrets.ts'
import { connect, type Connection } from '../../src/db/connect.ts'
import { startEmbeddedPostgres } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import type { AiModel } from '../../src/domain/assistant/ai_model.ts'
import { adjustCredits } from '../../src/domain/credits/wallet.ts'
import type { CallerTask } from './chat_caller.ts'
import { cpuOf, postmasterOf, processCpu } from './cpu.ts'
import { makeDataFolder } from './data_folder.ts'
import { call } from './load.ts'
import { recordStatements } from './recorded_pool.ts'
import { seedShop, type Shop } from './seed.ts'
import { startService } from './sides.ts'

/** A service in this process whose guests chat from another, on a database of its own. */
export interface ChatBench {
  shop: Shop
  /** What the service sends to its database. */
  recorded: ReturnType<typeof recordStatements>
  client: pg.Client
  /** Starts a process that sends one chat again and again. */
  caller: (kind: 'product' | 'routine', body: object) => Promise<ChatCaller>
  /** CPU milliseconds of the service and the database. */
  cpuOf: (work: () => Promise<void>) => Promise<number>
  /** Starts the built service on the same database; what each chat costs it, one after the other. */
  cpuOfFirst: (bodies: readonly object[]) => Promise<number[]>
  close: () => Promise<void>
}

export interface ChatCaller {
  ask: (calls: number) => Promise<void>
  close: () => void
}

const secretKey = 'a secret of the bench, long enough'

export async function startChatBench(products: number, aiModel: AiModel): Promise<ChatBench> {
  const dataDir = await makeDataFolder()
  const postgres = await startEmbeddedPostgres({ dataDir })
  const settings = { DATA_DIR: dataDir, RATE_LIMIT_PER_MINUTE: '1000000' }
  const config = { ...readConfig(settings), secretKey, webhookSecret: 'whsec_bench' }
  const connection = connect(postgres.url, { baseUrl: config.baseUrl })
  const recorded = recordStatements(connection.pool)
  const client = new pg.Client(postgres.url)
  await client.connect()
  await migrate(connection.db as unknown as Kysely<unknown>, { environment: 'development' })
  const shop = await seedShop(connection.db, client, products)
  await openWallet(connection, shop)
  const postmaster = await postmasterOf(client)
  const app = await createApp({
    config,
    connection,
    handlers,
    aiModel,
    // Log lines are formatted as in production, then discarded.
    log: createLog('info', { write: () => undefined }),
    mailer: { send: () => Promise.resolve(), close: () => Promise.resolve() },
    mediaStore: diskMediaStore(join(dataDir, 'media')),
  })
  app.api.server.listen(0, '127.0.0.1')
  await once(app.api.server, 'listening')
  const { port } = app.api.server.address() as AddressInfo
  return {
    shop,
    recorded,
    client,
    caller: (kind, body) => startCaller(taskOf(`http://127.0.0.1:${port}`, shop, kind, body)),
    cpuOf: (work) => cpuOf(postmaster, work),
    cpuOfFirst: (bodies) => cpuOfFirst({ databaseUrl: postgres.url, dataDir }, shop, bodies),
    async close() {
      await app.close()
      await client.end()
      await connection.close()
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Grants more credits and quota than a run can use, and disables the challenge. */
async function openWallet({ db }: Connection, { workspaceId }: Shop): Promise<void> {
  const credits = { credits: 1_000_000, reason: 'Bench', reference: 'bench', now: new Date() }
  await db.transaction().execute((trx) => adjustCredits(trx, workspaceId, credits))
  await sql`update websites set access_policy = access_policy
    || '{"challenge": "OFF", "guestDailyRequests": 1000000}'
    where workspace_id = ${workspaceId}`.execute(db)
}

/** How long a service is left alone after its start, as one is whose visitors come later. */
const settledAfter = 5000

async function cpuOfFirst(
  { databaseUrl, dataDir }: { databaseUrl: string; dataDir: string },
  shop: Shop,
  bodies: readonly object[],
): Promise<number[]> {
  const service = await startService(databaseUrl, dataDir, undefined, { SECRET_KEY: secretKey })
  const { apiKey, path, headers } = taskOf(service.origin, shop, 'product', {})
  const costs: number[] = []
  // The page that a visitor chats from has asked for these before.
  for (const page of ['bootstrap', 'products'])
    await call(service.origin, apiKey, {
      method: 'GET',
      path: path.replace(/chat.*/, page),
      headers,
    })
  await delay(settledAfter)
  for (const body of bodies) {
    const before = processCpu(service.pid)
    await call(service.origin, apiKey, {
      method: 'POST',
      path,
      headers,
      body: JSON.stringify(body),
    })
    costs.push(processCpu(service.pid) - before)
  }
  await service.stop()
  return costs
}

function taskOf(
  origin: string,
  { workspaceId, apiKey }: Shop,
  kind: 'product' | 'routine',
  body: object,
): CallerTask {
  const guest = { workspaceId, deviceId: 'device-of-the-bench' }
  const expires = new Date(Date.now() + 24 * 3600_000)
  return {
    origin,
    apiKey,
    path: `/v1/workspaces/${workspaceId}/experience/chat/${kind}`,
    headers: {
      'X-Guest-Device-Id': guest.deviceId,
      'X-Guest-Token': newGuestToken(secretKey, 'development', guest, expires),
    },
    body: JSON.stringify(body),
  }
}

async function startCaller(task: CallerTask): Promise<ChatCaller> {
  const caller = fork(join(import.meta.dirname, 'chat_caller.ts'), {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, CALLER_TASK: JSON.stringify(task) },
  })
  await once(caller, 'message')
  return { ask: (calls) => ask(caller, calls), close: () => caller.disconnect() }
}

async function ask(caller: ChildProcess, calls: number): Promise<void> {
  const failed = once(caller, 'exit').then(() =>
    Promise.reject(new Error('The caller process has ended.')),
  )
  caller.send(calls)
  await Promise.race([once(caller, 'message'), failed])
}
