import {
  isNode,
  methods,
  objectsOf,
  pathOf,
  targetOf,
  type Node,
  type OpenApiDocument,
} from './document.ts'

/**
 * The document with each reference into another schema, such as
 * `#/components/schemas/ProductUpdate/properties/name`, replaced by the field that it names, and likewise
 * with the values of examples. What stands beside the reference is added, or wins. So the contract says
 * a field once, while validators, clients and tools see whole schemas.
 */
export function withSharedFields(document: OpenApiDocument): OpenApiDocument {
  const sent = sentSchemas(document)
  const whole = filledIn(document, document, false) as OpenApiDocument
  const schemas = Object.entries(document.components?.schemas ?? {}).map(
    ([name, schema]) => [name, filledIn(document, schema, !sent.has(name))] as const,
  )
  return { ...whole, components: { ...whole.components, schemas: Object.fromEntries(schemas) } }
}

/** The keywords that a reference to a component may have beside it. */
const annotations = new Set(['title', 'description', 'examples', 'deprecated'])

function filledIn(document: OpenApiDocument, value: unknown, isAnswer: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => filledIn(document, item, isAnswer))
  if (!isNode(value)) return value
  const own = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, filledIn(document, inner, isAnswer)]),
  )
  if (typeof own.$ref !== 'string' || !leadsInside(own.$ref)) return own
  const { $ref, ...beside } = own
  const shared = filledIn(document, targetOf(document, String($ref)).value, isAnswer) as Node
  const field = isAnswer ? withoutLimits(shared) : shared
  const isAnnotated = Object.keys(beside).every((keyword) => annotations.has(keyword))
  if (typeof field.$ref !== 'string' || isAnnotated) return { ...field, ...beside }
  // The router would drop a default beside a reference, so the reference gives way.
  const { $ref: component, ...notes } = field
  return { ...targetOf(document, String(component)).value, ...notes, ...beside }
}

/** Whether a reference leads into a component, and not to the whole of it. */
function leadsInside($ref: string): boolean {
  return (pathOf($ref) ?? []).length > 3
}

const limits = new Set(['minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems', 'maximum'])

/** An answer promises no limits: older rows may be past them, and they may be raised. */
function withoutLimits(field: Node): Node {
  return Object.fromEntries(Object.entries(field).filter(([keyword]) => !limits.has(keyword)))
}

/** The names of the schemas that callers send, in a body or a parameter. */
function sentSchemas(document: OpenApiDocument): Set<string> {
  const sent = new Set<string>()
  const visited = new Set<string>()
  const pending: unknown[] = Object.values(document.paths).flatMap((item) => [
    item.parameters,
    ...methods.flatMap((method) => [item[method]?.parameters, item[method]?.requestBody]),
  ])
  while (pending.length > 0) {
    for (const { value } of objectsOf(pending.pop())) {
      if (typeof value.$ref !== 'string' || visited.has(value.$ref)) continue
      visited.add(value.$ref)
      const [, kind, name = ''] = pathOf(value.$ref) ?? []
      if (kind === 'schemas' && !leadsInside(value.$ref)) sent.add(name)
      pending.push(targetOf(document, value.$ref).value)
    }
  }
  return sent
}
