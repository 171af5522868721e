import { isNode, targetOf, type OpenApiDocument, type Parameter, type Schema } from './document.ts'
import { jsonSchema, type Contract, type Operation } from './model.ts'
import { withOpenAnswers } from './open_answers.ts'
import { mapSubschemas } from './schemas.ts'
import { isTool, rowsIn } from './rules/tool_rules.ts'

/**
 * Keywords that OpenAPI adds to JSON Schema, and what is not worth its tokens: examples, and patterns,
 * which models do not follow, some providers refuse and the service checks anyway.
 */
const dropped = new Set([
  'pattern',
  'example',
  'examples',
  'discriminator',
  'xml',
  'externalDocs',
  'readOnly',
  'writeOnly',
])

/** Keywords that describe a value without restricting it. */
const annotations = new Set(['title', 'description', 'default', 'deprecated'])

/** The title stands before the description, unless the tool's name already says the same. */
function describedBy(id: string, title: string, description: string): string {
  const said = title.toLowerCase().replace(/\b(an?|the) /g, '')
  return said === id.replaceAll('_', ' ')
    ? description
    : `${title.replace(/\.$/, '')}. ${description}`
}

/** Emits the MCP tool manifest: the management operations, each with its inputs in one object. */
export function emitTools({ document: contract, operations }: Contract): string {
  const document = withOpenAnswers(contract)
  const tools = operations.filter(isTool).map((operation) => {
    const title = operation.source.summary ?? ''
    const success = operation.responses.find(({ status }) => status.startsWith('2'))
    const { answer } = operation.tool
    const output: Schema = answer
      ? { $ref: `#/components/schemas/${answer}` }
      : (jsonSchema(success)?.value ?? { type: 'object' })
    return {
      name: operation.id,
      title,
      description: describedBy(operation.id, title, firstSentence(operation.source.description)),
      inputSchema: inputSchema(document, operation),
      outputSchema: undescribed(withSummary(inline(document, output), operation.tool.summary)),
      annotations: { title, ...hints(operation) },
    }
  })
  return `${JSON.stringify(tools, null, 2)}\n`
}

function inputSchema(document: OpenApiDocument, operation: Operation): Schema {
  const { parameters, body } = operation
  const properties: Record<string, Schema> = {}
  const required: string[] = []
  for (const { value } of parameters) {
    if (value.in !== 'path') continue
    properties[value.name] = parameterSchema(document, value)
    required.push(value.name)
  }
  const query = parameters.map(({ value }) => value).filter((value) => value.in === 'query')
  if (query.length > 0) {
    properties.query = querySchema(document, query)
    if (query.some((parameter) => parameter.required)) required.push('query')
  }
  const data = jsonSchema(body)
  if (data !== undefined) {
    const { refers, without = [] } = operation.tool
    const schema = inline(withReferrals(document, refers), data.value)
    properties.data = withoutMembers(schema, without)
    if (body?.value.required) required.push('data')
  }
  Object.assign(properties, safetyArguments(document, operation))
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, lean(schema)]),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}

/**
 * What REST has in headers, within a model's reach: a key that makes a create safe to retry, and the
 * time of the last change that a model has seen, so that it overwrites nobody else's.
 */
function safetyArguments(document: OpenApiDocument, operation: Operation): Record<string, Schema> {
  const takes = (header: string) =>
    operation.parameters.some(({ value }) => value.in === 'header' && value.name === header)
  const success = operation.responses.find(({ status }) => status.startsWith('2'))
  const answer = inline(document, jsonSchema(success)?.value ?? {})
  const hasTime = Object.hasOwn(answer.properties ?? {}, 'updatedAt')
  const isCreate = takes('Idempotency-Key') && operation.tool.idempotent !== true
  const isUpdate = takes('If-Match') && ['put', 'patch'].includes(operation.method)
  return {
    ...(isCreate && {
      idempotencyKey: { type: 'string', description: 'Repeat it to retry without a duplicate.' },
    }),
    ...(isUpdate &&
      hasTime && {
        expectedUpdatedAt: { type: 'string', description: 'Refused if updatedAt has changed.' },
      }),
  }
}

/** The operation's parameters; another name is refused by the operation itself. */
function querySchema(document: OpenApiDocument, query: Parameter[]): Schema {
  const required = query.filter((parameter) => parameter.required).map(({ name }) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(
      query.map((parameter) => [parameter.name, parameterSchema(document, parameter)]),
    ),
    ...(required.length > 0 ? { required } : { default: {} }),
    additionalProperties: false,
  }
}

/** Parameters that every model knows by their names; the instructions say where a workspace's id is from. */
const selfEvident = new Set(['workspaceId', 'page', 'pageSize'])

function parameterSchema(document: OpenApiDocument, parameter: Parameter): Schema {
  const schema = inline(document, parameter.schema ?? {})
  if (selfEvident.has(parameter.name)) {
    return Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== 'default'))
  }
  if (parameter.description === undefined) return schema
  return { ...schema, description: firstSentence(parameter.description) }
}

/** The document with schemas that another tool of the list describes as mentions of it. */
function withReferrals(
  document: OpenApiDocument,
  refers: Readonly<Record<string, string>> = {},
): OpenApiDocument {
  const schemas: Record<string, unknown> = { ...document.components?.schemas }
  for (const [schema, tool] of Object.entries(refers))
    schemas[schema] = { type: 'object', description: `As in ${tool}.`, additionalProperties: {} }
  return { ...document, components: { ...document.components, schemas } }
}

function withoutMembers(schema: Schema, names: readonly string[]): Schema {
  if (names.length === 0) return schema
  const left = Object.entries(schema.properties ?? {}).filter(([name]) => !names.includes(name))
  return { ...schema, properties: Object.fromEntries(left) }
}

/** A schema with all references inlined and only JSON Schema keywords. */
function inline(document: OpenApiDocument, schema: Schema): Schema {
  const { $ref, ...beside } = mapSubschemas(schema, (inner) => inline(document, inner))
  const own: Record<string, unknown> = Object.fromEntries(
    Object.entries(beside).filter(([keyword]) => !dropped.has(keyword)),
  )
  if (typeof own.description === 'string') own.description = firstSentence(own.description)
  // An object is described by its fields, and as a whole by the description of the tool.
  if (own.properties !== undefined) delete own.description
  if (typeof $ref !== 'string') return own
  // An id is copied, never written: its bounds and its form tell a model nothing.
  if ($ref === '#/components/schemas/Id') return { type: 'string', ...own }
  const target = inline(document, targetOf(document, $ref).value)
  // Beside a reference, an annotation overrides the target's, while a limit applies in addition.
  const notes = Object.keys(own).every((keyword) => annotations.has(keyword))
  return notes ? { ...target, ...own } : { allOf: [target], ...own }
}

/** Bounds that a model keeps anyway; the service checks them all the same. */
const untold = new Set(['minLength', 'minItems', 'uniqueItems', 'minimum'])
const farAway = 1_000_000_000
const roomy = 250
const long = 100

const isEmpty = (value: unknown) => value === '' || (Array.isArray(value) && value.length === 0)

/** Which forms of a text there are to choose from, its description says. */
const isFormats = (branches: unknown) =>
  Array.isArray(branches) && branches.every((branch) => isNode(branch) && 'format' in branch)

/** A schema without what is not worth its tokens: the whole list is in every conversation. */
function lean(schema: Schema): Schema {
  // A map of values that are checked one by one.
  if (isNode(schema.additionalProperties)) {
    const { type, description } = schema
    return { type, description, additionalProperties: true }
  }
  const whole = mapSubschemas(schema, lean)
  const { anyOf, ...own } = whole
  const inner: Schema = isFormats(anyOf) ? { type: 'string', ...own } : whole
  return Object.fromEntries(
    Object.entries(inner).filter(([keyword, value]) => {
      if (keyword === 'maximum') return Number(value) < farAway
      if (keyword === 'maxItems') return Number(value) < long
      if (keyword === 'maxLength') return inner.format === undefined && Number(value) < roomy
      return !untold.has(keyword) && !(keyword === 'default' && isEmpty(value))
    }),
  )
}

/** A list whose rows must only have what a summary has, or the fields that a caller can ask for. */
function withSummary(list: Schema, summary: readonly string[] | undefined): Schema {
  const rows = rowsIn(list)
  if (!summary || !rows) return list
  const whole = rows.schema.items as Schema
  const part = (whole.anyOf as Schema[] | undefined)?.at(-1)
  const items = part ?? { ...whole, required: summary }
  const properties = { ...(list.properties as Schema), [rows.name]: { ...rows.schema, items } }
  return { ...list, properties }
}

/** Models read the answer itself, so its schema only needs its shape. */
function undescribed(schema: Schema): Schema {
  const inner = mapSubschemas(schema, undescribed)
  return Object.fromEntries(Object.entries(inner).filter(([keyword]) => keyword !== 'description'))
}

/** The protocol's hints, derived from the method unless the contract overrides them. */
function hints({ method, tool }: Operation) {
  return {
    readOnlyHint: tool.readOnly ?? method === 'get',
    destructiveHint: tool.destructive ?? (method !== 'get' && method !== 'post'),
    idempotentHint: tool.idempotent ?? (method !== 'post' && method !== 'patch'),
    openWorldHint: tool.openWorld ?? false,
  }
}

function firstSentence(text = ''): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return /^.*?[.!?](?= |$)/.exec(line)?.[0] ?? line
}
