import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import pg from 'pg'
import { newId } from '../../src/core/ids.ts'
import { hashToken } from '../../src/core/secrets.ts'
import { identityKeyOf, searchTextOf, slugOf } from '../../src/core/text.ts'
import { types } from '../../src/db/connect.ts'
import { statementName } from '../../src/db/prepared.ts'
import type { components } from '../../src/generated/types.ts'
import {
  type Recording,
  recordCall,
  recordKeyLookUp,
  recordVisitLookUp,
  type Statement,
} from './recording.ts'
import { fixedReads, newProduct } from './scenarios.ts'
import type { Shop } from './seed.ts'

type ProductCreate = components['schemas']['ProductCreate']
type Row = Record<string, unknown>

/** Task that the bench passes to the floor process. */
export interface FloorTask {
  databaseUrl: string
  baseUrl: string
  port: number
  products: number
  shop: Shop
  /** The headers of the service's answers, so that the floor sends the same bytes. */
  headers: Record<string, string>
  visitHeaders: Record<string, string>
}

// The floor: node:http and pg, and nothing in between. For each call it looks up the key, sends
// exactly the statements of the service, and answers with the same text. It prepares them all,
// except for those that the service has planned for their values: prepared, they would soon get a
// generic plan.
const task = JSON.parse(process.env.FLOOR_TASK ?? '') as FloorTask
const { databaseUrl, baseUrl, port, products, shop } = task
const { workspaceId, apiKey, visitorToken } = shop
const pool = new pg.Pool({ connectionString: databaseUrl, max: 12, types })
const place = { pool, baseUrl, workspaceId, apiKey }

/** The service updates a key's last use once a minute, so only the first call writes. */
await recordKeyLookUp(place)
const keyLookUp = await recordKeyLookUp(place)
const visitLookUp = await recordVisitLookUp(place, visitorToken)
const storedSession = hashToken(visitorToken)
const reads = new Map<string, Recording>()
for (const { path, operationId, input } of fixedReads(shop, products))
  reads.set(path, await recordCall(place, operationId, input, { repeated: true }))
const sampleId = shop.productIds[0]!
const get = await recordCall(place, 'get_product', {
  path: { workspaceId, id: sampleId },
  query: {} as never,
  body: undefined as never,
})
const publishedId = shop.publishedIds[0]!
const getPublished = await recordCall(place, 'get_published_product', {
  path: { workspaceId, productId: publishedId },
  query: {},
  body: undefined as never,
})
const sample = newProduct(shop, `SAMPLE${Date.now()}`)
const create = await recordCall(place, 'create_product', {
  path: { workspaceId },
  query: {} as never,
  body: sample,
})
const created = JSON.parse(create.output) as components['schemas']['Product']

const names = new Map<string, string>()

function nameOf(text: string): string {
  let name = names.get(text)
  if (!name) names.set(text, (name = `statement_${names.size}`))
  return name
}

function send(db: pg.Pool | pg.PoolClient, { text }: Statement, values: unknown[]) {
  // Begin and commit need no preparation.
  if (values.length === 0) return db.query<Row>(text)
  if (statementName(text) === '') return db.query<Row>(text, values)
  return db.query<Row>({ name: nameOf(text), text, values })
}

async function answerRead({ statements, answer }: Recording, values: (s: Statement) => unknown[]) {
  let json = ''
  for (const [index, statement] of statements.entries()) {
    const { rows } = await send(pool, statement, values(statement))
    if (index === answer.index) json = String(rows[0]!.json)
  }
  return answer.before + json + answer.after
}

function answerGet(url: string, isVisit: boolean): Promise<string> {
  const read = reads.get(url)
  if (read) return answerRead(read, ({ values }) => values)
  const id = url.slice(url.lastIndexOf('/') + 1)
  const [one, sampledId] = isVisit ? [getPublished, publishedId] : [get, sampleId]
  return answerRead(one, ({ values }) => values.map((value) => (value === sampledId ? id : value)))
}

/** The values that differ between products, in a fixed order. */
function valuesOf({ name, sku, barcode, brand, imageIds }: ProductCreate, id: string, now: Date) {
  const slug = slugOf(name, 'product')
  const search = searchTextOf([name, brand, sku, barcode, slug].join('\n'))
  const keys = [identityKeyOf(name), identityKeyOf(sku), identityKeyOf(barcode)]
  return [id, name, sku, barcode, slug, search, ...keys, now, imageIds, ...imageIds]
}

/** For each value of each statement of a write, the index of the product's value, or -1. */
const places = create.statements.map(({ values }) => {
  const sampleKeys = valuesOf(sample, created.id, new Date(created.createdAt)).map(keyOf)
  return values.map((value) => sampleKeys.indexOf(keyOf(value)))
})

function keyOf(value: unknown): string {
  return JSON.stringify(value)
}

async function answerCreate(body: ProductCreate): Promise<string> {
  const own = valuesOf(body, newId('prod'), new Date())
  const client = await pool.connect()
  let json = ''
  for (const [index, statement] of create.statements.entries()) {
    const values = statement.values.map((value, n) => {
      const position = places[index]![n]!
      // The usage event of the write needs a fresh id.
      if (typeof value === 'string' && value.startsWith('evt_')) return newId('evt')
      return position < 0 ? value : own[position]
    })
    const { rows } = await send(client, statement, values)
    if (index === create.answer.index) json = String(rows[0]!.json)
  }
  client.release()
  return create.answer.before + json + create.answer.after
}

async function readBody(request: IncomingMessage): Promise<ProductCreate> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString()) as ProductCreate
}

async function lookUp({ headers }: IncomingMessage, isVisit: boolean): Promise<boolean> {
  const keyHash = hashToken((headers.authorization ?? '').slice('Bearer '.length))
  const session = isVisit ? hashToken(String(headers['x-visitor-token'])) : undefined
  const statement = isVisit ? visitLookUp : keyLookUp
  const values = statement.values.map((value) => {
    if (!Buffer.isBuffer(value)) return value
    return session && storedSession.equals(value) ? session : keyHash
  })
  return (await send(pool, statement, values)).rows.length > 0
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = request.url!
  const isVisit = url.includes('/experience/')
  if (!(await lookUp(request, isVisit))) return void response.writeHead(401).end()
  const writes = request.method === 'POST'
  const body = writes ? await answerCreate(await readBody(request)) : await answerGet(url, isVisit)
  const headers = isVisit ? task.visitHeaders : task.headers
  response.writeHead(200, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body)
}

createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    console.error(error)
    response.writeHead(500).end()
  })
}).listen(port, '127.0.0.1')
