import { rm } from 'node:fs/promises'
import type { Kysely } from 'kysely'
import pg from 'pg'
import { readConfig } from '../../src/settings/config.ts'
import { connect } from '../../src/db/connect.ts'
import { startEmbeddedPostgres } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { agentScenarios, insertAgent } from './agents.ts'
import { median, postmasterOf, processCpu, processMemory, processTreeCpu } from './cpu.ts'
import { makeDataFolder } from './data_folder.ts'
import { call, type CallRequest, load } from './load.ts'
import { fixedReads, newProduct, productPath, publishedPath, visitorHeaders } from './scenarios.ts'
import { seedShop, type Shop } from './seed.ts'
import { type ServiceSide, type Side, startFloor, startService } from './sides.ts'
import { measurePages, type PageCost } from './shops/pages.ts'
import { measurePictures, type PictureFigures } from './shops/pictures.ts'
import { measureStatements, type StatementCost } from './statements.ts'

/** Measurement of an operation: medians of interleaved repetitions. */
export interface Measurement {
  name: string
  ratio: number
  service: Cost
  floor: Cost
  /** Total number of rows, for a list. */
  total: number | undefined
}

export interface Cost {
  /** CPU milliseconds per call, of the serving process and the database. */
  cpu: number
  /** The share of the serving process. */
  node: number
  perSecond: number
}

export interface CatalogueFigures {
  products: number
  measurements: Measurement[]
  statements: StatementCost[]
  agents: AgentCost[]
  pages: PageCost[]
  /** Megabytes of the serving process: when it began and at the end. */
  memory: { idle: number; loaded: number }
}

/** Cost of an agent's call, as a multiple of the same read over REST. */
export interface AgentCost {
  name: string
  ratio: number
  cost: Cost
}

interface Bench {
  shop: Shop
  postmaster: number
  service: ServiceSide
  floor: Side
}

interface Effort {
  repetitions: number
  seconds: number
}

/** Until Node has compiled the hot code, a call costs several times as much. */
const warmUp = { calls: 3000, seconds: 30 }

interface Scenario {
  name: string
  next: () => CallRequest
}

interface Started {
  url: string
  shop: Shop
  service: ServiceSide
  postmaster: number
  /** Sides that are stopped in the end. */
  sides: Side[]
}

/** Seeds a shop and starts the service, until what is done with them is over. */
async function withShop<T>(products: number, use: (started: Started) => Promise<T>): Promise<T> {
  const dataDir = await makeDataFolder()
  const postgres = await startEmbeddedPostgres({ dataDir })
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  const sides: Side[] = []
  try {
    const shop = await makeShop(client, postgres.url, products)
    const service = await startService(postgres.url, dataDir)
    sides.push(service)
    const postmaster = await postmasterOf(client)
    return await use({ url: postgres.url, shop, service, postmaster, sides })
  } finally {
    for (const side of sides) await side.stop()
    await client.end()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Measures the service and the floor side by side. */
export function benchCatalogue(products: number, effort: Effort): Promise<CatalogueFigures> {
  return withShop(products, async ({ url, shop, service, postmaster, sides }) => {
    const idle = processMemory(service.pid)
    const floor = await startFloor(url, service, shop, products)
    sides.push(floor)
    const statements = await measureStatements(url, { shop, products })
    const bench = { shop, postmaster, service, floor }
    const measurements = await measureAll(bench, scenariosOf(shop, products), effort)
    const agents = await measureAgents(bench, url, effort)
    const pages = await measurePages({ ...bench, databaseUrl: url }, effort)
    const memory = { idle, loaded: processMemory(service.pid) }
    return { products, measurements, statements, agents, pages, memory }
  })
}

/** Measures the pages of a shop alone. */
export function benchPages(
  products: number,
  effort: Effort,
): Promise<Pick<CatalogueFigures, 'products' | 'pages' | 'memory'>> {
  return withShop(products, async ({ url, shop, service, postmaster }) => {
    const idle = processMemory(service.pid)
    const pages = await measurePages({ shop, service, postmaster, databaseUrl: url }, effort)
    return { products, pages, memory: { idle, loaded: processMemory(service.pid) } }
  })
}

/** Asks for the pages of a shop while so many photos are uploaded to it. */
export function benchPictures(pictures: number): Promise<PictureFigures> {
  const someProducts = 1000
  return withShop(someProducts, ({ url, shop, service }) =>
    measurePictures({ shop, service, databaseUrl: url }, pictures),
  )
}

async function makeShop(client: pg.Client, url: string, products: number): Promise<Shop> {
  const connection = connect(url, { max: 2, patient: true })
  try {
    await migrate(connection.db as unknown as Kysely<unknown>, readConfig({}))
    // Autovacuum during a measurement would be counted as the cost of calls.
    await client.query('alter system set autovacuum = off')
    await client.query('select pg_reload_conf()')
    return await seedShop(connection.db, client, products)
  } finally {
    await connection.close()
  }
}

export function scenariosOf(shop: Shop, products: number): Scenario[] {
  const { workspaceId, productIds, publishedIds } = shop
  const reads = fixedReads(shop, products).map(({ name, path, headers = {} }) => ({
    name,
    next: () => ({ method: 'GET' as const, path, headers }),
  }))
  let turn = 0
  const get = () => {
    const id = productIds[turn++ % productIds.length]
    return { method: 'GET' as const, path: productPath(workspaceId, id) }
  }
  const getPublished = () => {
    const path = publishedPath(workspaceId, publishedIds[turn++ % publishedIds.length])
    return { method: 'GET' as const, path, headers: visitorHeaders(shop) }
  }
  let created = 0
  const create = () => {
    const body = JSON.stringify(newProduct(shop, `${process.pid}X${++created}`, created))
    return { method: 'POST' as const, path: productPath(workspaceId), body }
  }
  // Writes come last, so that the reads of a repetition see an unchanging table.
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
): Promise<Measurement[]> {
  const costs = scenarios.map(() => ({ service: [] as Cost[], floor: [] as Cost[] }))
  // Warm up: compile hot code and prepare the statements on every connection.
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

/** The first scenario, the read over REST with a key, is the baseline for the others. */
async function measureAgents(
  bench: Bench,
  databaseUrl: string,
  { repetitions, seconds }: Effort,
): Promise<AgentCost[]> {
  const { service, shop } = bench
  const connection = connect(databaseUrl, { max: 1, patient: true })
  const resource = `${service.origin.replace('127.0.0.1', 'localhost')}/mcp`
  const token = await insertAgent(connection.db, resource)
  await connection.close()
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

export async function measureOnce(
  { shop, postmaster }: Pick<Bench, 'shop' | 'postmaster'>,
  { origin, pid }: Side,
  next: () => CallRequest,
  seconds: number,
  credential = shop.apiKey,
): Promise<Cost> {
  // Fill the cache of totals, which a write invalidates: counting is measured separately.
  await call(origin, credential, next()).catch(() => undefined)
  const before = { node: processCpu(pid), database: processTreeCpu(postmaster) }
  const result = await load(origin, credential, next, { seconds }).catch((error: Error) => error)
  // A scenario that fails under this load has no cost; the table shows NaN.
  if (result instanceof Error) {
    console.error(result.message)
    return { cpu: NaN, node: NaN, perSecond: NaN }
  }
  const { calls, seconds: duration } = result
  const node = (processCpu(pid) - before.node) / calls
  const database = (processTreeCpu(postmaster) - before.database) / calls
  return { cpu: node + database, node, perSecond: calls / duration }
}

function middle(costs: Cost[]): Cost {
  const of = (key: keyof Cost) => median(costs.map((cost) => cost[key]))
  return { cpu: of('cpu'), node: of('node'), perSecond: of('perSecond') }
}

async function totalOf(
  { service, shop }: Bench,
  callRequest: CallRequest,
): Promise<number | undefined> {
  const answer = await call(service.origin, shop.apiKey, callRequest).catch(() => undefined)
  const { pagination } = JSON.parse(answer?.body ?? '{}') as { pagination?: { total: number } }
  return pagination?.total
}
