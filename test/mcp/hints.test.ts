import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readTools } from '../../src/core/contract_documents.ts'
import { bearer } from '../every_operation/fixtures.ts'
import { errorOf, type Json, message, post } from '../kit/agents.ts'
import { givenProduct, givenShop, type Product, type Shop } from '../kit/catalogue.ts'
import { startService, type TestService } from '../kit/service.ts'

let service: TestService
let shop: Shop
let product: Product
let auth: Record<string, string>
beforeAll(async () => {
  service = await startService()
  shop = await givenShop(service)
  product = await givenProduct(shop)
  auth = bearer((await service.givenAgent(shop.person)).token)
})
afterAll(() => service.close())

async function refusalOf(name: string, args: Json) {
  const params = { name, arguments: { workspaceId: shop.workspaceId, ...args } }
  return errorOf(await post(service, message('tools/call', params), auth))
}

const productHint =
  'Ids of products begin with prod_. For an SKU, ask list_products with query.sku.'

describe('a refusal of a tool', () => {
  test('says that an SKU is no id of a product', async () => {
    const refusal = await refusalOf('get_product', { id: product.sku })
    expect([refusal.code, refusal.fieldErrors]).toEqual(['not_found', { id: productHint }])
  })

  test('says that a name is no id of a tag, beside the product', async () => {
    const refusal = await refusalOf('add_product_tag', { id: product.sku, tagId: 'Rose' })
    expect(refusal.fieldErrors).toEqual({
      id: productHint,
      tagId: 'These ids begin with tag_; search_catalogue finds them.',
    })
  })

  test('says that a subdomain is no id of a workspace, whether it exists or not', async () => {
    for (const workspaceId of ['my-shop', 'nobodys-shop']) {
      const refusal = await refusalOf('list_products', { workspaceId })
      expect([refusal.code, refusal.fieldErrors]).toEqual([
        'not_owner',
        { workspaceId: 'Ids of workspaces begin with ws_; list_workspaces lists them.' },
      ])
    }
  })

  test('says nothing of an id that only leads nowhere', async () => {
    expect(await refusalOf('get_product', { id: 'prod_unknown' })).toEqual({
      status: 404,
      code: 'not_found',
      message: 'There is no such product.',
    })
  })

  test('names the known fields of data', async () => {
    const { fieldErrors } = await refusalOf('patch_product', { id: product.id, data: { price: 9 } })
    const known = 'name, brand, sku, barcode, stock, status, description, information'
    expect(fieldErrors).toEqual({
      price: `Unknown field; known are ${known}, imageIds, tagIds, sales.`,
    })
  })
})

test('every query that may be left out is an empty object by default', () => {
  const queries = readTools().flatMap(({ inputSchema: { properties } }) => properties.query ?? [])
  expect(queries.length).toBeGreaterThan(10)
  for (const query of queries as { required?: string[]; default?: object }[])
    expect(query.default).toEqual(query.required ? undefined : {})
})
