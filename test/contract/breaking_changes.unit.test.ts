import { expect, test } from 'vitest'
import { closedNewcomers } from '../../codegen/compatibility/newcomers.ts'
import { breaksBetween, type Release } from '../../codegen/compatibility/releases.ts'
import { readRelease } from './releases/releases.ts'

/** A part of a document, to be changed in place. */
interface Part {
  [key: string]: Part
}

const whole = readRelease('2026-11-16')

/** A part of a release, which is enough to change and quick to compare. */
const released: Release = {
  document: {
    ...whole.document,
    components: { ...whole.document.components, examples: {} },
    paths: Object.fromEntries(
      Object.entries(whole.document.paths).filter(([path]) =>
        /}\/(?:tags|products|products\/{id}|website|workspace|experience\/.*)$/.test(path),
      ),
    ),
  },
  tools: whole.tools.filter(({ name }) => name.endsWith('_tag') || name.endsWith('_tags')),
}

/** A copy of a release, as loose JSON. */
function copy(): { document: Part; tools: Record<string, Part> } {
  const { document, tools } = structuredClone(released) as unknown as {
    document: Part
    tools: ({ name: string } & Part)[]
  }
  return { document, tools: Object.fromEntries(tools.map((tool) => [tool.name, tool as Part])) }
}

function breaksAfter(change: (document: Part, tools: Record<string, Part>) => void): string[] {
  const { document, tools } = copy()
  change(document, tools)
  return breaksBetween(released, { document, tools: Object.values(tools) } as never)
}

/** Members of a part may have any JSON value. */
const set = (part: Part | undefined, values: object) => Object.assign(part!, values)
const schema = (document: Part, name: string) => document.components!.schemas![name]!
const field = (document: Part, name: string, member: string) =>
  schema(document, name).properties![member]!
const inWorkspace = '/v1/workspaces/{workspaceId}'
const call = (document: Part, method: string, path: string) =>
  document.paths![`${inWorkspace}${path}`]![method]!
const take = (list: unknown, value: unknown) => {
  const values = list as unknown[]
  values.splice(values.indexOf(value), 1)
}
const add = (list: unknown, ...values: unknown[]) => (list as unknown[]).push(...values)

test.each<[string, (document: Part, tools: Record<string, Part>) => void, string[]]>([
  [
    'an operation removed',
    (document) => delete document.paths![`${inWorkspace}/tags`]!.post,
    ['create_tag: POST /v1/workspaces/{workspaceId}/tags is gone'],
  ],
  [
    'an operation renamed',
    (document) => set(call(document, 'post', '/tags'), { operationId: 'add_tag' }),
    ['create_tag: is called add_tag now'],
  ],
  [
    'another scope',
    (document) =>
      set(call(document, 'get', '/tags'), { security: [{ accountKey: ['products:read'] }] }),
    ['list_tags: asks for another credential or scope'],
  ],
  [
    'a field removed from an answer',
    (document) => {
      delete schema(document, 'Product').properties!.slug
      take(schema(document, 'Product').required, 'slug')
    },
    ['answer Product: no longer has slug'],
  ],
  [
    'a field of an answer that may be missing',
    (document) => take(schema(document, 'Product').required, 'slug'),
    ['answer Product: may lack slug'],
  ],
  [
    'a field required of a request',
    (document) => add((schema(document, 'ProductPatch').required ??= [] as never), 'name'),
    ['request ProductPatch: now requires name'],
  ],
  [
    'a field renamed in a request',
    (document) => {
      const { properties } = schema(document, 'ProductCreate')
      properties!.code = properties!.barcode!
      delete properties!.barcode
    },
    ['request ProductCreate: no longer has barcode'],
  ],
  [
    'a field of a request retyped',
    (document) => set(field(document, 'ProductCreate', 'stock'), { type: 'string' }),
    ['request ProductCreate.stock: no longer takes the type integer'],
  ],
  [
    'a field of an answer that may be null',
    (document) => set(field(document, 'Product', 'sku'), { type: ['string', 'null'] }),
    ['answer Product.sku: may now be of the type null'],
  ],
  [
    'an enum value removed from a request',
    (document) => take(schema(document, 'Visibility').enum, 'SIGN_IN'),
    ['request Visibility: no longer takes "SIGN_IN"'],
  ],
  [
    'a pattern tightened',
    (document) => set(schema(document, 'Language'), { pattern: '^[a-z]{2}$' }),
    ['request Language: has another pattern'],
  ],
  [
    'a limit tightened',
    (document) => set(field(document, 'ProductCreate', 'name'), { maxLength: 499 }),
    ['request ProductCreate.name: has a narrower maxLength'],
  ],
  [
    'a lower limit raised',
    (document) => set(field(document, 'WorkspaceUpdate', 'mainAgentPrompt'), { minLength: 1 }),
    ['request WorkspaceUpdate.mainAgentPrompt: has a narrower minLength'],
  ],
  [
    'another default',
    (document) => set(field(document, 'ProductChatRequest', 'thinkingLevel'), { default: 'HIGH' }),
    ['request ProductChatRequest.thinkingLevel: has another default'],
  ],
  [
    'a status added',
    (document) => {
      const { responses } = call(document, 'get', '/tags')
      responses!['409'] = responses!['400']!
    },
    ['list_tags 409: is a new status'],
  ],
  [
    'a status of success changed',
    (document) => {
      const { responses } = call(document, 'post', '/tags')
      responses!['201'] = responses!['200']!
      delete responses!['200']
    },
    ['create_tag 200: is gone', 'create_tag 201: is a new status'],
  ],
  [
    'a field added to a closed answer',
    (document) => set(schema(document, 'Product').properties, { price: { type: 'number' } }),
    ['answer Product: is closed and gains price'],
  ],
  [
    'a closed answer opened',
    (document) => delete schema(document, 'Tag').additionalProperties,
    ['answer Tag: is open now'],
  ],
  [
    'a parameter removed',
    (document) => {
      const { parameters } = call(document, 'get', '/products')
      const references = (parameters as unknown as { $ref?: string }[]).map(({ $ref }) => $ref)
      const stock = references.findIndex((reference) => reference?.endsWith('/StockFilter'))
      ;(parameters as unknown as unknown[]).splice(stock, 1)
    },
    ['list_products query stock: is gone'],
  ],
  [
    'a header of an answer removed',
    (document) => delete call(document, 'get', '/tags').responses!['200']!.headers!.ETag,
    ['list_tags 200 ETag: is gone'],
  ],
  ['a tool removed', (_document, tools) => delete tools.get_tag, ['tool get_tag: is gone']],
  [
    "a tool's argument moved",
    (_document, tools) => {
      const { inputSchema } = tools.create_tag!
      const { data, ...arguments_ } = inputSchema!.properties!
      inputSchema!.properties = { ...arguments_, ...data!.properties }
      take(inputSchema!.required, 'data')
    },
    ['tool create_tag: no longer has data'],
  ],
  [
    "a tool's argument required",
    (_document, tools) => add(tools.list_tags!.inputSchema!.required, 'query'),
    ['tool list_tags: now requires query'],
  ],
  [
    "a field of a tool's answer renamed",
    (_document, tools) => {
      const { outputSchema } = tools.get_tag!
      set(outputSchema, {
        required: ['id', 'title'],
        properties: { id: outputSchema!.properties!.id, title: { type: 'string' } },
      })
    },
    ['tool get_tag answer: is closed and gains title', 'tool get_tag answer: no longer has name'],
  ],
])('%s is named', (_name, change, expected) => {
  expect(breaksAfter(change)).toEqual(expected)
})

test('what v1 may gain breaks nobody', () => {
  const breaks = breaksAfter((document, tools) => {
    const newPath = structuredClone(document.paths![`${inWorkspace}/tags`]!)
    document.paths![`${inWorkspace}/labels`] = newPath
    add(call(document, 'get', '/tags').parameters, {
      name: 'colour',
      in: 'query',
      schema: { type: 'string' },
    })
    set(schema(document, 'ProductCreate').properties, { weight: { type: 'integer' } })
    set(field(document, 'ProductCreate', 'name'), { maxLength: 600 })
    take(schema(document, 'ProductCreate').required, 'brand')
    add(schema(document, 'ErrorCode').enum, 'too_early')
    add(schema(document, 'ActorType').enum, 'ROBOT')
    add(schema(document, 'ProductStatus').enum, 'ARCHIVED')
    set(call(document, 'get', '/tags').responses!['200']!.headers, { 'X-Shelf': {} })
    delete call(document, 'get', '/tags').responses!['429']
    tools.list_labels = structuredClone(tools.list_tags!)
    set(tools.list_labels, { name: 'list_labels' })
    set(tools.list_tags!.inputSchema!.properties!.query!.properties, { colour: { type: 'string' } })
  })
  expect(breaks).toEqual([])
})

test('an open answer may gain fields', () => {
  const { document } = copy()
  delete schema(document, 'ChatAccess').additionalProperties
  const open = { document: structuredClone(document), tools: [] } as never
  set(schema(document, 'ChatAccess').properties, { resetsAt: { type: 'string' } })
  expect(breaksBetween(open, { document, tools: [] } as never)).toEqual([])
})

test('a new answer that is closed is named, inline or as a schema', () => {
  const { document } = copy()
  const closed = { type: 'object', additionalProperties: false, properties: {} }
  set(document.components!.schemas, { Label: closed, Size: closed, Open: { type: 'object' } })
  const answer = (value: object) => ({ content: { 'application/json': { schema: value } } })
  const get = {
    operationId: 'get_label',
    responses: {
      200: answer({ $ref: '#/components/schemas/Label' }),
      202: answer(closed),
      203: answer({ $ref: '#/components/schemas/Open' }),
    },
  }
  set(document.paths, { '/v1/label': { get } })
  set(schema(document, 'ChatAccess').properties, { size: { $ref: '#/components/schemas/Size' } })
  expect(closedNewcomers([released.document], document as never)).toEqual([
    'answer Label: is new and closed',
    'answer Size: is new and closed',
    'answer get_label 202: is new and closed',
  ])
})
