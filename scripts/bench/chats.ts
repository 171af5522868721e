import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { handlers } from '../../handlers/index.ts'
import { diskMediaStore } from '../../src/adapters/media_store.ts'
import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/core/config.ts'
import { newId } from '../../src/core/ids.ts'
import { createLog } from '../../src/core/log.ts'
import { newGuestToken } from '../../src/core/secrets.ts'
import { connect, type Connection } from '../../src/db/connect.ts'
import { startEmbeddedPostgres } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import type { AiModel } from '../../src/domain/assistant/ai_model.ts'
import { adjustCredits } from '../../src/domain/credits/wallet.ts'
import type { CallerTask } from './chat_caller.ts'
import { median, processTreeCpu } from './cpu.ts'
import { makeDataFolder } from './data_folder.ts'
import { recordStatements, type SentStatement } from './recorded_pool.ts'
import { seedShop, type Shop } from './seed.ts'
import { report } from './table.ts'

/*
 * Compares a product chat, over HTTP and with a free model, with the bare statements it sends, in CPU
 * of the serving process and the database. `npm run build && npx tsx scripts/bench/chats.ts`.
 */

const { values } = parseArgs({ options: { runs: { type: 'string', default: '400' } } })
const runs = Number(values.runs)
const repetitions = 5
const limit = 2.5

const usage = { inputTokens: 0, outputTokens: 0 }
const unused = () => Promise.reject(new Error('The bench only chats about products.'))

/** Names the product in question, so that the answer contains one. */
const silentModel: AiModel = {
  chatAboutProduct: (_db, { product }) =>
    Promise.resolve({
      response: 'Yes.',
      productIds: [product.id],
      citations: [],
      modelKey: 'none',
      usage,
    }),
  chatAboutRoutine: unused,
  analyzeFace: unused,
  close: () => Promise.resolve(),
}

const secrets = { secretKey: 'a secret of the bench, long enough', webhookSecret: 'whsec_bench' }
const dataDir = await makeDataFolder()
const postgres = await startEmbeddedPostgres({ dataDir })
const settings = { DATA_DIR: dataDir, RATE_LIMIT_PER_MINUTE: '1000000' }
const config = { ...readConfig(settings), ...secrets }
const connection = connect(postgres.url, { baseUrl: config.baseUrl })
const recorded = recordStatements(connection.pool)
const client = new pg.Client(postgres.url)
await client.connect()
try {
  await migrate(connection.db as unknown as Kysely<unknown>, { environment: 'development' })
  const shop = await seedShop(connection.db, client, 1000)
  await openWallet(connection, shop)
  const { rows } = await client.query<{ data_directory: string }>('show data_directory')
  const file = readFileSync(join(rows[0]!.data_directory, 'postmaster.pid'), 'utf8')
  const cpuOf = (work: () => Promise<void>) => cpu(Number(file.split('\n')[0]), work)
  const { app, caller } = await serve(connection, shop)
  try {
    const calls = (count: number) => ask(caller, count)
    await calls(200)
    recorded.start()
    await calls(1)
    const statements = recorded.stop()
    const bare = async (count: number) => {
      for (let n = 0; n < count; n++) await sendBare(client, statements)
    }
    await bare(200)
    const costs = { service: [] as number[], bare: [] as number[] }
    for (let repetition = 0; repetition < repetitions; repetition++) {
      costs.service.push(await cpuOf(() => calls(runs)))
      costs.bare.push(await cpuOf(() => bare(runs)))
    }
    const [service, floor] = [median(costs.service) / runs, median(costs.bare) / runs]
    report('an AI call without its model, CPU ms', service.toFixed(3))
    report(`its ${statements.length} bare statements, CPU ms`, floor.toFixed(3))
    report('ratio', (service / floor).toFixed(2), `limit ${limit}`)
  } finally {
    caller.disconnect()
    await app.close()
  }
} finally {
  await client.end()
  await connection.close()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}

/** Grants more credits and quota than a run can use, and disables the challenge. */
async function openWallet({ db }: Connection, { workspaceId }: Shop): Promise<void> {
  const credits = { credits: 1_000_000, reason: 'Bench', reference: 'bench', now: new Date() }
  await db.transaction().execute((trx) => adjustCredits(trx, workspaceId, credits))
  await sql`update websites set access_policy = access_policy
    || '{"challenge": "OFF", "guestDailyRequests": 1000000}'
    where workspace_id = ${workspaceId}`.execute(db)
}

/** Starts the service in this process, and a caller in another. */
async function serve(connection: Connection, { workspaceId, apiKey, productIds }: Shop) {
  const app = await createApp({
    config,
    connection,
    handlers,
    aiModel: silentModel,
    // Log lines are formatted as in production, then discarded.
    log: createLog('info', { write: () => undefined }),
    mailer: { send: () => Promise.resolve(), close: () => Promise.resolve() },
    mediaStore: diskMediaStore(join(dataDir, 'media')),
  })
  app.api.server.listen(0, '127.0.0.1')
  await once(app.api.server, 'listening')
  const { port } = app.api.server.address() as AddressInfo
  const guest = { workspaceId, deviceId: 'device-of-the-bench' }
  const expires = new Date(Date.now() + 24 * 3600_000)
  const task: CallerTask = {
    origin: `http://127.0.0.1:${port}`,
    apiKey,
    path: `/v1/workspaces/${workspaceId}/experience/chat/product`,
    headers: {
      'X-Guest-Device-Id': guest.deviceId,
      'X-Guest-Token': newGuestToken(secrets.secretKey, 'development', guest, expires),
    },
    body: JSON.stringify({ message: 'Is it gentle?', productId: productIds[0] }),
  }
  const caller = fork(join(import.meta.dirname, 'chat_caller.ts'), {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, CALLER_TASK: JSON.stringify(task) },
  })
  await once(caller, 'message')
  return { app, caller }
}

async function ask(caller: ChildProcess, calls: number): Promise<void> {
  const failed = once(caller, 'exit').then(() =>
    Promise.reject(new Error('The caller process has ended.')),
  )
  caller.send(calls)
  await Promise.race([once(caller, 'message'), failed])
}

/** Sends the bare statements, with fresh ids. */
async function sendBare(on: pg.Client, statements: SentStatement[]): Promise<void> {
  const ids = new Map<unknown, string>()
  for (const { name, text, values: recordedValues } of statements) {
    const fresh = recordedValues.map((value) => {
      if (Buffer.isBuffer(value) && text.includes('insert into threads')) return randomBytes(32)
      const [, prefix] = /^(res|evt|ent|thr|call)_[0-9a-z]{26}$/.exec(String(value)) ?? []
      if (prefix === undefined) return value
      if (!ids.has(value)) ids.set(value, newId(prefix as 'res'))
      return ids.get(value)
    })
    await on.query(name === undefined ? { text, values: fresh } : { name, text, values: fresh })
  }
}

/** CPU milliseconds of this process and the database. */
async function cpu(postmaster: number, work: () => Promise<void>): Promise<number> {
  const [own, database] = [process.cpuUsage(), processTreeCpu(postmaster)]
  await work()
  const { user, system } = process.cpuUsage(own)
  return (user + system) / 1000 + processTreeCpu(postmaster) - database
}
