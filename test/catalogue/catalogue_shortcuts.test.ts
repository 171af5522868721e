import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  givenCollection,
  givenMediaRow,
  givenProduct,
  givenShop,
  givenTag,
  outcomeOf,
  type Product,
  type Shop,
} from '../kit/catalogue.ts'
import { all, tally } from '../kit/races.ts'
import { startService, type TestService } from '../kit/service.ts'
import { fill, idsOf, read } from './collection_calls.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const patch = (shop: Shop, id: string, body: object) =>
  shop.api.patch(shop.at(`products/${id}`)).send(body)
const readProduct = async (shop: Shop, id: string) =>
  (await shop.api.get(shop.at(`products/${id}`)).expect(200)).body as Product

describe('patch_product', () => {
  test('changes what is named and nothing else', async () => {
    const shop = await givenShop(service)
    const image = await givenMediaRow(shop)
    const tag = await givenTag(shop)
    const before = await givenProduct(shop, {
      imageIds: [image.id],
      tagIds: [tag.id],
      information: 'x'.repeat(40_000),
    })
    service.advance(1000)
    const { status, body } = await patch(shop, before.id, { stock: before.stock + 10 })
    const updatedAt = service.now().toISOString()
    expect([status, body]).toEqual([200, { ...before, stock: before.stock + 10, updatedAt }])
    const emptied = await patch(shop, before.id, { tagIds: [], status: 'INACTIVE' })
    expect(emptied.body).toEqual({ ...(body as Product), tags: [], status: 'INACTIVE' })
    service.advance(1000)
    expect((await patch(shop, before.id, {})).body).toEqual(emptied.body)
    expect(await readProduct(shop, before.id)).toEqual(emptied.body)
  })

  test('refuses what update_product refuses, and then changes nothing', async () => {
    const shop = await givenShop(service)
    const [other, product] = [await givenProduct(shop), await givenProduct(shop)]
    const foreign = await givenTag(await givenShop(service))
    const refusals: [object, number, string][] = [
      [{ stock: -1 }, 400, 'invalid_input'],
      [{ colour: 'red' }, 400, 'invalid_input'],
      [{ tagIds: [foreign.id] }, 400, 'invalid_input'],
      [{ stock: 3, sku: other.sku.toUpperCase() }, 409, 'duplicate'],
    ]
    for (const [body, status, code] of refusals)
      expect(outcomeOf(await patch(shop, product.id, body)).slice(0, 2)).toEqual([status, code])
    expect(await readProduct(shop, product.id)).toEqual(product)
    expect((await patch(shop, 'prod_unknown', { stock: 1 })).status).toBe(404)
  })

  test('loses no change of a concurrent patch of another field', async () => {
    const shop = await givenShop(service)
    const { id } = await givenProduct(shop)
    const changes = [{ stock: 7 }, { brand: 'Other' }, { status: 'INACTIVE' }, { sku: 'other' }]
    const answers = await all(4, (index) => patch(shop, id, changes[index]!))
    expect(tally(answers)).toEqual({ 200: 4 })
    expect(await readProduct(shop, id)).toMatchObject(Object.assign({}, ...changes) as object)
  })

  test('with an outdated If-Match is refused', async () => {
    const shop = await givenShop(service)
    const { id } = await givenProduct(shop)
    const { etag } = (await shop.api.get(shop.at(`products/${id}`))).headers
    expect((await patch(shop, id, { stock: 1 }).set('If-Match', etag!)).status).toBe(200)
    const late = await patch(shop, id, { stock: 2 }).set('If-Match', etag!)
    expect(outcomeOf(late).slice(0, 2)).toEqual([409, 'write_conflict'])
  })
})

describe('set_collection_products', () => {
  const set = (shop: Shop, id: string, productIds: string[]) =>
    shop.api.put(shop.at(`collections/${id}/products`)).send({ productIds })

  test('fills, reorders and empties a collection in one call', async () => {
    const shop = await givenShop(service)
    const { id } = await givenCollection(shop)
    const ids = await fill(shop, id, 3)
    const other = await givenProduct(shop)
    const order = [other.id, ids[2]!, ids[0]!]
    const { status, body } = await set(shop, id, order)
    expect([status, body.productIds, idsOf(body.products as Product[])]).toEqual([
      200,
      order,
      order,
    ])
    expect(await read(shop, id)).toEqual(body)
    service.advance(1000)
    expect((await set(shop, id, order)).body).toEqual(body)
    expect((await set(shop, id, [])).body).toMatchObject({ productIds: [], products: [] })
  })

  test('refuses an unknown product and a product twice, and then changes nothing', async () => {
    const shop = await givenShop(service)
    const { id } = await givenCollection(shop)
    const [one = ''] = await fill(shop, id, 1)
    const foreign = await givenProduct(await givenShop(service))
    expect(outcomeOf(await set(shop, id, [one, foreign.id]))).toEqual([
      400,
      'invalid_input',
      { productIds: `There is no ${foreign.id} in this workspace.` },
    ])
    expect((await set(shop, id, [one, one])).status).toBe(400)
    expect((await read(shop, id)).productIds).toEqual([one])
  })
})

describe('list_products', () => {
  const list = async (shop: Shop, query: Record<string, string>) => {
    const { body } = await shop.api.get(shop.at('products')).query(query).expect(200)
    expect(body.pagination.total).toBe(body.products.length)
    return idsOf(body.products as Product[])
  }

  test('finds products with and without images, by SKU, by ids and by the date of a change', async () => {
    const shop = await givenShop(service)
    const image = await givenMediaRow(shop)
    const bare = await givenProduct(shop, { sku: 'Gül-1' })
    const shown = await givenProduct(shop, { imageIds: [image.id] })
    expect(await list(shop, { hasImages: 'true' })).toEqual([shown.id])
    expect(await list(shop, { hasImages: 'false' })).toEqual([bare.id])
    expect(await list(shop, { sku: 'GÜL-1' })).toEqual([bare.id])
    expect(await list(shop, { sku: 'Gül' })).toEqual([])
    expect(await list(shop, { ids: `${shown.id},prod_unknown` })).toEqual([shown.id])
    const today = service.now().toISOString().slice(0, 10)
    const tomorrow = new Date(service.now().getTime() + 24 * 3600_000).toISOString().slice(0, 10)
    expect(await list(shop, { updatedSince: today })).toHaveLength(2)
    expect(await list(shop, { updatedSince: tomorrow })).toEqual([])
    const now = service.now()
    expect(await list(shop, { updatedSince: now.toISOString() })).toHaveLength(2)
    const later = new Date(now.getTime() + 1).toISOString()
    expect(await list(shop, { updatedSince: later })).toEqual([])
    expect(await list(shop, { hasImages: 'false', status: 'ACTIVE', pageSize: '1' })).toEqual(
      bare.status === 'ACTIVE' ? [bare.id] : [],
    )
  })

  test('finds products with and without a description, with and without tags', async () => {
    const shop = await givenShop(service)
    const tag = await givenTag(shop)
    const bare = await givenProduct(shop, { description: '' })
    const tagged = await givenProduct(shop, { tagIds: [tag.id] })
    expect(await list(shop, { hasDescription: 'false' })).toEqual([bare.id])
    expect(await list(shop, { hasDescription: 'true' })).toEqual([tagged.id])
    expect(await list(shop, { hasTags: 'false' })).toEqual([bare.id])
    expect(await list(shop, { hasTags: 'true' })).toEqual([tagged.id])
    await shop.api.delete(shop.at(`tags/${tag.id}`)).expect(200)
    expect(await list(shop, { hasTags: 'true' })).toEqual([])
    expect(await list(shop, { hasTags: 'false', hasDescription: 'true' })).toEqual([tagged.id])
  })

  test('finds products whose names differ in spaces and punctuation alone', async () => {
    const shop = await givenShop(service)
    const serum = await givenProduct(shop, { name: 'Gül Serumu 30 ml' })
    const twin = await givenProduct(shop, { name: 'GÜL SERUMU – 30ml' })
    const other = await givenProduct(shop, { name: 'Gül Serumu 50 ml' })
    const gone = await givenProduct(shop, { name: 'Gül Serumu 50ml', status: 'DELETED' })
    const inLines = await givenProduct(shop, { name: 'Gül\nSuyu', brand: 'Evi' })
    await givenProduct(shop, { name: 'Gül', brand: 'Suyu' })
    const apart = await givenProduct(shop, { name: 'Gül-Suyu', brand: 'Evi' })
    await givenProduct(await givenShop(service), { name: other.name })
    const twins = { hasDuplicates: 'true' }
    expect(await list(shop, { ...twins, sort: 'createdAt' })).toEqual(
      idsOf([serum, twin, inLines, apart]),
    )
    expect(await list(shop, { ...twins, search: 'serum' })).toEqual(
      expect.arrayContaining(idsOf([serum, twin])),
    )
    expect(await list(shop, { hasDuplicates: 'false' })).not.toContain(twin.id)
    expect(await list(shop, { hasDuplicates: 'false' })).toContain(gone.id)
    await shop.api.delete(shop.at(`products/${twin.id}`)).expect(200)
    expect(await list(shop, { ...twins, search: 'serum' })).toEqual([])
  })

  test('finds the products of a brand, in any case, and no others', async () => {
    const shop = await givenShop(service)
    const evi = await givenProduct(shop, { brand: 'Gül Evi' })
    await givenProduct(shop, { brand: 'Gül Evi Bahçe' })
    await givenProduct(shop, { name: 'Gül Evi', sku: 'gül evi', barcode: 'GÜL EVİ', brand: '50%' })
    const inLines = await givenProduct(shop, { name: 'Two\nlines\nand more', brand: 'GÜL EVİ' })
    expect(await list(shop, { brand: 'gül evi' })).toEqual([inLines.id, evi.id])
    expect(await list(shop, { brand: 'GÜL EVİ', search: 'lines' })).toEqual([inLines.id])
    expect(await list(shop, { brand: '5_%' })).toEqual([])
    expect(await list(shop, { brand: 'Gül' })).toEqual([])
  })
})

describe('search_catalogue', () => {
  test('answers an id and a line for products, collections, tags and images', async () => {
    const shop = await givenShop(service)
    const product = await givenProduct(shop, { name: 'Rose balm', brand: 'Ana', stock: 12 })
    const hidden = await givenProduct(shop, { name: 'Rose water', status: 'INACTIVE', stock: 0 })
    const collection = await givenCollection(shop, { name: 'All roses' })
    const tag = await givenTag(shop, 'Rose')
    const image = await givenMediaRow(shop, 'rose.png')
    await givenProduct(shop, { name: 'Soap' })
    const { body } = await shop.api.get(shop.at('search?search=ROSE')).expect(200)
    expect(body).toEqual({
      hits: [
        { id: hidden.id, text: `Rose water · ${hidden.brand} · stock 0 · INACTIVE` },
        { id: product.id, text: 'Rose balm · Ana · stock 12' },
        { id: collection.id, text: 'All roses' },
        { id: tag.id, text: 'Rose' },
        { id: image.id, text: 'rose.png' },
      ],
    })
    const one = await shop.api.get(shop.at('search?search=rose&limit=1')).expect(200)
    expect((one.body as { hits: object[] }).hits).toHaveLength(4)
    expect((await shop.api.get(shop.at('search')).expect(200)).body).toEqual({ hits: [] })
  })

  test('leaves out the kinds that the caller may not read', async () => {
    const shop = await givenShop(service)
    const product = await givenProduct(shop, { name: 'Rose balm' })
    await givenTag(shop, 'Rose')
    const { key } = await service.givenKey(shop.person, { scopes: ['products:read'] })
    const { body } = await service.api(key).get(shop.at('search?search=rose')).expect(200)
    expect((body as { hits: { id: string }[] }).hits.map(({ id }) => id)).toEqual([product.id])
  })
})
