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
  readonly deprecated?: boolean
  readonly explode?: boolean
  readonly schema?: Schema
  readonly content?: Content
  readonly example?: unknown
  readonly examples?: unknown
  readonly 'x-deprecated'?: unknown
}

export interface RequestBody {
  readonly required?: boolean
  readonly content: Content
}

export interface Response {
  readonly description: string
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Content
  readonly links?: Readonly<Record<string, unknown>>
}

export interface OperationObject {
  readonly operationId?: string
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: RequestBody | Reference
  readonly responses?: Readonly<Record<string, Response | Reference>>
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly 'x-surface'?: unknown
  readonly 'x-tool'?: unknown
  readonly 'x-codes'?: unknown
  readonly 'x-deprecated'?: unknown
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

/** The value at a path; undefined if the path does not exist. */
export function valueAt(document: unknown, path: Path): unknown {
  let value = document
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Node)[key]
  }
  return value
}

/** The path that a local reference points to; undefined for any other reference. */
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

/** The target of a local reference, which has already been checked to exist. */
export function targetOf(document: unknown, ref: string): Located<Node> {
  const at = pathOf(ref) ?? []
  return { at, value: valueAt(document, at) as Node }
}

/** Follows references to the first node that is not one, and returns it with its path. */
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

/** Keys whose value maps arbitrary names to objects: those names are not keywords. */
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

/** Keys whose value is data, which is not part of the contract itself. */
const data = new Set(['example', 'default', 'const', 'enum', 'value', 'required', 'security'])

/** Every object of the document that has keywords, with its path; skips data and name maps. */
export function objectsOf(value: unknown, at: Path = []): Located<Node>[] {
  const found: Located<Node>[] = []
  collectObjects(found, value, at)
  return found
}

/** An array, because each object would pass through a generator for each level above it. */
function collectObjects(found: Located<Node>[], value: unknown, at: Path): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) collectObjects(found, item, [...at, String(index)])
    return
  }
  if (!isNode(value)) return
  found.push({ at, value })
  for (const [key, child] of Object.entries(value)) {
    const below = [...at, key]
    if (data.has(key) || (key === 'examples' && Array.isArray(child))) continue
    if (nameMaps.has(key) && isNode(child)) collectNamed(found, child, below, key)
    else collectObjects(found, child, below)
  }
}

function collectNamed(found: Located<Node>[], map: Node, at: Path, keyword: string): void {
  for (const [name, child] of Object.entries(map)) {
    const below = [...at, name]
    // The components object is a map of maps: schemas, parameters, responses and so on.
    if (keyword === 'components' && isNode(child)) collectNamed(found, child, below, name)
    else collectObjects(found, child, below)
  }
}
