import { isNode, methods, type Node, type Schema } from './document.ts'
import { mapSubschemas, typesOf } from './schemas.ts'

/**
 * The public document in OpenAPI 3.0.3, for generators that read no 3.1: the same operations, fields and
 * limits, with null as `nullable`, and without what 3.0 cannot say.
 */
export function emitOlderDocument(publicDocument: string): string {
  const document = JSON.parse(publicDocument) as Node
  const info = document.info as Node & { license?: Node }
  const older = {
    ...(olderPart(document) as Node),
    openapi: '3.0.3',
    info: { ...info, summary: undefined, license: info.license && { name: info.license.name } },
  }
  return `${JSON.stringify(older)}\n`
}

/** Any part of the document, with its schemas and security requirements in the words of 3.0. */
function olderPart(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => olderPart(item))
  if (!isNode(value)) return value
  if (key === 'schema') return olderSchema(value)
  const entries = Object.entries(value).map(([name, part]): [string, unknown] => {
    if (name === 'schemas' && isNode(part))
      return [name, mapValues(part, (schema) => olderSchema(schema as Schema))]
    // Data, which only looks like a part of the document.
    if (name === 'example' || name === 'value' || name === 'links') return [name, part]
    return [name, olderPart(part, name)]
  })
  const olderNode = Object.fromEntries(entries)
  for (const method of methods) {
    const operation = olderNode[method]
    if (isNode(operation) && Array.isArray(operation.security))
      olderNode[method] = { ...operation, security: operation.security.map(withoutScopes) }
  }
  return olderNode
}

function mapValues(map: Node, replace: (value: unknown) => unknown): Node {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, replace(value)]))
}

/** Only OAuth may have scopes in 3.0; the description of each operation's 403 names its scope. */
function withoutScopes(requirement: Node): Node {
  return mapValues(requirement, () => [])
}

/** What 3.0 has no word for. It only narrows what is accepted, so that nothing is refused wrongly. */
const unsayable = new Set([
  'propertyNames',
  'patternProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'prefixItems',
  'contains',
  'if',
  'then',
  'else',
  'dependentRequired',
  'dependentSchemas',
  'contentEncoding',
  'contentMediaType',
])

const isNull = (schema: unknown) => isNode(schema) && schema.type === 'null'

function olderSchema(schema: Schema): Schema {
  const said = Object.entries(schema).filter(([keyword]) => !unsayable.has(keyword))
  const replaced = mapSubschemas(Object.fromEntries(said), olderSchema)
  const { $ref, const: fixed, examples, ...rest } = replaced
  if ($ref !== undefined) {
    // 3.0 ignores what stands beside a reference.
    return Object.keys(rest).length === 0 ? { $ref } : { ...rest, allOf: [{ $ref }] }
  }
  const types = typesOf(schema)
  const named = types.filter((type) => type !== 'null')
  const older: Record<string, unknown> = { ...rest, type: undefined }
  if (named.length === 1) older.type = named[0]
  else if (named.length > 1) older.anyOf = named.map((type) => typeAlone(type, rest))
  if (types.includes('null')) older.nullable = true
  if (named.length > 1)
    for (const keyword of ['items', 'additionalProperties']) delete older[keyword]
  if (fixed !== undefined) older.enum = [fixed]
  if (schema.contentEncoding === 'base64') older.format = 'byte'
  if (Array.isArray(examples) && older.example === undefined) older.example = examples[0] as unknown
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const)
    if (typeof older[exclusive] === 'number') {
      older[bound] = older[exclusive]
      older[exclusive] = true
    }
  return withoutNullBranch(older, schema)
}

/** One of several types, with the keyword that 3.0 demands of lists. */
function typeAlone(type: unknown, { items = {} }: Schema): Schema {
  return type === 'array' ? { type, items } : { type }
}

/** `anyOf` with null becomes `nullable`; a single other branch stands in `allOf`. */
function withoutNullBranch(older: Node, { anyOf, oneOf }: Schema): Schema {
  for (const [keyword, branches] of [
    ['anyOf', anyOf],
    ['oneOf', oneOf],
  ] as const) {
    if (!Array.isArray(branches) || !branches.some(isNull)) continue
    const others = branches
      .filter((branch) => !isNull(branch))
      .map((each) => olderSchema(each as Schema))
    return others.length === 1
      ? { ...older, [keyword]: undefined, nullable: true, allOf: others }
      : { ...older, nullable: true, [keyword]: others }
  }
  return older
}
