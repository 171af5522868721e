import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readTools } from '../../src/core/contract_documents.ts'
import { bearer, givenScene, type Scene } from '../every_operation/fixtures.ts'
import { errorOf, type Json, message, post, resultOf } from '../kit/agents.ts'
import { productBody } from '../kit/catalogue.ts'
import { startService, type TestService } from '../kit/service.ts'

let service: TestService
let scene: Scene
let auth: Record<string, string>
/** A collection with a product. */
let collectionId: string
beforeAll(async () => {
  service = await startService()
  scene = await givenScene(service)
  auth = bearer((await service.givenAgent(scene.owner)).token)
  const idOf = async (name: string, data: Json) =>
    String(resultOf(await call(name, { data })).structuredContent!.id)
  const tagIds = [await idOf('create_tag', { name: 'Rose' })]
  const data = productBody({ information: 'Long. '.repeat(100), tagIds })
  const productId = await idOf('create_product', data)
  collectionId = await idOf('create_collection', { name: 'Roses', tagIds })
  await call('add_collection_product', { id: collectionId, productId })
})
afterAll(() => service.close())

function call(name: string, args: Json) {
  const params = { name, arguments: { workspaceId: scene.workspace.id, ...args } }
  return post(service, message('tools/call', params), auth)
}

const lists = [
  {
    name: 'list_products',
    rows: 'products',
    fields: ['id', 'name', 'brand', 'sku', 'barcode', 'stock', 'status', 'updatedAt'],
  },
  {
    name: 'list_collection_products',
    rows: 'products',
    fields: ['id', 'name', 'brand', 'sku', 'stock', 'status', 'updatedAt'],
  },
  {
    name: 'list_collections',
    rows: 'collections',
    fields: ['id', 'name', 'description', 'imageId', 'productIds', 'tags', 'updatedAt'],
  },
]

describe.each(lists)('view=summary of $name', ({ name, rows, fields }) => {
  test('leaves fields of the rows out as a tool, and is else what REST answers', async () => {
    const isNested = name === 'list_collection_products'
    const list = isNested ? `collections/${collectionId}/${rows}` : rows
    const path = `/v1/workspaces/${scene.workspace.id}/${list}?view=summary`
    const { body } = (await service.api(scene.key).get(path)) as { body: Record<string, Json[]> }
    const args = { query: { view: 'summary' }, ...(isNested && { id: collectionId }) }
    const { structuredContent } = resultOf(await call(name, args))
    const expected = body[rows]!.map((row) =>
      Object.fromEntries(fields.map((field) => [field, row[field]])),
    )
    expect(expected.length).toBeGreaterThan(0)
    expect(structuredContent).toEqual({ ...body, [rows]: expected })
  })

  test('is declared: a row must have these fields, or with fields= its id alone', () => {
    const { inputSchema, outputSchema } = readTools().find((tool) => tool.name === name)!
    const takesFields = JSON.stringify(inputSchema.properties.query).includes('"fields"')
    expect(takesFields).toBe(name === 'list_products')
    expect(outputSchema.properties[rows]!.items!.required).toEqual(takesFields ? ['id'] : fields)
  })
})

test('a written collection names its products as a tool, and nests none', async () => {
  const path = `/v1/workspaces/${scene.workspace.id}/products`
  const { body } = (await service.api(scene.key).get(path)) as { body: { products: Json[] } }
  const productIds = body.products.map(({ id }) => id)
  const data = { name: 'All', productIds }
  const { structuredContent } = resultOf(await call('create_collection', { data }))
  const { id } = structuredContent as { id: string }
  const single = `/v1/workspaces/${scene.workspace.id}/collections/${id}`
  const { body: whole } = await service.api(scene.key).get(single)
  expect(whole.products).toHaveLength(1)
  expect(structuredContent).toEqual({ ...whole, products: [] })
  const values = { name: 'Every', description: '', tagIds: [], imageId: null }
  const updated = resultOf(await call('update_collection', { id, data: values }))
  expect(updated.structuredContent).toEqual({ ...whole, name: 'Every', products: [] })
  const patched = resultOf(await call('patch_collection', { id, data: { name: 'Many' } }))
  const { updatedAt } = whole
  expect(patched.structuredContent).toEqual({ id, name: 'Many', imageId: null, updatedAt })
  const short = resultOf(await call('get_collection', { id, query: { view: 'summary' } }))
  expect(short.structuredContent).toEqual({ ...whole, name: 'Many', products: [] })
})

test('a full view has every field, as a tool too', async () => {
  const path = `/v1/workspaces/${scene.workspace.id}/products`
  const { body } = await service.api(scene.key).get(path)
  expect(resultOf(await call('list_products', {})).structuredContent).toEqual(body)
  const query = { view: 'full' }
  expect(resultOf(await call('list_products', { query })).structuredContent).toEqual(body)
})

test('a product of a summary cannot be written back: what it lacks is named', async () => {
  const { structuredContent } = resultOf(
    await call('list_products', { query: { view: 'summary' } }),
  )
  const [{ id, updatedAt, ...data }] = (structuredContent as { products: [Json] }).products
  expect(updatedAt).toBeDefined()
  const { status, fieldErrors } = errorOf(await call('update_product', { id, data }))
  const missing = ['description', 'information', 'imageIds', 'tagIds', 'sales']
  expect([status, fieldErrors]).toEqual([
    400,
    Object.fromEntries(missing.map((field) => [field, 'Required.'])),
  ])
})

test('JSON is sent without spaces between members, over REST and as a tool', async () => {
  const at = `/v1/workspaces/${scene.workspace.id}`
  const id = collectionId
  const { body } = await service.api(scene.key).get(`${at}/collections/${id}`)
  const { productIds } = body as { productIds: string[] }
  const reads: [tool: string, path: string, args: Json][] = [
    ['get_product', `products/${productIds[0]}`, { id: productIds[0] }],
    ['list_products', 'products', {}],
    ['get_collection', `collections/${id}`, { id }],
    ['list_collections', 'collections', {}],
    ['list_collection_products', `collections/${id}/products`, { id }],
  ]
  for (const [tool, path, args] of reads) {
    const answer = await service.api(scene.key).get(`${at}/${path}`)
    expect(answer.text).toBe(JSON.stringify(answer.body))
    expect(resultOf(await call(tool, args)).content[0]!.text).toBe(answer.text)
  }
})

test.each(['list_products', 'search_catalogue'])('no fields of %s are too few', async (name) => {
  const query = { fields: [], ...(name === 'search_catalogue' && { search: 'rose' }) }
  const { fieldErrors } = errorOf(await call(name, { query }))
  expect(fieldErrors).toEqual({ fields: 'At least 1 item.' })
})
