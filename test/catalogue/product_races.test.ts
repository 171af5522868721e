import { sql, type Transaction } from 'kysely'
import type { Response } from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../src/db/connect.ts'
import type { Database } from '../../src/db/schema.ts'
import { getCatalogueCounts } from '../../src/queries/catalogue/counters.ts'
import { insertProduct, updateProduct } from '../../src/queries/catalogue/products.ts'
import {
  editable,
  givenCollection,
  givenMediaRow,
  givenProduct,
  givenShop,
  givenTag,
  outcomeOf,
  productBody,
  type Product,
  type ProductWrite,
  type Shop,
  taken,
} from '../kit/catalogue.ts'
import { expectCounted } from './catalogue_counts.ts'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import { type Held, heldAt, waitersOn } from '../kit/held_transactions.ts'
import { startService, type TestService } from '../kit/service.ts'

let database: TestDatabase
let service: TestService
beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ databaseUrl: database.url })
})
afterAll(async () => {
  await service.close()
  await database.drop()
})

/** Starts a call at once: supertest itself waits until somebody asks for the answer. */
const started = (call: PromiseLike<Response>): Promise<Response> => Promise.resolve(call)

const all = (count: number, call: (index: number) => PromiseLike<Response>) =>
  Promise.all(Array.from({ length: count }, (_, index) => started(call(index))))

const create = (shop: Shop, body: object) => shop.api.post(shop.at('products')).send(body)
const update = (shop: Shop, id: string, body: object) =>
  shop.api.put(shop.at(`products/${id}`)).send(body)

const statusesOf = (answers: Response[]) => answers.map(({ status }) => status)

const held = (work: (trx: Transaction<Database>) => Promise<unknown>, { url } = database) =>
  heldAt(url, work)

/** Holds a row's lock. */
const heldRow = (table: 'products' | 'collections' | 'tags' | 'media', id: string) =>
  held((trx) => sql`select from ${sql.table(table)} where id = ${id} for update`.execute(trx))

/**
 * Starts calls one after the other, each when those before it wait for a lock or have ended, and
 * then ends the held transaction.
 */
async function behind(
  holder: Held,
  calls: (() => PromiseLike<Response>)[],
  { end = 'commit', on = service }: { end?: 'commit' | 'rollback'; on?: TestService } = {},
): Promise<Response[]> {
  const answers: Promise<Response>[] = []
  let answered = 0
  try {
    for (const call of calls) {
      answers.push(started(call()).finally(() => answered++))
      while ((await waitersOn(on)) + answered < answers.length);
    }
  } finally {
    await holder[end]()
  }
  return Promise.all(answers)
}

async function productsOf(shop: Shop): Promise<Product[]> {
  const { body } = await shop.api.get(shop.at('products?pageSize=100'))
  return (body as { products: Product[] }).products
}

describe('one SKU', () => {
  test('in 40 parallel creates gives one product and 39 conflicts', async () => {
    const shop = await givenShop(service)
    const { sku } = productBody()
    const answers = await all(40, () => create(shop, productBody({ sku })))
    expect(statusesOf(answers).toSorted()).toEqual([200, ...Array<number>(39).fill(409)])
    for (const answer of answers.filter(({ status }) => status === 409))
      expect(outcomeOf(answer)).toEqual([409, 'duplicate', { sku: taken.sku }])
    expect(await productsOf(shop)).toEqual([answers.find(({ status }) => status === 200)!.body])
  })

  test('in 40 parallel updates is given to one product', async () => {
    const shop = await givenShop(service)
    const products: Product[] = []
    for (let i = 0; i < 10; i++) products.push(await givenProduct(shop))
    const { sku } = productBody()
    const answers = await all(40, (index) => {
      const product = products[index % 10]!
      return update(shop, product.id, { ...editable(product), sku })
    })
    const owners = (await productsOf(shop)).filter((product) => product.sku === sku)
    expect(owners).toHaveLength(1)
    // The owner's own four updates succeed, and all others are refused.
    expect(statusesOf(answers).toSorted()).toEqual([
      ...Array<number>(4).fill(200),
      ...Array<number>(36).fill(409),
    ])
  })
})

describe('a write that meets another one with its values', () => {
  const hold = (shop: Shop, body: ProductWrite) =>
    held((trx) => insertProduct(trx, shop.workspaceId, body, service.now()))

  test('names every colliding field when the other one is committed', async () => {
    const shop = await givenShop(service)
    const body = productBody()
    const [answer] = await behind(await hold(shop, body), [() => create(shop, body)])
    expect(outcomeOf(answer!)).toEqual([409, 'duplicate', taken])
  })

  test('succeeds when the other one is rolled back', async () => {
    const shop = await givenShop(service)
    const body = productBody()
    const holder = await hold(shop, body)
    const [answer] = await behind(holder, [() => create(shop, body)], { end: 'rollback' })
    expect(answer!.status).toBe(200)
    expect(await productsOf(shop)).toEqual([answer!.body])
  })

  test('names every colliding field as an update too', async () => {
    const shop = await givenShop(service)
    const [one, two] = [await givenProduct(shop), await givenProduct(shop)]
    const body = productBody()
    const holder = await held((trx) =>
      updateProduct(trx, shop.workspaceId, one.id, body, service.now()),
    )
    const [answer] = await behind(holder, [() => update(shop, two.id, body)])
    expect(outcomeOf(answer!)).toEqual([409, 'duplicate', taken])
  })

  test('gets another slug when it is in another workspace', async () => {
    const [shop, other] = [await givenShop(service), await givenShop(service)]
    const body = productBody()
    const [answer] = await behind(await hold(shop, body), [() => create(other, body)])
    const { id, slug } = answer!.body as Product
    expect([answer!.status, slug]).toEqual([200, `${body.name}-${id.slice(-8)}`])
    expect((await productsOf(shop)).map((product) => product.slug)).toEqual([body.name])
  })
})

test('ten workspaces that create one name at once get ten slugs', async () => {
  const shops = await Promise.all(Array.from({ length: 10 }, () => givenShop(service)))
  const body = productBody()
  const answers = await all(10, (index) => create(shops[index]!, body))
  expect(statusesOf(answers)).toEqual(Array<number>(10).fill(200))
  const slugs = answers.map((answer) => (answer.body as Product).slug)
  expect(new Set(slugs).size).toBe(10)
  expect(slugs.filter((slug) => slug === body.name)).toHaveLength(1)
})

test('creates of one workspace do not wait for one that is not committed', async () => {
  const shop = await givenShop(service)
  const { pool } = service.connection
  // Every connection of the service exists from here on, so that its counter rows are known.
  const clients = await Promise.all(Array.from({ length: 12 }, () => pool.connect()))
  for (const client of clients) client.release()
  const { rows } = await pool.query<{ slot: number }>(
    'select pid % 64 as slot from pg_stat_activity where datname = current_database()',
  )
  const used = new Set(rows.map(({ slot }) => slot))
  let holder: Held | undefined
  while (!holder) {
    const next = await held(() => Promise.resolve())
    const own = await sql<{ slot: number }>`select pg_backend_pid() % 64 as slot`.execute(next.trx)
    if (used.has(own.rows[0]!.slot)) await next.rollback()
    else holder = next
  }
  await insertProduct(holder.trx, shop.workspaceId, productBody(), service.now())
  const answers = await all(24, () => create(shop, productBody()))
  expect(statusesOf(answers)).toEqual(Array<number>(24).fill(200))
  expect(await productsOf(shop)).toHaveLength(24)
  await holder.commit()
  expect(await productsOf(shop)).toHaveLength(25)
  expect((await getCatalogueCounts(service.db, shop.workspaceId)).active).toBe(25)
})

describe('locks', () => {
  test('products with the same images in opposite orders are updated side by side', async () => {
    const shop = await givenShop(service)
    const [one, two, three] = [
      await givenMediaRow(shop),
      await givenMediaRow(shop),
      await givenMediaRow(shop),
    ] as const
    const forth = [one.id, two.id, three.id]
    const back = forth.toReversed()
    const left = await givenProduct(shop, { imageIds: forth })
    const right = await givenProduct(shop, { imageIds: back })
    const swap = (product: Product, imageIds: string[]) => () =>
      update(shop, product.id, { ...editable(product), imageIds })
    const answers = await behind(await heldRow('media', two.id), [
      swap(left, back),
      swap(right, forth),
    ])
    expect(statusesOf(answers)).toEqual([200, 200])
    const many = await all(24, (index) =>
      swap(index % 2 === 0 ? left : right, index % 3 === 0 ? forth : back)(),
    )
    expect(statusesOf(many)).toEqual(Array<number>(24).fill(200))
  })

  test('a logo and a new product with the same image are written side by side', async () => {
    const shop = await givenShop(service)
    const [image, tag] = [await givenMediaRow(shop), await givenTag(shop)]
    const body = productBody({ imageIds: [image.id], tagIds: [tag.id] })
    // The product has its image when it waits for the tag; the logo then waits for the image.
    const answers = await behind(await heldRow('tags', tag.id), [
      () => create(shop, body),
      () => shop.api.put(shop.at('website')).send({ logoImageId: image.id }),
    ])
    expect(statusesOf(answers)).toEqual([200, 200])
  })

  test.each(['products', 'collections', 'tags'] as const)(
    'of two updates of one of the %s with one If-Match the first wins',
    async (kind) => {
      const shop = await givenShop(service)
      const given = { products: givenProduct, collections: givenCollection, tags: givenTag }
      const { id } = await given[kind](shop)
      const path = shop.at(`${kind}/${id}`)
      const { etag } = (await shop.api.get(path)).headers
      const bodies = {
        products: productBody,
        collections: () => ({ name: 'c', description: '', imageId: null, tagIds: [] }),
        tags: () => ({ name: 't' }),
      }
      const put = (name: string) => () =>
        shop.api
          .put(path)
          .set('If-Match', etag!)
          .send({ ...bodies[kind](), name })
      const answers = await behind(await heldRow(kind, id), [put('first'), put('second')])
      expect(statusesOf(answers)).toEqual([200, 409])
      expect(answers[1]!.body.code).toBe('write_conflict')
      expect((await shop.api.get(path)).body.name).toBe('first')
    },
  )

  test.each([
    ['tags', 'tagIds'],
    ['media', 'imageIds'],
  ] as const)('of %s that are being deleted refuse a new product', async (table, field) => {
    const shop = await givenShop(service)
    const { id } = table === 'tags' ? await givenTag(shop) : await givenMediaRow(shop)
    const product = await givenProduct(shop)
    const body = productBody({ [field]: [id] })
    const holder = await held((trx) => trx.deleteFrom(table).where('id', '=', id).execute())
    const answers = await behind(holder, [
      () => create(shop, body),
      () => update(shop, product.id, body),
    ])
    const refusal = { [field]: `There is no ${id} in this workspace.` }
    for (const answer of answers) expect(outcomeOf(answer)).toEqual([400, 'invalid_input', refusal])
  })
})

/** The same numbers for the same seed, on every machine. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

interface World {
  shop: Shop
  products: string[]
  tags: string[]
  collections: string[]
  media: string[]
}

async function givenWorld(on = service): Promise<World> {
  const shop = await givenShop(on)
  const ids = async (count: number, given: (shop: Shop) => Promise<{ id: string }>) => {
    const made: string[] = []
    for (let i = 0; i < count; i++) made.push((await given(shop)).id)
    return made
  }
  return {
    shop,
    products: await ids(10, givenProduct),
    tags: await ids(6, givenTag),
    collections: await ids(4, givenCollection),
    media: await ids(5, givenMediaRow),
  }
}

/** One random operation; ids of what was deleted meanwhile stay in play and must be refused. */
async function operate({ shop, ...world }: World, random: (below: number) => number) {
  const { products, tags, collections, media } = world
  const one = (ids: string[]) => ids[random(ids.length)]!
  const some = (ids: string[]) => ids.filter(() => random(3) === 0).toSorted(() => random(3) - 1)
  const body = () => {
    const code = `code ${random(25)}`
    return productBody({
      sku: code,
      name: code,
      barcode: code,
      stock: random(3),
      status: (['ACTIVE', 'INACTIVE', 'DELETED'] as const)[random(3)]!,
      imageIds: some(media),
      tagIds: random(4) === 0 ? some(tags) : [],
    })
  }
  const group = () => ({
    name: 'A collection',
    description: '',
    tagIds: [],
    imageId: random(3) === 0 ? null : one(media),
  })
  const { get, post, put, delete: remove } = shop.api
  const calls: (() => PromiseLike<Response>)[] = [
    () => post(shop.at('products')).send(body()),
    () => post(shop.at('products')).send(body()),
    () => put(shop.at(`products/${one(products)}`)).send(body()),
    () => put(shop.at(`products/${one(products)}`)).send(body()),
    () => remove(shop.at(`products/${one(products)}`)),
    () => post(shop.at(`products/${one(products)}/tags/${one(tags)}`)),
    () => remove(shop.at(`products/${one(products)}/tags/${one(tags)}`)),
    () => post(shop.at('tags')).send({ name: 'A tag' }),
    () => remove(shop.at(`tags/${one(tags)}`)),
    () => post(shop.at('collections')).send(group()),
    () => put(shop.at(`collections/${one(collections)}`)).send(group()),
    () => remove(shop.at(`collections/${one(collections)}`)),
    () => post(shop.at(`collections/${one(collections)}/products/${one(products)}`)),
    () => remove(shop.at(`collections/${one(collections)}/products/${one(products)}`)),
    () => get(shop.at(`products?sort=name&page=${1 + random(3)}&pageSize=5`)),
  ]
  const answer = await calls[random(calls.length)]!()
  const { id } = answer.body as { id?: string }
  const kinds = { prod_: products, tag_: tags, coll_: collections }
  for (const [prefix, known] of Object.entries(kinds))
    if (id?.startsWith(prefix) && !known.includes(id)) known.push(id)
  return answer
}

/** 500 operations, ten at a time. */
async function load(world: World): Promise<Response[]> {
  const answers: Response[] = []
  const lane = async (_: unknown, seed: number) => {
    const random = randomNumbers(20_260 + seed)
    for (let i = 0; i < 50; i++) answers.push(await operate(world, random))
  }
  await Promise.all(Array.from({ length: 10 }, lane))
  return answers
}

test('500 random operations at once leave every counter equal to the count', async () => {
  const world = await givenWorld()
  const answers = await load(world)
  expect(answers).toHaveLength(500)
  const expected = [200, 400, 404, 409]
  expect(answers.filter(({ status }) => !expected.includes(status)).map(outcomeOf)).toEqual([])
  expect(new Set(statusesOf(answers))).toEqual(new Set(expected))
  const counts = await expectCounted(world.shop)
  const { body } = await world.shop.api.get(world.shop.at('products?pageSize=100'))
  const { active, inactive, deleted, outOfStock } = counts
  const total = active + inactive + deleted
  expect(body.summary).toEqual({ total, active, inactive, outOfStock })
  expect(body.pagination.total).toBe(total)
  expect(body.products).toHaveLength(total)
}, 120_000)

describe('connections that share their counter rows', () => {
  let shared: TestDatabase
  let crowded: TestService
  beforeAll(async () => {
    shared = await createDatabase()
    const name = new URL(shared.url).pathname.slice(1)
    const connection = connect(shared.url, { max: 1 })
    const { db } = connection
    // Any two connections may have the same counter row; here all of them do.
    await sql`create function public.pg_backend_pid() returns integer language sql as 'select 7'
      `.execute(db)
    await sql`alter database ${sql.id(name)} set search_path = public, pg_catalog`.execute(db)
    await connection.close()
    crowded = await startService({ databaseUrl: shared.url })
  })
  afterAll(async () => {
    await crowded.close()
    await shared.drop()
  })

  test('update a product and delete the tag that it loses side by side', async () => {
    const shop = await givenShop(crowded)
    const [image, tag] = [await givenMediaRow(shop), await givenTag(shop)]
    const product = await givenProduct(shop, { imageIds: [image.id], tagIds: [tag.id] })
    const holder = await held(
      (trx) =>
        sql`select from product_images where product_id = ${product.id} for update`.execute(trx),
      shared,
    )
    // The update waits for the image's place when the deletion comes to the counter.
    const answers = await behind(
      holder,
      [
        () => update(shop, product.id, productBody({ status: 'INACTIVE', imageIds: [image.id] })),
        () => shop.api.delete(shop.at(`tags/${tag.id}`)),
      ],
      { on: crowded },
    )
    expect(statusesOf(answers)).toEqual([200, 200])
    expect((await getCatalogueCounts(crowded.db, shop.workspaceId)).inactive).toBe(1)
  })

  test('answer 500 random operations at once without a fault', async () => {
    const world = await givenWorld(crowded)
    const answers = await load(world)
    expect(answers.filter(({ status }) => status >= 500).map(outcomeOf)).toEqual([])
    await expectCounted(world.shop)
  }, 120_000)
})
