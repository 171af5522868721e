import {
  follow,
  isNode,
  methods,
  objectsOf,
  valueAt,
  type Content,
  type Located,
  type Method,
  type OpenApiDocument,
  type OperationObject,
  type Parameter,
  type Path,
  type PathItem,
  type RequestBody,
  type Response,
  type Schema,
} from './document.ts'
import { isSecret } from './schemas.ts'
import type { Finding } from './source.ts'

export const surfaces = ['management', 'experience', 'dashboard', 'admin'] as const
export type SurfaceName = (typeof surfaces)[number]

/** Settings of an operation's tool that the HTTP method does not imply. */
interface ToolSettings {
  readonly only?: boolean
  readonly none?: boolean
  /** The schema that the tool answers instead of the whole resource. */
  readonly answer?: string
  /** Schemas of the body that another tool describes, by its name. */
  readonly refers?: Readonly<Record<string, string>>
  /** Members of the body that the tool does not offer. */
  readonly without?: readonly string[]
  /** The members of the answer that visitors wrote. */
  readonly visitors?: readonly string[]
  /** The fields of a row that the tool answers with view=summary. */
  readonly summary?: readonly string[]
  readonly readOnly?: boolean
  readonly destructive?: boolean
  readonly idempotent?: boolean
  readonly openWorld?: boolean
}

export interface Operation {
  readonly id: string
  readonly method: Method
  readonly path: string
  readonly at: Path
  readonly source: OperationObject
  readonly tag: string
  readonly surface: SurfaceName
  readonly auth: string
  readonly scope: string | null
  readonly status: number
  readonly tool: ToolSettings
  readonly parameters: readonly Located<Parameter>[]
  readonly body: Located<RequestBody> | undefined
  readonly responses: readonly (Located<Response> & { readonly status: string })[]
}

export interface Contract {
  readonly document: OpenApiDocument
  /** Sorted by name, so that the outputs do not depend on the order of the paths. */
  readonly operations: readonly Operation[]
  readonly scopes: readonly { readonly name: string; readonly meaning: string }[]
  readonly errorCodes: readonly {
    readonly name: string
    readonly status: number
    readonly meaning: string
  }[]
  /** The member roles, and the tags whose operations each may use in the dashboard. */
  readonly powers: readonly { readonly role: string; readonly tags: readonly string[] }[]
  readonly secretFields: readonly string[]
  /** In lower case, as Node presents them. */
  readonly secretHeaders: readonly string[]
}

export type Rule = (contract: Contract) => Iterable<Finding>

/** Collects what the rules and emitters need from a document in the shape of OpenAPI. */
export function interpret(document: OpenApiDocument): Contract {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const source = item[method]
      return source === undefined ? [] : [interpretOperation(document, path, item, method, source)]
    }),
  )
  return {
    document,
    operations: operations.sort((a, b) => compare(a.id, b.id)),
    scopes: listedIn(document, 'Scope', /^- `([^`]+)`: (.+)$/gm).map(([name, meaning]) => ({
      name,
      meaning,
    })),
    errorCodes: listedIn(document, 'ErrorCode', /^- `([^`]+)` \((\d{3})\): (.+)$/gm).map(
      ([name, status, meaning = '']) => ({ name, status: Number(status), meaning }),
    ),
    powers: powersOf(document, operations),
    secretFields: secretFieldsOf(document),
    secretHeaders: secretHeadersOf(document, operations),
  }
}

function interpretOperation(
  document: OpenApiDocument,
  path: string,
  item: PathItem,
  method: Method,
  source: OperationObject,
): Operation {
  const at = ['paths', path, method]
  const [auth, scopes] = Object.entries(source.security?.[0] ?? {})[0] ?? ['none', []]
  const responses = Object.entries(source.responses ?? {}).map(([status, response]) => ({
    status,
    ...follow(document, [...at, 'responses', status], response),
  }))
  const success = responses.find(({ status }) => status.startsWith('2'))
  return {
    id: source.operationId ?? '',
    method,
    path,
    at,
    source,
    auth,
    responses,
    tag: source.tags?.[0] ?? '',
    surface: source['x-surface'] as SurfaceName,
    scope: scopes[0] ?? null,
    status: Number(success?.status),
    tool: isNode(source['x-tool']) ? source['x-tool'] : {},
    parameters: parametersOf(document, at, item, source),
    body: source.requestBody && follow(document, [...at, 'requestBody'], source.requestBody),
  }
}

/** The parameters of a path and of its operation; the operation's override the path's. */
function parametersOf(
  document: OpenApiDocument,
  at: Path,
  item: PathItem,
  source: OperationObject,
): Located<Parameter>[] {
  const byName = new Map<string, Located<Parameter>>()
  const owners = [
    { path: at.slice(0, 2), parameters: item.parameters ?? [] },
    { path: at, parameters: source.parameters ?? [] },
  ]
  for (const { path, parameters } of owners) {
    for (const [index, parameter] of parameters.entries()) {
      const located = follow(document, [...path, 'parameters', String(index)], parameter)
      byName.set(`${located.value.in} ${located.value.name}`, located)
    }
  }
  return [...byName.values()]
}

/** Whether integrators see an operation in the public document. */
export function isPublic({ surface, tool }: Operation): boolean {
  return (surface === 'management' || surface === 'experience') && tool.only !== true
}

/** The error codes that an operation lists itself. */
export function codesIn({ source }: Operation): string[] {
  const codes = source['x-codes']
  return Array.isArray(codes) ? codes.map(String) : []
}

/** The schema of a JSON body, with its path. */
export function jsonSchema(
  owner: Located<{ readonly content?: Content }> | undefined,
): Located<Schema> | undefined {
  const schema = owner?.value.content?.['application/json']?.schema
  if (owner === undefined || schema === undefined) return undefined
  return { at: [...owner.at, 'content', 'application/json', 'schema'], value: schema }
}

/** The lines of a schema's description that explain its values, one per value. */
function listedIn(document: OpenApiDocument, schema: string, line: RegExp) {
  const description = valueAt(document, ['components', 'schemas', schema, 'description'])
  const text = typeof description === 'string' ? description : ''
  return [...text.matchAll(line)].map(([, ...groups]) => groups as [string, string, string?])
}

/** Whether a member of a workspace may call an operation in the dashboard, given the role. */
export function isForMembers({ path, surface, auth, tool }: Operation): boolean {
  const inDashboard = surface === 'dashboard' || (surface === 'management' && tool.only !== true)
  return inDashboard && auth !== 'none' && path.includes('{workspaceId}')
}

function powersOf(document: OpenApiDocument, operations: readonly Operation[]): Contract['powers'] {
  const tags = new Set(operations.filter(isForMembers).map(({ tag }) => tag))
  return enumOf(document, 'Role').map((role) => ({
    role,
    tags: [...tags]
      .filter((tag) => role === 'owner' || rolesOf(document, tag).includes(role))
      .sort(compare),
  }))
}

function rolesOf({ tags = [] }: OpenApiDocument, name: string): unknown[] {
  const roles = tags.find((tag) => tag.name === name)?.['x-roles']
  return Array.isArray(roles) ? roles : []
}

export function enumOf(document: OpenApiDocument, schema: string): string[] {
  const values = valueAt(document, ['components', 'schemas', schema, 'enum'])
  return Array.isArray(values) ? values.map(String) : []
}

function secretFieldsOf(document: OpenApiDocument): string[] {
  const names = new Set<string>()
  for (const { value } of objectsOf(document)) {
    if (!isNode(value.properties)) continue
    for (const [name, schema] of Object.entries(value.properties)) {
      if (isNode(schema) && isSecret(document, schema)) names.add(name)
    }
  }
  return [...names].sort(compare)
}

function secretHeadersOf(document: OpenApiDocument, operations: readonly Operation[]): string[] {
  const names = operations
    .flatMap(({ parameters }) => parameters)
    .filter(({ value }) => value.in === 'header' && isSecret(document, value.schema ?? {}))
    .map(({ value }) => value.name.toLowerCase())
  return [...new Set(names)].sort(compare)
}

/** By code unit: locale order differs between machines. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
