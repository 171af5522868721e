import { readContract, readTools } from '../../src/core/contract_documents.ts'
import { operations, type Scope } from '../../src/generated/operations.ts'
import type { OperationId } from '../../src/operation.ts'

/** An operation's row in the generated table, typed loosely so that the contract may grow. */
interface Row {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  path: string
  tag: string
  surface: string
  auth: string
  scope: Scope | null
  status: number
  toolOnly: boolean
  body: 'json' | 'multipart' | 'bytes' | null
  takesIdempotencyKey: boolean
  revalidates: boolean
  answersEtag: boolean
}

export const rows: Record<OperationId, Row> = operations
export const operationIds = Object.keys(operations) as OperationId[]

/** One way in to an operation: an origin and, at the API, the form of the URL or a tool's call. */
export interface Way {
  name: string
  origin: 'api' | 'dashboard' | 'admin'
  flat: boolean
  tool?: true
}

const explicitPath: Way = { name: 'at the API', origin: 'api', flat: false }
const flatUrl: Way = { name: 'at the API by its flat URL', origin: 'api', flat: true }
const dashboard: Way = { name: 'at the dashboard', origin: 'dashboard', flat: false }
const administration: Way = { name: 'at administration', origin: 'admin', flat: false }
const asTool: Way = { name: 'as a tool', origin: 'api', flat: false, tool: true }

const document = readContract()
const toolNames = new Set(readTools().map(({ name }) => name))

/** Every way in to an operation, including agents. */
export function everyWayTo(id: OperationId): Way[] {
  return toolNames.has(id) ? [...waysTo(id), asTool] : waysTo(id)
}

/** Every way in to an operation by path; none if it is only a tool. */
export function waysTo(id: OperationId): Way[] {
  const { auth, surface, toolOnly } = rows[id]
  if (toolOnly) return []
  const ways: Way[] = []
  if (surface === 'management' || surface === 'experience') ways.push(explicitPath)
  if (surface === 'management' && inWorkspace(id)) ways.push(flatUrl)
  if ((surface === 'management' && auth !== 'none') || surface === 'dashboard') ways.push(dashboard)
  if (surface === 'admin') ways.push(administration)
  return ways
}

/** The first way in, for tests that need only one. */
export function mainWayTo(id: OperationId): Way {
  const [way] = waysTo(id)
  if (!way) throw new Error(`${id} is served nowhere.`)
  return way
}

export const servedIds = operationIds.filter((id) => waysTo(id).length > 0)

export function inWorkspace(id: OperationId): boolean {
  return rows[id].path.includes('{workspaceId}')
}

/** The path parameters that name a resource inside the workspace or account. */
export function resourceNames(id: OperationId): string[] {
  const names = [...rows[id].path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  return names.filter((name) => name !== 'workspaceId')
}

export type Schema = Record<string, unknown> & { $ref?: string }

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: Schema
  example?: unknown
}

interface DeclaredResponse {
  headers?: Record<string, unknown>
  content?: Record<string, { schema: Schema }>
}

export interface Declaration {
  parameters: Parameter[]
  bodySchema: Schema | undefined
  bodyRequired: boolean
  bodyExamples: Record<string, unknown>[]
  responses: Record<string, DeclaredResponse>
  security: Record<string, string[]>[]
}

type Node = Record<string, unknown>

const resolved = new WeakMap<object, unknown>()

/** A node of the document with its references resolved, the same each time: do not change it. */
export function resolve<T>(node: unknown): T {
  const { $ref, ...siblings } = node as { $ref?: string }
  if ($ref === undefined) return node as T
  if (!resolved.has(node as object)) {
    const segments = $ref.slice(2).split('/')
    const target = segments.reduce<unknown>((at, name) => (at as Node)[name], document)
    resolved.set(node as object, { ...resolve<object>(target), ...siblings })
  }
  return resolved.get(node as object) as T
}

const declarations = new Map<OperationId, Declaration>()

/** The contract's declaration of an operation, references resolved one level deep; read once. */
export function declarationOf(id: OperationId): Declaration {
  const known = declarations.get(id) ?? readDeclaration(id)
  declarations.set(id, known)
  return known
}

function readDeclaration(id: OperationId): Declaration {
  const { path, method } = rows[id]
  const item = document.paths[path]!
  const operation = item[method] as Node
  const parameters = [item.parameters, operation.parameters].flatMap((list) => list ?? [])
  const body = resolve<{ content?: Record<string, Node>; required?: boolean }>(
    operation.requestBody ?? {},
  )
  const json = body.content?.['application/json']
  const examples = Object.values((json?.examples ?? {}) as Node)
  return {
    parameters: parameters.map((parameter) => resolve<Parameter>(parameter)),
    bodySchema: json?.schema as Schema | undefined,
    bodyRequired: body.required === true,
    bodyExamples: examples.map((example) => resolve<{ value: Node }>(example).value),
    responses: Object.fromEntries(
      Object.entries(operation.responses as Node).map(([status, response]) => [
        status,
        resolve<DeclaredResponse>(response),
      ]),
    ),
    security: operation.security as Record<string, string[]>[],
  }
}

/** The parts of a call. */
export interface Call {
  path: Record<string, string>
  query: Record<string, string>
  headers: Record<string, string>
  /** Sent as JSON; a string or bytes verbatim. */
  body: unknown
}
