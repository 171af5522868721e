import { type FieldErrors, invalidInput } from '../../core/errors.ts'
import { limits } from '../../generated/limits.ts'
import { type Scope, scopes } from '../../generated/operations.ts'
import { type Tool, tools } from './tools.ts'
import { parseQuery } from '../call/request_parts.ts'

/** What is served at one address: all tools, or those that its query narrows them to. */
export interface Served {
  tools: Map<string, Tool>
  /** The list as JSON text, made when it is first asked for. */
  list: () => string
  /** The scopes that all these tools need together. */
  scopes: Scope[]
  workspaceId: string | undefined
}

const tags = [...new Set(tools.map(({ tag }) => tag))].sort()

/** What is served to those who narrow nothing. */
const whole = serve({})

const maxKept = 50
/** Narrowed addresses in use, the one that was used last at the end. */
const kept = new Map<string, Served>()

/** The tools of an address. */
export function servedAt(search: string): Served {
  return search === '' ? whole : (kept.get(search) ?? serve(parseQuery(search)))
}

/**
 * Keeps what a connection uses, so that its list is not made twice. Strangers are not remembered:
 * with made-up addresses they would push out those that are in use.
 */
export function keepServed(search: string, served: Served): void {
  if (search === '') return
  kept.delete(search)
  kept.set(search, served)
  if (kept.size > maxKept) kept.delete(kept.keys().next().value!)
}

const plainId = new RegExp(`^[\\w-]{1,${limits.Id.maxLength}}$`)

/** Narrows and never widens: each name takes tools away, and an unknown one is refused. */
function serve(query: Record<string, unknown>): Served {
  const { readonly = 'false', toolsets, workspaceId, ...unknown } = query as Record<string, string>
  // Without a prototype, so that an unknown name may be `__proto__`.
  const faults = Object.create(null) as FieldErrors
  for (const name of Object.keys(unknown))
    faults[name] = 'Is not known here; readonly, toolsets and workspaceId are.'
  if (readonly !== 'true' && readonly !== 'false') faults.readonly = 'Must be true or false.'
  const chosen = toolsets === undefined ? tags : toolsets.split(',')
  if (!chosen.every((tag) => tags.includes(tag)))
    faults.toolsets = `Must be one or several, separated by commas, of ${tags.join(', ')}.`
  // It reaches what models read, so that it must be able to hold an id and no sentence.
  if (workspaceId !== undefined && !plainId.test(workspaceId))
    faults.workspaceId = `Must be 1 to ${limits.Id.maxLength} letters, digits, hyphens and underscores.`
  if (Object.keys(faults).length > 0) throw invalidInput(faults)

  const left = tools.filter((tool) => {
    if (readonly === 'true' && !tool.readOnly) return false
    if (workspaceId !== undefined && !tool.pathNames.includes('workspaceId')) return false
    return chosen.includes(tool.tag)
  })
  const needed = new Set(left.map(({ scope }) => scope))
  let list: string | undefined
  return {
    tools: new Map(left.map((tool) => [tool.name, tool])),
    list: () => (list ??= JSON.stringify(left.map((tool) => definitionIn(tool, workspaceId)))),
    scopes: (Object.keys(scopes) as Scope[]).filter((scope) => needed.has(scope)),
    workspaceId,
  }
}

/** Where the address names the workspace, the model is told the one id that it can use. */
function definitionIn({ definition }: Tool, workspaceId: string | undefined): unknown {
  if (workspaceId === undefined) return definition
  const { inputSchema } = definition
  const properties = {
    ...inputSchema.properties,
    workspaceId: { type: 'string', enum: [workspaceId] },
  }
  return { ...definition, inputSchema: { ...inputSchema, properties } }
}
