import type { Contract, Rule } from '../model.ts'
import {
  type Content,
  follow,
  isNode,
  type Located,
  objectsOf,
  pointerOf,
  type Schema,
  targetOf,
} from '../document.ts'
import { branches, keywords, subschemas, typesOf } from '../schemas.ts'
import type { Finding } from '../source.ts'

interface SchemaInUse extends Located<Schema> {
  /** Whether a caller sends values of this schema. */
  readonly incoming: boolean
  /** Whether an enclosing schema applies to the same value and closes it. */
  readonly closed: boolean
  /** Whether an enclosing schema applies to the same value, so that it may state the type. */
  readonly branch: boolean
}

/** Every object must be closed and every incoming value bounded, anywhere in a call. */
const bounds: Rule = function* (contract) {
  const reported = new Set<string>()
  for (const visit of visitsOf(contract)) {
    const limits = visit.incoming ? [...unbounded(visit), ...sentOpen(visit)] : []
    for (const finding of [...besideReference(visit), ...openness(visit), ...limits]) {
      const key = `${pointerOf(finding.at)} ${finding.message}`
      if (!reported.has(key)) yield finding
      reported.add(key)
    }
  }
}

const harmless = new Set(['$ref', 'title', 'description', 'examples', 'deprecated'])

/** The router replaces a reference with its target and drops its sibling keywords. */
function* besideReference({ at, value }: SchemaInUse): Generator<Finding> {
  const ignored =
    '$ref' in value ? Object.keys(value).filter((keyword) => !harmless.has(keyword)) : []
  if (ignored.length > 0) {
    yield { at, message: `has ${ignored.join(', ')} beside a $ref, where it is ignored` }
  }
}

function closes(schema: Schema): boolean {
  return schema.additionalProperties === false || schema.unevaluatedProperties === false
}

function* openness({ at, value, closed, incoming }: SchemaInUse): Generator<Finding> {
  const isObject = typesOf(value).includes('object') || isNode(value.properties)
  if (!isObject || closed || closes(value)) return
  if (!isNode(value.additionalProperties)) {
    yield { at, message: 'is an open object: add additionalProperties: false' }
  } else if (incoming && value.maxProperties === undefined) {
    yield { at, message: 'is an incoming map without maxProperties' }
  }
}

/** A field that is not described is refused in a request, so its schema must not look open. */
function* sentOpen({ at, value }: SchemaInUse): Generator<Finding> {
  if ('x-open' in value) yield { at, message: 'has x-open, but callers send it' }
}

function* unbounded({ at, value, branch }: SchemaInUse): Generator<Finding> {
  if (value.enum !== undefined || value.const !== undefined) return
  const types = typesOf(value)
  if (types.includes('string') && value.maxLength === undefined) {
    yield { at, message: 'is an incoming string without maxLength' }
  }
  if (types.includes('array') && value.maxItems === undefined) {
    yield { at, message: 'is an incoming array without maxItems' }
  }
  if (types.includes('integer') || types.includes('number')) {
    const low = value.minimum ?? value.exclusiveMinimum
    const high = value.maximum ?? value.exclusiveMaximum
    if (low === undefined || high === undefined) {
      yield { at, message: 'is an incoming number without minimum and maximum' }
    }
  }
  const chooses = ['$ref', 'allOf', 'anyOf', 'oneOf'].some((keyword) => keyword in value)
  if (types.length === 0 && !branch && !chooses) {
    yield { at, message: 'is an incoming value without a type' }
  }
}

/** Each schema once per role, from the operations down, then the schemas without references. */
function* visitsOf({ document, operations }: Contract): Generator<SchemaInUse> {
  const visited = new Set<string>()
  const reached = new Set<string>()

  function* visit(here: SchemaInUse): Generator<SchemaInUse> {
    const { at, value, incoming } = here
    const pointer = pointerOf(at)
    const key = `${pointer} ${incoming} ${here.closed} ${here.branch}`
    if (visited.has(key)) return
    visited.add(key)
    reached.add(pointer)
    yield here
    const closed = here.closed || closes(value)
    if (typeof value.$ref === 'string') {
      yield* visit({ ...here, ...targetOf(document, value.$ref), closed })
    }
    for (const { keyword, ...inner } of subschemas(here)) {
      // Inside a branch without a type, keywords only narrow the enclosing schema.
      const narrows = here.branch && typesOf(value).length === 0
      const branch = branches.has(keyword) || keyword === 'propertyNames' || narrows
      yield* visit({ ...inner, incoming, branch, closed: branch && closed })
    }
  }

  const root = (located: Located<Schema>, incoming: boolean) =>
    visit({ ...located, incoming, closed: false, branch: false })

  for (const { parameters, body, responses } of operations) {
    for (const owner of parameters) for (const schema of schemasOf(owner)) yield* root(schema, true)
    if (body !== undefined) for (const schema of schemasOf(body)) yield* root(schema, true)
    for (const response of responses) {
      for (const schema of schemasOf(response)) yield* root(schema, false)
    }
  }
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) {
    const at = ['components', 'schemas', name]
    if (isNode(schema) && !reached.has(pointerOf(at))) yield* root({ at, value: schema }, false)
  }
}

function schemasOf(
  owner: Located<{ readonly schema?: Schema; readonly content?: Content }>,
): Located<Schema>[] {
  const { schema, content = {} } = owner.value
  const schemas = schema === undefined ? [] : [{ at: [...owner.at, 'schema'], value: schema }]
  for (const [type, media] of Object.entries(content)) {
    if (media.schema === undefined) continue
    schemas.push({ at: [...owner.at, 'content', type, 'schema'], value: media.schema })
  }
  return schemas
}

/** A misspelt keyword would be ignored, and with it the limit it is meant to set. */
const vocabulary: Rule = function* ({ document }) {
  for (const schema of allSchemas(document)) {
    for (const keyword of Object.keys(schema.value)) {
      // Vendor extensions have their own rule.
      if (keywords.has(keyword) || keyword.startsWith('x-')) continue
      yield { at: [...schema.at, keyword], message: `${keyword} is not a schema keyword` }
    }
  }
}

/** Constructs that common generators and validators of other languages cannot read. */
const portability: Rule = function* ({ document, operations }) {
  for (const { at, value } of allSchemas(document)) {
    const { pattern, const: only } = value
    if (typeof pattern === 'string' && /\\p\{/i.test(pattern))
      yield { at, message: 'has \\p{…} in its pattern, which many engines refuse' }
    if (only !== undefined && typesOf(value).length === 0)
      yield { at, message: 'has a const without a type' }
    if (value.contentMediaType !== undefined)
      yield { at, message: 'has contentMediaType: write bytes as type: string, format: binary' }
  }
  const places = new Set<string>()
  for (const { at, value } of operations.flatMap(({ parameters }) => parameters)) {
    const isList = typesOf(follow(document, at, value.schema ?? {}).value).includes('array')
    if (!isList || value.explode === true || places.has(pointerOf(at))) continue
    places.add(pointerOf(at))
    yield { at, message: 'is a list without explode: true, which most clients need' }
  }
  const { schemas = {}, parameters = {} } = document.components ?? {}
  for (const name of Object.keys(parameters)) {
    if (name in schemas)
      yield { at: ['components', 'parameters', name], message: 'has the name of a schema' }
  }
}

/** Every schema of the document, at the place where it is written. */
export function allSchemas(document: Contract['document']): Located<Schema>[] {
  const found: Located<Schema>[] = []
  const collect = (schema: Located<Schema>) => {
    found.push(schema)
    for (const inner of subschemas(schema)) collect(inner)
  }
  for (const { at, value } of objectsOf(document)) {
    const isComponent = at.length === 3 && at[0] === 'components' && at[1] === 'schemas'
    if (isComponent) collect({ at, value })
    else if (isNode(value.schema)) collect({ at: [...at, 'schema'], value: value.schema })
  }
  return found
}

/** Names say little across languages and trades: every property has a sentence, or its schema has. */
const described: Rule = function* ({ document }) {
  for (const { at, value } of allSchemas(document)) {
    // A condition only narrows properties that are described elsewhere.
    const narrows = ['if', 'then', 'else', 'not'].includes(at.at(-1) ?? '')
    if (narrows || !isNode(value.properties)) continue
    for (const [name, property] of Object.entries(value.properties)) {
      const place = [...at, 'properties', name]
      if (!isNode(property) || property.description !== undefined) continue
      if (follow<Schema>(document, place, property).value.description === undefined)
        yield { at: place, message: 'has no description' }
    }
  }
}

export const schemaRules: readonly Rule[] = [bounds, vocabulary, portability, described]
