import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { givenProduct, type Product } from '../kit/catalogue.ts'
import { type ChatPlace, givenChats } from '../assistant/chats.ts'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import { startService, type TestService } from '../kit/service.ts'

/** The built-in model with a catalogue of 100,000 products, in two processes. */
const products = 100_000

let database: TestDatabase
let services: TestService[]
let place: ChatPlace
let key: string
let needle: Product
let oil: Product

beforeAll(async () => {
  database = await createDatabase()
  const one = await startService({ databaseUrl: database.url })
  services = [one, await startService({ databaseUrl: database.url })]
  place = await givenChats(one, 1000)
  key = (await one.givenKey(place.person)).key
  await place.setPolicy({ guestDailyRequests: 100 })
  await fillCatalogue()
  needle = await givenProduct(place, {
    name: 'Moon serum',
    description: 'A serum with bakuchiol. Soothes the skin at night.',
  })
  oil = await givenProduct(place, {
    name: 'Camellia oil',
    description: 'Camellia makes dry hair supple.',
  })
  await givenProduct(place, {
    name: 'Hidden serum',
    description: 'A serum with squalane.',
    status: 'INACTIVE',
  })
})
afterAll(async () => {
  for (const each of services) await each.close()
  await database.drop()
})

/** Products of a few hundred words each, in varied combinations; most are published. */
async function fillCatalogue(): Promise<void> {
  const client = new pg.Client(database.url)
  await client.connect()
  // Bulk load without triggers and without any index but the one used to find answers.
  await client.query('set session_replication_role = replica')
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename = 'products' and indexname not in (select conname from pg_constraint)`,
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  await client.query(
    `insert into products (id, workspace_id, name, brand, slug, description, information, sales,
       sku, barcode, stock, status, name_key, sku_key, barcode_key, search, created_at, updated_at)
     select 'prod_' || lpad(n::text, 26, '0'), $1, kind || ' ' || n, 'Anatolia', 'p-' || n,
       'Gentle ' || lower(kind) || ' with ' || herb || ' for ' || skin || ' skin.',
       'Apply in the ' || (array['morning', 'evening'])[1 + n % 2] || '. Contains ' || herb
         || ' and glycerin.', '[]', 's' || n, 'b' || n, n % 100,
       case when n % 10 = 3 then 'INACTIVE' else 'ACTIVE' end, key, key, key, 'p' || n, now(), now()
     from generate_series(1, ${products}) n,
       lateral (select sha256(n::text::bytea) as key,
         (array['Cream', 'Serum', 'Toner', 'Balm', 'Soap'])[1 + n % 5] as kind,
         (array['rose', 'sage', 'mint', 'olive', 'fig', 'thyme', 'aloe'])[1 + n % 7] as herb,
         (array['dry', 'oily', 'sensitive'])[1 + n % 3] as skin) words`,
    [place.workspaceId],
  )
  for (const { name, definition } of rows)
    if (name === 'products_document_index') await client.query(definition)
  await client.query('set session_replication_role = origin')
  await client.query('analyze products')
  await client.end()
}

/** Each process's answer to the same question. */
async function answersTo(message: string, product = place.product): Promise<unknown[]> {
  const answers: unknown[] = []
  for (const each of services) {
    const { body } = await each
      .api(key)
      .post(place.at('experience/chat/product'))
      .set(place.guest().headers)
      .send({ message, productId: product.id })
      .expect(200)
    const hits = body.products as { id: string }[]
    answers.push({ response: body.response as string, productIds: hits.map(({ id }) => id) })
  }
  return answers
}

const twice = <T>(value: T) => [value, value]
const unknown = 'I could not find an answer to this in the catalogue.'

describe(`the built-in model in a catalogue of ${products.toLocaleString('en')} products`, () => {
  test('finds the one product with the answer', async () => {
    expect(await answersTo('Do you have something with bakuchiol?')).toEqual(
      twice({
        response: 'Other products:\n- Moon serum: “A serum with bakuchiol.”',
        productIds: [needle.id],
      }),
    )
    expect(await answersTo('Which oil is for dry hair?')).toEqual(
      twice({
        response: 'Other products:\n- Camellia oil: “Camellia makes dry hair supple.”',
        productIds: [oil.id],
      }),
    )
  })

  test('mentions the current product first', async () => {
    expect(await answersTo('Is it fit for dry skin?')).toEqual(
      twice({
        response: `${place.product.name}: “Rich care for dry skin.”`,
        productIds: [place.product.id],
      }),
    )
  })

  test('says so if no published product has the answer', async () => {
    for (const question of [
      'Do you have something with squalane?',
      'Who won the match yesterday?',
      'Is it made on Mars?',
      'Do you sell bicycles?',
    ])
      expect(await answersTo(question)).toEqual(twice({ response: unknown, productIds: [] }))
  })

  test('makes the same routine in both processes, from published products only', async () => {
    const body = {
      message: 'An evening routine please',
      userProfile: { skinType: 'sensitive', concerns: ['dry skin'] },
      userSelectedRoutineProducts: [needle.id],
    }
    const routines: { productId: string | null }[][] = []
    for (const each of services) {
      const answer = await each
        .api(key)
        .post(place.at('experience/chat/routine'))
        .set(place.guest().headers)
        .send(body)
        .expect(200)
      routines.push(answer.body.steps as { productId: string | null }[])
    }
    expect(routines[1]).toEqual(routines[0])
    const ids = routines[0]!.map(({ productId }) => productId!)
    expect(ids).toContain(needle.id)
    const published = services[0]!.db.selectFrom('products').select('id').where('id', 'in', ids)
    const rows = await published.where('status', '=', 'ACTIVE').execute()
    expect(rows).toHaveLength(ids.length)
  })
})
