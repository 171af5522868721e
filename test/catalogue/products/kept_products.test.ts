import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { day } from '../../../src/core/time.ts'
import { keptDays } from '../../../src/queries/catalogue/kept_products.ts'
import { deleteOldKeptProducts } from '../../../src/queries/upkeep/retention.ts'
import {
  givenCollection,
  givenMediaRow,
  givenProduct,
  givenShop,
  givenTag,
  type Shop,
} from '../../kit/catalogue.ts'
import { startService, type TestService } from '../../kit/service.ts'
import { fill } from '../collection_calls.ts'

let service: TestService
let shop: Shop
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(async () => {
  shop = await givenShop(service)
})

const restore = (id: string, body: object = {}, person = shop.person) =>
  service
    .dashboard(person)
    .post(`/api/workspaces/${shop.workspaceId}/products/${id}/restore`)
    .send(body)

/** Everything that the database has about a product. */
async function rowsOf(id: string) {
  const rows = async (table: string, column = 'product_id') => {
    const found = await sql<{ row: string }>`select to_jsonb(t)::text as row
      from ${sql.table(table)} t where ${sql.ref(column)} = ${id} order by 1`.execute(service.db)
    return found.rows.map(({ row }) => row)
  }
  const sales = await sql`select sales::text from products where id = ${id}`.execute(service.db)
  return {
    product: await rows('products', 'id'),
    sales: sales.rows,
    images: await rows('product_images'),
    tags: await rows('product_tags'),
    collections: await rows('collection_products'),
    replies: await rows('question_replies'),
    slugs: await rows('product_slugs'),
  }
}

/** A product with everything that can hang on one. */
async function givenRichProduct() {
  const [first, second] = [await givenMediaRow(shop), await givenMediaRow(shop)]
  const tags = [await givenTag(shop, 'Vegan'), await givenTag(shop, 'New')]
  const product = await givenProduct(shop, {
    name: 'Balm',
    stock: 0,
    description: 'd'.repeat(70_000),
    sales: [{ name: 'Shop', link: 'https://shop.example/a?b=%C3%A7' }],
    imageIds: [second.id, first.id],
    tagIds: [tags[1]!.id, tags[0]!.id],
  })
  const other = await givenProduct(shop)
  const collection = await givenCollection(shop)
  await shop.api
    .put(shop.at(`collections/${collection.id}/products`))
    .send({ productIds: [other.id, product.id] })
    .expect(200)
  await shop.api
    .put(shop.at(`products/${product.id}/questions`))
    .send({ questions: [{ text: 'Is it vegan?' }] })
    .expect(200)
  await service.db
    .insertInto('question_replies')
    .values({
      workspace_id: shop.workspaceId,
      id: 'qst_kept',
      product_id: product.id,
      question_key: Buffer.from('key'),
      question: 'When?',
      answer: 'Soon.',
      updated_at: service.now(),
    })
    .execute()
  return { product, image: first, tag: tags[0]!, collection }
}

describe('restore_product', () => {
  test('brings a deleted product back exactly as it was', async () => {
    const { product, image, collection } = await givenRichProduct()
    const path = shop.at(`products/${product.id}`)
    const before = await shop.api.get(path).expect(200)
    const [rows, summary] = [await rowsOf(product.id), await summaryOf()]
    const collectionBefore = (await shop.api.get(shop.at(`collections/${collection.id}`))).body
    service.advance(1000)
    await shop.api.delete(path).expect(200, { id: product.id, deleted: true })
    await shop.api.get(path).expect(404)
    expect((await usesOf(image.id)).usageCount).toBe(0)
    service.advance(1000)
    const person = await service.givenPerson({ email: shop.person.email })
    const restored = await restore(product.id, {}, person).expect(200)
    const after = await shop.api.get(path).expect(200)
    expect(restored.body).toEqual(before.body)
    expect(after.headers.etag).toBe(before.headers.etag)
    expect(await rowsOf(product.id)).toEqual(rows)
    expect(await summaryOf()).toEqual(summary)
    expect((await usesOf(image.id)).usageCount).toBe(1)
    expect((await shop.api.get(shop.at(`collections/${collection.id}`))).body).toEqual(
      collectionBefore,
    )
    await restore(product.id, {}, person).expect(404)
  })

  test('is refused where a name, SKU or barcode is taken, naming each', async () => {
    const product = await givenProduct(shop, { name: 'Balm', sku: 'B-1' })
    await shop.api.delete(shop.at(`products/${product.id}`)).expect(200)
    const taken = await givenProduct(shop, { name: 'BALM', sku: 'b-1' })
    expect(taken.slug).not.toBe(product.slug)
    const { body } = await restore(product.id).expect(409)
    expect(body).toMatchObject({
      code: 'duplicate',
      fieldErrors: { name: expect.any(String), sku: expect.any(String) },
    })
    await shop.api.delete(shop.at(`products/${taken.id}`)).expect(200)
    expect((await restore(product.id).expect(200)).body.slug).toBe(product.slug)
    await restore(taken.id).expect(409)
  })

  test('is refused where a picture or tag is gone, unless it is left out', async () => {
    const { product, image, tag } = await givenRichProduct()
    await shop.api.delete(shop.at(`products/${product.id}`)).expect(200)
    await shop.api.delete(shop.at(`media/${image.id}`)).expect(200)
    await shop.api.delete(shop.at(`tags/${tag.id}`)).expect(200)
    const { body } = await restore(product.id).expect(409)
    expect(body.code).toBe('write_conflict')
    expect(body.fieldErrors.imageIds).toContain(image.id)
    expect(body.fieldErrors.tagIds).toContain(tag.id)
    const restored = (await restore(product.id, { leaveOut: true }).expect(200)).body
    expect(restored.images.map(({ id }: { id: string }) => id)).toEqual([product.images[0]!.id])
    expect(restored.tags.map(({ name }: { name: string }) => name)).toEqual(['New'])
  })

  test('leaves out a collection that others have filled meanwhile', async () => {
    const product = await givenProduct(shop)
    const [full, other] = [await givenCollection(shop), await givenCollection(shop)]
    for (const { id } of [full, other])
      await shop.api.post(shop.at(`collections/${id}/products/${product.id}`)).expect(200)
    await shop.api.delete(shop.at(`products/${product.id}`)).expect(200)
    await fill(shop, full.id, 1000)
    await restore(product.id).expect(200)
    const countOf = async (id: string) =>
      (await shop.api.get(shop.at(`collections/${id}/products`))).body.pagination.total as number
    expect([await countOf(full.id), await countOf(other.id)]).toEqual([1000, 1])
  })

  test('of two at once, one brings it back and the other finds nothing', async () => {
    const product = await givenProduct(shop)
    await shop.api.delete(shop.at(`products/${product.id}`)).expect(200)
    const answers = await Promise.all([restore(product.id), restore(product.id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
  })

  test('ends after 30 days, and the slug is free again', async () => {
    const product = await givenProduct(shop, { name: 'Gone balm' })
    await shop.api.delete(shop.at(`products/${product.id}`)).expect(200)
    service.advance(keptDays * day)
    const person = await service.givenPerson({ email: shop.person.email })
    await restore(product.id, {}, person).expect(404)
    service.advance(1)
    await deleteOldKeptProducts(service.db, new Date(service.now().getTime() - keptDays * day))
    const kept = service.db.selectFrom('kept_products').where('product_id', '=', product.id)
    expect(await kept.select('product_id').execute()).toEqual([])
    expect((await givenProduct(shop, { name: 'Gone balm' })).slug).toBe(product.slug)
  })

  test('is recorded, and cannot be done from another workspace', async () => {
    const product = await givenProduct(shop, { name: 'Balm' })
    await shop.api.delete(shop.at(`products/${product.id}`)).expect(200)
    const other = await givenShop(service)
    await service
      .dashboard(other.person)
      .post(`/api/workspaces/${other.workspaceId}/products/${product.id}/restore`)
      .send({})
      .expect(404)
    const list = async () =>
      (await service.dashboard(shop.person).get(shop.at('activity')).expect(200)).body.activities
    expect(await list()).toMatchObject([
      { operation: 'delete_product', restorable: true },
      { operation: 'create_product', restorable: false },
    ])
    await restore(product.id).expect(200)
    expect(await list()).toMatchObject([
      { operation: 'restore_product', resourceName: 'Balm', restorable: false },
      { operation: 'delete_product', restorable: false },
      { operation: 'create_product' },
    ])
  })
})

describe('get_former_values', () => {
  const former = async (id: string) => {
    const { body } = await shop.api.get(shop.at(`activity?productId=${id}`)).expect(200)
    const path = `/api/workspaces/${shop.workspaceId}/products/${id}/history/${body.activities[0].id}`
    return { activity: body.activities[0], answer: await service.dashboard(shop.person).get(path) }
  }

  test('answers what a change replaced, whole, without what is gone', async () => {
    const { product, image, tag } = await givenRichProduct()
    const description = 'ü'.repeat(20_000)
    await patch(product.id, { description }).expect(200)
    await patch(product.id, { description: '', imageIds: [], tagIds: [], sales: [] }).expect(200)
    await shop.api.delete(shop.at(`media/${image.id}`)).expect(200)
    await shop.api.delete(shop.at(`tags/${tag.id}`)).expect(200)
    const { activity, answer } = await former(product.id)
    expect(activity.restorable).toBe(true)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      values: {
        description,
        sales: product.sales,
        imageIds: [product.images[0]!.id],
        tagIds: [product.tags[0]!.id],
      },
      missing: 2,
    })
    await patch(product.id, answer.body.values).expect(200)
  })

  test('is 404 for values of more than 64 kB, and of another product', async () => {
    const product = await givenProduct(shop, { description: 'd'.repeat(70_000) })
    await patch(product.id, { description: 'short' }).expect(200)
    const { activity, answer } = await former(product.id)
    expect(activity.restorable).toBe(false)
    expect(answer.status).toBe(404)
    const other = await givenProduct(shop)
    await patch(other.id, { stock: 5 }).expect(200)
    const { activity: change } = await former(other.id)
    const path = `/api/workspaces/${shop.workspaceId}/products/${product.id}/history/${change.id}`
    await service.dashboard(shop.person).get(path).expect(404)
  })
})

const patch = (id: string, body: object) => shop.api.patch(shop.at(`products/${id}`)).send(body)

const usesOf = async (id: string) => (await shop.api.get(shop.at(`media/${id}`)).expect(200)).body
const summaryOf = async () =>
  (await shop.api.get(shop.at('products?pageSize=1&sort=name&view=summary'))).body.summary
