import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { editable, givenCollection, givenProduct, givenShop, givenTag } from '../kit/catalogue.ts'
import { isDistributed } from '../kit/database.ts'
import type { Product, Shop } from '../kit/catalogue.ts'
import { startService, type TestService, unique } from '../kit/service.ts'
import { justBefore, statementsOf } from '../kit/statements.ts'
import { givenCustomer, givenGuest, type TestVisitor } from '../kit/visitors.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

let shop: Shop
let product: Product
beforeEach(async () => {
  shop = await givenShop(service)
  product = await givenProduct(shop, { name: 'Rose balm' })
})

const site = () => ({ service, workspace: { id: shop.workspaceId } })
const read = (path: string, { headers }: Pick<TestVisitor, 'headers'> = { headers: {} }) =>
  shop.api.get(shop.at(`experience/${path}`)).set(headers)

async function withdraw({ id }: Product): Promise<void> {
  const draft = { ...editable(product), status: 'INACTIVE', description: 'Not for customers yet.' }
  await shop.api
    .put(shop.at(`products/${id}`))
    .send(draft)
    .expect(200)
}

describe('a product that is unpublished while a page is read', () => {
  test.each(['a search', 'another page', 'a tag', 'a filter'])(
    'is not shown in %s',
    async (which) => {
      const tag = await givenTag(shop)
      await shop.api.post(shop.at(`products/${product.id}/tags/${tag.id}`)).expect(200)
      const newer = await givenProduct(shop, { name: 'Rose soap' })
      await shop.api.post(shop.at(`products/${newer.id}/tags/${tag.id}`)).expect(200)
      const paths: Record<string, string> = {
        'a search': 'products?search=rose',
        'another page': 'products?page=2&pageSize=1',
        'a tag': `tags/${tag.id}/products`,
        'a filter': `products?stock=IN&sort=name`,
      }
      let products: Product[] = []
      await justBefore(
        'unnest(',
        () => withdraw(product),
        async () => {
          products = ((await read(paths[which]!).expect(200)).body as { products: Product[] })
            .products
        },
      )
      expect(products.map(({ id }) => id)).toEqual(which === 'another page' ? [] : [newer.id])
    },
  )
})

describe('an ETag', () => {
  async function setVisibility(visibility: string): Promise<void> {
    await shop.api.put(shop.at('website')).send({ accessPolicy: { visibility } }).expect(200)
  }

  test('gives no 304 to a visitor who may not see the resource', async () => {
    const tag = await givenTag(shop)
    const { id } = await givenCollection(shop, { tagIds: [tag.id] })
    const customer = await givenCustomer(site())
    await setVisibility('SIGN_IN')
    const paths = [
      'products',
      `products/${product.id}`,
      `products/slug/${product.slug}`,
      'collections',
      `collections/${id}/products`,
      'tags',
      `tags/${tag.id}/products`,
      `tags/${tag.id}/collections`,
    ]
    for (const path of paths) {
      const { headers } = await read(path, customer).expect(200)
      expect(headers['cache-control']).toBe('private, no-store')
      for (const validator of [headers.etag!, '*']) {
        await read(path, customer).set('If-None-Match', validator).expect(304)
        const answer = await read(path, givenGuest(site())).set('If-None-Match', validator)
        expect([answer.status, answer.body.code]).toEqual([401, 'sign_in_required'])
        expect([answer.headers.etag, answer.headers['cache-control']]).toEqual([
          undefined,
          'no-store',
        ])
      }
    }
    await setVisibility('CLOSED')
    const closed = await read('products', customer).set('If-None-Match', '*')
    expect([closed.status, closed.body.code]).toEqual([403, 'access_restricted'])
  })

  test('is useless once the product is unpublished', async () => {
    const path = `products/${product.id}`
    const { headers } = await read(path).expect(200)
    await read(path).set('If-None-Match', headers.etag!).expect(304)
    await withdraw(product)
    await read(path).set('If-None-Match', headers.etag!).expect(404)
    const list = await read('products').set('If-None-Match', headers.etag!).expect(200)
    expect(list.body.pagination.total).toBe(0)
  })

  test('of one customer does not match for another', async () => {
    const [first, second] = [await givenCustomer(site()), await givenCustomer(site())]
    for (const path of ['customer/session', 'customer/profile']) {
      const { headers } = await read(path, first).expect(200)
      const { status, text } = await read(path, second).set('If-None-Match', headers.etag!)
      expect(status).toBe(200)
      expect(text).toContain(second.id)
    }
  })
})

describe('a published read', () => {
  // On a distributed database the query is sent to the node that has the workspace.
  test.skipIf(isDistributed())('costs one look-up and one query', async () => {
    const tag = await givenTag(shop)
    const { id } = await givenCollection(shop, { tagIds: [tag.id] })
    await shop.api.post(shop.at(`products/${product.id}/tags/${tag.id}`)).expect(200)
    const customer = await givenCustomer(site())
    const paths = [
      'products',
      'products?pageSize=50',
      `products/${product.id}`,
      `products/slug/${product.slug}`,
      'collections',
      `collections/${id}/products`,
      `collections/${id}/products?stock=IN&sort=name`,
      'tags',
      `tags/${tag.id}/collections`,
    ]
    for (const path of paths) {
      await read(path, customer).expect(200)
      const statements = await statementsOf(service, () => read(path, customer).then())
      expect([path, statements.length]).toEqual([path, 2])
    }
  })

  test('finds nothing from another shop, even under the same name', async () => {
    const other = await givenShop(service)
    const name = unique('Rose')
    const [own, foreign] = [await givenProduct(shop, { name }), await givenProduct(other, { name })]
    const { body } = await read(`products?search=${name}`).expect(200)
    expect(body.products).toEqual([own])
    expect(body.pagination.total).toBe(1)
    await read(`products/slug/${foreign.slug}`).expect(404)
    const tag = await givenTag(other)
    await other.api.post(other.at(`products/${foreign.id}/tags/${tag.id}`)).expect(200)
    await read(`tags/${tag.id}/products`).expect(404)
    await read(`tags/${tag.id}/collections`).expect(404)
  })
})
