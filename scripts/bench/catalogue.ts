import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import pg from 'pg'
import { readConfig } from '../../src/core/config.ts'
import { connect } from '../../src/db/connect.ts'
import { startEmbeddedPostgres } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { agentScenarios, insertAgent } from './agents.ts'
import { median, processCpu, processMemory, processTreeCpu } from './cpu.ts'
import { makeDataFolder } from './data_folder.ts'
import { call, load, type Wanted } from './load.ts'
import { fixedReads, newProduct, productPath, publishedPath, visitorHeaders } from './scenarios.ts'
import { seedShop, type Shop } from './seed.ts'
import { type Side, startFloor, startService } from './sides.ts'
import { measureStatements, type StatementCost } from './statements.ts'

/** One operation measured: medians of interleaved repetitions. */
export interface Measured {
  name: string
  ratio: number
  service: Cost
  floor: Cost
  /** How many rows the whole list has, where it is one. */
  total: number | undefined
}

export interface Cost {
  /** CPU milliseconds of one call: the serving process and the database. */
  cpu: number
  /** The part of the serving process. */
  node: number
  perSecond: number
}

export interface CatalogueFigures {
  products: number
  measured: Measured[]
  statements: StatementCost[]
  agents: AgentCost[]
  /** Megabytes of the serving process: when it began and at the end. */
  memory: { idle: number; loaded: number }
}

/** What a call costs an agent, as a multiple of the same read over REST. */
export interface AgentCost {
  name: string
  ratio: number
  cost: Cost
}

interface Bench {
  shop: Shop
  postmaster: number
  service: Side
  floor: Side
}

interface Effort {
  repetitions: number
  seconds: number
}

/** Node compiles what runs often: until then a call costs several times what it costs later. */
const warmUp = { calls: 3000, seconds: 30 }

interface Scenario {
  name: string
  next: () => Wanted
}

/** Seeds a shop of so many products, and measures the service beside the floor. */
export async function benchCatalogue(products: number, effort: Effort): Promise<CatalogueFigures> {
  const dataDir = await makeDataFolder()
  const postgres = await startEmbeddedPostgres({ dataDir })
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  const sides: Side[] = []
  try {
    const shop = await makeShop(client, postgres.url, products)
    const service = await startService(postgres.url, dataDir)
    sides.push(service)
    const idle = processMemory(service.pid)
    const floor = await startFloor(postgres.url, service, shop, products)
    sides.push(floor)
    const postmaster = Number(readFileSync(await postmasterFile(client), 'utf8').split('\n')[0])
    const statements = await measureStatements(postgres.url, { shop, products })
    const bench = { shop, postmaster, service, floor }
    const measured = await measureAll(bench, scenariosOf(shop, products), effort)
    const agents = await measureAgents(bench, postgres.url, effort)
    const memory = { idle, loaded: processMemory(service.pid) }
    return { products, measured, statements, agents, memory }
  } finally {
    for (const side of sides) await side.stop()
    await client.end()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function makeShop(client: pg.Client, url: string, products: number): Promise<Shop> {
  const connection = connect(url, { max: 2, patient: true })
  try {
    await migrate(connection.db as unknown as Kysely<unknown>, readConfig({}))
    // Housekeeping that begins by itself in the middle of a measurement would count as a call's.
    await client.query('alter system set autovacuum = off')
    await client.query('select pg_reload_conf()')
    return await seedShop(connection.db, client, products)
  } finally {
    await connection.close()
  }
}

export async function postmasterFile(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ data_directory: string }>('show data_directory')
  return join(rows[0]!.data_directory, 'postmaster.pid')
}

function scenariosOf(shop: Shop, products: number): Scenario[] {
  const { workspaceId, productIds, publishedIds } = shop
  const reads = fixedReads(shop, products).map(({ name, path, headers = {} }) => ({
    name,
    next: () => ({ method: 'GET' as const, path, headers }),
  }))
  let got = 0
  const get = () => {
    const id = productIds[got++ % productIds.length]
    return { method: 'GET' as const, path: productPath(workspaceId, id) }
  }
  const getPublished = () => {
    const path = publishedPath(workspaceId, publishedIds[got++ % publishedIds.length])
    return { method: 'GET' as const, path, headers: visitorHeaders(shop) }
  }
  let created = 0
  const create = () => {
    const body = JSON.stringify(newProduct(shop, `${process.pid}X${++created}`, created))
    return { method: 'POST' as const, path: productPath(workspaceId), body }
  }
  // What writes comes last, so that the reads of a repetition find the table at rest.
  const [list, published, ...others] = reads
  return [
    list!,
    { name: 'get', next: get },
    published!,
    { name: 'get, published', next: getPublished },
    ...others,
    { name: 'create', next: create },
  ]
}

async function measureAll(
  bench: Bench,
  scenarios: Scenario[],
  { repetitions, seconds }: Effort,
): Promise<Measured[]> {
  const costs = scenarios.map(() => ({ service: [] as Cost[], floor: [] as Cost[] }))
  // A service that has run for a while is compiled and its connections hold their statements.
  for (const { next } of scenarios)
    for (const { origin } of [bench.service, bench.floor])
      await load(origin, bench.shop.apiKey, next, warmUp).catch(() => undefined)
  for (let repetition = 0; repetition < repetitions; repetition++) {
    for (const [index, { next }] of scenarios.entries()) {
      const order =
        repetition % 2 === 0 ? (['service', 'floor'] as const) : (['floor', 'service'] as const)
      for (const side of order)
        costs[index]![side].push(await measureOnce(bench, bench[side], next, seconds))
    }
  }
  return Promise.all(
    scenarios.map(async ({ name, next }, index) => {
      const { service, floor } = costs[index]!
      const ratio = median(service.map((cost, n) => cost.cpu / floor[n]!.cpu))
      const total = name === 'create' ? undefined : await totalOf(bench, next())
      return { name, ratio, service: middle(service), floor: middle(floor), total }
    }),
  )
}

/** The first scenario is the read over REST, by a key, that the others are compared with. */
async function measureAgents(
  bench: Bench,
  databaseUrl: string,
  { repetitions, seconds }: Effort,
): Promise<AgentCost[]> {
  const { service, shop } = bench
  const connection = connect(databaseUrl, { max: 1, patient: true })
  const resource = `${service.origin.replace('127.0.0.1', 'localhost')}/mcp`
  const token = await insertAgent(connection.db, resource).finally(() => connection.close())
  const scenarios = Object.entries(agentScenarios(shop)).map(([name, next], index) => {
    return { name, next, credential: index === 0 ? shop.apiKey : token, costs: [] as Cost[] }
  })
  for (const { next, credential } of scenarios) await load(service.origin, credential, next, warmUp)
  for (let repetition = 0; repetition < repetitions; repetition++)
    for (const { next, credential, costs } of scenarios)
      costs.push(await measureOnce(bench, service, next, seconds, credential))
  const [rest] = scenarios
  return scenarios.map(({ name, costs }) => ({
    name,
    ratio: median(costs.map((cost, n) => cost.cpu / rest!.costs[n]!.cpu)),
    cost: middle(costs),
  }))
}

async function measureOnce(
  { shop, postmaster }: Bench,
  { origin, pid }: Side,
  next: () => Wanted,
  seconds: number,
  credential = shop.apiKey,
): Promise<Cost> {
  // A total that a write has made the service forget is counted before: it is measured by itself.
  await call(origin, credential, next()).catch(() => undefined)
  const before = { node: processCpu(pid), database: processTreeCpu(postmaster) }
  const loaded = await load(origin, credential, next, { seconds }).catch((error: Error) => error)
  // What cannot be carried out under this load has no cost: the table says so.
  if (loaded instanceof Error) {
    console.error(loaded.message)
    return { cpu: NaN, node: NaN, perSecond: NaN }
  }
  const { calls, seconds: taken } = loaded
  const node = (processCpu(pid) - before.node) / calls
  const database = (processTreeCpu(postmaster) - before.database) / calls
  return { cpu: node + database, node, perSecond: calls / taken }
}

function middle(costs: Cost[]): Cost {
  const of = (key: keyof Cost) => median(costs.map((cost) => cost[key]))
  return { cpu: of('cpu'), node: of('node'), perSecond: of('perSecond') }
}

async function totalOf({ service, shop }: Bench, wanted: Wanted): Promise<number | undefined> {
  const answered = await call(service.origin, shop.apiKey, wanted).catch(() => undefined)
  const { pagination } = JSON.parse(answered?.body ?? '{}') as { pagination?: { total: number } }
  return pagination?.total
}
