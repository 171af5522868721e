import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { Validator } from '@seriousme/openapi-schema-validator'
import { beforeAll, describe, expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { operations } from '../../src/generated/operations.ts'
import { keysOf, names, type Outputs, outputs } from './outputs.ts'

const root = join(import.meta.dirname, '..', '..')
const generated = (name: string) => readFileSync(join(root, 'src/generated', name), 'utf8')

describe('the outputs of the contract', () => {
  /** As they lie in the project: `npm test` has compared the committed ones with the contract before. */
  const real = Object.fromEntries(names.map((name) => [name, generated(name)])) as Outputs
  /** Of a contract without list_templates, in which names are longer by one. */
  let changed: Outputs
  beforeAll(async () => {
    const document = parseDocument(readFileSync(join(root, 'openapi.yaml'), 'utf8'))
    document.deleteIn(['paths', '/v1/templates'])
    const limit = ['components', 'schemas', 'WorkspaceName', 'maxLength']
    expect(document.getIn(limit)).toBe(80)
    document.setIn(limit, 81)
    const field = (schema: string, name: string) =>
      ['components', 'schemas', schema, 'properties', name, 'maxLength'] as const
    document.setIn(field('ProductUpdate', 'name'), 77)
    document.setIn(field('CollectionUpdate', 'description'), 78)
    changed = await outputs(document.toString())
  })

  test('an operation removed from the contract disappears from every output', () => {
    const row = /^ {2,4}list_templates: \{/m
    for (const name of ['operations.ts', 'types.ts'] as const) {
      expect(real[name]).toMatch(row)
      expect(changed[name]).not.toMatch(row)
    }
    expect(real['tools.json']).toContain('"name": "list_templates"')
    expect(changed['tools.json']).not.toContain('"name": "list_templates"')
    expect(changed['openapi.json']).not.toContain('"operationId": "list_templates"')
    expect(changed['openapi.public.json']).not.toContain('"operationId": "list_templates"')
  })

  test('a limit changed only in the contract changes document, tool and page', () => {
    const find = (text: string) =>
      JSON.parse(text).find(({ name }: { name: string }) => name === 'create_workspace').inputSchema
        .properties.data.properties.name
    expect(find(real['tools.json']).maxLength).toBe(80)
    expect(find(changed['tools.json']).maxLength).toBe(81)
    const { schemas } = JSON.parse(changed['openapi.json']).components
    expect(schemas.WorkspaceName.maxLength).toBe(81)
    expect(changed['limits.ts']).toContain('  WorkspaceName: { minLength: 2, maxLength: 81 },\n')
  })

  test('the limits of products and collections are changed in one place', () => {
    const { schemas } = JSON.parse(changed['openapi.json']).components
    const limitsOf = (resource: string, field: string) =>
      ['Create', 'Update', 'Patch', ''].map(
        (form) => schemas[`${resource}${form}`].properties[field].maxLength,
      )
    expect(limitsOf('Product', 'name')).toEqual([77, 77, 77, undefined])
    expect(limitsOf('Collection', 'description')).toEqual([78, 78, 78, undefined])
  })

  test('every tool has a form that clients accept', () => {
    const { tools } = ListToolsResultSchema.parse({ tools: JSON.parse(real['tools.json']) })
    expect(tools.length).toBeGreaterThan(0)
    for (const tool of tools) {
      expect(tool.inputSchema.additionalProperties).toBe(false)
      for (const schema of [tool.inputSchema, tool.outputSchema]) {
        expect(schema?.type).toBe('object')
        for (const keyword of ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'enum']) {
          expect(schema).not.toHaveProperty(keyword)
        }
      }
      expect(Object.keys(tool.annotations ?? {}).sort()).toEqual([
        'destructiveHint',
        'idempotentHint',
        'openWorldHint',
        'readOnlyHint',
        'title',
      ])
    }
    expect(keysOf(tools)).not.toContain('$ref')
  })

  test('the public document has only the REST operations of the two public surfaces', async () => {
    const document = JSON.parse(real['openapi.public.json'])
    const expected = Object.entries(operations).filter(
      ([, { surface, toolOnly }]) => ['management', 'experience'].includes(surface) && !toolOnly,
    )
    const items = Object.values(document.paths as Record<string, object>)
    const published = items.flatMap((item) => Object.values(item) as { operationId?: string }[])
    // The challenge is served beside the operations.
    const ids = [...expected.map(([id]) => id), 'get_challenge']
    expect(published.flatMap(({ operationId }) => operationId ?? []).sort()).toEqual(ids.sort())
    expect(keysOf(document).filter((key) => key.startsWith('x-'))).toEqual([])
    expect(await new Validator().validate(document)).toEqual({ valid: true })
  })
})
