import { ApiError } from '../../core/errors.ts'
import type { Scope } from '../../generated/operations.ts'
import type { Exchange, Reply } from '../http/exchange.ts'
import type { AgentDoor } from './door.ts'
import { type Fields, ProtocolRefusal } from './messages.ts'
import type { ToolSet } from './narrowing.ts'
import type { ToolOutcome } from './results.ts'

/** How a call shows that it is confirmed. */
export interface Evidence {
  /** The state of a question, and whether the person said yes. */
  state?: string
  accepted?: boolean
  /** The value of a preview. */
  preview?: string
  /** A call that turned out to lose nothing, and the tag of what it was judged by. */
  harmless?: { call: string; etag: string | undefined }
}

/** One request, with its caller and the tools served at its address. */
export interface McpRequest {
  exchange: Exchange
  toolSet: ToolSet
  door: AgentDoor
  /** The response headers. */
  headers: Reply['headers']
  now: () => Date
  body: unknown
  /** Whether the body may contain text that cannot be stored. */
  suspect: boolean
  /** The call's evidence that a person has confirmed it. */
  evidence: Evidence
  /** The tool being called. */
  tool: { scope: Scope | null } | undefined
  /** Refusals for the HTTP layer, which the protocol's server must not reword. */
  refusals: Error[]
}

/** Runs a tool for a request. Refusals for the HTTP layer are thrown; all others are outcomes. */
export type RunTool = (mcpRequest: McpRequest, params: Fields) => Promise<ToolOutcome>

/** The answer of a tool; undefined if the connection may not use it. Never asks for more scopes. */
export async function peek(
  runTool: RunTool,
  mcpRequest: McpRequest,
  params: Fields,
): Promise<ToolOutcome | undefined> {
  try {
    return await runTool(mcpRequest, params)
  } catch (error) {
    const lacksScope = error instanceof ApiError && error.code === 'insufficient_scope'
    if (lacksScope || error instanceof ProtocolRefusal) return undefined
    throw error
  }
}
