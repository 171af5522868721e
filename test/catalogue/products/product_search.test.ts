import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { givenProduct, givenShop, type Product, type Shop } from '../../kit/catalogue.ts'
import { startService, type TestService } from '../../kit/service.ts'
import { givenGuest } from '../../kit/visitors.ts'

let service: TestService
let shop: Shop
const products: Record<string, Product> = {}

beforeAll(async () => {
  service = await startService()
  shop = await givenShop(service)
  const { body: tag } = await shop.api
    .post(shop.at('tags'))
    .send({ name: 'Gül serisi' })
    .expect(200)
  const give = async (key: string, values: object) => {
    products[key] = await givenProduct(shop, values)
  }
  await give('mask', { name: 'Kil Maskesi', sku: 'KM-1', barcode: '8690000000017', brand: 'Selvi' })
  await give('cream', {
    name: 'Gece Kremi 50 ml',
    sku: 'GK-50',
    barcode: '8690000000024',
    brand: 'Selvi',
    description: 'Shea yağı ve seramid ile.',
    tagIds: [(tag as { id: string }).id],
  })
  await give('shampoo', {
    name: 'Sage Shampoo',
    sku: 'SS-2',
    barcode: '8690000000031',
    brand: 'Toros',
    information: 'Strengthens brittle strands with biotin. Serin yerde saklayın.',
  })
  await give('hidden', {
    name: 'Gece Kremi Eski',
    sku: 'GK-1',
    barcode: '8690000000048',
    brand: 'Selvi',
    status: 'INACTIVE',
  })
})
afterAll(() => service.close())

interface Found {
  products: Product[]
  pagination: { total: number }
}

async function find(query: Record<string, string>): Promise<Found> {
  const { body } = await shop.api.get(shop.at('products')).query(query).expect(200)
  return body as Found
}

const keysOf = (found: Found) =>
  found.products.map(({ id }) => Object.keys(products).find((key) => products[key]!.id === id))

describe('a search of list_products', () => {
  test.each([
    ['inflected words', 'maskeler', ['mask']],
    ['words without their marks', 'yagi', ['cream']],
    ['words in any order', 'kremi gece', ['hidden', 'cream']],
    ['plurals', 'shampoos', ['shampoo']],
    ['one letter too many', 'shampooo', ['shampoo']],
    ['one letter too few', 'shmpoo', ['shampoo']],
    ['another letter', 'mazkesi', ['mask']],
    ['two letters swapped', 'hsampoo', ['shampoo']],
    ['a misspelt end', 'shampoa', ['shampoo']],
    ['two misspelt words', 'gcee kremmi', ['hidden', 'cream']],
    ['a misspelt word that has others one letter off', 'sege', ['shampoo']],
    ['a misspelt tag', 'gül sersii', ['cream']],
    ['two words written as one', 'kilmaskesi', ['mask']],
    ['two words written as one, in English', 'sageshampoos', ['shampoo']],
    ['one word written as two', 'mas kesi', ['mask']],
    ['one word written as two beside another', 'sage sham poo', ['shampoo']],
    ['a tag', 'gül serisi', ['cream']],
    ['the description', 'seramid', ['cream']],
    ['the information', 'biotin', ['shampoo']],
    ['part of a word, as it stands', 'hampo', ['shampoo']],
    ['part of an SKU', 'gk-', ['hidden', 'cream']],
    ['words of several fields', 'selvi seramid', ['cream']],
    ['nothing', 'bakuchiol', []],
    ['nothing that only begins alike', 'serum', []],
  ])('finds %s: %s', async (_kind, search, keys) => {
    const found = await find({ search })
    expect(keysOf(found)).toEqual(keys)
    expect(found.pagination.total).toBe(keys.length)
  })

  test.each([
    ['name', 'gece kremi 50 ML'],
    ['SKU', 'gk-50'],
    ['barcode, with spaces around it', '  8690000000024 '],
  ])('puts the product with this %s first', async (_field, search) => {
    expect(keysOf(await find({ search }))[0]).toBe('cream')
  })

  test('follows an order that is asked for', async () => {
    expect(keysOf(await find({ search: 'selvi', sort: 'createdAt' }))).toEqual([
      'mask',
      'cream',
      'hidden',
    ])
    for (const search of ['krmei', 'kremu'])
      expect(keysOf(await find({ search, sort: 'createdAt' }))).toEqual(['cream', 'hidden'])
    expect(keysOf(await find({ search: 'kremi gece', sort: 'createdAt' }))).toEqual([
      'cream',
      'hidden',
    ])
  })

  test('has pages without gaps or duplicates, and the same total on each', async () => {
    for (const search of ['selvi', 'kremi', 'gk', 'shmpoo']) {
      const whole = await find({ search })
      const pages: Found[] = []
      for (let page = 1; page <= whole.products.length + 1; page++)
        pages.push(await find({ search, page: String(page), pageSize: '1' }))
      expect(pages.flatMap(keysOf)).toEqual(keysOf(whole))
      for (const { pagination } of pages) expect(pagination.total).toBe(whole.pagination.total)
    }
  })

  test('follows a tag that is renamed, added and removed', async () => {
    const { body } = await shop.api.post(shop.at('tags')).send({ name: 'Kadife' }).expect(200)
    const { id } = body as { id: string }
    expect(keysOf(await find({ search: 'ipeksi' }))).toEqual([])
    const path = shop.at(`products/${products['mask']!.id}/tags/${id}`)
    await shop.api.post(path).expect(200)
    expect(keysOf(await find({ search: 'kadife' }))).toEqual(['mask'])
    await shop.api
      .put(shop.at(`tags/${id}`))
      .send({ name: 'İpeksi' })
      .expect(200)
    expect(keysOf(await find({ search: 'ipeksi' }))).toEqual(['mask'])
    expect(keysOf(await find({ search: 'kadife' }))).toEqual([])
    await shop.api.delete(path).expect(200)
    expect(keysOf(await find({ search: 'ipeksi' }))).toEqual([])
  })

  test('puts products with a tag of several words before others that have the words', async () => {
    const other = await givenShop(service)
    const tag = { name: 'Oily hair' }
    const { body } = await other.api.post(other.at('tags')).send(tag).expect(200)
    const { id } = body as { id: string }
    await givenProduct(other, { name: 'Sage Tonic', tagIds: [id] })
    await givenProduct(other, { name: 'Hair Wash for Oily Roots' })
    await givenProduct(other, { name: 'Hair Clip', description: 'Keep it from oily hands.' })
    const apart = 'Oily at first. Keep it off the hair.'
    await givenProduct(other, { name: 'Mint Tonic', information: apart })
    const namesOf = async (path: string, query: Record<string, string>) => {
      const found = await other.api.get(other.at(path)).query(query)
      const { products: rows, pagination } = found.body as Found
      return { names: rows.map(({ name }) => name), total: pagination.total }
    }
    const all = ['Hair Wash for Oily Roots', 'Sage Tonic', 'Hair Clip', 'Mint Tonic']
    for (const path of ['products', 'experience/products'])
      for (const search of ['oily hair', 'hair oily', 'olly hair'])
        expect(await namesOf(path, { search })).toEqual({ names: all, total: 4 })
    for (const [index, name] of all.entries()) {
      const page = { page: String(index + 1), pageSize: '1' }
      const found = await namesOf('products', { search: 'oily hair', ...page })
      expect(found).toEqual({ names: [name], total: 4 })
    }
    const tonics = await namesOf('products', { search: 'oily hair tonic' })
    expect(tonics.names).toEqual(['Sage Tonic', 'Mint Tonic'])
    await other.api
      .put(other.at(`tags/${id}`))
      .send({ name: 'Hair' })
      .expect(200)
    const renamed = await namesOf('products', { search: 'oily hair' })
    expect(renamed.names).toEqual(all.filter((name) => name !== 'Sage Tonic'))
  })

  test('shows visitors nothing that is not published', async () => {
    const guest = givenGuest({ service, workspace: { id: shop.workspaceId } })
    for (const search of ['gece kremi', 'kremi gece', 'GK-1']) {
      const { body } = await shop.api
        .get(shop.at('experience/products'))
        .query({ search })
        .set(guest.headers)
        .expect(200)
      const found = body as Found
      expect(keysOf(found)).not.toContain('hidden')
      expect(found.pagination.total).toBe(found.products.length)
    }
  })
})
