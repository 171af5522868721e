import { rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { connect } from '../../src/db/connect.ts'
import { distribute, distributionColumns } from '../../src/db/distribution.ts'
import { migrate } from '../../src/db/migrate.ts'
import { scenariosOf } from '../bench/catalogue.ts'
import { median, postmasterOf, processCpu, processTreeCpu } from '../bench/cpu.ts'
import { makeDataFolder } from '../bench/data_folder.ts'
import { call, type CallRequest, endConnections, load } from '../bench/load.ts'
import { productPath } from '../bench/scenarios.ts'
import { seedShop, type Shop } from '../bench/seed.ts'
import { type Side, startService } from '../bench/sides.ts'
import { build } from '../build.mjs'
import type { Cluster, Node } from './cluster.ts'
import { databaseAt, execute, introduceNodes } from './nodes.ts'

const name = 'vitrine_speed'
const products = 5000
/** As many as the extension makes by default. */
const shardCount = 32
const repetitions = 9
const seconds = 0.5

interface Scenario {
  name: string
  next: () => CallRequest
}

interface Measured {
  shop: Shop
  service: Side
  scenarios: Scenario[]
  /** The first process of each server. */
  postmasters: number[]
  /** CPU milliseconds a second of the servers without calls. */
  idle: number
  stop: () => Promise<void>
}

interface Cost {
  node: number
  database: number
}

/** Prints what calls cost on the cluster, service and all nodes, as a multiple of one PostgreSQL. */
export async function compareSpeed(cluster: Cluster, only: string): Promise<number> {
  await build()
  const alone = await open(cluster.alone!, [])
  const distributed = await open(cluster.coordinator, cluster.workers)
  try {
    console.log(`${products} products, ${shardCount} shards; CPU ms of a call, service + database`)
    console.log(`${'ratio'.padStart(32)}${'one PostgreSQL'.padStart(20)}${'Citus'.padStart(20)}`)
    for (const [index, { name: scenario }] of alone.scenarios.entries())
      if (scenario.includes(only)) await compare(scenario, index, alone, distributed)
  } finally {
    await alone.stop()
    await distributed.stop()
    endConnections()
  }
  return 0
}

async function compare(
  scenario: string,
  index: number,
  alone: Measured,
  distributed: Measured,
): Promise<void> {
  const costs = { alone: [] as Cost[], distributed: [] as Cost[] }
  for (const { service, shop, scenarios } of [alone, distributed])
    await load(service.origin, shop.apiKey, scenarios[index]!.next, { seconds: 10, calls: 800 })
  for (let repetition = 0; repetition < repetitions; repetition++) {
    costs.alone.push(await measure(alone, index))
    costs.distributed.push(await measure(distributed, index))
  }
  const whole = ({ node, database }: Cost) => node + database
  const ratio = median(costs.distributed.map((cost, n) => whole(cost) / whole(costs.alone[n]!)))
  const figures = Object.values(costs).map((side) => {
    const of = (key: keyof Cost) => median(side.map((cost) => cost[key])).toFixed(2)
    return `${of('node')} + ${of('database')}`.padStart(20)
  })
  console.log(`${scenario.padEnd(25)}${ratio.toFixed(2).padStart(7)}${figures.join('')}`)
}

async function measure(
  { service, shop, scenarios, postmasters, idle }: Measured,
  index: number,
): Promise<Cost> {
  const { next } = scenarios[index]!
  await call(service.origin, shop.apiKey, next())
  const before = { node: processCpu(service.pid), database: cpuOf(postmasters) }
  const { calls, seconds: took } = await load(service.origin, shop.apiKey, next, { seconds })
  return {
    node: (processCpu(service.pid) - before.node) / calls,
    database: (cpuOf(postmasters) - before.database - idle * took) / calls,
  }
}

const cpuOf = (postmasters: number[]) =>
  postmasters.reduce((sum, postmaster) => sum + processTreeCpu(postmaster), 0)

/** Seeds a shop, distributes it over the workers if there are any, and starts the service. */
async function open(first: Node, workers: Node[]): Promise<Measured> {
  const nodes = [first, ...workers]
  for (const { url } of nodes) await execute(url, `create database ${name}`)
  const workerUrls = workers.map(({ url }) => url)
  if (workers.length > 0) await introduceNodes(name, first.url, workerUrls)
  const url = databaseAt(first.url, name)
  const connection = connect(url, { max: 2, patient: true })
  const client = new pg.Client(url)
  await client.connect()
  const dataDir = await makeDataFolder()
  const db = connection.db as unknown as Kysely<unknown>
  await migrate(db, { environment: 'development' })
  const shop = await seedShop(connection.db, client, products)
  if (workers.length > 0) {
    await sql`alter database ${sql.raw(name)} set citus.shard_count = ${sql.lit(shardCount)}`.execute(
      db,
    )
    const own = connect(url, { max: 1, patient: true })
    await distribute(own.db as unknown as Kysely<unknown>, () => undefined)
    await own.close()
    for (const table of Object.keys(distributionColumns))
      await client.query(`vacuum analyze ${table}`)
  }
  await connection.close()
  await client.end()
  const postmasters = await Promise.all(nodes.map(quiet))
  const service = await startService(url, dataDir)
  const before = cpuOf(postmasters)
  await delay(5000)
  return {
    shop,
    service,
    scenarios: [...scenariosOf(shop, products), updateOf(shop)],
    postmasters,
    idle: (cpuOf(postmasters) - before) / 5,
    async stop() {
      await service.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Changes the stock of one product after the other. */
function updateOf({ workspaceId, productIds }: Shop): Scenario {
  let turn = 0
  return {
    name: 'update',
    next: () => ({
      method: 'PATCH',
      path: productPath(workspaceId, productIds[turn++ % productIds.length]),
      body: JSON.stringify({ stock: turn }),
    }),
  }
}

/** Vacuuming during a measurement would be counted as the cost of calls. Answers the first process. */
async function quiet({ url }: Node): Promise<number> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query('alter system set autovacuum = off')
  await client.query('select pg_reload_conf()')
  const postmaster = await postmasterOf(client)
  await client.end()
  return postmaster
}
