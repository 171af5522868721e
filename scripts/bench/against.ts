import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { Kysely } from 'kysely'
import pg from 'pg'
import type * as connections from '../../src/db/connect.ts'
import type * as embedded from '../../src/db/embedded.ts'
import type * as migrations from '../../src/db/migrate.ts'
import type * as agents from './agents.ts'
import { type Cost, measureOnce, scenariosOf } from './catalogue.ts'
import { median, postmasterOf } from './cpu.ts'
import { makeDataFolder } from './data_folder.ts'
import { agentScenarios } from './agents.ts'
import { type CallRequest, endConnections, load } from './load.ts'
import { newProduct, productPath } from './scenarios.ts'
import type * as seeds from './seed.ts'
import type * as sides from './sides.ts'

/*
 * Compares the hot paths of this checkout with those of another one, each on its own database and
 * with its own seed, measured in turns in one run: `npx tsx scripts/bench/against.ts <folder>`.
 * The other checkout needs its packages installed.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    products: { type: 'string', default: '1000' },
    repetitions: { type: 'string', default: '15' },
    seconds: { type: 'string', default: '0.5' },
    /** Part of a scenario's name: only those are measured. */
    only: { type: 'string', default: '' },
  },
})
const products = Number(values.products)
const seconds = Number(values.seconds)

interface Checkout {
  shop: seeds.Shop
  postmaster: number
  service: sides.Side
  scenarios: { name: string; next: () => CallRequest; credential: string }[]
  stop: () => Promise<void>
}

const here = resolve(import.meta.dirname, '..', '..')
const [other] = positionals
if (other === undefined) throw new Error('Name the folder of another checkout.')
const before = await start(resolve(other))
const after = await start(here)
try {
  console.log(`${products} products; CPU ms per call, process and database, medians`)
  console.log(`${''.padEnd(28)}  ratio   before    after    node: before    after`)
  for (const [index, { name }] of after.scenarios.entries()) {
    if (!name.includes(values.only)) continue
    const costs = { before: [] as Cost[], after: [] as Cost[] }
    for (const checkout of [before, after])
      await load(...callsOf(checkout, index), { seconds: 30, calls: 1500 })
    for (let repetition = 0; repetition < Number(values.repetitions); repetition++)
      for (const side of repetition % 2 === 0
        ? (['before', 'after'] as const)
        : (['after', 'before'] as const))
        costs[side].push(await measure(side === 'before' ? before : after, index))
    const ratio = median(costs.after.map(({ cpu }, n) => cpu / costs.before[n]!.cpu))
    const medianOf = (key: keyof Cost) =>
      [costs.before, costs.after].map((side) => median(side.map((cost) => cost[key])))
    const [figures, shares] = [[ratio, ...medianOf('cpu')], medianOf('node')].map((row) =>
      row.map((figure) => figure.toFixed(3).padStart(9)).join(''),
    )
    console.log(`${name.padEnd(26)}${figures}         ${shares}`)
  }
} finally {
  for (const checkout of [before, after]) await checkout.stop()
  endConnections()
}

/** Seeds a database and starts the service, both with the checkout's own code. */
async function start(folder: string): Promise<Checkout> {
  const own = <Module>(...path: string[]) =>
    import(pathToFileURL(join(folder, ...path)).href) as Promise<Module>
  const { build } = await own<{ build: () => Promise<void> }>('scripts', 'build.mjs')
  await build()
  const { startEmbeddedPostgres } = await own<typeof embedded>('src', 'db', 'embedded.ts')
  const { connect } = await own<typeof connections>('src', 'db', 'connect.ts')
  const { migrate } = await own<typeof migrations>('src', 'db', 'migrate.ts')
  const { seedShop } = await own<typeof seeds>('scripts', 'bench', 'seed.ts')
  const { startService } = await own<typeof sides>('scripts', 'bench', 'sides.ts')
  const { insertAgent } = await own<typeof agents>('scripts', 'bench', 'agents.ts')
  const dataDir = await makeDataFolder()
  const postgres = await startEmbeddedPostgres({ dataDir })
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  const connection = connect(postgres.url, { max: 2, patient: true })
  await migrate(connection.db as unknown as Kysely<unknown>, { environment: 'development' })
  // Autovacuum during a measurement would be counted as the cost of calls.
  await client.query('alter system set autovacuum = off')
  await client.query('select pg_reload_conf()')
  const shop = await seedShop(connection.db, client, products)
  // How rows happen to lie in their pages makes a list up to 7 % slower: both sides have them in order.
  await client.query('vacuum full analyze')
  const service = await startService(postgres.url, dataDir)
  const resource = `${service.origin.replace('127.0.0.1', 'localhost')}/mcp`
  const token = await insertAgent(connection.db, resource)
  const calls = [...scenariosOf(shop, products), updateOf(shop)]
  const rest = calls.map((each) => ({ ...each, credential: shop.apiKey }))
  const tools = Object.entries(agentScenarios(shop))
    .filter(([name]) => name.startsWith('tools'))
    .map(([name, next]) => ({ name, next, credential: token }))
  await connection.close()
  const postmaster = await postmasterOf(client)
  const stop = async () => {
    await service.stop()
    await client.end()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { shop, postmaster, service, scenarios: [...rest, ...tools], stop }
}

/** Replaces one product after the other. */
function updateOf(shop: seeds.Shop) {
  let turn = 0
  const next = (): CallRequest => {
    const id = shop.productIds[turn++ % shop.productIds.length]
    const body = JSON.stringify(newProduct(shop, `${process.pid}U${turn}`, turn))
    return { method: 'PUT', path: productPath(shop.workspaceId, id), body }
  }
  return { name: 'update', next }
}

function callsOf({ service, scenarios }: Checkout, index: number) {
  const { credential, next } = scenarios[index]!
  return [service.origin, credential, next] as const
}

function measure(checkout: Checkout, index: number): Promise<Cost> {
  const { credential, next } = checkout.scenarios[index]!
  return measureOnce(checkout, checkout.service, next, seconds, credential)
}
