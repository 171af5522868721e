import type { ValidateFunction } from 'ajv'
import addFormatsModule from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { jsonSchema, type Rule } from '../model.ts'
import {
  follow,
  isNode,
  objectsOf,
  pointerOf,
  valueAt,
  type Located,
  type MediaType,
  type Node,
  type OpenApiDocument,
  type Path,
} from '../document.ts'
import { allSchemas } from './schema_rules.ts'
import type { Finding } from '../source.ts'

// The package is CommonJS: the function is the default export of its default export.
const addFormats = addFormatsModule.default

interface Sample extends Located<unknown> {
  readonly label: string
  readonly schema: Path
}

/** Every example and every default must match its schema. */
const matching: Rule = function* ({ document }) {
  const validatorOf = validatorsOf(document)
  const samples: Sample[] = []
  for (const object of objectsOf(document)) samples.push(...mediaSamples(document, object))
  for (const schema of allSchemas(document)) samples.push(...schemaSamples(schema))

  for (const { at, label, schema, value } of samples) {
    const validate = validatorOf(schema)
    if (validate(value)) continue
    const [error] = validate.errors ?? []
    const reason = `${error?.instancePath ?? ''} ${error?.message ?? ''}`.trim()
    yield { at, message: `${label} does not match its schema: ${reason}` }
  }
}

/** Ajv compiles each place once, no matter how many references it has, and inlines none. */
function validatorsOf(document: OpenApiDocument): (schema: Path) => ValidateFunction {
  const economy = { inlineRefs: false, code: { optimize: false } }
  const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false, ...economy })
  addFormats(ajv)
  ajv.addSchema(document, '/openapi.json')
  return (schema) => {
    const value = valueAt(document, schema)
    const isPlainReference = isNode(value) && Object.keys(value).join() === '$ref'
    const pointer = isPlainReference ? String(value.$ref) : `#${pointerOf(schema)}`
    return ajv.getSchema(`/openapi.json${pointer}`)!
  }
}

/** Examples beside a schema: those of a media type, a parameter or a header. */
function mediaSamples(document: object, { at, value }: Located<Node>): Sample[] {
  if (!isNode(value.schema)) return []
  const schema = [...at, 'schema']
  const samples: Sample[] = []
  if ('example' in value) {
    samples.push({ at: [...at, 'example'], label: 'the example', schema, value: value.example })
  }
  for (const [name, example] of Object.entries(isNode(value.examples) ? value.examples : {})) {
    if (!isNode(example)) continue
    const place = [...at, 'examples', name]
    const target = follow<Node>(document, place, example).value
    samples.push({ at: place, label: `the example ${name}`, schema, value: target.value })
  }
  return samples
}

function schemaSamples({ at, value }: Located<Node>): Sample[] {
  const sample = (key: string) =>
    key in value ? [{ at: [...at, key], label: `the ${key}`, schema: at, value: value[key] }] : []
  const examples = Array.isArray(value.examples) ? value.examples : []
  return [
    ...sample('example'),
    ...sample('default'),
    ...examples.map((item: unknown, index) => ({
      at: [...at, 'examples', String(index)],
      label: `the example ${index + 1}`,
      schema: at,
      value: item,
    })),
  ]
}

/** Every JSON body and every JSON response must have an example. */
const present: Rule = function* ({ operations }): Generator<Finding> {
  for (const { at, body, responses } of operations) {
    if (jsonSchema(body) !== undefined && !hasExample(body?.value.content['application/json'])) {
      yield { at: [...at, 'requestBody'], message: 'the JSON request body has no example' }
    }
    for (const response of responses) {
      if (!response.status.startsWith('2') || jsonSchema(response) === undefined) continue
      if (!hasExample(response.value.content?.['application/json'])) {
        const place = [...at, 'responses', response.status]
        yield { at: place, message: `the JSON response ${response.status} has no example` }
      }
    }
  }
}

function hasExample(media: MediaType | undefined): boolean {
  return media?.example !== undefined || Object.keys(media?.examples ?? {}).length > 0
}

/** Optional headers whose value is the caller's own choice: an example of them is never refused. */
const free = new Set(['X-Guest-Device-Id'])

/** Try-it-out sends every example: an invented filter finds nothing, an invented token is refused. */
const required: Rule = function* ({ operations }): Generator<Finding> {
  const parameters = new Set(operations.flatMap((operation) => operation.parameters))
  const places = new Set<string>()
  for (const { at, value } of parameters) {
    const shown = value.example !== undefined || value.examples !== undefined
    const fits = shown === (value.required === true) || free.has(value.name)
    if (fits || places.has(pointerOf(at))) continue
    places.add(pointerOf(at))
    yield {
      at,
      message: shown ? 'is optional and has an example' : 'is required and has no example',
    }
  }
}

/** Tools pair a request with its response by the name of the example. */
const paired: Rule = function* ({ operations }): Generator<Finding> {
  const namesIn = (media: MediaType | undefined) =>
    Object.keys(media?.examples ?? {})
      .sort()
      .join()
  for (const { at, body, responses } of operations) {
    const success = responses.find(({ status }) => status.startsWith('2'))
    const answer = success?.value.content?.['application/json']
    if (jsonSchema(body) === undefined || answer === undefined) continue
    if (namesIn(body?.value.content['application/json']) !== namesIn(answer))
      yield { at, message: 'names the examples of its body and its response differently' }
  }
}

/** An id of an example shows by its prefix what it is the id of. */
const idsByResource: Rule = function* ({ document, operations }): Generator<Finding> {
  const prefixes = new Map<string, string>()
  for (const operation of operations) {
    const { at, path, parameters, responses, method } = operation
    const ids: string[] = []
    let named = method !== 'post'
    for (const [, segment = '', name = ''] of path.matchAll(/([\w-]+)\/\{(\w+)\}/g)) {
      const parameter = parameters.find(({ value }) => value.name === name)?.value
      const example = parameter?.example
      // A slug or a token names a resource without being its id.
      named &&= parameter?.schema?.$ref !== undefined && typeof example === 'string'
      const prefix = String(example).split('_')[0] ?? ''
      const resource = segment === 'slug' ? name : segment
      const first = prefixes.get(resource) ?? prefix
      prefixes.set(resource, first)
      if (first !== prefix) yield { at, message: `${name} is ${prefix}_…, elsewhere ${first}_…` }
      if (name !== 'workspaceId') ids.push(String(example))
    }
    const success = responses.find(({ status }) => status.startsWith('2'))
    const answered = exampleIds(document, success?.value.content?.['application/json'])
    if (!named || ids.length === 0) continue
    for (const id of answered.filter((each) => !ids.includes(each)))
      yield { at, message: `answers ${id}, which is not an id of its path` }
  }
}

function exampleIds(document: OpenApiDocument, media: MediaType | undefined): string[] {
  return Object.values(media?.examples ?? {}).flatMap((example) => {
    const { value } = follow<Node>(document, [], example as Node).value
    return isNode(value) && typeof value.id === 'string' ? [value.id] : []
  })
}

export const exampleRules: readonly Rule[] = [matching, present, required, paired, idsByResource]
