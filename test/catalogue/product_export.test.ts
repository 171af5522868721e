import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  givenCollection,
  givenMediaRow,
  givenProduct,
  givenShop,
  givenTag,
  type Shop,
} from '../kit/catalogue.ts'
import { startService, type TestService } from '../kit/service.ts'

let service: TestService
let shop: Shop
beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT_PER_MINUTE: '100000' } })
})
afterAll(() => service.close())
beforeEach(async () => {
  shop = await givenShop(service)
})

const exported = async (query = '') => {
  const answer = await shop.api
    .get(shop.at(`products/export${query}`))
    .buffer(true)
    .expect(200)
  return { text: answer.text, headers: answer.headers as Record<string, string> }
}

const header =
  'id,name,brand,sku,barcode,stock,status,description,information,tags,collections,images,sales\r\n'

/** A product whose every field would break a careless file. */
async function givenHostileProduct() {
  const twins = [await givenTag(shop, 'Vegan'), await givenTag(shop, 'VEGAN')]
  const tag = await givenTag(shop, String.raw`a|b=c\d`)
  const collection = await givenCollection(shop, { name: 'Gifts, "all"' })
  const image = await givenMediaRow(shop)
  const product = await givenProduct(shop, {
    name: '=1+1',
    brand: "'-x",
    sku: '-',
    barcode: '@SUM(A1)',
    stock: 7,
    status: 'INACTIVE',
    description: 'He said "no",\r\nthen left. Gül',
    information: '',
    imageIds: [image.id],
    tagIds: [tag.id, twins[1]!.id],
    sales: [{ name: 'Shop=1|2', link: 'https://shop.example/?a=b|c' }],
  })
  await shop.api
    .put(shop.at(`collections/${collection.id}/products`))
    .send({ productIds: [product.id] })
    .expect(200)
  return { product, image, twin: twins[1]! }
}

describe('export_products', () => {
  test('writes every field so that a spreadsheet does no harm and an import gets it back', async () => {
    const { product, image, twin } = await givenHostileProduct()
    const { text, headers } = await exported()
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(headers['content-disposition']).toBe('attachment; filename="products.csv"')
    const cells = [
      product.id,
      "'=1+1",
      "''-x",
      "'-",
      "'@SUM(A1)",
      '7',
      'INACTIVE',
      '"He said ""no"",\r\nthen left. Gül"',
      '',
      String.raw`a\|b\=c\\d|${twin.id}`,
      '"Gifts, ""all"""',
      image.id,
      String.raw`Shop\=1\|2=https://shop.example/?a\=b\|c`,
    ]
    expect(text).toBe(`${header}${cells.join(',')}\r\n`)
  })

  test('has the same rows as JSON objects', async () => {
    const { product, image, twin } = await givenHostileProduct()
    const { text, headers } = await exported('?format=ndjson')
    expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
    expect(headers['content-disposition']).toBe('attachment; filename="products.ndjson"')
    expect(text.endsWith('}\n')).toBe(true)
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      {
        id: product.id,
        name: '=1+1',
        brand: "'-x",
        sku: '-',
        barcode: '@SUM(A1)',
        stock: 7,
        status: 'INACTIVE',
        description: 'He said "no",\r\nthen left. Gül',
        information: '',
        tags: [String.raw`a|b=c\d`, twin.id],
        collections: ['Gifts, "all"'],
        images: [image.id],
        sales: product.sales,
      },
    ])
  })

  test('names collections only to keys that may read them', async () => {
    await givenHostileProduct()
    const { key } = await service.givenKey(shop.person, { scopes: ['products:read'] })
    for (const format of ['csv', 'ndjson']) {
      const path = shop.at(`products/export?format=${format}`)
      const { text } = await service.api(key).get(path).buffer(true).expect(200)
      expect(text).toContain('=1+1')
      expect(text).not.toMatch(/Gifts|collections/)
    }
  })

  test('takes the filters of the list, a search included', async () => {
    const rose = await givenProduct(shop, { name: 'Rose water', stock: 0 })
    const balm = await givenProduct(shop, { name: 'Balm', stock: 5 })
    const idsOf = async (query: string) =>
      (await exported(query)).text
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.split(',')[0])
    expect(await idsOf('')).toEqual([rose.id, balm.id])
    expect(await idsOf('?stock=OUT')).toEqual([rose.id])
    expect(await idsOf('?search=balm')).toEqual([balm.id])
    expect(await idsOf(`?ids=${balm.id}`)).toEqual([balm.id])
    expect(await idsOf('?search=nothing-of-this-kind')).toEqual([])
    const { body } = await shop.api.get(shop.at('products/export?format=xls')).expect(400)
    expect(Object.keys(body.fieldErrors)).toEqual(['format'])
  })

  test('sends 40 MB of products in flat memory, and nothing to those who leave', async () => {
    await givenMany(2000, 20_000)
    for (let index = 0; index < 12; index++) await leaveAfterFirstChunk()
    const busy = sql<{ count: number }>`select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and state like 'idle in transaction%'`
    expect((await busy.execute(service.db)).rows[0]!.count).toBe(0)
    const ids = new Set<string>()
    let [bytes, chunks, peak] = [0, 0, 0]
    let rest = ''
    const before = liveBytes()
    await read((chunk) => {
      bytes += chunk.length
      if (chunks++ % 50 === 0) peak = Math.max(peak, liveBytes())
      const lines = (rest + chunk.toString()).split('\r\n')
      rest = lines.pop()!
      // Copied: a slice would keep the whole chunk.
      for (const line of lines) ids.add(Buffer.from(line.slice(0, line.indexOf(','))).toString())
    })
    ids.delete('id')
    expect(ids.size).toBe(2000)
    expect(bytes).toBeGreaterThan(40_000_000)
    expect(peak - before).toBeLessThan(20_000_000)
  })
})

test('feedback, usage events and wallet entries are files, too', async () => {
  const { workspaceId } = shop
  await service.db
    .insertInto('feedback')
    .values({
      id: 'fbk_hostile',
      workspace_id: workspaceId,
      customer_id: null,
      message: '=HYPERLINK("x")',
      created_at: service.now(),
    })
    .execute()
  await sql`insert into row_counters (counted, slot, total) values (${workspaceId}, 0, 1)
    on conflict do nothing`.execute(service.db)
  const lines = async (path: string) =>
    (await shop.api.get(shop.at(path)).buffer(true).expect(200)).text.split('\r\n')
  expect(await lines('feedback/export')).toEqual([
    'id,createdAt,userId,message',
    `fbk_hostile,${service.now().toISOString()},,"'=HYPERLINK(""x"")"`,
    '',
  ])
  await givenTag(shop)
  const [columns, event] = await lines('usage/events/export?eventName=management.write')
  expect(columns).toBe(
    'id,createdAt,actorType,userId,eventName,endpoint,resourceType,resourceId,creditDelta,modelKey,status',
  )
  expect(event).toMatch(
    /^evt_\w+,[^,]+,API_KEY,acc_\w+,management\.write,create_tag,tag,tag_\w+,0,,SUCCESS$/,
  )
  expect((await lines('usage/events/export?eventName=click')).slice(1)).toEqual([''])
  expect(await lines('wallet/entries/export')).toEqual([
    'id,createdAt,type,credits,balanceAfter,reference,reason',
    '',
  ])
})

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** What is in use, without garbage: how much of that there is depends on when it is collected. */
function liveBytes(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/**
 * Rows straight in the database: their number matters, not how they came. The bytes are in a link, which
 * no index of texts has to take in.
 */
async function givenMany(count: number, bytes: number): Promise<void> {
  const template = await givenProduct(shop)
  const sales = JSON.stringify([
    { name: 'A shop', link: `https://shop.example/${'d'.repeat(bytes)}` },
  ])
  await sql`update products set sales = ${sales}
    where workspace_id = ${shop.workspaceId} and id = ${template.id}`.execute(service.db)
  const columns = await sql<{ name: string }>`select attname as name from pg_attribute
    where attrelid = 'products'::regclass and attnum > 0 and not attisdropped
      and attgenerated = ''`.execute(service.db)
  const own = ['id', 'slug', 'name_key', 'sku_key', 'barcode_key']
  const turkic = ['name_turkic_key', 'sku_turkic_key', 'barcode_turkic_key', 'turkic_of']
  const values = columns.rows.map(({ name }) => {
    if (name === 'id' || name === 'slug') return sql`p.${sql.ref(name)} || '_' || n`
    if (own.includes(name)) return sql`p.${sql.ref(name)} || int4send(n)`
    return turkic.includes(name) ? sql`null` : sql`p.${sql.ref(name)}`
  })
  // Each statement ends in time on a busy machine, too.
  const batch = 100
  for (let first = 2; first <= count; first += batch)
    await sql`insert into products (${sql.join(columns.rows.map(({ name }) => sql.ref(name)))})
      select ${sql.join(values)} from products p,
        generate_series(${sql.lit(first)}, ${sql.lit(Math.min(count, first + batch - 1))}) n
      where p.id = ${template.id}`.execute(service.db)
}

const request = () =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const url = `${service.urls.api}${shop.at('products/export')}`
    const headers = { Authorization: `Bearer ${shop.key}` }
    get(url, { headers, agent: false }, resolve).on('error', reject)
  })

async function read(take: (chunk: Buffer) => void): Promise<void> {
  const answer = await request()
  expect(answer.statusCode).toBe(200)
  for await (const chunk of answer) take(chunk as Buffer)
  expect(answer.complete).toBe(true)
}

async function leaveAfterFirstChunk(): Promise<void> {
  const answer = await request()
  await once(answer, 'data')
  answer.destroy()
}
