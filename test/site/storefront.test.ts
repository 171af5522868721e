import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { components } from '../../src/generated/types.ts'
import {
  type Collection,
  editable,
  givenCollection,
  givenProduct,
  givenShop,
  givenTag,
  notFound,
  type Product,
  type Shop,
  type Tag,
} from '../kit/catalogue.ts'
import { startService, type TestService } from '../kit/service.ts'

type Pagination = components['schemas']['Pagination']
interface Lists {
  products: Product[]
  collections: Collection[]
  tags: Tag[]
  pagination: Pagination
}

let service: TestService
let shop: Shop
let day: Tag
let night: Tag
let draftOnly: Tag
let balm: Product
let soap: Product
let draft: Product
let deleted: Product
let gifts: Collection

/** A list as visitors see it. */
async function visit<Name extends keyof Lists>(
  path: string,
  query: Record<string, string> = {},
): Promise<Pick<Lists, Name | 'pagination'>> {
  const answer = await shop.api.get(shop.at(`experience/${path}`)).query(query)
  expect(answer.status).toBe(200)
  return answer.body as Pick<Lists, Name | 'pagination'>
}

const namesOf = (rows: { name: string }[]) => rows.map(({ name }) => name)

beforeAll(async () => {
  service = await startService()
  shop = await givenShop(service)
  day = await givenTag(shop, 'Day')
  night = await givenTag(shop, 'Night')
  draftOnly = await givenTag(shop, 'Only on drafts')
  balm = await givenProduct(shop, { name: 'Rose balm', tagIds: [day.id] })
  service.advance(1000)
  soap = await givenProduct(shop, { name: 'Olive soap', tagIds: [day.id, night.id] })
  service.advance(1000)
  draft = await givenProduct(shop, {
    name: 'Rose draft',
    status: 'INACTIVE',
    tagIds: [day.id, draftOnly.id],
  })
  deleted = await givenProduct(shop, { name: 'Rose gone', status: 'DELETED', tagIds: [day.id] })
  gifts = await givenCollection(shop, { name: 'Gifts', tagIds: [night.id] })
  for (const product of [draft, soap, deleted, balm])
    await shop.api.post(shop.at(`collections/${gifts.id}/products/${product.id}`)).expect(200)
})
afterAll(() => service.close())

describe('list_published_products', () => {
  test('shows and counts only ACTIVE products, newest first', async () => {
    const { products, pagination } = await visit<'products'>('products')
    expect(namesOf(products)).toEqual(['Olive soap', 'Rose balm'])
    expect(products[1]).toEqual(balm)
    expect(pagination).toEqual({
      page: 1,
      limit: 20,
      total: 2,
      totalPages: 1,
      hasNextPage: false,
      hasPreviousPage: false,
    })
  })

  test('pages and searches among them', async () => {
    const second = await visit<'products'>('products', { page: '2', pageSize: '1' })
    expect(namesOf(second.products)).toEqual(['Rose balm'])
    expect(second.pagination).toMatchObject({ total: 2, hasPreviousPage: true })
    const list = await visit<'products'>('products', { search: 'ROSE' })
    expect(namesOf(list.products)).toEqual(['Rose balm'])
    expect(list.pagination.total).toBe(1)
  })

  test('answers 304 to the ETag of an unchanged page, which caches may share', async () => {
    const path = shop.at('experience/products')
    const { headers } = await shop.api.get(path).expect(200)
    expect(headers['cache-control']).toBe('public, max-age=0, s-maxage=60')
    await shop.api.get(path).set('If-None-Match', headers.etag!).expect(304)
  })
})

describe('get_published_product', () => {
  test('returns the product as its owner sees it', async () => {
    const { body } = await shop.api.get(shop.at(`experience/products/${soap.id}`)).expect(200)
    expect(body).toEqual(soap)
  })

  test('is 404 for a product that is INACTIVE, DELETED or in another workspace', async () => {
    const other = await givenProduct(await givenShop(service))
    for (const { id } of [draft, deleted, other]) {
      const { body } = await shop.api.get(shop.at(`experience/products/${id}`)).expect(404)
      expect(body).toEqual(notFound('product'))
    }
  })

  test('reflects a product being unpublished and published again', async () => {
    const product = await givenProduct(shop)
    const path = shop.at(`experience/products/${product.id}`)
    const write = (status: Product['status']) =>
      shop.api.put(shop.at(`products/${product.id}`)).send({ ...editable(product), status })
    await write('INACTIVE').expect(200)
    await shop.api.get(path).expect(404)
    await write('ACTIVE').expect(200)
    await shop.api.get(path).expect(200)
    await shop.api.delete(shop.at(`products/${product.id}`)).expect(200)
  })
})

describe('get_published_product_by_slug', () => {
  test('finds the product of this workspace by its slug', async () => {
    const path = shop.at(`experience/products/slug/${balm.slug}`)
    expect((await shop.api.get(path).expect(200)).body).toEqual(balm)
  })

  test('is 404 for the slug of an unpublished product or of another workspace', async () => {
    const other = await givenProduct(await givenShop(service))
    for (const { slug } of [draft, deleted, other]) {
      const { body } = await shop.api.get(shop.at(`experience/products/slug/${slug}`)).expect(404)
      expect(body).toEqual(notFound('product'))
    }
  })
})

describe('list_published_collections', () => {
  test('holds only published products, in collection order', async () => {
    const { collections, pagination } = await visit<'collections'>('collections')
    expect(collections).toHaveLength(1)
    expect(collections[0]).toMatchObject({ id: gifts.id, productIds: [soap.id, balm.id] })
    expect(namesOf(collections[0]!.products)).toEqual(['Olive soap', 'Rose balm'])
    expect(pagination.total).toBe(1)
  })

  test('searches by name', async () => {
    const none = await visit<'collections'>('collections', { search: 'nothing' })
    expect(none.collections).toEqual([])
    expect(none.pagination.total).toBe(0)
  })
})

describe('list_published_collection_products', () => {
  test('pages through the published products, in collection order', async () => {
    const path = `collections/${gifts.id}/products`
    const first = await visit<'products'>(path, { pageSize: '1' })
    expect(first.products).toEqual([soap])
    expect(first.pagination).toMatchObject({ total: 2, totalPages: 2, hasNextPage: true })
    const second = await visit<'products'>(path, { page: '2', pageSize: '1' })
    expect(second.products).toEqual([balm])
    const list = await visit<'products'>(path, { search: 'rose' })
    expect(list.products).toEqual([balm])
    expect(list.pagination.total).toBe(1)
  })

  test('is 404 for a collection of another workspace', async () => {
    const other = await givenCollection(await givenShop(service))
    const path = shop.at(`experience/collections/${other.id}/products`)
    expect((await shop.api.get(path).expect(404)).body).toEqual(notFound('collection'))
  })
})

describe('list_published_tags', () => {
  test('lists by name the tags of published products and collections', async () => {
    const empty = await givenTag(shop, 'A tag of nothing')
    const { tags, pagination } = await visit<'tags'>('tags')
    expect(tags).toEqual([day, night])
    expect(pagination.total).toBe(2)
    const list = await visit<'tags'>('tags', { search: 'NIGHT' })
    expect(list.tags).toEqual([night])
    expect(list.pagination.total).toBe(1)
    await shop.api.delete(shop.at(`tags/${empty.id}`)).expect(200)
  })
})

describe('list_published_tag_products', () => {
  test('shows and counts only published products with the tag', async () => {
    const { products, pagination } = await visit<'products'>(`tags/${day.id}/products`)
    expect(namesOf(products)).toEqual(['Olive soap', 'Rose balm'])
    expect(pagination.total).toBe(2)
    const list = await visit<'products'>(`tags/${day.id}/products`, { search: 'soap' })
    expect(list.products).toEqual([soap])
  })

  test('is empty if only a collection has the tag or the search finds nothing', async () => {
    const shelf = await givenTag(shop)
    await shop.api.post(shop.at(`collections/${gifts.id}/tags/${shelf.id}`)).expect(200)
    expect((await visit<'products'>(`tags/${shelf.id}/products`)).products).toEqual([])
    const none = await visit<'products'>(`tags/${day.id}/products`, { search: 'nothing' })
    expect(none.pagination.total).toBe(0)
    await shop.api.delete(shop.at(`tags/${shelf.id}`)).expect(200)
  })

  test('is 404 for a tag that visitors do not see', async () => {
    const other = await givenTag(await givenShop(service))
    for (const { id } of [draftOnly, other]) {
      const { body } = await shop.api.get(shop.at(`experience/tags/${id}/products`)).expect(404)
      expect(body).toEqual(notFound('tag'))
    }
  })
})

describe('list_published_tag_collections', () => {
  test('shows the collections with the tag, with published products only', async () => {
    const { collections, pagination } = await visit<'collections'>(`tags/${night.id}/collections`)
    expect(collections).toHaveLength(1)
    expect(collections[0]).toMatchObject({ id: gifts.id, productIds: [soap.id, balm.id] })
    expect(pagination.total).toBe(1)
    const none = await visit<'collections'>(`tags/${day.id}/collections`)
    expect(none.collections).toEqual([])
  })

  test('is 404 for a tag that visitors do not see', async () => {
    const path = shop.at(`experience/tags/${draftOnly.id}/collections`)
    expect((await shop.api.get(path).expect(404)).body).toEqual(notFound('tag'))
  })
})

describe('get_published_collection', () => {
  test('returns a collection as the list has it, by its id and by its slug', async () => {
    const { collections } = await visit<'collections'>('collections')
    const listed = collections.find(({ id }) => id === gifts.id)!
    expect(namesOf(listed.products)).toEqual(['Olive soap', 'Rose balm'])
    for (const path of [gifts.id, `slug/${gifts.slug}`]) {
      const answer = await shop.api.get(shop.at(`experience/collections/${path}`))
      expect(answer.status).toBe(200)
      expect(answer.body).toEqual(listed)
    }
  })

  test('is 404 for a collection of another shop', async () => {
    const other = await givenCollection(await givenShop(service), { name: 'Elsewhere' })
    for (const path of [other.id, `slug/${other.slug}`])
      await shop.api.get(shop.at(`experience/collections/${path}`)).expect(404)
  })
})

describe('list_published_product_questions', () => {
  const questionsOf = async ({ id }: Product) =>
    (await shop.api.get(shop.at(`experience/products/${id}/questions`)).expect(200)).body

  test("returns the product's own questions, or those of the library", async () => {
    const library = { questions: [{ text: 'Is it vegan?' }] }
    await shop.api.put(shop.at('questions')).send(library).expect(200)
    const own = { questions: [{ text: 'Does it smell of roses?' }] }
    await shop.api
      .put(shop.at(`products/${balm.id}/questions`))
      .send(own)
      .expect(200)
    const texts = async (product: Product) =>
      (await questionsOf(product)).questions.map(({ text }: { text: string }) => text)
    expect(await texts(balm)).toEqual(['Does it smell of roses?'])
    expect(await texts(soap)).toEqual(['Is it vegan?'])
  })

  test('is 404 for a product that is not published', async () => {
    await shop.api.get(shop.at(`experience/products/${draft.id}/questions`)).expect(404)
  })
})
