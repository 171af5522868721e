import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import type { components } from '../../src/generated/types.ts'
import { getCatalogueCounts } from '../../src/queries/catalogue/counters.ts'
import {
  type Collection,
  conflict,
  deleteMediaRow,
  givenCollection,
  givenMediaRow,
  givenProduct,
  givenShop,
  givenTag,
  notFound,
  outcomeOf,
  type Product,
  type Shop,
} from '../kit/catalogue.ts'
import { startService, type TestService, unique } from '../kit/service.ts'

type CollectionList = components['schemas']['CollectionList']
type CollectionProduct = components['schemas']['CollectionProduct']
type CollectionProductList = components['schemas']['CollectionProductList']
type Query = Record<string, string>

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const create = (shop: Shop, body: object) => shop.api.post(shop.at('collections')).send(body)
const update = (shop: Shop, id: string, body: object) =>
  shop.api.put(shop.at(`collections/${id}`)).send(body)
const read = async (shop: Shop, id: string) =>
  (await shop.api.get(shop.at(`collections/${id}`))).body as Collection
const put = (shop: Shop, id: string, productId: string) =>
  shop.api.post(shop.at(`collections/${id}/products/${productId}`))
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)

async function list(shop: Shop, query: Query = {}): Promise<CollectionList> {
  const answer = await shop.api.get(shop.at('collections')).query(query)
  expect(answer.status).toBe(200)
  return answer.body as CollectionList
}

async function listProducts(shop: Shop, id: string, query: Query = {}) {
  const answer = await shop.api.get(shop.at(`collections/${id}/products`)).query(query)
  expect(answer.status).toBe(200)
  return answer.body as CollectionProductList
}

async function usageOf(id: string): Promise<number | undefined> {
  const row = await service.db
    .selectFrom('media')
    .select('usage_count')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.usage_count
}

/** The product as a collection shows it. */
function summaryOf(product: Product): CollectionProduct {
  const { id, name, brand, slug, sku, stock, status, images, tags, createdAt, updatedAt } = product
  return { id, name, brand, slug, sku, stock, status, images, tags, createdAt, updatedAt }
}

/** Fills a collection without a request for each product. */
async function fill({ workspaceId }: Shop, collectionId: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('prod'))
  const base = unique('filling')
  await sql`
    insert into products (id, workspace_id, name, brand, slug, description, information, sales, sku,
      barcode, stock, status, name_key, sku_key, barcode_key, search, created_at, updated_at)
    select id, ${workspaceId}, ${base} || place, 'b', ${base} || place, '', '', '[]', place, place,
      1, 'ACTIVE', sha256((${base} || place)::bytea), sha256((${base} || place)::bytea),
      sha256((${base} || place)::bytea), ${base} || place, ${service.now()}, ${service.now()}
    from unnest(${ids}::text[]) with ordinality as given (id, place)`.execute(service.db)
  await sql`insert into collection_products (collection_id, product_id, position)
    select ${collectionId}, id, place from unnest(${ids}::text[]) with ordinality as g (id, place)
    `.execute(service.db)
  return ids
}

describe('create_collection', () => {
  test('answers the closed object', async () => {
    const shop = await givenShop(service)
    const image = await givenMediaRow(shop)
    const tags = [await givenTag(shop), await givenTag(shop)].reverse()
    const values = { name: unique('Güzel'), description: 'Described 😀', imageId: image.id }
    const { status, body } = await create(shop, { ...values, tagIds: idsOf(tags) })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...values,
      id: expect.stringMatching(/^coll_[0-9a-z]{26}$/),
      slug: values.name.replace('Güzel', 'guzel'),
      image: { ...image, usageCount: 1 },
      workspaceId: shop.workspaceId,
      productIds: [],
      tags,
      products: [],
      createdAt: service.now().toISOString(),
      updatedAt: service.now().toISOString(),
    })
    expect(await read(shop, body.id)).toEqual(body)
  })

  test('needs a name alone', async () => {
    const shop = await givenShop(service)
    const { status, body } = await create(shop, { name: 'A name' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ description: '', imageId: null, image: null, tags: [] })
    const missing = { name: 'Required.' }
    expect(outcomeOf(await create(shop, {}))).toEqual([400, 'invalid_input', missing])
  })

  test('gives slugs that are unique within the workspace, while names may repeat', async () => {
    const shop = await givenShop(service)
    const first = await givenCollection(shop, { name: 'Roses' })
    const second = await givenCollection(shop, { name: 'Roses' })
    const elsewhere = await givenCollection(await givenShop(service), { name: 'Roses' })
    expect([first.slug, second.slug, elsewhere.slug]).toEqual([
      'roses',
      `roses-${second.id.slice(-8)}`,
      'roses',
    ])
    expect((await givenCollection(shop, { name: '!!!' })).slug).toBe('collection')
    const long = await givenCollection(shop, { name: '茶'.repeat(200) })
    expect(long.slug).toHaveLength(120)
  })

  test('refuses foreign ids, ids given twice and unknown fields', async () => {
    const [shop, other] = [await givenShop(service), await givenShop(service)]
    const [image, tag] = [await givenMediaRow(other), await givenTag(other)]
    const refused = async (body: object) => outcomeOf(await create(shop, { name: 'n', ...body }))
    const nowhere = (field: string, id: string) => [
      400,
      'invalid_input',
      { [field]: `There is no ${id} in this workspace.` },
    ]
    expect(await refused({ imageId: image.id })).toEqual(nowhere('imageId', image.id))
    expect(await refused({ imageId: 'med_no' })).toEqual(nowhere('imageId', 'med_no'))
    expect(await refused({ tagIds: [tag.id] })).toEqual(nowhere('tagIds', tag.id))
    const twice = { tagIds: 'The same item is listed twice.' }
    expect(await refused({ tagIds: [tag.id, tag.id] })).toEqual([400, 'invalid_input', twice])
    const unknown = { productIds: 'Unknown field.' }
    expect(await refused({ productIds: [] })).toEqual([400, 'invalid_input', unknown])
    expect((await list(shop)).pagination.total).toBe(0)
  })
})

describe('update_collection', () => {
  test('replaces every value and keeps slug and products', async () => {
    const shop = await givenShop(service)
    const [one, two] = [await givenMediaRow(shop), await givenMediaRow(shop)]
    const [red, blue] = [await givenTag(shop), await givenTag(shop)]
    const { id, slug, createdAt } = await givenCollection(shop, {
      imageId: one.id,
      tagIds: [red.id],
    })
    const product = await givenProduct(shop)
    await put(shop, id, product.id).expect(200)
    service.advance(1000)
    const values = { name: 'Another', description: 'More', imageId: two.id }
    const { status, body } = await update(shop, id, { ...values, tagIds: [blue.id, red.id] })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...values,
      id,
      slug,
      createdAt,
      workspaceId: shop.workspaceId,
      image: { ...two, usageCount: 1 },
      tags: [blue, red],
      productIds: [product.id],
      products: [summaryOf(product)],
      updatedAt: service.now().toISOString(),
    })
    expect([await usageOf(one.id), await usageOf(two.id)]).toEqual([0, 1])
    const empty = { name: 'N', description: '', imageId: null, tagIds: [] }
    expect((await update(shop, id, empty)).body).toMatchObject({ imageId: null, image: null })
    expect(await usageOf(two.id)).toBe(0)
  })

  test('needs every field and names each that is missing', async () => {
    const shop = await givenShop(service)
    const tag = await givenTag(shop)
    const collection = await givenCollection(shop, { tagIds: [tag.id] })
    const fields = ['name', 'description', 'tagIds', 'imageId']
    const missing = Object.fromEntries(fields.map((field) => [field, 'Required.']))
    expect(outcomeOf(await update(shop, collection.id, {}))).toEqual([
      400,
      'invalid_input',
      missing,
    ])
    const values = { name: 'n', description: '', imageId: null }
    expect(outcomeOf(await update(shop, collection.id, values))).toEqual([
      400,
      'invalid_input',
      { tagIds: 'Required.' },
    ])
    expect(await read(shop, collection.id)).toEqual(collection)
  })

  test('with If-Match writes only over what was read', async () => {
    const shop = await givenShop(service)
    const { id } = await givenCollection(shop)
    const path = shop.at(`collections/${id}`)
    const etag = (await shop.api.get(path)).headers.etag!
    expect((await shop.api.get(path).set('If-None-Match', etag)).status).toBe(304)
    const body = { name: 'n', description: '', imageId: null, tagIds: [] }
    const write = () => shop.api.put(path).set('If-Match', etag).send(body)
    expect((await write()).status).toBe(200)
    expect((await write()).body).toEqual(conflict)
    expect((await shop.api.delete(path).set('If-Match', etag)).body).toEqual(conflict)
  })
})

describe('delete_collection', () => {
  test('leaves products, tags and image, and counts the image no more', async () => {
    const shop = await givenShop(service)
    const [image, tag] = [await givenMediaRow(shop), await givenTag(shop)]
    const product = await givenProduct(shop)
    const { id } = await givenCollection(shop, { imageId: image.id, tagIds: [tag.id] })
    await put(shop, id, product.id).expect(200)
    const path = shop.at(`collections/${id}`)
    const { status, body } = await shop.api.delete(path)
    expect([status, body]).toEqual([200, { id, deleted: true }])
    for (const gone of [
      shop.api.get(path),
      shop.api.delete(path),
      shop.api.get(`${path}/products`),
    ])
      expect((await gone).body).toEqual(notFound('collection'))
    expect((await shop.api.get(shop.at(`products/${product.id}`))).body).toEqual(product)
    expect((await shop.api.get(shop.at(`tags/${tag.id}`))).body).toEqual(tag)
    expect(await usageOf(image.id)).toBe(0)
    expect((await list(shop)).pagination.total).toBe(0)
  })
})

describe('list_collections', () => {
  test('pages through all of them, the newest first', async () => {
    const shop = await givenShop(service)
    const made: Collection[] = []
    for (let i = 0; i < 7; i++) {
      if (i % 3 === 0) service.advance(1000)
      made.unshift(await givenCollection(shop))
    }
    const expected = made.toSorted((a, b) =>
      `${a.createdAt}${a.id}` < `${b.createdAt}${b.id}` ? 1 : -1,
    )
    const all = await list(shop, { pageSize: '100' })
    expect(all.collections).toEqual(expected)
    const pages = []
    for (const page of ['1', '2', '3', '4'])
      pages.push(...(await list(shop, { page, pageSize: '2' })).collections)
    expect(pages).toEqual(expected)
    expect((await list(shop, { page: '5', pageSize: '2' })).collections).toEqual([])
    expect((await list(shop, { page: '2', pageSize: '2' })).pagination).toEqual({
      page: 2,
      limit: 2,
      total: 7,
      totalPages: 4,
      hasNextPage: true,
      hasPreviousPage: true,
    })
  })

  test('searches name and slug, and counts what it finds', async () => {
    const shop = await givenShop(service)
    const rose = await givenCollection(shop, { name: 'GÜL 100%', description: 'needle' })
    await givenCollection(shop, { name: 'Gul 1000' })
    const ids = async (search: string) => {
      const { collections, pagination } = await list(shop, { search })
      expect(pagination.total).toBe(collections.length)
      return idsOf(collections)
    }
    expect(await ids('gül')).toEqual([rose.id])
    expect(await ids('100%')).toEqual([rose.id])
    expect(await ids('gul-100')).toHaveLength(2)
    expect(await ids('needle')).toEqual([])
    expect(await ids('_')).toEqual([])
    const { collections, pagination } = await list(shop, {
      search: 'gul',
      page: '2',
      pageSize: '1',
    })
    expect([collections.length, pagination.total]).toEqual([1, 2])
  })

  test('clips descriptions with view=summary, which a single one does not know', async () => {
    const shop = await givenShop(service)
    const { id } = await givenCollection(shop, { description: '😀'.repeat(201) })
    const [clipped] = (await list(shop, { view: 'summary' })).collections
    expect(clipped).toEqual({ ...(await read(shop, id)), description: '😀'.repeat(200) })
    expect((await shop.api.get(shop.at(`collections/${id}?view=summary`))).status).toBe(400)
  })

  test('holds every product id and the first 20 products', async () => {
    const shop = await givenShop(service)
    const { id } = await givenCollection(shop)
    const ids = await fill(shop, id, 25)
    const [listed] = (await list(shop)).collections
    expect(listed!.productIds).toEqual(ids)
    expect(idsOf(listed!.products)).toEqual(ids.slice(0, 20))
    const single = await read(shop, id)
    expect([single.productIds, idsOf(single.products)]).toEqual([ids, ids])
  })
})

describe('list_collection_products', () => {
  test('pages through the products in the order of the collection', async () => {
    const shop = await givenShop(service)
    const { id } = await givenCollection(shop)
    const image = await givenMediaRow(shop)
    const tag = await givenTag(shop)
    const products: Product[] = []
    for (const status of ['ACTIVE', 'DELETED', 'INACTIVE', 'ACTIVE', 'ACTIVE'] as const)
      products.unshift(await givenProduct(shop, { status, imageIds: [image.id], tagIds: [tag.id] }))
    for (const product of products) await put(shop, id, product.id).expect(200)
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

  test('searches as list_products does', async () => {
    const shop = await givenShop(service)
    const { id } = await givenCollection(shop)
    const rose = await givenProduct(shop, { name: 'Gül %1', barcode: 'CODE-X' })
    for (const product of [rose, await givenProduct(shop)]) await put(shop, id, product.id)
    await givenProduct(shop, { name: 'Gül %1 outside' })
    for (const search of ['GÜL', '%', 'code-x', 'gul-1']) {
      const { products, pagination } = await listProducts(shop, id, { search })
      expect([idsOf(products), pagination.total]).toEqual([[rose.id], 1])
    }
  })
})

describe('add_collection_product', () => {
  test('puts the product last, and a second time changes nothing', async () => {
    const shop = await givenShop(service)
    const collection = await givenCollection(shop)
    const [late, early] = [await givenProduct(shop), await givenProduct(shop)].reverse()
    service.advance(1000)
    await put(shop, collection.id, late!.id).expect(200)
    const { status, body } = await put(shop, collection.id, early!.id)
    expect(status).toBe(200)
    expect(body).toEqual({
      ...collection,
      productIds: [late!.id, early!.id],
      products: [summaryOf(late!), summaryOf(early!)],
      updatedAt: service.now().toISOString(),
    })
    service.advance(1000)
    expect((await put(shop, collection.id, late!.id)).body).toEqual(body)
  })

  test('stops at 1,000 products', async () => {
    const shop = await givenShop(service)
    const { id } = await givenCollection(shop)
    const ids = await fill(shop, id, 999)
    const [last, past] = [await givenProduct(shop), await givenProduct(shop)]
    const full = await put(shop, id, last.id)
    expect(full.status).toBe(200)
    expect(full.body.productIds).toEqual([...ids, last.id])
    expect(outcomeOf(await put(shop, id, past.id))).toEqual([
      400,
      'invalid_input',
      { productId: 'A collection holds at most 1,000 products.' },
    ])
    expect((await put(shop, id, ids[0]!)).status).toBe(200)
    const single = await read(shop, id)
    expect(idsOf(single.products)).toEqual([...ids, last.id])
    expect((await list(shop)).collections[0]!.products).toHaveLength(20)
    const tail = await listProducts(shop, id, { page: '10', pageSize: '100' })
    expect(idsOf(tail.products)).toEqual([...ids, last.id].slice(900))
  })

  test('knows neither foreign products nor foreign collections', async () => {
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
  test('takes the product out, and a second time changes nothing', async () => {
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
    expect((await put(shop, id, ids[1]!)).body.productIds).toEqual([ids[0], ids[2], ids[1]])
  })
})

describe('add_collection_tag and remove_collection_tag', () => {
  test('put the tag last and take it off, each a second time without a change', async () => {
    const shop = await givenShop(service)
    const [zebra, ape] = [await givenTag(shop, 'zebra'), await givenTag(shop, 'ape')]
    const collection = await givenCollection(shop, { tagIds: [zebra.id] })
    const path = shop.at(`collections/${collection.id}/tags/${ape.id}`)
    for (const [method, tags] of [
      ['post', [zebra, ape]],
      ['delete', [zebra]],
    ] as const) {
      service.advance(1000)
      const { status, body } = await shop.api[method](path)
      const updatedAt = service.now().toISOString()
      expect(status).toBe(200)
      expect(body).toEqual({ ...collection, tags, updatedAt })
      service.advance(1000)
      expect((await shop.api[method](path)).body).toEqual(body)
    }
  })

  test('know neither foreign tags nor foreign collections, and stop at 100', async () => {
    const [shop, other] = [await givenShop(service), await givenShop(service)]
    const tagIds: string[] = []
    for (let i = 0; i < 101; i++) tagIds.push((await givenTag(shop)).id)
    const past = tagIds.pop()!
    const { id } = await givenCollection(shop, { tagIds })
    const foreign = await givenTag(other)
    const at = (tagId: string) => shop.at(`collections/${id}/tags/${tagId}`)
    for (const method of ['post', 'delete'] as const)
      expect((await shop.api[method](at(foreign.id))).body).toEqual(notFound('tag'))
    expect(outcomeOf(await shop.api.post(at(past)))).toEqual([
      400,
      'invalid_input',
      { tagId: 'A collection has at most 100 tags.' },
    ])
    expect((await shop.api.post(at(tagIds[0]!))).status).toBe(200)
    expect(idsOf((await read(shop, id)).tags)).toEqual(tagIds)
  })
})

describe('an image', () => {
  test('that is deleted leaves products, collections and the logo of the website', async () => {
    const shop = await givenShop(service)
    const [image, kept] = [await givenMediaRow(shop), await givenMediaRow(shop)]
    const product = await givenProduct(shop, { imageIds: [image.id, kept.id] })
    const collection = await givenCollection(shop, { imageId: image.id })
    const website = shop.at('website')
    const logo = await shop.api.put(website).send({ logoImageId: image.id })
    expect(logo.body.logoImageId).toBe(image.id)
    expect([await usageOf(image.id), await usageOf(kept.id)]).toEqual([3, 1])
    const counts = () => getCatalogueCounts(service.db, shop.workspaceId)
    expect(await counts()).toMatchObject({ mediaTotal: 2, mediaLinked: 2, mediaMultiLinked: 1 })
    await deleteMediaRow(shop, image.id)
    const { images } = (await shop.api.get(shop.at(`products/${product.id}`))).body as Product
    expect(idsOf(images)).toEqual([kept.id])
    expect(await read(shop, collection.id)).toMatchObject({ imageId: null, image: null })
    expect((await shop.api.get(website)).body.logoImageId).toBeNull()
    expect(await usageOf(kept.id)).toBe(1)
    expect(await counts()).toMatchObject({ mediaTotal: 1, mediaLinked: 1, mediaMultiLinked: 0 })
  })

  test('of another workspace cannot be the logo', async () => {
    const [shop, other] = [await givenShop(service), await givenShop(service)]
    const { id } = await givenMediaRow(other)
    const answer = await shop.api.put(shop.at('website')).send({ logoImageId: id })
    expect(outcomeOf(answer)).toEqual([
      400,
      'invalid_input',
      { logoImageId: `There is no ${id} in this workspace.` },
    ])
  })
})
