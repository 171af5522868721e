import { sql, type Transaction } from 'kysely'
import type { Response } from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { identityKeyOf } from '../../../src/core/text.ts'
import type { Database } from '../../../src/db/schema.ts'
import { getCatalogueCounts } from '../../../src/queries/catalogue/counters.ts'
import { createProduct } from '../../../src/queries/catalogue/new_products.ts'
import { updateProduct } from '../../../src/queries/catalogue/products.ts'
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
  duplicateErrors,
} from '../../kit/catalogue.ts'
import { createDatabase, type TestDatabase } from '../../kit/database.ts'
import {
  queueBehind as queueBehindOn,
  type HeldTransaction,
  waitersOn,
  holdTransaction,
} from '../../kit/held_transactions.ts'
import { startService, type TestService } from '../../kit/service.ts'
import { all } from '../../kit/races.ts'
import { justBefore } from '../../kit/statements.ts'

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

const create = (shop: Shop, body: object) => shop.api.post(shop.at('products')).send(body)
const update = (shop: Shop, id: string, body: object) =>
  shop.api.put(shop.at(`products/${id}`)).send(body)

const statusesOf = (answers: Response[]) => answers.map(({ status }) => status)

const hold = (work: (trx: Transaction<Database>) => Promise<unknown>) =>
  holdTransaction(database.url, work)

/** Holds a row's lock. */
const holdRow = (
  { workspaceId }: Shop,
  table: 'products' | 'collections' | 'tags' | 'media',
  id: string,
) =>
  hold((trx) =>
    sql`select from ${sql.table(table)} where workspace_id = ${workspaceId} and id = ${id}
      for update`.execute(trx),
  )

const queueBehind = (
  holder: HeldTransaction,
  calls: (() => PromiseLike<Response>)[],
  options: { end?: 'commit' | 'rollback' } = {},
) => queueBehindOn(holder, calls, { ...options, on: service })

async function productsOf(shop: Shop): Promise<Product[]> {
  const { body } = await shop.api.get(shop.at('products?pageSize=100'))
  return (body as { products: Product[] }).products
}

describe('one SKU', () => {
  test('in 40 concurrent creates gives one product and 39 conflicts', async () => {
    const shop = await givenShop(service)
    const { sku } = productBody()
    const answers = await all(40, () => create(shop, productBody({ sku })))
    expect(statusesOf(answers).toSorted()).toEqual([200, ...Array<number>(39).fill(409)])
    for (const answer of answers.filter(({ status }) => status === 409))
      expect(outcomeOf(answer)).toEqual([409, 'duplicate', { sku: duplicateErrors.sku }])
    expect(await productsOf(shop)).toEqual([answers.find(({ status }) => status === 200)!.body])
  })

  test('in 40 concurrent updates goes to one product', async () => {
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
    // The winner's own four updates succeed, and all others are refused.
    expect(statusesOf(answers).toSorted()).toEqual([
      ...Array<number>(4).fill(200),
      ...Array<number>(36).fill(409),
    ])
  })
})

describe('a write that collides with a concurrent one', () => {
  const holdInsert = (shop: Shop, body: ProductWrite) =>
    hold((trx) => createProduct(trx, shop.workspaceId, body, service.now()))

  test('names every colliding field if the other one commits', async () => {
    const shop = await givenShop(service)
    const body = productBody()
    const [answer] = await queueBehind(await holdInsert(shop, body), [() => create(shop, body)])
    expect(outcomeOf(answer!)).toEqual([409, 'duplicate', duplicateErrors])
  })

  test('succeeds if the other one rolls back', async () => {
    const shop = await givenShop(service)
    const body = productBody()
    const holder = await holdInsert(shop, body)
    const [answer] = await queueBehind(holder, [() => create(shop, body)], { end: 'rollback' })
    expect(answer!.status).toBe(200)
    expect(await productsOf(shop)).toEqual([answer!.body])
  })

  test('names every colliding field if it is an update', async () => {
    const shop = await givenShop(service)
    const [one, two] = [await givenProduct(shop), await givenProduct(shop)]
    const body = productBody()
    const holder = await hold((trx) =>
      updateProduct(trx, shop.workspaceId, one, body, service.now()),
    )
    const [answer] = await queueBehind(holder, [() => update(shop, two.id, body)])
    expect(outcomeOf(answer!)).toEqual([409, 'duplicate', duplicateErrors])
  })

  test('gets another slug if it is in another workspace', async () => {
    const [shop, other] = [await givenShop(service), await givenShop(service)]
    const body = productBody()
    const [answer] = await queueBehind(await holdInsert(shop, body), [() => create(other, body)])
    const { id, slug } = answer!.body as Product
    expect([answer!.status, slug]).toEqual([200, `${body.name}-${id.slice(-8)}`])
    expect((await productsOf(shop)).map((product) => product.slug)).toEqual([body.name])
  })
})

test('ten workspaces that concurrently create one name get ten slugs', async () => {
  const shops = await Promise.all(Array.from({ length: 10 }, () => givenShop(service)))
  const body = productBody()
  const answers = await all(10, (index) => create(shops[index]!, body))
  expect(statusesOf(answers)).toEqual(Array<number>(10).fill(200))
  const slugs = answers.map((answer) => (answer.body as Product).slug)
  expect(new Set(slugs).size).toBe(10)
  expect(slugs.filter((slug) => slug === body.name)).toHaveLength(1)
})

test('creates in one workspace queue behind an uncommitted one, in the order of the feed', async () => {
  const shop = await givenShop(service)
  const holder = await hold((trx) =>
    createProduct(trx, shop.workspaceId, productBody(), service.now()),
  )
  const creating = all(8, () => create(shop, productBody()))
  await expect.poll(() => waitersOn(service)).toBeGreaterThan(0)
  await holder.commit()
  expect(statusesOf(await creating)).toEqual(Array<number>(8).fill(200))
  expect(await productsOf(shop)).toHaveLength(9)
  expect((await getCatalogueCounts(service.db, shop.workspaceId)).active).toBe(9)
})

describe('locks', () => {
  test('products with the same images in opposite orders can be updated concurrently', async () => {
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
    const answers = await queueBehind(await holdRow(shop, 'media', two.id), [
      swap(left, back),
      swap(right, forth),
    ])
    expect(statusesOf(answers)).toEqual([200, 200])
    const many = await all(24, (index) =>
      swap(index % 2 === 0 ? left : right, index % 3 === 0 ? forth : back)(),
    )
    expect(statusesOf(many)).toEqual(Array<number>(24).fill(200))
  })

  test('a logo and a new product with the same image can be written concurrently', async () => {
    const shop = await givenShop(service)
    const [image, tag] = [await givenMediaRow(shop), await givenTag(shop)]
    const body = productBody({ imageIds: [image.id], tagIds: [tag.id] })
    // The product locks its image, then waits for the tag; the logo waits for the image.
    const answers = await queueBehind(await holdRow(shop, 'tags', tag.id), [
      () => create(shop, body),
      () => shop.api.put(shop.at('website')).send({ logoImageId: image.id }),
    ])
    expect(statusesOf(answers)).toEqual([200, 200])
  })

  test.each(['products', 'collections', 'tags'] as const)(
    'of two concurrent updates of %s with one If-Match the first wins',
    async (kind) => {
      const shop = await givenShop(service)
      const makers = { products: givenProduct, collections: givenCollection, tags: givenTag }
      const { id } = await makers[kind](shop)
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
      const answers = await queueBehind(await holdRow(shop, kind, id), [
        put('first'),
        put('second'),
      ])
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
    const holder = await hold((trx) => trx.deleteFrom(table).where('id', '=', id).execute())
    const answers = await queueBehind(holder, [
      () => create(shop, body),
      () => update(shop, product.id, body),
    ])
    const refusal = { [field]: `There is no ${id} in this workspace.` }
    for (const answer of answers) expect(outcomeOf(answer)).toEqual([400, 'invalid_input', refusal])
  })
})

describe('one If-Match', () => {
  test.each(['post', 'delete'] as const)(
    'of two concurrent writes of tags (%s), the second behind the lock is refused',
    async (method) => {
      const shop = await givenShop(service)
      const tags = [await givenTag(shop), await givenTag(shop)]
      const tagIds = method === 'delete' ? tags.map(({ id }) => id) : []
      const { id } = await givenProduct(shop, { tagIds })
      const path = shop.at(`products/${id}`)
      const { etag } = (await shop.api.get(path)).headers
      const write = (tag: { id: string }) => () =>
        shop.api[method](`${path}/tags/${tag.id}`).set('If-Match', etag!)
      const answers = await queueBehind(await holdRow(shop, 'products', id), tags.map(write))
      expect(statusesOf(answers)).toEqual([200, 409])
      expect((await shop.api.get(path)).headers.etag).toBe(answers[0]!.headers.etag)
    },
  )
})

describe('a tag that is deleted while it is not named by a patch', () => {
  const deleting = (shop: Shop, id: string) => () => shop.api.delete(shop.at(`tags/${id}`))

  test('leaves the product, whose other values are written', async () => {
    const shop = await givenShop(service)
    const tag = await givenTag(shop)
    const [one, two] = [await givenProduct(shop, { tagIds: [tag.id] }), await givenProduct(shop)]
    // The patch has read the product, and waits for the name that the holder gives back.
    const holder = await hold((trx) =>
      sql`update products set name_key = ${identityKeyOf('Taken')}
        where workspace_id = ${shop.workspaceId} and id = ${two.id}`.execute(trx),
    )
    const answers = await queueBehind(
      holder,
      [
        () => shop.api.patch(shop.at(`products/${one.id}`)).send({ name: 'Taken' }),
        deleting(shop, tag.id),
      ],
      { end: 'rollback' },
    )
    expect(statusesOf(answers)).toEqual([200, 200])
    expect(answers[0]!.body).toMatchObject({ name: 'Taken', tags: [] })
  })

  test('leaves the collection, whose other values are written', async () => {
    const shop = await givenShop(service)
    const [tag, image] = [await givenTag(shop), await givenMediaRow(shop)]
    const { id } = await givenCollection(shop, { tagIds: [tag.id] })
    // The patch has read the collection, and waits to count the use of the image.
    const holder = await hold((trx) =>
      sql`select from media where workspace_id = ${shop.workspaceId} and id = ${image.id}
        for no key update`.execute(trx),
    )
    const answers = await queueBehind(holder, [
      () => shop.api.patch(shop.at(`collections/${id}`)).send({ imageId: image.id }),
      deleting(shop, tag.id),
    ])
    expect(statusesOf(answers)).toEqual([200, 200])
    expect(answers[0]!.body).toMatchObject({ imageId: image.id, tags: [] })
  })
})

test('a new product that meets another write in a deadlock is written again, as one', async () => {
  const shop = await givenShop(service)
  const body = productBody({ name: 'Rose' })
  const deadlock = Object.assign(new Error('Deadlock'), { code: '40P01' })
  let answer: Response | undefined
  await justBefore(
    'insert into product_slugs',
    () => Promise.reject(deadlock),
    async () => (answer = await create(shop, body).set('Idempotency-Key', 'rose')),
  )
  const again = await create(shop, body).set('Idempotency-Key', 'rose')
  expect([answer!.status, again.text]).toEqual([200, answer!.text])
  const { products, pagination } = (await shop.api.get(shop.at('products'))).body
  expect([products[0].slug, pagination.total]).toEqual(['rose', 1])
})
