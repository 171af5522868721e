import { createHash, createHmac } from 'node:crypto'
import {
  acceptedContent,
  type CallToolResult,
  createRequestStateCodec,
  inputRequired,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { ApiError } from '../../core/errors.ts'
import { listsTag } from '../../core/etags.ts'
import { canonicalJson } from '../../core/json_text.ts'
import type { Call } from '../call/call.ts'
import { Unconfirmed } from '../call/guards.ts'
import { losses } from './losses.ts'
import { type Evidence, type McpRequest, peek, type RunTool } from './mcp_request.ts'
import { type Fields, invalidParams, isObject } from './messages.ts'
import { toolSetAt } from './narrowing.ts'
import { errorResult, type ToolOutcome } from './results.ts'
import { tools } from './tools.ts'

/** Not an error object: nothing was wrong with the call. */
const declined: CallToolResult = {
  content: [{ type: 'text', text: 'Nothing was done: the person did not confirm it.' }],
  isError: true,
}

/** How long a person has to answer. */
const ttlSeconds = 600

const requestedSchema = {
  type: 'object' as const,
  properties: { confirm: { type: 'boolean' as const, title: 'Yes, do it' } },
  required: ['confirm'],
}

/**
 * The signed data: the call and its connection, what the person saw, and when. A question's state is not
 * valid as the value of a preview, because a client holds it before the person answers.
 */
interface Sealed {
  kind: 'question' | 'preview'
  call: string
  etag: string | undefined
  at: number
}

type AskedResult = CallToolResult | InputRequiredResult

/**
 * A person confirms each call that may lose something: at an address that demands it, and for connections
 * whose person ticked it at consent. What the person saw is bound to the call as its `If-Match`, so that
 * the database refuses the call if that has changed since.
 */
export function createConfirmation(secretKey: string, runTool: RunTool) {
  const key = createHmac('sha256', secretKey).update('confirmations').digest()
  const codec = createRequestStateCodec<Sealed>({ key, ttlSeconds })

  async function opened(text: string): Promise<Sealed | undefined> {
    // The codec needs no context: nothing is bound to it.
    return codec.verify(text, undefined as unknown as ServerContext).catch(() => undefined)
  }

  /** The seal that confirms the call; refuses one that was declined or belongs to another call. */
  async function proofOf(call: Call, input: Unconfirmed['input'], evidence: Evidence) {
    const { operationId, access, now } = call
    const name = callName(access!.connectionId, operationId, input)
    if (evidence.harmless?.call === name) return evidence.harmless
    const kind = evidence.state === undefined ? 'preview' : 'question'
    const sealed = await opened(evidence.state ?? evidence.preview ?? '')
    const isSame = sealed?.kind === kind && sealed.call === name
    const isFresh = isSame && now.getTime() < sealed.at + ttlSeconds * 1000
    if (isFresh && (kind === 'preview' || evidence.accepted)) return sealed
    const fault = kind === 'preview' ? undefined : isFresh ? 'declined' : 'foreign'
    throw new Unconfirmed(operationId, input, fault)
  }

  /** Lets a call pass if it loses nothing or is confirmed; otherwise asks a person. */
  async function guard(mcpRequest: McpRequest, call: Call, given: unknown): Promise<void> {
    const { toolSet, door, evidence } = mcpRequest
    if (!toolSet.confirms && !door.access?.asksFirst) return
    const loss = losses.get(call.operationId)
    if (!loss?.mayLose(given)) return
    const { etag } = await proofOf(call, given as Unconfirmed['input'], evidence)
    if (etag !== undefined) requireSeen(call, etag)
  }

  /** The answer to an unconfirmed call, in place of its outcome. */
  async function ask(
    mcpRequest: McpRequest,
    params: Fields,
    { operationId, input, fault }: Unconfirmed,
    context: ServerContext,
  ): Promise<AskedResult | 'harmless'> {
    if (fault === 'declined') return declined
    if (fault === 'foreign')
      throw invalidParams('this answer belongs to another question, or came too late.')
    const { reads, readsWith, question } = losses.get(operationId)!
    const { pathNames } = tools.find(({ name }) => name === reads)!
    const ids = Object.fromEntries(pathNames.map((name) => [name, input.path[name]]))
    const args = { ...ids, ...readsWith }
    // With all tools, not those of the address: otherwise things it leaves out could be lost without being
    // named.
    const reader = { ...mcpRequest, toolSet: toolSetAt('') }
    const outcome = await peek(runTool, reader, { name: reads, arguments: args })
    mcpRequest.exchange.operation = operationId
    // What is too large to read can be lost all the same.
    const isTooHeavy = outcome && 'refusal' in outcome && outcome.refusal.code === 'invalid_input'
    if (outcome && 'refusal' in outcome && !isTooHeavy) return errorResult(outcome.refusal)
    const found = outcome && 'json' in outcome ? outcome : undefined
    const words = question(input, found && JSON.parse(found.json))
    const call = callName(mcpRequest.door.access!.connectionId, operationId, input)
    const etag = found?.etag
    if (words === undefined) {
      mcpRequest.evidence = { harmless: { call, etag } }
      return 'harmless'
    }
    const seal = (kind: Sealed['kind']) =>
      codec.mint({ kind, call, etag, at: mcpRequest.now().getTime() })
    if (!canAsk(context)) return preview(String(params.name), words, await seal('preview'))
    return inputRequired({
      inputRequests: { confirm: inputRequired.elicit({ message: words, requestedSchema }) },
      requestState: await seal('question'),
    })
  }

  return { guard, ask }
}

/** Names a call by connection, operation and input, regardless of the order of members. */
function callName(connectionId: string, operationId: string, input: unknown): string {
  const text = canonicalJson([connectionId, operationId, input])
  return createHash('sha256').update(text).digest('base64url')
}

/** Binds the call to what the person saw: if that has changed, the call is refused. */
function requireSeen({ incoming }: Call, etag: string): void {
  const own = incoming.headers['if-match']
  if (typeof own === 'string' && !listsTag(own, etag))
    throw new ApiError('write_conflict', 'writeConflict')
  incoming.headers['if-match'] = etag
}

/** Whether the call was refused because the resource has changed since it was judged. */
const isStale = (outcome: ToolOutcome): boolean =>
  'refusal' in outcome && outcome.refusal.code === 'write_conflict'

/** Whether a call judged harmless must be judged again, because others wrote in between. */
export const isToBeJudgedAgain = ({ evidence }: McpRequest, outcome: ToolOutcome): boolean =>
  evidence.harmless !== undefined && isStale(outcome)

/** The refusal of a confirmed call that comes too late also says how to ask again. */
export function toldApart(outcome: ToolOutcome, { preview, state }: Evidence): ToolOutcome {
  if (!isStale(outcome) || (preview === undefined && state === undefined)) return outcome
  return { refusal: new ApiError('write_conflict', 'changedSinceAsked') }
}

/** Whether the client can ask its person: clients of the newer generation that declare it. */
function canAsk({ mcpReq }: ServerContext): boolean {
  const meta = (mcpReq.envelope ?? {}) as Fields
  const capabilities = meta['io.modelcontextprotocol/clientCapabilities']
  const elicitation = isObject(capabilities) ? capabilities.elicitation : undefined
  return isObject(elicitation) && ('form' in elicitation || Object.keys(elicitation).length === 0)
}

/**
 * For clients that cannot ask: what would be lost, and the value with which to repeat the call. It is an
 * error, although nothing failed, because nothing was done and the result does not match the tool's schema.
 */
function preview(tool: string, question: string, confirm: string): CallToolResult {
  const message =
    'Nothing was done yet. The person wants to be asked before anything is lost: show them the ' +
    `question. Only if they agree, call ${tool} again with the same arguments and this confirm, ` +
    'within 10 minutes.'
  const text = JSON.stringify({ code: 'confirmation_required', message, question, confirm })
  return { content: [{ type: 'text', text }], isError: true }
}

/** Separates the confirmation from the tool's own arguments. */
export function withoutEvidence(
  params: Fields,
  { mcpReq }: ServerContext,
): { params: Fields; evidence: Evidence } {
  const { name, arguments: args } = params
  const state = mcpReq.requestState<string>()
  const evidence: Evidence = {}
  if (state !== undefined) {
    evidence.state = state
    evidence.accepted = acceptedContent(mcpReq.inputResponses, 'confirm')?.confirm === true
  }
  if (!isObject(args) || !('confirm' in args) || !losses.has(name as never))
    return { params, evidence }
  const { confirm, ...rest } = args
  if (typeof confirm === 'string') evidence.preview = confirm
  return { params: { ...params, arguments: rest }, evidence }
}
