import {
  isNode,
  pathOf,
  targetOf,
  type Located,
  type OpenApiDocument,
  type Parameter,
  type Schema,
} from './document.ts'
import { keyOf, literal, table } from './literals.ts'
import { compare, type Contract } from './model.ts'
import { subschemas } from './schemas.ts'

const keywords = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems']

const combining = new Set(['allOf', 'anyOf', 'oneOf'])

/** Limits of a value, of its fields by their names, and of its `items`. */
interface LimitTree {
  [name: string]: number | LimitTree
}

/** Emits the limits of what callers send, for pages and handlers to read by schema and field. */
export function emitLimits({ document, operations }: Contract): string {
  const schemas = new Set<string>()
  const parameters = new Map<string, LimitTree>()
  for (const { body, parameters: declared } of operations) {
    for (const { schema } of Object.values(body?.value.content ?? {})) {
      if (schema !== undefined) collectNames(document, schema, schemas)
    }
    for (const parameter of declared) {
      const name = sharedName(parameter)
      if (name !== undefined) parameters.set(name, limitsOf(document, parameter.value.schema ?? {}))
    }
  }
  const rows = [...schemas].map((name) => {
    const schema = { $ref: `#/components/schemas/${name}` }
    return [name, limitsOf(document, schema)] as const
  })
  return [
    '/** The limits of what a body holds, by schema and field. */',
    table('limits', rowsOf(rows)),
    '',
    '/** The limits of the parameters that several operations share, by their name in the contract. */',
    table('parameterLimits', rowsOf([...parameters])),
    '',
  ].join('\n')
}

function rowsOf(limits: (readonly [name: string, limits: LimitTree])[]): string[] {
  return limits
    .filter(([, own]) => Object.keys(own).length > 0)
    .sort(([a], [b]) => compare(a, b))
    .map(([name, own]) => `${name}: ${rowOf(own)}`)
}

/** One field per line, so that a changed limit is a one-line diff. */
function rowOf(limits: LimitTree): string {
  const fields = Object.entries(limits)
  if (fields.every(([, limit]) => typeof limit === 'number')) return literal(limits)
  return `{\n${fields.map(([name, limit]) => `    ${keyOf(name)}: ${literal(limit)},\n`).join('')}  }`
}

/** Adds the names of the schemas that a schema refers to, directly or through others. */
function collectNames(document: OpenApiDocument, schema: Schema, names: Set<string>): void {
  if (typeof schema.$ref === 'string') {
    const [, kind, name] = pathOf(schema.$ref) ?? []
    if (kind === 'schemas' && name !== undefined) {
      if (names.has(name)) return
      names.add(name)
    }
    collectNames(document, targetOf(document, schema.$ref).value, names)
  }
  for (const { value } of subschemas({ at: [], value: schema })) {
    collectNames(document, value, names)
  }
}

function sharedName({ at }: Located<Parameter>): string | undefined {
  const [root, kind, name] = at
  return root === 'components' && kind === 'parameters' ? name : undefined
}

/** The limits of a schema, with those of what it refers to. */
export function limitsOf(
  document: OpenApiDocument,
  schema: Schema,
  trail: readonly string[] = [],
): LimitTree {
  const { $ref, properties, items } = schema
  if (typeof $ref === 'string') {
    // Stop at recursion: a schema that contains itself adds nothing the second time.
    if (trail.includes($ref)) return {}
    return limitsOf(document, targetOf(document, $ref).value, [...trail, $ref])
  }
  const limits: LimitTree = {}
  for (const keyword of keywords) {
    const limit = schema[keyword]
    if (typeof limit === 'number') limits[keyword] = limit
  }
  // With several alternatives none describes the value; a single one beside null does.
  const [branch, ...others] = subschemas({ at: [], value: schema }).filter(
    ({ keyword, value }) => combining.has(keyword) && value.type !== 'null',
  )
  if (branch !== undefined && others.length === 0)
    Object.assign(limits, limitsOf(document, branch.value, trail))
  const inner = isNode(properties) ? Object.entries(properties) : []
  if (isNode(items)) inner.push(['items', items])
  for (const [name, value] of inner) {
    const own = isNode(value) ? limitsOf(document, value, trail) : {}
    if (Object.keys(own).length > 0) limits[name] = own
  }
  return limits
}
