import {
  follow,
  isNode,
  targetOf,
  type Located,
  type OpenApiDocument,
  type Schema,
} from '../document.ts'
import { jsonSchema, type Operation, type Rule } from '../model.ts'
import { subschemas } from '../schemas.ts'
import type { Finding } from '../source.ts'

const settings = ['only', 'none', 'readOnly', 'destructive', 'idempotent', 'openWorld']

/** Whether an operation is offered to agents. */
export function isTool({ surface, tool }: Operation): boolean {
  return surface === 'management' && tool.none !== true
}

const knownSettings: Rule = function* ({ document, operations }) {
  for (const { at, source, surface, tool, body } of operations) {
    if (source['x-tool'] === undefined) continue
    const place = [...at, 'x-tool']
    if (surface !== 'management') {
      yield { at: place, message: 'only management operations may have x-tool' }
    }
    for (const [key, value] of Object.entries(tool)) {
      if (key === 'answer') {
        if (typeof value === 'string' && document.components?.schemas?.[value]) continue
        yield { at: [...place, key], message: `there is no schema ${String(value)}` }
        continue
      }
      if (key === 'summary' || key === 'visitors') continue
      if (key === 'without') {
        const sent = jsonSchema(body)
        const members = sent && follow(document, sent.at, sent.value).value.properties
        const unknown = (value as string[]).filter((name) => !Object.hasOwn(members ?? {}, name))
        if (unknown.length === 0) continue
        yield { at: [...place, key], message: `the body has no ${unknown.join(', ')}` }
        continue
      }
      if (key === 'refers') {
        const unknown = Object.entries(value as Record<string, string>).filter(
          ([schema, other]) =>
            !document.components?.schemas?.[schema] || !operations.some(({ id }) => id === other),
        )
        if (unknown.length === 0) continue
        yield { at: [...place, key], message: `there is no ${unknown.flat().join(' or tool ')}` }
        continue
      }
      if (!settings.includes(key) || typeof value !== 'boolean') {
        yield { at: [...place, key], message: `x-tool has no boolean setting ${key}` }
      }
    }
    if (tool.only === true && tool.none === true) {
      yield { at: place, message: 'x-tool cannot be both only and none' }
    }
  }
}

/** A summary has fields of the rows, and a view to ask for it by. */
const knownSummaries: Rule = function* ({ document, operations }) {
  for (const { at, tool, parameters, responses } of operations) {
    if (tool.summary === undefined) continue
    const place = [...at, 'x-tool', 'summary']
    const list = jsonSchema(responses.find(({ status }) => status.startsWith('2')))
    const rows = list && rowsIn(follow(document, list.at, list.value).value)
    const items = rows?.schema.items
    const whole = isNode(items) && Array.isArray(items.anyOf) ? (items.anyOf[0] as unknown) : items
    const row = isNode(whole) ? follow(document, place, whole).value : {}
    const fields = isNode(row.properties) ? Object.keys(row.properties) : []
    const unknown = tool.summary.filter((field) => !fields.includes(field))
    if (unknown.length > 0)
      yield { at: place, message: `the rows have no field ${unknown.join(', ')}` }
    else if (!parameters.some(({ value }) => value.name === 'view'))
      yield { at: place, message: 'a summary needs a parameter view' }
  }
}

/** The rows in the schema of a list. */
export function rowsIn(list: Schema): { name: string; schema: Schema } | undefined {
  for (const [name, schema] of Object.entries(list.properties ?? {}))
    if (isNode(schema) && schema.type === 'array') return { name, schema }
  return undefined
}

/** Some clients reject the whole tool list if the root of one schema is not a plain object. */
const plainSchemas: Rule = function* ({ document, operations }) {
  for (const operation of operations.filter(isTool)) {
    const { at, body, responses } = operation
    const input = jsonSchema(body)
    if (body !== undefined && input === undefined) {
      yield { at: [...at, 'requestBody'], message: "a tool's body must be application/json" }
    }
    const success = responses.find(({ status }) => status.startsWith('2'))
    const output = jsonSchema(success)
    const root = output && follow(document, output.at, output.value).value
    const combined = ['allOf', 'anyOf', 'oneOf', 'not', 'if'].some((key) => key in (root ?? {}))
    if (success !== undefined && (root?.type !== 'object' || combined)) {
      const place = [...at, 'responses', success.status]
      yield { at: place, message: "a tool's response must be a plain JSON object" }
    }
    for (const schema of [input, output]) {
      if (schema !== undefined) yield* circles(document, operation, schema)
    }
  }
}

/** A tool's schema is inlined, which is impossible for a schema that contains itself. */
function* circles(
  document: OpenApiDocument,
  operation: Operation,
  schema: Located<Schema>,
  trail: readonly string[] = [],
): Generator<Finding> {
  const ref = schema.value.$ref
  if (typeof ref === 'string') {
    if (trail.includes(ref)) {
      yield { at: operation.at, message: `a tool cannot use ${ref}, which contains itself` }
    } else yield* circles(document, operation, targetOf(document, ref), [...trail, ref])
  }
  for (const inner of subschemas(schema)) yield* circles(document, operation, inner, trail)
}

export const toolRules: readonly Rule[] = [knownSettings, knownSummaries, plainSchemas]
