import { isNode, type Located, type OpenApiDocument, type Schema, targetOf } from './document.ts'

/** Keywords of JSON Schema with one subschema, a list of them, or subschemas by name. */
const singleKeywords = [
  'items',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
]
const listKeywords = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const mapKeywords = ['properties', 'patternProperties', 'dependentSchemas', '$defs']

/** Keywords whose subschemas apply to the same value as the enclosing schema. */
export const branches = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
])

/** Every keyword that a schema of the contract may use; any other is a typo. */
export const keywords = new Set([
  ...singleKeywords,
  ...listKeywords,
  ...mapKeywords,
  '$ref',
  'type',
  'enum',
  'const',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minContains',
  'maxContains',
  'required',
  'minProperties',
  'maxProperties',
  'dependentRequired',
  'title',
  'description',
  'default',
  'deprecated',
  'readOnly',
  'writeOnly',
  'example',
  'examples',
  'contentEncoding',
  'contentMediaType',
  'discriminator',
  'xml',
  'externalDocs',
])

export interface Subschema extends Located<Schema> {
  readonly keyword: string
}

/** The direct subschemas of a schema; does not follow references. */
export function subschemas({ at, value }: Located<Schema>): Subschema[] {
  const inner: Subschema[] = []
  const add = (keyword: string, schema: unknown, ...keys: string[]) => {
    if (isNode(schema)) inner.push({ keyword, at: [...at, keyword, ...keys], value: schema })
  }
  for (const keyword of singleKeywords) add(keyword, value[keyword])
  for (const keyword of listKeywords) {
    const list: unknown = value[keyword]
    if (Array.isArray(list)) list.forEach((item, index) => add(keyword, item, String(index)))
  }
  for (const keyword of mapKeywords) {
    const map = value[keyword]
    if (isNode(map)) for (const [name, item] of Object.entries(map)) add(keyword, item, name)
  }
  return inner
}

/** A copy of a schema with each of its direct subschemas replaced. */
export function mapSubschemas(schema: Schema, replace: (inner: Schema) => Schema): Schema {
  const replaced = (value: unknown) => (isNode(value) ? replace(value) : value)
  const entries = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (singleKeywords.includes(keyword)) return [keyword, replaced(value)]
    if (listKeywords.includes(keyword) && Array.isArray(value))
      return [keyword, value.map(replaced)]
    if (mapKeywords.includes(keyword) && isNode(value)) {
      const inner = Object.entries(value).map(([name, item]) => [name, replaced(item)])
      return [keyword, Object.fromEntries(inner)]
    }
    return [keyword, value]
  })
  return Object.fromEntries(entries)
}

/** The types that a schema allows; empty if it does not state any. */
export function typesOf(schema: Schema): readonly unknown[] {
  if (Array.isArray(schema.type)) return schema.type
  return schema.type === undefined ? [] : [schema.type]
}

/** Whether a schema, its reference, or one of its branches is a secret. */
export function isSecret(document: OpenApiDocument, schema: Schema): boolean {
  if (schema.format === 'password') return true
  if (
    typeof schema.$ref === 'string' &&
    isSecret(document, targetOf(document, schema.$ref).value)
  ) {
    return true
  }
  return subschemas({ at: [], value: schema }).some(
    ({ keyword, value }) =>
      (branches.has(keyword) || keyword === 'items') && isSecret(document, value),
  )
}
