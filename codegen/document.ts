/** A key path from the root of the document to one of its nodes. */
export type Path = readonly string[]

export interface Located<T> {
  readonly at: Path
  readonly value: T
}

export type Node = Readonly<Record<string, unknown>>
export type Schema = Node

export interface Reference {
  readonly $ref: string
}

export interface MediaType {
  readonly schema?: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, unknown>>
}

export type Content = Readonly<Record<string, MediaType>>

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Schema
  readonly content?: Content
}

export interface RequestBody {
  readonly required?: boolean
  readonly content: Content
}

export interface Response {
  readonly description: string
  readonly content?: Content
}

export interface OperationObject {
  readonly operationId?: string
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: RequestBody | Reference
  readonly responses?: Readonly<Record<string, Response | Reference>>
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly 'x-surface'?: unknown
  readonly 'x-tool'?: unknown
}

export const methods = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'] as const
export type Method = (typeof methods)[number]

export type PathItem = { readonly [M in Method]?: OperationObject } & {
  readonly parameters?: readonly (Parameter | Reference)[]
}

export interface OpenApiDocument {
  readonly openapi: string
  readonly info: Node
  readonly tags?: readonly { readonly name: string; readonly 'x-roles'?: unknown }[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value at a path, or undefined where the path leads nowhere. */
export function valueAt(document: unknown, path: Path): unknown {
  let value = document
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Node)[key]
  }
  return value
}

/** The path that a local reference points at, or undefined for any other reference. */
export function pathOf(ref: string): Path | undefined {
  if (!ref.startsWith('#/')) return undefined
  return ref
    .slice(2)
    .split('/')
    .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'))
}

export function pointerOf(path: Path): string {
  return path
    .map((key) => `/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
    .join('')
}

/** What a local reference points at. That it points at something is checked before. */
export function targetOf(document: unknown, ref: string): Located<Node> {
  const at = pathOf(ref) ?? []
  return { at, value: valueAt(document, at) as Node }
}

/** Follows references until a node that is not one, and says where that node stands. */
export function follow<T extends object>(
  document: unknown,
  at: Path,
  value: T | Reference,
): Located<T> {
  let here: Located<object> = { at, value }
  while ('$ref' in here.value && typeof here.value.$ref === 'string') {
    here = targetOf(document, here.value.$ref)
  }
  return here as Located<T>
}

/** Keys whose value maps names that we choose to things, so that the names are no keywords. */
const nameMaps = new Set([
  'paths',
  'components',
  'content',
  'responses',
  'headers',
  'securitySchemes',
  'schemas',
  'requestBodies',
  'examples',
  'parameters',
  'encoding',
  'variables',
  'callbacks',
  'links',
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'pathItems',
  'scopes',
])

/** Keys whose value is data: what stands in it says nothing about the contract. */
const data = new Set(['example', 'default', 'const', 'enum', 'value', 'required', 'security'])

/** Every object of the document that has keywords, with its path; data and name maps left out. */
export function* objectsOf(value: unknown, at: Path = []): Generator<Located<Node>> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* objectsOf(item, [...at, String(index)])
    return
  }
  if (!isNode(value)) return
  yield { at, value }
  for (const [key, child] of Object.entries(value)) {
    const below = [...at, key]
    if (data.has(key) || (key === 'examples' && Array.isArray(child))) continue
    if (nameMaps.has(key) && isNode(child)) yield* namedObjectsOf(child, below, key)
    else yield* objectsOf(child, below)
  }
}

function* namedObjectsOf(map: Node, at: Path, keyword: string): Generator<Located<Node>> {
  for (const [name, child] of Object.entries(map)) {
    // The components object is a map of maps: schemas, parameters, responses and so on.
    if (keyword === 'components' && isNode(child)) yield* namedObjectsOf(child, [...at, name], name)
    else yield* objectsOf(child, [...at, name])
  }
}
