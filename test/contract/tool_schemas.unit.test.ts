import { describe, expect, test } from 'vitest'
import { readTools } from '../../src/core/contract_documents.ts'

interface Schema {
  [keyword: string]: unknown
  type?: unknown
  description?: string
  properties?: Record<string, Schema>
  items?: Schema
}

/** An argument, or a part of one, and the path to it. */
type Place = [path: string, schema: Schema]

function placesIn(path: string, schema: Schema): Place[] {
  const { properties = {}, items } = schema
  const inner = Object.entries(properties).flatMap(([name, each]) =>
    placesIn(`${path}.${name}`, each),
  )
  return [[path, schema], ...inner, ...(items ? placesIn(`${path}[]`, items) : [])]
}

const tools = readTools()
const places = tools.flatMap(({ name, inputSchema }) => placesIn(name, inputSchema as Schema))
const pathsOf = (wrong: (place: Place) => boolean) => places.filter(wrong).map(([path]) => path)

describe('the arguments of tools', () => {
  test('are all described, by themselves or by their members', () => {
    // Those that a model knows by name are not described.
    const evident = /\.(workspaceId|page|pageSize)$/
    const isArgument = (path: string) =>
      path.includes('.') && !path.endsWith('[]') && !evident.test(path)
    const bare = pathsOf(
      ([path, { description, properties }]) => isArgument(path) && !description && !properties,
    )
    expect(bare).toEqual([])
    expect(places.length).toBeGreaterThan(250)
  })

  test('are closed objects, as strict modes of models demand', () => {
    const isOpen = ({ type, additionalProperties }: Schema) =>
      type === 'object' && additionalProperties !== false
    // Values of products are checked row by row; rows and filters are described by another tool.
    expect(pathsOf(([, schema]) => isOpen(schema))).toEqual([
      'create_change_set.data.rows[]',
      'create_change_set.data.select.where',
      'create_change_set.data.select.change',
      'write_products.data.rows[].data',
    ])
  })

  test('have no patterns, which not every language can compile', () => {
    const keywords = ['pattern', 'patternProperties', 'propertyNames']
    expect(pathsOf(([, schema]) => keywords.some((keyword) => keyword in schema))).toEqual([])
  })

  test('of creates include a key for safe retries, of updates the time of the state they expect', () => {
    const namesWith = (argument: string) =>
      tools.filter(({ inputSchema }) => argument in inputSchema.properties).map(({ name }) => name)
    expect(namesWith('idempotencyKey')).toEqual([
      'answer_question',
      'create_change_set',
      'create_collection',
      'create_product',
      'create_tag',
      'create_workspace',
      'import_media',
      'upload_media',
      'write_products',
    ])
    expect(namesWith('expectedUpdatedAt')).toEqual([
      'patch_collection',
      'patch_product',
      'set_collection_products',
      'update_collection',
      'update_product',
      'update_website',
      'update_workspace',
    ])
  })
})

test('adding what is already there changes nothing, and the hint says so', () => {
  const adding = tools.filter(({ name }) => name.startsWith('add_'))
  expect(adding.map(({ name, annotations }) => [name, annotations.idempotentHint])).toEqual([
    ['add_collection_product', true],
    ['add_collection_tag', true],
    ['add_product_tag', true],
  ])
})

test('only the import reaches beyond the service', () => {
  const open = tools.filter(({ annotations }) => annotations.openWorldHint)
  expect(open.map(({ name }) => name)).toEqual(['import_media'])
})

test('only what purely adds is not called destructive', () => {
  const writes = tools.filter(({ annotations }) => !annotations.readOnlyHint)
  const additive = writes.filter(({ annotations }) => !annotations.destructiveHint)
  expect(additive.map(({ name }) => name)).toEqual([
    'add_collection_product',
    'add_collection_tag',
    'add_product_tag',
    'answer_question',
    'cancel_change_set',
    'create_change_set',
    'create_collection',
    'create_media_upload',
    'create_product',
    'create_tag',
    'create_workspace',
    'import_media',
    'plan_change_set',
    'upload_media',
  ])
})
