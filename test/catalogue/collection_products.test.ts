import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  givenCollection,
  givenMediaRow,
  givenProduct,
  givenShop,
  givenTag,
  notFound,
  outcomeOf,
  type Product,
} from '../kit/catalogue.ts'
import { startService, type TestService } from '../kit/service.ts'
import { fill, idsOf, list, listProducts, addProduct, read, summaryOf } from './collection_calls.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

describe('list_collection_products', () => {
  test('pages through the products in collection order', async () => {
    const shop = await givenShop(service)
    const { id } = await givenCollection(shop)
    const image = await givenMediaRow(shop)
    const tag = await givenTag(shop)
    const products: Product[] = []
    for (const status of ['ACTIVE', 'DELETED', 'INACTIVE', 'ACTIVE', 'ACTIVE'] as const)
      products.unshift(await givenProduct(shop, { status, imageIds: [image.id], tagIds: [tag.id] }))
    for (const product of products) await addProduct(shop, id, product.id).expect(200)
    const current = products.map((product) => ({
      ...summaryOf(product),
      images: [{ ...image, usageCount: 5 }],
    }))
    const pagination = { page: 1, limit: 20, total: 5, totalPages: 1 }
    expect(await listProducts(shop, id)).toEqual({
      products: current,
      pagination: { ...pagination, hasNextPage: false, hasPreviousPage: false },
    })
    const pages = []
    for (const page of ['1', '2', '3'])
      pages.push(...(await listProducts(shop, id, { page, pageSize: '2' })).products)
    expect(pages).toEqual(current)
    const beyond = await listProducts(shop, id, { page: '4', pageSize: '2' })
    expect([beyond.products, beyond.pagination.total]).toEqual([[], 5])
  })

  test('searches like list_products', async () => {
    const shop = await givenShop(service)
    const { id } = await givenCollection(shop)
    const rose = await givenProduct(shop, { name: 'Gül %1', barcode: 'CODE-X' })
    for (const product of [rose, await givenProduct(shop)]) await addProduct(shop, id, product.id)
    await givenProduct(shop, { name: 'Gül %1 outside' })
    for (const search of ['GÜL', '%', 'code-x', 'gul-1']) {
      const { products, pagination } = await listProducts(shop, id, { search })
      expect([idsOf(products), pagination.total]).toEqual([[rose.id], 1])
    }
  })
})

describe('add_collection_product', () => {
  test('appends the product and is idempotent', async () => {
    const shop = await givenShop(service)
    const collection = await givenCollection(shop)
    const [late, early] = [await givenProduct(shop), await givenProduct(shop)].reverse()
    service.advance(1000)
    await addProduct(shop, collection.id, late!.id).expect(200)
    const { status, body } = await addProduct(shop, collection.id, early!.id)
    expect(status).toBe(200)
    expect(body).toEqual({
      ...collection,
      productIds: [late!.id, early!.id],
      products: [summaryOf(late!), summaryOf(early!)],
      updatedAt: service.now().toISOString(),
    })
    service.advance(1000)
    expect((await addProduct(shop, collection.id, late!.id)).body).toEqual(body)
  })

  test('stops at 1,000 products', async () => {
    const shop = await givenShop(service)
    const { id } = await givenCollection(shop)
    const ids = await fill(shop, id, 999)
    const [last, past] = [await givenProduct(shop), await givenProduct(shop)]
    const full = await addProduct(shop, id, last.id)
    expect(full.status).toBe(200)
    expect(full.body.productIds).toEqual([...ids, last.id])
    expect(outcomeOf(await addProduct(shop, id, past.id))).toEqual([
      400,
      'invalid_input',
      { productId: 'A collection holds at most 1,000 products.' },
    ])
    expect((await addProduct(shop, id, ids[0]!)).status).toBe(200)
    const single = await read(shop, id)
    expect(idsOf(single.products)).toEqual([...ids, last.id])
    expect((await list(shop)).collections[0]!.products).toHaveLength(4)
    const tail = await listProducts(shop, id, { page: '10', pageSize: '100' })
    expect(idsOf(tail.products)).toEqual([...ids, last.id].slice(900))
  })

  test('does not find products or collections of another workspace', async () => {
    const [shop, other] = [await givenShop(service), await givenShop(service)]
    const [collection, foreign] = [await givenCollection(shop), await givenCollection(other)]
    const [product, foreignProduct] = [await givenProduct(shop), await givenProduct(other)]
    for (const method of ['post', 'delete'] as const) {
      const send = (id: string, productId: string) =>
        shop.api[method](shop.at(`collections/${id}/products/${productId}`))
      expect((await send(collection.id, foreignProduct.id)).body).toEqual(notFound('product'))
      expect((await send(foreign.id, product.id)).body).toEqual(notFound('collection'))
    }
  })
})

describe('remove_collection_product', () => {
  test('removes the product and is idempotent', async () => {
    const shop = await givenShop(service)
    const { id } = await givenCollection(shop)
    const ids = await fill(shop, id, 3)
    service.advance(1000)
    const path = shop.at(`collections/${id}/products/${ids[1]!}`)
    const { status, body } = await shop.api.delete(path)
    expect([status, body.productIds]).toEqual([200, [ids[0], ids[2]]])
    expect(body.updatedAt).toBe(service.now().toISOString())
    service.advance(1000)
    expect((await shop.api.delete(path)).body).toEqual(body)
    expect((await addProduct(shop, id, ids[1]!)).body.productIds).toEqual([ids[0], ids[2], ids[1]])
  })
})
