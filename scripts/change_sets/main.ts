// npm run sets:test [-- rows kills]
//
// Imports a file of products (10,000 by default), plans a second one that changes them and has 37 bad rows,
// and applies it while the service is killed at random, again and again (20 times): each time all of it
// must be there or nothing. Undone, every product must be as it was, to its entity tag; one that was edited
// in between must be named. Prints what each step took, with the processor time of service and database.
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../src/db/embedded.ts'
import { postmasterOf, processTreeCpu } from '../bench/cpu.ts'
import { makeDataFolder } from '../bench/data_folder.ts'
import { build } from '../build.mjs'
import { type RunningBuild, startBuild } from '../upgrade/running_build.ts'
import { type ImportShop, shopAt } from './shop.ts'

const root = join(import.meta.dirname, '..', '..')
const rows = Number(process.argv[2] ?? 10_000)
const kills = Number(process.argv[3] ?? 20)
const badRows = 37
/** About as long as a step takes. */
const killSeconds = 1 + rows / 2_000

await build()
const dataDir = await makeDataFolder()
const database = await startEmbeddedPostgres({ dataDir })
const client = new pg.Client(database.url)
await client.connect()
const postmaster = await postmasterOf(client)
let service: RunningBuild
const table: { step: string; seconds?: string; 'CPU s'?: string }[] = []

async function start(): Promise<void> {
  service = await startBuild(root, {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    SECRET_KEY: 'a secret of the change sets test, long enough',
  })
  await service.ready
}

/** Runs a step and notes what it took. */
async function measured<T>(step: string, work: () => Promise<T>): Promise<T> {
  const cpu = () => processTreeCpu(postmaster) + processTreeCpu(service.pid)
  const [begun, before] = [performance.now(), cpu()]
  const result = await work()
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  table.push({ step, seconds, 'CPU s': ((cpu() - before) / 1000).toFixed(1) })
  return result
}

function require(isTrue: boolean, fault: string): void {
  if (isTrue) return
  console.table(table)
  throw new Error(fault)
}

const head = 'sku,name,brand,barcode,stock,description,information'
const line = (row: number, stock: string) =>
  `S-${row},Product ${row},Brand ${row % 40},B-${row},${stock},${'About this product. '.repeat(10)},Facts ${row}`

function openShop(): Promise<ImportShop> {
  const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as { apiKey: string }
  return shopAt(() => service.api, demo.apiKey)
}

/** The products of the files, as the workspace shows them. */
async function pageThrough(own: ImportShop): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>()
  for (let page = 1; ; page++) {
    const body = await own.get(`products?view=full&pageSize=100&page=${page}&sort=name`)
    for (const product of body.products as { id: string; brand: string }[])
      if (product.brand.startsWith('Brand ')) found.set(product.id, product)
    if (!(body.pagination as { hasNextPage: boolean }).hasNextPage) return found
  }
}

try {
  await start()
  const own = await openShop()
  const first = Array.from({ length: rows }, (_, row) => line(row, String(row % 90)))
  const made = await measured('upload and plan, all new', () => own.plan([head, ...first]))
  require(made.counts.creates === rows, `Not all rows are new: ${JSON.stringify(made.counts)}`)
  await measured('apply, all new', () => own.step(made.id, 'apply'))

  const bad = new Set(
    Array.from({ length: badRows }, (_, i) => Math.floor(((i + 0.5) * rows) / badRows)),
  )
  const second = Array.from({ length: rows }, (_, row) => line(row, bad.has(row) ? 'many' : '777'))
  const plan = await measured('upload and plan, 37 bad rows', () => own.plan([head, ...second]))
  const named = await own.badRows(plan.id)
  require(isDeepStrictEqual(named, [...bad]), `Other rows are named: ${named.join()}`)
  const before = await pageThrough(own)
  const tags = await own.entityTags([...before.keys()].slice(0, 200))

  let [none, all] = [0, 0]
  let set = plan
  let isApplied = false
  for (let kill = 0; kill < kills; kill++) {
    if (!isApplied && kill > 0 && set.state !== 'PLANNED') set = await own.plan([head, ...second])
    // Its answer may be lost with the service.
    const asked = own.begin(set.id, isApplied ? 'undo' : 'apply').catch(() => undefined)
    await pause(Math.random() * killSeconds * 1000)
    await service!.stop('SIGKILL')
    await asked
    await start()
    const { rows: counted } = await client.query<{ count: string }>(
      'select count(*) as count from products where stock = 777',
    )
    const changed = Number(counted[0]!.count)
    require(changed === 0 || changed === rows - badRows, `${changed} rows are changed.`)
    if (changed === 0) none++
    else all++
    set = await own.ended(set.id)
    isApplied = set.state === 'APPLIED'
  }
  if (isApplied) await own.step(set.id, 'undo')
  table.push({ step: `killed ${kills} times: nothing there ${none}, all ${all}` })

  const last = await own.plan([head, ...second])
  await measured('apply', () => own.step(last.id, 'apply'))
  await measured('undo', () => own.step(last.id, 'undo'))
  const after = await pageThrough(own)
  const different = [...before].filter(([id, then]) => !isDeepStrictEqual(then, after.get(id)))
  const [other] = different.map(([id, then]) => JSON.stringify([then, after.get(id)]))
  require(different.length === 0, `${different.length} products are not as they were: ${other}`)
  const again = await own.entityTags([...tags.keys()])
  require(isDeepStrictEqual(tags, again), 'Entity tags are not as they were.')

  const edited = await own.plan([head, ...second])
  await own.step(edited.id, 'apply')
  const [id] = [...before].find(([, product]) => (product as { sku: string }).sku === 'S-0')!
  await own.call(`products/${id}`, 'PATCH', { brand: 'Edited' })
  const { state, failure } = await own.step(edited.id, 'undo')
  require(state === 'APPLIED', 'An edited product was overwritten.')
  table.push({ step: `undo after an edit: ${failure}` })
  console.table(table)
} finally {
  await service!.stop('SIGKILL')
  await client.end()
  await database.stop()
  await rm(dataDir, { recursive: true, force: true })
}
