import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  givenCollection,
  givenMediaRow,
  givenProduct,
  givenShop,
  givenTag,
  notFound,
  type Shop,
} from '../kit/catalogue.ts'
import { startService, type TestService } from '../kit/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const at = (shop: Shop, id: string, search = '') => shop.at(`collections/${id}${search}`)
const patch = (shop: Shop, id: string, body: object) => shop.api.patch(at(shop, id)).send(body)
const read = async (shop: Shop, id: string) => (await shop.api.get(at(shop, id))).body

/** A collection with a description, a tag, an image and two products. */
async function givenFull(shop: Shop) {
  const products = [await givenProduct(shop), await givenProduct(shop)]
  const [tag, image] = [await givenTag(shop), await givenMediaRow(shop)]
  const productIds = products.map(({ id }) => id)
  const { id } = await givenCollection(shop, {
    description: 'For the evening.',
    tagIds: [tag.id],
    imageId: image.id,
    productIds,
  })
  return { id, productIds, before: await read(shop, id) }
}

describe('patch_collection', () => {
  test('changes what is sent and nothing else', async () => {
    const shop = await givenShop(service)
    const { id, before } = await givenFull(shop)
    service.advance(1000)
    const updatedAt = service.now().toISOString()
    const renamed = await patch(shop, id, { name: 'Morning' })
    expect(renamed.status).toBe(200)
    expect(renamed.body).toEqual({ ...before, name: 'Morning', updatedAt })
    const cleared = await patch(shop, id, { imageId: null, tagIds: [] })
    expect(cleared.body).toEqual({
      ...before,
      name: 'Morning',
      imageId: null,
      image: null,
      tags: [],
      updatedAt,
    })
    expect(await read(shop, id)).toEqual(cleared.body)
  })

  test('replaces the products in the order that is sent', async () => {
    const shop = await givenShop(service)
    const { id, productIds, before } = await givenFull(shop)
    service.advance(1000)
    const { body } = await patch(shop, id, { productIds: productIds.toReversed() })
    expect(body).toEqual({
      ...before,
      productIds: productIds.toReversed(),
      products: before.products.toReversed(),
      updatedAt: service.now().toISOString(),
    })
  })

  test('refuses an empty body, unknown and foreign ids, and changes nothing', async () => {
    const [shop, other] = [await givenShop(service), await givenShop(service)]
    const { id, before } = await givenFull(shop)
    const foreign = await givenFull(other)
    const faults: [object, string][] = [
      [{}, 'body'],
      [{ name: '' }, 'name'],
      [{ title: 'Morning' }, 'title'],
      [{ imageId: foreign.before.imageId }, 'imageId'],
      [{ tagIds: [foreign.before.tags[0].id] }, 'tagIds'],
      [{ name: 'Morning', productIds: foreign.productIds }, 'productIds'],
    ]
    for (const [body, field] of faults) {
      const answer = await patch(shop, id, body)
      expect([answer.status, Object.keys(answer.body.fieldErrors)]).toEqual([400, [field]])
    }
    const elsewhere = await patch(shop, foreign.id, { name: 'Mine' })
    expect(elsewhere.body).toEqual(notFound('collection'))
    expect(await read(shop, id)).toEqual(before)
  })

  test('with If-Match changes only the version that was read', async () => {
    const shop = await givenShop(service)
    const { id } = await givenFull(shop)
    const { headers } = await shop.api.get(at(shop, id))
    const write = (name: string) => patch(shop, id, { name }).set('If-Match', headers.etag!)
    const first = await write('First')
    expect(first.status).toBe(200)
    expect((await shop.api.get(at(shop, id))).headers.etag).toBe(first.headers.etag)
    service.advance(1000)
    expect((await write('Second')).body.code).toBe('write_conflict')
  })
})

describe('view=summary', () => {
  test('of get_collection has all product ids, no products and a clipped description', async () => {
    const shop = await givenShop(service)
    const { id, before } = await givenFull(shop)
    const description = 'Long. '.repeat(100)
    await patch(shop, id, { description })
    const { status, body } = await shop.api.get(at(shop, id, '?view=summary'))
    expect(status).toBe(200)
    const clipped = `${description.slice(0, 200)}… [600 characters]`
    expect(body).toEqual({
      ...before,
      description: clipped,
      products: [],
      updatedAt: service.now().toISOString(),
    })
    expect((await patch(shop, id, { description: clipped })).body.fieldErrors).toEqual({
      description: expect.stringContaining('clipped'),
    })
    const none = await shop.api.get(at(shop, 'coll_none', '?view=summary'))
    expect(none.status).toBe(404)
  })

  test('of list_collection_products has the first image alone', async () => {
    const shop = await givenShop(service)
    const images = [await givenMediaRow(shop), await givenMediaRow(shop)]
    const product = await givenProduct(shop, { imageIds: images.map(({ id }) => id) })
    const { id } = await givenCollection(shop, { productIds: [product.id] })
    const path = shop.at(`collections/${id}/products`)
    const { body: full } = await shop.api.get(path)
    const { body: summary } = await shop.api.get(`${path}?view=summary`)
    expect(full.products[0].images).toHaveLength(2)
    const products = [{ ...full.products[0], images: full.products[0].images.slice(0, 1) }]
    expect(summary).toEqual({ ...full, products })
  })
})
