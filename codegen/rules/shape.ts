import { Validator } from '@seriousme/openapi-schema-validator'
import type { ErrorObject } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { isNode, objectsOf, pathOf, valueAt, type Located, type Node } from '../document.ts'
import type { Finding } from '../source.ts'

// Shared, because both compile a large schema on first use.
const validator = new Validator()
const ajv = new Ajv2020({ strict: false, logger: false })

/** Violations of OpenAPI 3.1 with JSON Schema 2020-12 and local references. */
export async function shapeFindings(document: unknown): Promise<Finding[]> {
  if (!isNode(document)) return [{ at: [], message: 'is not an OpenAPI document' }]
  const objects = objectsOf(document)
  return [
    ...(await openApiFindings(document)),
    ...referenceFindings(document, objects),
    ...schemaFindings(objects),
  ]
}

async function openApiFindings(document: Node): Promise<Finding[]> {
  const { openapi } = document
  if (typeof openapi !== 'string' || !openapi.startsWith('3.1.')) {
    return [{ at: ['openapi'], message: 'must be OpenAPI 3.1' }]
  }
  // The validator resolves references in place, hence the copy.
  const { errors = [] } = await validator.validate(structuredClone(document))
  // References are checked below, where the line is known.
  return typeof errors === 'string' ? [] : findingsOf([], errors)
}

function* referenceFindings(document: Node, objects: Located<Node>[]): Generator<Finding> {
  const next = ({ $ref }: Node) =>
    typeof $ref === 'string' ? valueAt(document, pathOf($ref) ?? ['nowhere']) : undefined

  for (const { at, value } of objects) {
    if (typeof value.$ref !== 'string') continue
    const visited = new Set<unknown>()
    let target = next(value)
    if (!isNode(target)) {
      const message = `refers to ${value.$ref}, which does not exist in this file`
      yield { at: [...at, '$ref'], message }
    }
    while (isNode(target) && target !== value && !visited.has(target)) {
      visited.add(target)
      target = next(target)
    }
    if (target === value) {
      yield { at: [...at, '$ref'], message: `refers to ${value.$ref}, which leads back here` }
    }
  }
}

function* schemaFindings(objects: Located<Node>[]): Generator<Finding> {
  for (const { at, value } of objects) {
    const isRoot =
      at.at(-1) === 'schema' || (at.length === 3 && at[0] === 'components' && at[1] === 'schemas')
    if (!isRoot || ajv.validateSchema(value)) continue
    yield* findingsOf(at, ajv.errors ?? [])
  }
}

/** One finding per place, with the message of Ajv's first error there. */
function findingsOf(at: readonly string[], errors: ErrorObject[]): Finding[] {
  const byPlace = new Map<string, Finding>()
  for (const { instancePath, message = 'is not valid', params, keyword } of errors) {
    if (keyword === 'if' || byPlace.has(instancePath)) continue
    const detail = Object.values(params as Node).filter((value) => typeof value === 'string')
    byPlace.set(instancePath, {
      at: [...at, ...(pathOf(`#${instancePath}`) ?? [])],
      message: detail.length > 0 ? `${message} (${detail.join(', ')})` : message,
    })
  }
  return [...byPlace.values()]
}
