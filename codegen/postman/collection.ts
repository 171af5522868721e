import { follow, isNode, methods, type Node, type OpenApiDocument } from '../document.ts'
import type { Parameter } from '../document.ts'
import { type ChainedCall, chained, inOrder, keptBy, ownMaker, variableOf } from './chain.ts'

/**
 * The public operations as a Postman collection. A run works through them in an order in which each finds
 * what it needs: answers put ids and tokens into variables, and later calls send these.
 */
export function emitPostman(publicDocument: string): string {
  const document = JSON.parse(publicDocument) as OpenApiDocument
  const items = itemsOf(document)
  for (const { call, item } of items) {
    const maker = items.find((each) => each.call.id === ownMaker[call.id])
    if (maker) item.event.unshift({ listen: 'prerequest', script: scriptOf(made(maker)) })
  }
  const folders: { name: string; item: Node[] }[] = []
  for (const { call, item } of inOrder(items)) {
    // A run goes through folders in their order, so that one may come twice.
    if (folders.at(-1)?.name !== call.tag) folders.push({ name: call.tag, item: [] })
    folders.at(-1)?.item.push(item)
  }
  const { title, description } = document.info
  const collection = {
    info: {
      name: title,
      description: `${String(description)}\n\nSet \`apiKey\`, and \`customerCode\` once a mail has brought it. To send files, put \`picture.png\` and \`products.csv\` into Postman's working folder.`,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    event: [{ listen: 'prerequest', script: scriptOf(beforeEach) }],
    variable: Object.entries(variables).map(([key, value]) => ({ key, value })),
    item: folders,
  }
  return `${JSON.stringify(collection)}\n`
}

/** Every operation as a call of the collection, in the order of the document. */
export function itemsOf(
  document: OpenApiDocument,
): { call: ChainedCall; item: Item; text: string }[] {
  const calls = Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const source = item[method]
      if (source === undefined) return []
      return [{ id: source.operationId ?? '', method, path, tag: source.tags?.[0] ?? '', source }]
    }),
  )
  return calls.map((call) => {
    const item = itemOf(document, call as ChainedCall)
    return { call: call as ChainedCall, item, text: JSON.stringify(item.request) }
  })
}

/** The origin is only known at run time. */
const variables = {
  baseUrl: '/',
  apiKey: '',
  workspaceId: '',
  deviceId: 'postman-device',
  customerCode: '',
}

const beforeEach = [
  "if (!pm.collectionVariables.get('run'))",
  "  pm.collectionVariables.set('run', Date.now().toString(36))",
]

const scriptOf = (exec: readonly string[]) => ({ type: 'text/javascript', exec })

/** Sends another call first, and keeps what its answer is kept for. */
function made({ call, item }: { call: ChainedCall; item: Item }): string[] {
  const { method, url, body } = item.request as { method: string; url: Node; body: Node }
  const kept = Object.entries(keptBy(call)).map(
    ([name, expression]) => `  pm.collectionVariables.set('${name}', ${expression})`,
  )
  return [
    'const header = { Authorization: `Bearer ${pm.variables.get("apiKey")}`, "Content-Type": "application/json" }',
    `const raw = pm.variables.replaceIn(${JSON.stringify(body.raw)})`,
    `const url = pm.variables.replaceIn(${JSON.stringify(url.raw)})`,
    `pm.sendRequest({ url, method: '${method}', header, body: { mode: 'raw', raw } }, (_error, response) => {`,
    '  const answer = response.json()',
    ...kept,
    '})',
  ]
}

export interface Item extends Node {
  request: Node
  event: Node[]
}

function itemOf(document: OpenApiDocument, call: ChainedCall): Item {
  const { source, method, id } = call
  const description = `${String(source.summary)}. ${String(source.description)}`
  const isOpen = Array.isArray(source.security) && source.security.length === 0
  const request = {
    method: method.toUpperCase(),
    description,
    ...(isOpen && { auth: { type: 'noauth' } }),
    url: urlOf(document, call),
    header: headersOf(document, call),
    ...bodyOf(document, call),
  }
  return { name: id, request, event: [{ listen: 'test', script: scriptOf(checksOf(call)) }] }
}

function parametersOf(document: OpenApiDocument, { path, source }: ChainedCall): Parameter[] {
  const listed = [...(document.paths[path]?.parameters ?? []), ...((source.parameters ?? []) as [])]
  return listed.map((parameter) => follow<Parameter>(document, [], parameter).value)
}

/** A path as text: the names of its variables say what they stand for. */
function urlOf(document: OpenApiDocument, call: ChainedCall): Node {
  const filled = call.path.replaceAll(
    /([\w-]+)\/\{(\w+)\}/g,
    (_all, segment: string, name: string) => `${segment}/{{${variableOf(segment, name, call.id)}}}`,
  )
  const query = parametersOf(document, call)
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, description, required = false }) => {
      const value = required ? `{{${name}}}` : ''
      return { key: name, value, description, disabled: !required }
    })
  const sent = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`)
  const raw = `{{baseUrl}}${filled}${sent.length > 0 ? `?${sent.join('&')}` : ''}`
  return { raw, host: ['{{baseUrl}}'], path: filled.slice(1).split('/'), query }
}

/** A customer's token where only a customer may call; a guest's everywhere else. */
function headersOf(document: OpenApiDocument, call: ChainedCall): Node[] {
  const names = new Set(parametersOf(document, call).map(({ name }) => name))
  const isForCustomers = call.tag === 'customer' && !call.path.includes('/otp/')
  const values: [name: string, value: string, sent: boolean][] = [
    ['X-Guest-Device-Id', '{{deviceId}}', true],
    ['X-Guest-Token', '{{guestToken}}', !isForCustomers && call.id !== 'get_bootstrap'],
    ['X-Visitor-Token', '{{visitorToken}}', isForCustomers],
    ['Idempotency-Key', '{{$guid}}', true],
  ]
  return values
    .filter(([name, , sent]) => sent && names.has(name))
    .map(([key, value]) => ({ key, value }))
}

function bodyOf(document: OpenApiDocument, { source, method }: ChainedCall): Node {
  if (!isNode(source.requestBody)) return {}
  const { content = {} } = follow<{ content?: Node }>(document, [], source.requestBody).value
  const [[type, media] = ['', {}]] = Object.entries(content)
  if (type === 'multipart/form-data') {
    const { schema = {} } = media as { schema?: Node }
    const { properties = {} } = follow<{ properties?: Node }>(document, [], schema).value
    const formdata = Object.entries(properties).flatMap(([key, field]) => partOf(key, field))
    return { body: { mode: 'formdata', formdata } }
  }
  if (type !== 'application/json') {
    const header = [{ key: 'Content-Type', value: 'image/png' }]
    return { header, body: { mode: 'file', file: { src: 'picture.png' } } }
  }
  const { examples = {} } = media as { examples?: Node }
  const [first] = Object.values(examples) as Node[]
  const { value = {} } = follow<{ value?: unknown }>(document, [], first ?? {}).value
  const raw = JSON.stringify(chained(value, method === 'post'), null, 2)
  return { body: { mode: 'raw', raw, options: { raw: { language: 'json' } } } }
}

/** A part of a form: a file of the reader's folder, or the first of its values. */
function partOf(key: string, field: unknown): Node[] {
  if (key === 'files') return [{ key, type: 'file', src: 'picture.png' }]
  if (key === 'file') return [{ key, type: 'file', src: 'products.csv' }]
  const [value] = isNode(field) && Array.isArray(field.enum) ? (field.enum as unknown[]) : []
  return value === undefined ? [] : [{ key, type: 'text', value }]
}

function checksOf(call: ChainedCall): string[] {
  const lines = [
    `pm.test('${call.id}', () => pm.expect(pm.response.code, pm.response.text()).to.be.within(200, 299))`,
  ]
  const kept = Object.entries(keptBy(call))
  if (kept.length > 0) lines.push('const answer = pm.response.json()')
  for (const [name, expression] of kept)
    lines.push(`pm.collectionVariables.set('${name}', ${expression})`)
  return lines
}
