import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { components } from '../../src/generated/types.ts'
import {
  type Collection,
  givenCollection,
  givenProduct,
  givenShop,
  givenTag,
  type Shop,
  type Tag,
} from '../kit/catalogue.ts'
import { startService, type TestService } from '../kit/service.ts'

type ProductPage = components['schemas']['ProductPage']
type Query = Record<string, string>

let service: TestService
let shop: Shop
let day: Tag
let shelf: Collection

/** Elixir is not published; Dew is not on the shelf, where the products are in another order. */
const stock = [
  { name: 'Amber oil', stock: 0, isOfDay: true },
  { name: 'Balm', stock: 5, isOfDay: true },
  { name: 'Clay', stock: 2, isOfDay: false },
  { name: 'Dew oil', stock: 0, isOfDay: false },
  { name: 'Elixir', stock: 9, isOfDay: true, status: 'INACTIVE' as const },
  { name: 'Fig oil', stock: 5, isOfDay: true },
]
const onShelf = ['Fig oil', 'Elixir', 'Clay', 'Amber oil', 'Balm']

beforeAll(async () => {
  service = await startService()
  shop = await givenShop(service)
  day = await givenTag(shop, 'Day')
  const ids = new Map<string, string>()
  for (const { isOfDay, ...values } of stock) {
    service.advance(1000)
    const { id, name } = await givenProduct(shop, { ...values, tagIds: isOfDay ? [day.id] : [] })
    ids.set(name, id)
  }
  shelf = await givenCollection(shop)
  for (const name of onShelf)
    await shop.api.post(shop.at(`collections/${shelf.id}/products/${ids.get(name)}`)).expect(200)
})
afterAll(() => service.close())

async function read(path: string, query: Query): Promise<ProductPage> {
  const { status, body } = await shop.api.get(shop.at(path)).query(query)
  expect([path, query, status]).toEqual([path, query, 200])
  return body as ProductPage
}

/** The names on a page that visitors see, whose total is that of all pages. */
async function namesIn(path: string, query: Query, total?: number): Promise<string[]> {
  const { products, pagination } = await read(`experience/${path}`, query)
  expect([query, pagination.total]).toEqual([query, total ?? products.length])
  return products.map(({ name }) => name)
}

const sorts = ['createdAt', '-createdAt', 'name', '-name', 'stock', '-stock']
const stocks = [{}, { stock: 'IN' }, { stock: 'OUT' }]

/** Every order with every filter, whole and by pages of two, as the owner's list has it. */
async function expectAsOwnersSee(path: string, queries: Query[], narrowing: Query): Promise<void> {
  for (const sort of sorts)
    for (const query of queries) {
      const asked = { ...query, sort }
      const owners = await read('products', { ...asked, ...narrowing, status: 'ACTIVE' })
      const names = owners.products.map(({ name }) => name)
      expect([asked, await namesIn(path, asked)]).toEqual([asked, names])
      const paged: string[] = []
      for (let page = 1; page <= 3; page++) {
        const place = { ...asked, page: String(page), pageSize: '2' }
        paged.push(...(await namesIn(path, place, names.length)))
      }
      expect([asked, paged]).toEqual([asked, names])
    }
}

async function expectRefusals(path: string): Promise<void> {
  for (const [name, value] of Object.entries({ sort: 'price', stock: 'LOW' })) {
    const { status, body } = await shop.api
      .get(shop.at(`experience/${path}`))
      .query({ [name]: value })
    expect([status, Object.keys(body.fieldErrors as object)]).toEqual([400, [name]])
  }
}

const withTag = (queries: Query[]) => [
  ...queries,
  ...queries.map((query) => ({ ...query, tagId: day.id })),
]

describe('list_published_products', () => {
  test('filters and sorts as list_products does, among ACTIVE products', async () => {
    await expectAsOwnersSee('products', withTag(stocks), {})
    expect(await namesIn('products', { sort: '-name' })).toEqual([
      'Fig oil',
      'Dew oil',
      'Clay',
      'Balm',
      'Amber oil',
    ])
    expect(await namesIn('products', { stock: 'IN' })).toEqual(['Fig oil', 'Clay', 'Balm'])
    const both = { stock: 'IN', tagId: day.id }
    expect(await namesIn('products', both)).toEqual(['Fig oil', 'Balm'])
    const searched = { search: 'oil', sort: 'name', stock: 'OUT' }
    expect(await namesIn('products', searched)).toEqual(['Amber oil', 'Dew oil'])
  })

  test('is empty for a tag that no published product has', async () => {
    const { id } = await givenTag(shop)
    for (const tagId of [id, 'tag_unknown'])
      expect(await namesIn('products', { tagId })).toEqual([])
  })

  test('refuses an order or a stock that it does not know', () => expectRefusals('products'))
})

describe('list_published_collection_products', () => {
  const path = () => `collections/${shelf.id}/products`

  test('keeps the order of the collection under a filter', async () => {
    expect(await namesIn(path(), {})).toEqual(['Fig oil', 'Clay', 'Amber oil', 'Balm'])
    expect(await namesIn(path(), { stock: 'IN' })).toEqual(['Fig oil', 'Clay', 'Balm'])
    expect(await namesIn(path(), { stock: 'OUT' })).toEqual(['Amber oil'])
    expect(await namesIn(path(), { tagId: day.id })).toEqual(['Fig oil', 'Amber oil', 'Balm'])
    const last = { stock: 'IN', tagId: day.id, page: '2', pageSize: '1' }
    expect(await namesIn(path(), last, 2)).toEqual(['Balm'])
  })

  test('sorts as list_products does, with every filter', async () => {
    await expectAsOwnersSee(path(), withTag(stocks), { collectionId: shelf.id })
  })

  test('finds the same in every order', async () => {
    expect(await namesIn(path(), { search: 'OIL' })).toEqual(['Fig oil', 'Amber oil'])
    expect(await namesIn(path(), { search: 'OIL', sort: 'name' })).toEqual(['Amber oil', 'Fig oil'])
    expect(await namesIn(path(), { search: 'OIL', stock: 'IN' })).toEqual(['Fig oil'])
  })

  test('is 404 for an unknown collection, and refuses an unknown order or stock', async () => {
    const unknown = shop.at('experience/collections/col_unknown/products')
    await shop.api.get(unknown).query({ sort: 'name', stock: 'IN' }).expect(404)
    await expectRefusals(path())
  })
})

describe('list_published_tag_products', () => {
  const path = () => `tags/${day.id}/products`

  test('filters and sorts as list_products does, among ACTIVE products', async () => {
    await expectAsOwnersSee(path(), stocks, { tagId: day.id })
    expect(await namesIn(path(), { stock: 'IN', sort: 'name' })).toEqual(['Balm', 'Fig oil'])
  })

  test('is empty, and not 404, if the stock leaves nothing', async () => {
    const gone = await givenTag(shop)
    const { id } = await givenProduct(shop, { name: 'Gone', stock: 0, tagIds: [gone.id] })
    expect(await namesIn(`tags/${gone.id}/products`, { stock: 'IN' })).toEqual([])
    await shop.api.delete(shop.at(`products/${id}`)).expect(200)
  })

  test('refuses an order or a stock that it does not know', () => expectRefusals(path()))
})
