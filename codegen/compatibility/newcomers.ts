import { isNode, type OpenApiDocument, objectsOf, pathOf, valueAt } from '../document.ts'
import { isClosed } from './schemas.ts'

/**
 * Closed schemas of answers that no release had: a field could never be added to them. What a
 * release has shown is judged by the comparison with it.
 */
export function closedNewcomers(
  released: readonly OpenApiDocument[],
  today: OpenApiDocument,
): string[] {
  const isNew = (at: readonly string[]) =>
    released.every((document) => valueAt(document, at) === undefined)
  const isClosedInside = (value: unknown) =>
    objectsOf(value).some(({ value: node }) => isClosed(node))

  const answers = Object.entries(today.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      if (!isNode(operation) || !isNode(operation.responses)) return []
      return Object.entries(operation.responses).map(([status, value]) => ({
        name: `${String(operation.operationId)} ${status}`,
        at: ['paths', path, method, 'responses', status],
        value,
      }))
    }),
  )
  const schemas = referencedFrom(
    answers.map(({ value }) => value),
    today,
  ).map((at) => ({
    name: at.at(-1) ?? '',
    at,
    value: valueAt(today, at),
  }))
  return [...answers, ...schemas]
    .filter(({ at, value }) => isNew(at) && isClosedInside(value))
    .map(({ name }) => `answer ${name}: is new and closed`)
    .sort()
}

/** The places of all components that a value refers to, directly or through others. */
function referencedFrom(value: unknown, document: OpenApiDocument): (readonly string[])[] {
  const found = new Map<string, readonly string[]>()
  const pending = [value]
  while (pending.length > 0) {
    for (const { value: node } of objectsOf(pending.pop())) {
      if (typeof node.$ref !== 'string' || found.has(node.$ref)) continue
      const at = pathOf(node.$ref) ?? []
      found.set(node.$ref, at)
      pending.push(valueAt(document, at))
    }
  }
  return [...found.values()]
}
