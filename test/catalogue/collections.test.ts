import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
import { fill, idsOf, list, addProduct, read, summaryOf } from './collection_calls.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const create = (shop: Shop, body: object) => shop.api.post(shop.at('collections')).send(body)
const update = (shop: Shop, id: string, body: object) =>
  shop.api.put(shop.at(`collections/${id}`)).send(body)

async function usageOf(id: string): Promise<number | undefined> {
  const row = await service.db
    .selectFrom('media')
    .select('usage_count')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.usage_count
}

describe('create_collection', () => {
  test('returns exactly the declared fields', async () => {
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

  test('may have products from the start, in order, all of this workspace or none', async () => {
    const [shop, other] = [await givenShop(service), await givenShop(service)]
    const productIds = idsOf([await givenProduct(shop), await givenProduct(shop)].reverse())
    const { status, body } = await create(shop, { name: 'A name', productIds })
    expect([status, body.productIds, idsOf(body.products)]).toEqual([200, productIds, productIds])
    expect(await read(shop, body.id)).toEqual(body)
    const foreign = [...productIds, (await givenProduct(other)).id]
    const before = (await list(shop)).pagination.total
    const answer = await create(shop, { name: 'Another', productIds: foreign })
    const reason = { productIds: expect.stringContaining(foreign[2]!) }
    expect(outcomeOf(answer)).toEqual([400, 'invalid_input', reason])
    expect((await list(shop)).pagination.total).toBe(before)
  })

  test('requires only a name', async () => {
    const shop = await givenShop(service)
    const { status, body } = await create(shop, { name: 'A name' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ description: '', imageId: null, image: null, tags: [] })
    const missing = { name: 'Required.' }
    expect(outcomeOf(await create(shop, {}))).toEqual([400, 'invalid_input', missing])
  })

  test('makes slugs unique within the workspace, while names may repeat', async () => {
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

  test('refuses foreign ids, duplicate ids and unknown fields', async () => {
    const [shop, other] = [await givenShop(service), await givenShop(service)]
    const [image, tag] = [await givenMediaRow(other), await givenTag(other)]
    const refusalOf = async (body: object) => outcomeOf(await create(shop, { name: 'n', ...body }))
    const nowhere = (field: string, id: string) => [
      400,
      'invalid_input',
      { [field]: `There is no ${id} in this workspace.` },
    ]
    expect(await refusalOf({ imageId: image.id })).toEqual(nowhere('imageId', image.id))
    expect(await refusalOf({ imageId: 'med_no' })).toEqual(nowhere('imageId', 'med_no'))
    expect(await refusalOf({ tagIds: [tag.id] })).toEqual(nowhere('tagIds', tag.id))
    const twice = { tagIds: 'The same item is listed twice.' }
    expect(await refusalOf({ tagIds: [tag.id, tag.id] })).toEqual([400, 'invalid_input', twice])
    const unknown = {
      products: 'Unknown field; known are name, description, tagIds, imageId, productIds.',
    }
    expect(await refusalOf({ products: [] })).toEqual([400, 'invalid_input', unknown])
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
    await addProduct(shop, id, product.id).expect(200)
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

  test('requires every field and names the missing ones', async () => {
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

  test('with If-Match overwrites only the version that was read', async () => {
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
  test('keeps products, tags and image, and lowers the use count of the image', async () => {
    const shop = await givenShop(service)
    const [image, tag] = [await givenMediaRow(shop), await givenTag(shop)]
    const product = await givenProduct(shop)
    const { id } = await givenCollection(shop, { imageId: image.id, tagIds: [tag.id] })
    await addProduct(shop, id, product.id).expect(200)
    const path = shop.at(`collections/${id}`)
    const { status, body } = await shop.api.delete(path)
    expect([status, body]).toEqual([200, { id, deleted: true }])
    for (const call of [
      shop.api.get(path),
      shop.api.delete(path),
      shop.api.get(`${path}/products`),
    ])
      expect((await call).body).toEqual(notFound('collection'))
    expect((await shop.api.get(shop.at(`products/${product.id}`))).body).toEqual(product)
    expect((await shop.api.get(shop.at(`tags/${tag.id}`))).body).toEqual(tag)
    expect(await usageOf(image.id)).toBe(0)
    expect((await list(shop)).pagination.total).toBe(0)
  })
})

describe('list_collections', () => {
  test('pages through all of them, newest first', async () => {
    const shop = await givenShop(service)
    const created: Collection[] = []
    for (let i = 0; i < 7; i++) {
      if (i % 3 === 0) service.advance(1000)
      created.unshift(await givenCollection(shop))
    }
    const expected = created.toSorted((a, b) =>
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

  test('searches name and slug, and counts the matches', async () => {
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

  test('clips descriptions with view=summary, as get_collection does', async () => {
    const shop = await givenShop(service)
    const { id } = await givenCollection(shop, { description: '😀'.repeat(201) })
    await fill(shop, id, 2)
    const [clipped] = (await list(shop, { view: 'summary' })).collections
    const whole = await read(shop, id)
    const description = `${'😀'.repeat(200)}… [201 characters]`
    expect(clipped).toEqual({ ...whole, description, products: [] })
    const answer = await shop.api
      .put(shop.at(`collections/${id}`))
      .send({ name: 'Rose', description, tagIds: [], imageId: null })
    expect(outcomeOf(answer)).toEqual([
      400,
      'invalid_input',
      { description: expect.stringContaining('clipped by view=summary') },
    ])
    expect(await read(shop, id)).toEqual(whole)
    const { body } = await shop.api.get(shop.at(`collections/${id}?view=summary`))
    expect(body).toEqual(clipped)
  })

  test('holds every product id and the first 4 products', async () => {
    const shop = await givenShop(service)
    const { id } = await givenCollection(shop)
    const ids = await fill(shop, id, 25)
    const [collection] = (await list(shop)).collections
    expect(collection!.productIds).toEqual(ids)
    expect(idsOf(collection!.products)).toEqual(ids.slice(0, 4))
    const single = await read(shop, id)
    expect([single.productIds, idsOf(single.products)]).toEqual([ids, ids])
  })
})

describe('add_collection_tag and remove_collection_tag', () => {
  test('append and remove the tag, and are idempotent', async () => {
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

  test('do not find tags or collections of another workspace, and stop at 100', async () => {
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

describe('an image of a collection or website', () => {
  test('that is deleted disappears from products, collections and the website logo', async () => {
    const shop = await givenShop(service)
    const [image, other] = [await givenMediaRow(shop), await givenMediaRow(shop)]
    const product = await givenProduct(shop, { imageIds: [image.id, other.id] })
    const collection = await givenCollection(shop, { imageId: image.id })
    const website = shop.at('website')
    const logo = await shop.api.put(website).send({ logoImageId: image.id })
    expect(logo.body.logoImageId).toBe(image.id)
    expect([await usageOf(image.id), await usageOf(other.id)]).toEqual([3, 1])
    const counts = () => getCatalogueCounts(service.db, shop.workspaceId)
    expect(await counts()).toMatchObject({ mediaTotal: 2, mediaLinked: 2, mediaMultiLinked: 1 })
    await deleteMediaRow(shop, image.id)
    const { images } = (await shop.api.get(shop.at(`products/${product.id}`))).body as Product
    expect(idsOf(images)).toEqual([other.id])
    expect(await read(shop, collection.id)).toMatchObject({ imageId: null, image: null })
    expect((await shop.api.get(website)).body.logoImageId).toBeNull()
    expect(await usageOf(other.id)).toBe(1)
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
