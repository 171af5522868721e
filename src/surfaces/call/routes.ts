import { invalidInput } from '../../core/errors.ts'
import { operations } from '../../generated/operations.ts'
import type { OperationId } from '../../operation.ts'

/** The match of a path, before the method is checked. */
export interface Route {
  operationId: OperationId
  params: Record<string, string>
  /** A legacy URL without a workspace, which the query or a header must name. */
  flat: boolean
}

interface Leaf {
  operationId: OperationId
  names: string[]
  flat: boolean
}

interface Node {
  literals: Map<string, Node>
  parameter: Node | undefined
  leaves: Map<string, Leaf> | undefined
}

export type RouteMatch = Route | { allow: string[] } | undefined

export type Routes = (method: string, path: string) => RouteMatch

/** The columns of the generated table that routing uses. */
export type RouteTable = Record<OperationId, { method: string; path: string; surface: string }>

const workspacePrefix = '/v1/workspaces/{workspaceId}/'

/** Whether an operation's path names a workspace. */
export function inWorkspace(operationId: OperationId): boolean {
  return operations[operationId].path.includes('{workspaceId}')
}

/** Builds a trie over the operations' paths: lookup cost depends only on the path's length. */
export function createRoutes(
  ids: OperationId[],
  { flat, table = operations }: { flat: boolean; table?: RouteTable },
): Routes {
  const root = newNode()
  for (const operationId of ids) {
    const { method, path, surface } = table[operationId]
    add(root, method, path, operationId, false)
    if (flat && surface === 'management' && path.startsWith(workspacePrefix))
      add(root, method, `/v1/${path.slice(workspacePrefix.length)}`, operationId, true)
  }
  return (method, path) => {
    const segments = path.slice(1).split('/')
    if (segments.length > 1 && segments.at(-1) === '') segments.pop()
    const values: string[] = []
    const leaves = walk(root, segments, 0, values)?.leaves
    if (!leaves) return undefined
    const leaf = leaves.get(method === 'head' ? 'get' : method)
    if (!leaf) return { allow: allowedMethods([...leaves.keys()]) }
    const { operationId, names } = leaf
    const params: Record<string, string> = {}
    names.forEach((name, index) => (params[name] = decode(name, values[index]!)))
    return { operationId, params, flat: leaf.flat }
  }
}

function newNode(): Node {
  return { literals: new Map(), parameter: undefined, leaves: undefined }
}

function add(root: Node, method: string, path: string, operationId: OperationId, flat: boolean) {
  const names: string[] = []
  let node = root
  for (const segment of path.slice(1).split('/')) {
    if (segment.startsWith('{')) {
      names.push(segment.slice(1, -1))
      node = node.parameter ??= newNode()
    } else {
      const next = node.literals.get(segment) ?? newNode()
      node.literals.set(segment, next)
      node = next
    }
  }
  node.leaves ??= new Map()
  node.leaves.set(method, { operationId, names, flat })
}

/** Finds the node of a path; a literal segment wins over a parameter, as OpenAPI requires. */
function walk(node: Node, segments: string[], index: number, values: string[]): Node | undefined {
  if (index === segments.length) return node.leaves ? node : undefined
  const segment = segments[index]!
  const literal = node.literals.get(segment)
  const viaLiteral = literal && walk(literal, segments, index + 1, values)
  if (viaLiteral || !node.parameter) return viaLiteral
  values.push(segment)
  const viaParameter = walk(node.parameter, segments, index + 1, values)
  if (!viaParameter) values.pop()
  return viaParameter
}

function decode(name: string, value: string): string {
  let decoded: string
  try {
    decoded = decodeURIComponent(value)
  } catch {
    throw invalidInput({ [name]: 'percentEncoding' })
  }
  if (decoded.includes('\0')) throw invalidInput({ [name]: 'unstorable' })
  return decoded
}

function allowedMethods(methods: string[]): string[] {
  const upper = methods.map((method) => method.toUpperCase())
  return (upper.includes('GET') ? [...upper, 'HEAD'] : upper).sort()
}
