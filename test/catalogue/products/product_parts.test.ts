import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { components } from '../../../src/generated/types.ts'
import { bearer } from '../../every_operation/fixtures.ts'
import { message, post, resultOf } from '../../kit/agents.ts'
import {
  givenMediaRow,
  givenProduct,
  givenShop,
  givenTag,
  outcomeOf,
  type Product,
  type Shop,
} from '../../kit/catalogue.ts'
import { startService, type TestService } from '../../kit/service.ts'

let service: TestService
let shop: Shop
/** Whole products, newest first. */
let products: Product[]
beforeAll(async () => {
  service = await startService()
  shop = await givenShop(service)
  const [image, tag] = [await givenMediaRow(shop), await givenTag(shop)]
  const values = { imageIds: [image.id], tagIds: [tag.id], description: '“Rose”\n\\ water' }
  await givenProduct(shop, { ...values, name: 'Rose one' })
  service.advance(1000)
  await givenProduct(shop, { name: 'Rose two' })
  products = (await shop.api.get(shop.at('products'))).body.products as Product[]
})
afterAll(() => service.close())

type Field = components['schemas']['ProductField']

const part = (product: Product, fields: Field[]) =>
  Object.fromEntries(fields.map((field) => [field, product[field]]))

const list = async (search: string) => (await shop.api.get(shop.at(`products?${search}`))).body

describe('fields of list_products', () => {
  test('are answered alone, with the id', async () => {
    const sets: Field[][] = [
      ['description'],
      ['images', 'stock'],
      ['tags', 'createdAt', 'updatedAt', 'slug'],
      ['sales', 'information'],
    ]
    for (const fields of sets) {
      const answer = await list(`fields=${fields.join()}`)
      expect(answer.products).toEqual(products.map((one) => part(one, ['id', ...fields])))
      expect(answer.pagination.total).toBe(2)
    }
    expect((await list('fields=id')).products).toEqual(products.map(({ id }) => ({ id })))
    const all = Object.keys(products[0]!).join()
    expect((await list(`fields=${all}`)).products).toEqual(products)
  })

  test('go with filters, sorts and pages', async () => {
    const [newest, oldest] = products as [Product, Product]
    expect((await list('fields=name&sort=createdAt&pageSize=1')).products).toEqual([
      part(oldest, ['id', 'name']),
    ])
    expect((await list('fields=name&hasImages=false')).products).toEqual([
      part(newest, ['id', 'name']),
    ])
    expect((await list('fields=name&page=9')).products).toEqual([])
  })

  test('that are unknown are refused with the known ones, as is a summary with fields', async () => {
    const unknown = await shop.api.get(shop.at('products?fields=name,price'))
    const known = Object.keys(products[0]!).join(', ')
    expect(outcomeOf(unknown)).toEqual([
      400,
      'invalid_input',
      { fields: `Must be one of ${known}.` },
    ])
    const both = await shop.api.get(shop.at('products?fields=name&view=summary'))
    expect(outcomeOf(both)).toEqual([
      400,
      'invalid_input',
      { fields: expect.stringContaining('view=summary') },
    ])
  })

  test('are answered by the tool, too', async () => {
    const { token } = await service.givenAgent(shop.person)
    const call = async (name: string, query: object) => {
      const params = { name, arguments: { workspaceId: shop.workspaceId, query } }
      return resultOf(await post(service, message('tools/call', params), bearer(token)))
    }
    const { structuredContent } = await call('list_products', { fields: ['sku'] })
    expect(structuredContent).toEqual(await list('fields=sku'))
    const found = await call('search_catalogue', { search: 'rose two', fields: ['sku', 'name'] })
    expect(found.structuredContent).toEqual({ hits: [part(products[0]!, ['id', 'name', 'sku'])] })
  })
})

describe('fields of search_catalogue', () => {
  test('are those of the products it finds, and of nothing else', async () => {
    await givenTag(shop, 'Rose')
    const search = async (query: string) =>
      (await shop.api.get(shop.at(`search?${query}`))).body.hits as { id: string }[]
    const lines = await search('search=rose')
    expect(lines).toHaveLength(3)
    const parts = await search('search=rose&fields=stock')
    const found = parts.map(({ id }) => products.find((one) => one.id === id)!)
    expect(found).toHaveLength(2)
    expect(parts).toEqual(found.map((one) => part(one, ['id', 'stock'])))
    expect(await search('search=nothing&fields=stock')).toEqual([])
  })
})
