import type { IntegrationAccess } from '../../access/access.ts'
import { invalidInput } from '../../core/errors.ts'
import { limits } from '../../generated/limits.ts'
import { type Scope, scopes } from '../../generated/operations.ts'
import type { FieldErrors } from '../../texts/refusals.ts'
import { losses } from './losses.ts'
import { type Tool, tools } from './tools.ts'
import { parseQuery } from '../call/request_parts.ts'

/** The tools at one address: all of them, or those that its query selects. */
export interface ToolSet {
  tools: Map<string, Tool>
  /** The definitions that clients see, made on first use. */
  list: () => unknown[]
  /** The union of the scopes that these tools need. */
  scopes: Scope[]
  workspaceId: string | undefined
  /** Whether a person must confirm calls that may lose something. */
  confirms: boolean
}

/** The paths that narrow the tools, and the query that each stands for. */
const narrowingPaths: Record<string, string> = {
  '/mcp/readonly': 'readonly',
  '/mcp/confirm': 'confirm',
}

/**
 * The paths of the endpoint. To clients that compare whole addresses, a narrowing path is a resource of its
 * own; all of them accept the same tokens.
 */
export const mcpPaths: ReadonlySet<string> = new Set(['/mcp', ...Object.keys(narrowingPaths)])

/** A path without a trailing slash. */
export function mcpPathOf(path: string): string {
  return path.replace(/\/$/, '')
}

/** The query with the path's narrowing added; the query may repeat it but not undo it. */
export function narrowedSearch(path: string, search: string): string {
  const name = narrowingPaths[mcpPathOf(path)]
  if (name === undefined || new URLSearchParams(search).get(name) === 'true') return search
  return search === '' ? `${name}=true` : `${search}&${name}=true`
}

const tags = [...new Set(tools.map(({ tag }) => tag))].sort()

/** The full set, for addresses without a query. */
const fullSet = toolSetOf({})

const maxCached = 50
/** LRU cache of narrowed addresses, most recently used last. */
const cache = new Map<string, ToolSet>()

export function toolSetAt(search: string): ToolSet {
  return search === '' ? fullSet : (cache.get(search) ?? toolSetOf(parseQuery(search)))
}

/**
 * Caches the tool set of a connection, so that its list is built once. Unauthenticated requests
 * are not cached: made-up addresses would evict those in use.
 */
export function cacheToolSet(search: string, toolSet: ToolSet): void {
  if (search === '') return
  cache.delete(search)
  cache.set(search, toolSet)
  if (cache.size > maxCached) cache.delete(cache.keys().next().value!)
}

const plainId = new RegExp(`^[\\w-]{1,${limits.Id.maxLength}}$`)

/** Only narrows: each parameter removes tools, and an unknown one is refused. */
function toolSetOf(query: Record<string, unknown>): ToolSet {
  const {
    readonly = 'false',
    confirm = 'false',
    toolsets,
    workspaceId,
    ...unknown
  } = query as Record<string, string>
  // No prototype: an unknown name may be `__proto__`.
  const faults = Object.create(null) as FieldErrors
  for (const name of Object.keys(unknown)) faults[name] = 'narrowingUnknown'
  for (const [name, value] of Object.entries({ readonly, confirm }))
    if (value !== 'true' && value !== 'false') faults[name] = 'mustBeBoolean'
  const selectedTags = toolsets === undefined ? tags : toolsets.split(',')
  if (!selectedTags.every((tag) => tags.includes(tag)))
    faults.toolsets = ['toolsetsUnknown', { values: tags.join(', ') }]
  // Models read this value, so it may be as long as an id but not as a sentence.
  if (workspaceId !== undefined && !plainId.test(workspaceId))
    faults.workspaceId = ['narrowingWorkspace', { limit: limits.Id.maxLength }]
  if (Object.keys(faults).length > 0) throw invalidInput(faults)

  const selectedTools = tools.filter((tool) => {
    if (readonly === 'true' && !tool.readOnly) return false
    if (workspaceId !== undefined && !tool.pathNames.includes('workspaceId')) return false
    return selectedTags.includes(tool.tag)
  })
  return setOf(selectedTools, { workspaceId, confirms: confirm === 'true' })
}

function setOf(
  selectedTools: Tool[],
  { workspaceId, confirms }: Pick<ToolSet, 'workspaceId' | 'confirms'>,
): ToolSet {
  const neededScopes = new Set(selectedTools.map(({ scope }) => scope))
  let list: unknown[] | undefined
  return {
    tools: new Map(selectedTools.map((tool) => [tool.name, tool])),
    list: () =>
      (list ??= selectedTools.map((tool) => definitionIn(tool, { workspaceId, confirms }))),
    scopes: (Object.keys(scopes) as Scope[]).filter((scope) => neededScopes.has(scope)),
    workspaceId,
    confirms,
  }
}

/** For limited grants, the tools offered at an address, by the address's own set. */
const offers = new WeakMap<ToolSet, Map<string, ToolSet>>()

/**
 * The tools that an address offers to a connection: without those that it can never use. A call of such a
 * tool is still answered with the reason.
 */
export function offeredTo(access: IntegrationAccess | undefined, toolSet: ToolSet): ToolSet {
  const readsOnly = access !== undefined && access.writing !== 'OPEN'
  const staysInOne = Boolean(access?.onlyWorkspaceId)
  const confirms = toolSet.confirms || Boolean(access?.asksFirst)
  if (!readsOnly && !staysInOne && confirms === toolSet.confirms) return toolSet
  const known = offers.get(toolSet) ?? new Map<string, ToolSet>()
  offers.set(toolSet, known)
  const key = JSON.stringify([readsOnly, staysInOne, confirms])
  const offered =
    known.get(key) ??
    setOf(usableTools(toolSet, { readsOnly, staysInOne }), {
      workspaceId: toolSet.workspaceId,
      confirms,
    })
  known.set(key, offered)
  return offered
}

function usableTools(
  toolSet: ToolSet,
  { readsOnly, staysInOne }: { readsOnly: boolean; staysInOne: boolean },
): Tool[] {
  return [...toolSet.tools.values()].filter(({ readOnly, pathNames }) => {
    if (readOnly) return true
    return !readsOnly && (!staysInOne || pathNames.includes('workspaceId'))
  })
}

/**
 * If the address names a workspace, the model is told the only id it can use. If a person must confirm, a
 * tool that may lose something accepts the value of its preview.
 */
function definitionIn(
  { name, definition }: Tool,
  { workspaceId, confirms }: Pick<ToolSet, 'workspaceId' | 'confirms'>,
): unknown {
  const added: Record<string, unknown> = {}
  if (workspaceId !== undefined) added.workspaceId = { type: 'string', enum: [workspaceId] }
  if (confirms && losses.has(name)) added.confirm = confirmArgument
  if (Object.keys(added).length === 0) return definition
  const { inputSchema } = definition
  const properties = { ...inputSchema.properties, ...added }
  return { ...definition, inputSchema: { ...inputSchema, properties } }
}

const confirmArgument = {
  type: 'string',
  description: 'Of the answer that asked for it, once the person has agreed.',
}
