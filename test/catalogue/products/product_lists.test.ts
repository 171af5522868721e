import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { components } from '../../../src/generated/types.ts'
import {
  type Collection,
  editable,
  givenCollection,
  givenMediaRow,
  givenProduct,
  givenShop,
  givenTag,
  outcomeOf,
  type Product,
  type Shop,
  type Tag,
} from '../../kit/catalogue.ts'
import { startService, type TestService } from '../../kit/service.ts'

type ProductList = components['schemas']['ProductList'] & { products: Product[] }
type Query = Record<string, string>

/** A shop with ties in every sort order and matches for every filter. */
interface Stock {
  shop: Shop
  tag: Tag
  collection: Collection
  /** Every product, in order of creation. */
  products: Product[]
}

let service: TestService
let stocked: Stock
beforeAll(async () => {
  service = await startService()
  stocked = await givenStock()
})
afterAll(() => service.close())

const statuses = ['ACTIVE', 'INACTIVE', 'DELETED'] as const
const names = ['rose oil', 'rose water', 'lavender', 'amber', 'soap', 'clay', 'henna']

/** 42 products: seven names, six times each, at most one per name not deleted. */
async function givenStock(): Promise<Stock> {
  const shop = await givenShop(service)
  const tag = await givenTag(shop)
  const collection = await givenCollection(shop)
  const products: Product[] = []
  for (let i = 0; i < 42; i++) {
    // Five products share each timestamp; only the newest of each name is not deleted.
    if (i % 5 === 0) service.advance(1000)
    const product = await givenProduct(shop, {
      name: `unused ${i}`,
      stock: [0, 4, 9][i % 3]!,
      brand: i % 4 === 0 ? 'Rosewood' : 'Oak',
      tagIds: i % 2 === 0 ? [tag.id] : [],
    })
    const status = i >= 35 ? statuses[i % 2]! : 'DELETED'
    const values = { ...editable(product), name: names[i % 7]!, status }
    await shop.api
      .put(shop.at(`products/${product.id}`))
      .send(values)
      .expect(200)
    if (i % 3 !== 1)
      await shop.api
        .post(shop.at(`collections/${collection.id}/products/${product.id}`))
        .expect(200)
    products.push((await shop.api.get(shop.at(`products/${product.id}`))).body as Product)
  }
  return { shop, tag, collection, products }
}

async function list(shop: Shop, query: Query = {}): Promise<ProductList> {
  const answer = await shop.api.get(shop.at('products')).query(query)
  expect(answer.status).toBe(200)
  return answer.body as ProductList
}

const idsOf = (products: { id: string }[]) => products.map(({ id }) => id)

/** Every page of a list, in order. */
async function pagesOf(shop: Shop, query: Query, pageSize: number): Promise<Product[]> {
  const products: Product[] = []
  for (let page = 1; ; page++) {
    const answer = await list(shop, { ...query, page: String(page), pageSize: String(pageSize) })
    products.push(...answer.products)
    if (!answer.pagination.hasNextPage) return products
  }
}

type Sort = components['parameters']['ProductSort']

/** The products in the order of a sort, ties broken by id. */
function sorted(products: Product[], sort: NonNullable<Sort>): Product[] {
  const field = sort.replace('-', '') as 'createdAt' | 'name' | 'stock'
  const sign = sort.startsWith('-') ? -1 : 1
  const compare = <T>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0)
  return products.toSorted((a, b) => sign * (compare(a[field], b[field]) || compare(a.id, b.id)))
}

const sorts = ['createdAt', '-createdAt', 'name', '-name', 'stock', '-stock'] as const

describe('the pages of list_products', () => {
  test('hold full products, newest first, 20 per page', async () => {
    const { shop, products } = stocked
    const expected = sorted(products, '-createdAt')
    const { products: first, pagination, summary } = await list(shop)
    expect(first).toEqual(expected.slice(0, 20))
    expect(pagination).toEqual({
      page: 1,
      limit: 20,
      total: 42,
      totalPages: 3,
      hasNextPage: true,
      hasPreviousPage: false,
    })
    const count = (matches: (product: Product) => boolean) => products.filter(matches).length
    expect(summary).toEqual({
      total: 42,
      active: count(({ status }) => status === 'ACTIVE'),
      inactive: count(({ status }) => status === 'INACTIVE'),
      outOfStock: count(({ status, stock }) => stock === 0 && status !== 'DELETED'),
    })
    const last = await list(shop, { page: '3' })
    expect(last.products).toEqual(expected.slice(40))
    expect(last.pagination).toMatchObject({ hasNextPage: false, hasPreviousPage: true })
  })

  test.each(sorts)('sorted by %s form one list without gaps or duplicates', async (sort) => {
    const { shop, products } = stocked
    const expected = sorted(products, sort)
    expect((await list(shop, { sort, pageSize: '100' })).products).toEqual(expected)
    for (const pageSize of [1, 4, 7, 41, 42])
      expect(idsOf(await pagesOf(shop, { sort }, pageSize))).toEqual(idsOf(expected))
  })

  test.each(sorts)('of a filtered list sorted by %s form one list too', async (sort) => {
    const { shop, tag, collection, products } = stocked
    const filters: [Query, (product: Product) => boolean][] = [
      [{ status: 'DELETED' }, ({ status }) => status === 'DELETED'],
      [{ search: 'ROSE' }, ({ name, brand }) => /rose/i.test(name + brand)],
      [{ tagId: tag.id, stock: 'IN' }, ({ tags, stock }) => tags.length > 0 && stock > 0],
      [
        { collectionId: collection.id },
        ({ id }) => products.findIndex((p) => p.id === id) % 3 !== 1,
      ],
    ]
    for (const [filter, matches] of filters) {
      const expected = idsOf(sorted(products.filter(matches), sort))
      expect(expected.length).toBeGreaterThan(8)
      expect(idsOf(await pagesOf(shop, { ...filter, sort }, 3))).toEqual(expected)
    }
  })

  test('past the last one are empty, with the correct totals', async () => {
    const { shop } = stocked
    for (const [page, query] of [
      ['4', {}],
      ['2147483647', {}],
      ['99', { search: 'rose', sort: 'name' }],
    ] as const) {
      const { products, pagination } = await list(shop, { ...query, page })
      expect(products).toEqual([])
      expect(pagination).toMatchObject({ hasNextPage: false, hasPreviousPage: true })
    }
  })

  test('take a list in each way that clients write one', async () => {
    const { shop } = stocked
    const get = async (query: string) =>
      (await shop.api.get(shop.at(`products?${query}`)).expect(200)).body as unknown
    const both = await get('status=ACTIVE,INACTIVE&pageSize=5')
    for (const query of [
      'status=ACTIVE&pageSize=5&status=INACTIVE',
      'status[]=ACTIVE&status[]=INACTIVE&pageSize=5',
      'status%5B%5D=ACTIVE&status%5B%5D=INACTIVE&pageSize=5',
      'status[]=ACTIVE,INACTIVE&pageSize=5',
    ])
      expect(await get(query)).toEqual(both)
  })

  test('of an empty workspace are empty', async () => {
    const shop = await givenShop(service)
    const none = { total: 0, totalPages: 0, hasNextPage: false, hasPreviousPage: false }
    expect(await list(shop)).toEqual({
      products: [],
      pagination: { page: 1, limit: 20, ...none },
      summary: { total: 0, active: 0, inactive: 0, outOfStock: 0 },
    })
    expect((await list(shop, { page: '2', search: 'x' })).pagination).toEqual({
      page: 2,
      limit: 20,
      ...none,
    })
  })

  test.each([
    ['page=0', 'page'],
    ['page=x', 'page'],
    ['pageSize=0', 'pageSize'],
    ['pageSize=101', 'pageSize'],
    ['sort=brand', 'sort'],
    ['view=short', 'view'],
    ['stock=SOME', 'stock'],
    ['status=DRAFT', 'status'],
    ['status=ACTIVE,', 'status'],
    ['status=', 'status'],
    ['status=ACTIVE,ACTIVE', 'status'],
    ['status=ACTIVE&status=ACTIVE', 'status'],
    ['status[]=ACTIVE&status[]=DRAFT', 'status'],
    ['sort=name&sort=name', 'sort'],
    ['sort[]=name', 'sort[]'],
    ['tagId=', 'tagId'],
    ['limit=5', 'limit'],
  ])('are refused for %s', async (query, field) => {
    const { shop } = stocked
    const answer = await shop.api.get(shop.at(`products?${query}`))
    const [status, code, fieldErrors] = outcomeOf(answer)
    expect([status, code, Object.keys(fieldErrors)]).toEqual([400, 'invalid_input', [field]])
  })

  test('carry an ETag that is valid until a product changes', async () => {
    const shop = await givenShop(service)
    const product = await givenProduct(shop)
    const path = shop.at('products')
    const etag = (await shop.api.get(path)).headers.etag!
    expect((await shop.api.get(path).set('If-None-Match', etag)).status).toBe(304)
    const values = { ...editable(product), stock: 77 }
    await shop.api.put(`${path}/${product.id}`).send(values).expect(200)
    expect((await shop.api.get(path).set('If-None-Match', etag)).status).toBe(200)
  })

  test('show nothing from another workspace, whatever the filter', async () => {
    const { tag, collection } = stocked
    const shop = await givenShop(service)
    const own = await givenProduct(shop)
    expect(idsOf((await list(shop)).products)).toEqual([own.id])
    for (const query of [{ tagId: tag.id }, { collectionId: collection.id }, { search: 'rose' }]) {
      const { products, pagination } = await list(shop, query)
      expect([products, pagination.total]).toEqual([[], 0])
    }
  })
})

describe('the filters of list_products', () => {
  type Filter = [Query, (product: Product, index: number) => boolean]
  const none: Filter = [{}, () => true]

  test('select the right products, singly and combined, without affecting the summary', async () => {
    const { shop, tag, collection, products } = stocked
    const { summary } = await list(shop)
    const status: Filter[] = [
      none,
      ...['ACTIVE', 'INACTIVE', 'DELETED', 'INACTIVE,ACTIVE', 'DELETED,ACTIVE,INACTIVE'].map(
        (value): Filter => [{ status: value }, (p) => value.split(',').includes(p.status)],
      ),
    ]
    const stock: Filter[] = [
      none,
      [{ stock: 'IN' }, (p) => p.stock > 0],
      [{ stock: 'OUT' }, (p) => p.stock === 0],
    ]
    const tags: Filter[] = [none, [{ tagId: tag.id }, (p) => p.tags.length > 0]]
    const collections: Filter[] = [
      none,
      [{ collectionId: collection.id }, (_, index) => index % 3 !== 1],
    ]
    const searches: Filter[] = [none, [{ search: 'Rose' }, (p) => /rose/i.test(p.name + p.brand)]]
    const combined = [status, stock, tags, collections, searches].reduce<Filter[]>(
      (left, right) =>
        left.flatMap(([query, matches]) =>
          right.map(([more, fits]): Filter => [
            { ...query, ...more },
            (product, index) => matches(product, index) && fits(product, index),
          ]),
        ),
      [none],
    )
    expect(combined).toHaveLength(144)
    for (const [query, matches] of combined) {
      const expected = idsOf(sorted(products.filter(matches), '-createdAt'))
      const answer = await list(shop, { ...query, pageSize: '100' })
      const result = { query, ids: idsOf(answer.products), total: answer.pagination.total }
      expect(result).toEqual({ query, ids: expected, total: expected.length })
      expect(answer.summary).toEqual(summary)
    }
  })
})

describe('the search of list_products', () => {
  const search = async (shop: Shop, text: string) =>
    (await list(shop, { search: text, sort: 'createdAt' })).products.map(({ name }) => name)

  test('covers name, brand, SKU, barcode and slug as they stand', async () => {
    const shop = await givenShop(service)
    const product = await givenProduct(shop, {
      name: 'Şeker Pembe',
      brand: 'Marka',
      sku: 'KOD-7',
      barcode: '869000',
    })
    await givenProduct(shop)
    const terms = ['seker-pembe', 'şeker', 'MARKA', 'kod-7', '69000', 'er p']
    for (const term of terms) expect(await search(shop, term)).toEqual([product.name])
    for (const term of [product.id, 'a liqueur']) expect(await search(shop, term)).toEqual([])
    expect(await search(shop, '')).toHaveLength(2)
  })

  test('follows a rename and keeps the slug', async () => {
    const shop = await givenShop(service)
    const product = await givenProduct(shop, { name: 'Earlier title' })
    const values = { ...editable(product), name: 'Later title' }
    await shop.api
      .put(shop.at(`products/${product.id}`))
      .send(values)
      .expect(200)
    expect(await search(shop, 'later t')).toEqual(['Later title'])
    expect(await search(shop, 'earlier t')).toEqual([])
    expect(await search(shop, 'earlier-t')).toEqual(['Later title'])
  })

  test.each([
    ['GÜL suyu', 'gül SU'],
    ['ЗЕЛЁНЫЙ чай', 'зелёный Ч'],
    ['Große Straße', 'STRASSE'],
    ['GROSSE STRASSE', 'straße'],
    ['DİYARBAKIR', 'diyarbakır'],
    ['ılık', 'ILIK'],
    ['ＡＢＣ１２', 'abc12'],
    ['abc12', 'ＢＣ１'],
    ['ΟΔΟΣ', 'οδος'],
    ['οδός', 'ΟΔΌΣ'],
    ['深圳绿茶', '绿'],
    ['شاي أخضر', 'أخضر'],
    ['ร้านกาแฟ', 'กาแฟ'],
    ['Caf\u00e9', 'cafe\u0301'],
    ['Rose 🌹 oil', '🌹'],
  ])('finds %s by %s', async (name, text) => {
    const shop = await givenShop(service)
    await givenProduct(shop, { name })
    expect(await search(shop, text)).toEqual([name])
  })

  test('treats %, _ and the backslash literally', async () => {
    const shop = await givenShop(service)
    const all = ['a%b', 'a_b', 'a\\b', 'axb', 'a\\%b']
    for (const name of all) await givenProduct(shop, { name, sku: name, barcode: name })
    for (const name of ['a%b', 'a_b', 'a\\b', 'a\\%b'])
      expect(await search(shop, name)).toEqual([name])
    expect(await search(shop, '%')).toEqual(['a%b', 'a\\%b'])
    expect(await search(shop, '_')).toEqual(['a_b'])
    expect(await search(shop, '\\')).toEqual(['a\\b', 'a\\%b'])
    expect(await search(shop, '%%')).toEqual([])
  })

  test('accepts 200 characters of any script and refuses 201', async () => {
    const shop = await givenShop(service)
    for (const letters of ['茶深圳绿', '🌹😀🎁🧴', 'abcd', 'ﷺ']) {
      const name = [...letters.repeat(250)].slice(0, 250).join('')
      await givenProduct(shop, { name })
      const long = [...letters.repeat(201)].slice(0, 201)
      expect(await search(shop, long.slice(1, 201).join(''))).toEqual([name])
      const answer = await shop.api.get(shop.at('products')).query({ search: long.join('') })
      const refusal = { search: 'At most 200 characters.' }
      expect(outcomeOf(answer)).toEqual([400, 'invalid_input', refusal])
    }
  })
})

describe('view=summary of list_products', () => {
  test('clips long texts with a mark and has the cover alone, in lists only', async () => {
    const shop = await givenShop(service)
    const images = [await givenMediaRow(shop), await givenMediaRow(shop)]
    const texts = { description: '😀'.repeat(1240), information: `${'茶'.repeat(199)}bc` }
    const product = await givenProduct(shop, { ...texts, imageIds: images.map(({ id }) => id) })
    const clipped = {
      ...product,
      description: `${'😀'.repeat(200)}… [1,240 characters]`,
      information: `${'茶'.repeat(199)}b… [201 characters]`,
      images: [product.images[0]],
    }
    for (const query of [{}, { sort: 'name' }, { status: 'ACTIVE' }] as Query[]) {
      expect((await list(shop, { ...query, view: 'summary' })).products).toEqual([clipped])
      expect((await list(shop, { ...query, view: 'full' })).products).toEqual([product])
    }
    const single = shop.at(`products/${product.id}`)
    expect((await shop.api.get(single)).body).toEqual(product)
    expect((await shop.api.get(`${single}?view=summary`)).status).toBe(400)
  })

  test('leaves texts of 200 characters as they are', async () => {
    const shop = await givenShop(service)
    const product = await givenProduct(shop, { description: '😀'.repeat(200) })
    expect((await list(shop, { view: 'summary' })).products).toEqual([product])
  })
})
