import { readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { readConfig } from '../../src/settings/config.ts'
import { exampleOf } from '../../src/core/examples.ts'
import { connect } from '../../src/db/connect.ts'
import { startEmbeddedPostgres } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import type { Database } from '../../src/db/schema.ts'
import { createWorkspace } from '../../src/domain/site/workspaces.ts'
import { createProduct } from '../../src/queries/catalogue/new_products.ts'
import { ensureAccount } from '../../src/queries/people/accounts.ts'
import { insertAgent } from '../bench/agents.ts'
import { processMemory } from '../bench/cpu.ts'
import { makeDataFolder } from '../bench/data_folder.ts'
import { serviceFile, startSide } from '../bench/sides.ts'
import { build } from '../build.mjs'
import type { Allowed, Attack, AttackOutcome, Scene } from './attack.ts'
import { attacks } from './attacks.ts'
import { startMailServer } from './loopback_mail.ts'
import { startStore } from './loopback_store.ts'
import { newKey } from './new_key.ts'
import { type Bystander, type Noticed, standBy } from './bystander.ts'
import { freePort } from '../../test/kit/free_ports.ts'

/*
 * npm run attack: what a cheap client can do to the others. Everything runs on loopback, against a
 * service of its own with a small heap, for about three minutes. Names as arguments select attacks,
 * WEB_CONCURRENCY sets the number of the service's processes. Fails unless every attack is held.
 */

const heapMegabytes = 512
const usually: Allowed = { milliseconds: 500, timesQuietP90: Infinity, megabytes: 256 }
/** On a busy machine calls may take so many times as long as those before the attack. */
const timesQuiet = 5
const quietSeconds = 5
/** Below this, times are noise. */
const shortMilliseconds = 5
const products = 60
/** Enough for all calls of a watched account within the usual limits. */
const keysOfTarget = 8
const whole = {
  times: (full: number) => full,
  codeMilliseconds: 5000,
  uploadMilliseconds: 5000,
  writeMilliseconds: 100,
}

/** An account with a shop; the attacker's comes first, and its agent belongs to it. */
async function givenTarget(db: Kysely<Database>, name: string) {
  const now = new Date()
  return db.transaction().execute(async (trx) => {
    const account = await ensureAccount(trx, `${name}@example.com`, name)
    const shop = { name, subDomain: `shop-of-${name}`, templateKey: 'minimal' } as const
    const { id } = await createWorkspace(trx, account.id, shop, now)
    const apiKeys: string[] = []
    for (let count = 0; count < keysOfTarget; count++) apiKeys.push(await newKey(trx, account.id))
    const example = { ...exampleOf('ProductUpdate'), imageIds: [], tagIds: [] }
    for (let count = 0; count < products; count++) {
      const unique = { name: `Product ${count}`, sku: `sku ${count}`, barcode: `code ${count}` }
      await createProduct(trx, id, { ...example, ...unique }, now)
    }
    return { workspaceId: id, apiKeys }
  })
}

/** The processes of the service: the first and its workers, without decoders of pictures. */
function processesOf(first: number): number[] {
  return readdirSync('/proc').flatMap((entry) => {
    const pid = Number(entry)
    if (!(pid > 0)) return []
    try {
      const parent = Number(
        /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1],
      )
      const isService = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('main.js')
      return isService && (pid === first || parent === first) ? [pid] : []
    } catch {
      // It has just ended.
      return []
    }
  })
}

/** The most memory that any process had while the work ran, above what it had before. */
async function memoryOf(first: number, work: () => Promise<unknown>): Promise<number> {
  const before = new Map(processesOf(first).map((pid) => [pid, processMemory(pid)]))
  let most = 0
  const measure = () => {
    for (const [pid, megabytes] of before) most = Math.max(most, processMemory(pid) - megabytes)
  }
  const timer = setInterval(measure, 50)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
  return most
}

/** What went beyond what is allowed. */
function excessesOf(
  { failed, p90, worst }: Noticed,
  memory: number,
  allowed: Allowed,
  quiet: Noticed,
): string[] {
  return [
    ...(failed > 0 ? ['failed'] : []),
    ...(worst > Math.max(allowed.milliseconds, timesQuiet * quiet.worst) ? ['slow'] : []),
    ...(p90 > allowed.timesQuietP90 * Math.max(quiet.p90, shortMilliseconds) ? ['p90'] : []),
    ...(memory > allowed.megabytes ? ['memory'] : []),
  ]
}

interface Watched {
  scene: Scene
  /** The first process of each service. */
  pid: number
  usualPid: number
  bystander: Omit<Bystander, 'origin'>
  /** Another account for the service with the usual limits: processes may share their counts. */
  usualBystander: Omit<Bystander, 'origin'>
}

async function rowOf(
  { name, tried, isUsual, prepare, run, allowed }: Attack,
  { scene, pid, usualPid, bystander, usualBystander }: Watched,
  quiet: Noticed,
) {
  let outcome: AttackOutcome = { sent: 0, refused: 0 }
  let memory = 0
  await prepare?.()
  const watched = isUsual
    ? { ...usualBystander, origin: scene.usual.api }
    : { ...bystander, origin: scene.origin }
  const noticed = await standBy(watched, async () => {
    memory = await memoryOf(isUsual ? usualPid : pid, async () => (outcome = await run(scene)))
  })
  const { sent, refused, broken } = outcome
  const excesses = [
    ...excessesOf(noticed, memory, { ...usually, ...allowed }, quiet),
    ...(broken === undefined ? [] : [broken]),
  ]
  return {
    attack: name,
    tried,
    sent,
    refused,
    'others: calls': noticed.calls,
    failed: noticed.failed,
    'p90 ms': noticed.p90,
    'p99 ms': noticed.p99,
    'worst ms': noticed.worst,
    'memory +MB': memory,
    held: excesses.length === 0 ? 'yes' : `no: ${excesses.join(', ')}`,
  }
}

/** A second service on the same data, for attacks that the usual limits must stop. */
async function startUsual(env: NodeJS.ProcessEnv) {
  const [apiPort, dashboardPort] = [await freePort(), await freePort()]
  const [api, dashboard] = [apiPort, dashboardPort].map((port) => `http://127.0.0.1:${port}`)
  const side = await startSide(apiPort, [serviceFile], {
    ...env,
    API_PORT: String(apiPort),
    BASE_URL: api,
    DASHBOARD_PORT: String(dashboardPort),
    DASHBOARD_URL: dashboard,
    RATE_LIMIT_PER_MINUTE: '120',
    TRUST_PROXY: '1',
  })
  const { pid, stop } = side
  return { api: api!, dashboard: dashboard!, dashboardUrl: dashboard!, pid, stop }
}

async function attack(names: string[]): Promise<boolean> {
  await build()
  const dataDir = await makeDataFolder()
  const postgres = await startEmbeddedPostgres({ dataDir })
  const connection = connect(postgres.url, {
    max: 2,
    patient: true,
    baseUrl: 'http://localhost:3000',
  })
  const port = await freePort()
  const store = await startStore()
  const mail = await startMailServer()
  const { endpoint, region, bucket, accessKeyId, secretAccessKey } = store.settings
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: postgres.url,
    DATA_DIR: dataDir,
    API_PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    DASHBOARD_PORT: '0',
    ADMIN_PORT: '0',
    SITE_PORT: '0',
    SEED_DEMO: 'false',
    RATE_LIMIT_PER_MINUTE: '1000000',
    S3_ENDPOINT: endpoint,
    S3_REGION: region,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
    SMTP_URL: mail.url,
    WEBHOOK_LOOPBACK: 'true',
    WEB_CONCURRENCY: process.env.WEB_CONCURRENCY ?? '1',
  }
  try {
    await migrate(connection.db as unknown as Kysely<unknown>, readConfig({}))
    const attacker = await givenTarget(connection.db, 'attacker')
    const token = await insertAgent(connection.db, `${env.BASE_URL}/mcp`)
    const other = await givenTarget(connection.db, 'other')
    const usualBystander = await givenTarget(connection.db, 'regular')
    const side = await startSide(port, [`--max-old-space-size=${heapMegabytes}`, serviceFile], env)
    const usual = await startUsual(env)
    const { origin, pid } = side
    const { db } = connection
    const target = { workspaceId: attacker.workspaceId, apiKey: attacker.apiKeys[0]!, token }
    const scene = { origin, usual, attacker: target, db, store, mail, ...whole }
    const watched = { scene, pid, usualPid: usual.pid, bystander: other, usualBystander }
    const rows = []
    try {
      const quiet = await standBy({ ...other, origin }, () => delay(quietSeconds * 1000))
      console.log(
        `Before: p50 ${quiet.p50} ms, p90 ${quiet.p90} ms, p99 ${quiet.p99} ms, worst ${quiet.worst} ms.`,
      )
      for (const each of attacks)
        if (names.length === 0 || names.includes(each.name))
          rows.push(await rowOf(each, watched, quiet))
    } finally {
      console.table(rows)
      await usual.stop()
      await side.stop()
    }
    return rows.every(({ held }) => held === 'yes')
  } finally {
    await mail.close()
    await store.close()
    await connection.close()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

if (!(await attack(process.argv.slice(2)))) process.exitCode = 1
