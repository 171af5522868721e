import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stretchOf } from '../../../src/core/paging.ts'
import { remembered } from '../../../src/db/remembered.ts'
import {
  editable,
  givenCollection,
  givenMediaRow,
  givenProduct,
  givenShop,
  givenTag,
  type Product,
  type Shop,
} from '../../kit/catalogue.ts'
import { createDatabase, type TestDatabase } from '../../kit/database.ts'
import { type Client, startService, type TestService } from '../../kit/service.ts'

/** Two processes on one database: each must count what the other writes. */
let database: TestDatabase
let writing: TestService
let reading: TestService
let shop: Shop
let reader: Client
beforeAll(async () => {
  database = await createDatabase()
  writing = await startService({ databaseUrl: database.url })
  reading = await startService({ databaseUrl: database.url })
  shop = await givenShop(writing)
  const { key } = await writing.givenKey(shop.person)
  reader = reading.api(key)
})
afterAll(async () => {
  await reading.close()
  await writing.close()
  await database.drop()
})

/** Pages of one product, so that a short page never gives the total away. */
async function totalOf(query: string): Promise<number> {
  const { body } = await reader.get(shop.at(`products?pageSize=1&${query}`))
  return (body as { pagination: { total: number } }).pagination.total
}

const put = (product: Product, changes: object) =>
  shop.api.put(shop.at(`products/${product.id}`)).send({ ...editable(product), ...changes })

describe('the total of a list', () => {
  test('follows every write of a product in another process', async () => {
    const one = await givenProduct(shop, { brand: 'Quince' })
    expect(await totalOf('search=quince')).toBe(1)
    const two = await givenProduct(shop, { brand: 'Quince', stock: 0 })
    await givenProduct(shop, { brand: 'Quince' })
    expect(await totalOf('search=quince')).toBe(3)
    expect(await totalOf('search=quince&stock=OUT')).toBe(1)
    await put(one, { brand: 'Medlar' })
    expect(await totalOf('search=quince')).toBe(2)
    expect(await totalOf('search=qu')).toBe(2)
    await put(two, { stock: 4 })
    expect(await totalOf('search=quince&stock=OUT')).toBe(0)
    await put(two, { status: 'INACTIVE' })
    expect(await totalOf('search=quince&status=ACTIVE,DELETED')).toBe(1)
    await shop.api.delete(shop.at(`products/${two.id}`))
    expect(await totalOf('search=quince')).toBe(1)
    expect(await totalOf('search=qu&page=7')).toBe(1)
  })

  test('follows the tags that products gain and lose', async () => {
    const [tag, other] = [await givenTag(shop), await givenTag(shop)]
    const one = await givenProduct(shop, { tagIds: [tag.id, other.id] })
    const two = await givenProduct(shop, { tagIds: [tag.id] })
    await givenProduct(shop, { tagIds: [tag.id, other.id] })
    expect(await totalOf(`tagId=${tag.id}`)).toBe(3)
    await shop.api.delete(shop.at(`products/${one.id}/tags/${tag.id}`))
    expect(await totalOf(`tagId=${tag.id}`)).toBe(2)
    await shop.api.post(shop.at(`products/${one.id}/tags/${tag.id}`))
    expect(await totalOf(`tagId=${tag.id}`)).toBe(3)
    await put(two, { tagIds: [] })
    expect(await totalOf(`tagId=${tag.id}`)).toBe(2)
    expect(await totalOf(`tagId=${other.id}`)).toBe(2)
    await shop.api.delete(shop.at(`tags/${other.id}`))
    expect(await totalOf(`tagId=${other.id}`)).toBe(0)
  })

  test('follows the products that a collection gains and loses', async () => {
    const { id } = await givenCollection(shop)
    const products = [await givenProduct(shop), await givenProduct(shop), await givenProduct(shop)]
    for (const product of products)
      await shop.api.post(shop.at(`collections/${id}/products/${product.id}`))
    expect(await totalOf(`collectionId=${id}`)).toBe(3)
    await shop.api.delete(shop.at(`collections/${id}/products/${products[0]!.id}`))
    expect(await totalOf(`collectionId=${id}`)).toBe(2)
    await shop.api.post(shop.at(`collections/${id}/products/${products[0]!.id}`))
    expect(await totalOf(`collectionId=${id}`)).toBe(3)
    await shop.api.delete(shop.at(`products/${products[1]!.id}`))
    expect(await totalOf(`collectionId=${id}`)).toBe(2)
    await shop.api.delete(shop.at(`collections/${id}`))
    expect(await totalOf(`collectionId=${id}`)).toBe(0)
  })
})

test('concurrent creates with one image count every use', async () => {
  const image = await givenMediaRow(shop)
  const other = await givenMediaRow(shop)
  const orders = [
    [image.id, other.id],
    [other.id, image.id],
  ]
  const products = await Promise.all(
    Array.from({ length: 16 }, (_, index) => givenProduct(shop, { imageIds: orders[index % 2]! })),
  )
  const counts = products.map(({ images }) => images.find(({ id }) => id === image.id)!.usageCount)
  expect(counts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 16 }, (_, n) => n + 1))
})

describe('a cached total', () => {
  const countOf = (total: number) => {
    const counter = { times: 0, count: () => Promise.resolve(total).finally(() => counter.times++) }
    return counter
  }

  test('is counted once per state of the catalogue', async () => {
    const [db, five] = [{}, countOf(5)]
    const ask = () => remembered(db, 'a', 1, five.count)
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([5, 5, 5])
    expect(await ask()).toBe(5)
    expect(five.times).toBe(1)
  })

  test('is counted again for another state, filter or process', async () => {
    const [db, five, six] = [{}, countOf(5), countOf(6)]
    expect(await remembered(db, 'a', 1, five.count)).toBe(5)
    expect(await remembered(db, 'a', 2, six.count)).toBe(6)
    expect(await remembered(db, 'b', 2, five.count)).toBe(5)
    expect(await remembered({}, 'a', 2, five.count)).toBe(5)
    expect([five.times, six.times]).toEqual([3, 1])
  })

  test('is not cached if the count fails', async () => {
    const [db, five] = [{}, countOf(5)]
    const fails = () => Promise.reject(new Error('too slow'))
    await expect(remembered(db, 'a', 1, fails)).rejects.toThrow('too slow')
    expect(await remembered(db, 'a', 1, five.count)).toBe(5)
  })

  test('is evicted after thousands of other totals', async () => {
    const [db, five] = [{}, countOf(5)]
    await remembered(db, 'first', 1, five.count)
    await remembered(db, 'used', 1, five.count)
    for (let n = 0; n < 4999; n++) {
      await remembered(db, `other ${n}`, 1, () => Promise.resolve(n))
      await remembered(db, 'used', 1, five.count)
    }
    expect(five.times).toBe(2)
    await remembered(db, 'first', 1, five.count)
    expect(five.times).toBe(3)
  })
})

describe('the range of a page', () => {
  test.each([
    ['the first of one', 1, 20, 7, { limit: 20, offset: 0, reversed: false }],
    ['in the first half', 2, 20, 100, { limit: 20, offset: 20, reversed: false }],
    ['in the middle', 3, 20, 100, { limit: 20, offset: 40, reversed: false }],
    ['in the second half', 4, 20, 100, { limit: 20, offset: 20, reversed: true }],
    ['the last, not full', 6, 20, 101, { limit: 1, offset: 0, reversed: true }],
    ['beyond the last', 7, 20, 101, undefined],
    ['of nothing', 1, 20, 0, undefined],
  ])('%s', (_where, page, pageSize, total, expected) => {
    expect(stretchOf(page, pageSize, total)).toEqual(expected)
  })
})
