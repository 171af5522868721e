import type { IntegrationAccess } from '../../access/access.ts'
import { type ApiError, errorBody } from '../../core/errors.ts'
import type { ErrorCode, Scope } from '../../generated/operations.ts'
import { apiErrorFor } from '../call/answers.ts'
import type { Reply } from '../http/exchange.ts'
import {
  codes,
  type Generation,
  type MessageId,
  metaKeys,
  type ProtocolRefusal,
} from './messages.ts'
import { defaultLanguage } from '../../texts/languages.ts'
import type { Answer } from '../call/call.ts'
import type { Tool } from './tools.ts'

export const serverInfo = { name: 'vitrine', title: 'Vitrine', version: '1.0.0' }

/** Cache lifetime for clients; only a new version of the service changes these results. */
const ttlMs = 300_000

/** The members of a result as JSON text without braces, so that nothing is serialised twice. */
export interface Result {
  members: string
  cacheable?: boolean
  meta?: Record<string, string>
}

export function resultText(id: MessageId | null, generation: Generation, result: Result): string {
  const { members, cacheable, meta } = result
  const parts = members === '' ? [] : [members]
  const allMeta: Record<string, unknown> = { ...meta }
  if (generation === 'stateless') {
    parts.push('"resultType":"complete"')
    if (cacheable) parts.push(`"ttlMs":${ttlMs},"cacheScope":"private"`)
    allMeta[metaKeys.serverInfo] = serverInfo
  }
  if (Object.keys(allMeta).length > 0) parts.push(`"_meta":${JSON.stringify(allMeta)}`)
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{${parts.join(',')}}}`
}

export function errorText(id: MessageId | null, refusal: ProtocolRefusal): string {
  const { code, message, data } = refusal
  const error = { code, message, ...(data === undefined ? {} : { data }) }
  return JSON.stringify({ jsonrpc: '2.0', id, error })
}

/** In the newer generation, an unknown method also has its own HTTP status. */
export function errorStatus(generation: Generation, { status, code }: ProtocolRefusal): number {
  return generation === 'handshake' && code === codes.methodNotFound ? 200 : status
}

/** Refusals for the HTTP layer: the client's software acts on them, not the model. */
const onHttpLayer: ReadonlySet<ErrorCode> = new Set([
  'insufficient_scope',
  'source_blocked',
  'account_inactive',
])

export function isHttpRefusal(error: ApiError): boolean {
  return error.status === 401 || onHttpLayer.has(error.code)
}

/** Contents of a `WWW-Authenticate` challenge for this endpoint. */
export interface Challenge {
  metadataUrl: string
  /** The scopes needed for everything served at this address. */
  scopes: Scope[]
  /** Whether the request had a credential. */
  presented: boolean
}

/**
 * A refusal on the HTTP layer. On a 401, a client asks its user to connect; on a missing scope, to
 * grant more. Some clients then request exactly the named scopes, so those the connection already
 * has are listed with the new one.
 */
export function httpRefusal(
  cause: unknown,
  { metadataUrl, scopes, presented }: Challenge,
  context: { tool: { scope: Scope | null } | undefined; access: IntegrationAccess | undefined },
): Reply {
  const error = apiErrorFor(cause)
  const headers: Reply['headers'] = { 'Cache-Control': 'no-store' }
  if (error.retryAfter !== undefined) headers['Retry-After'] = String(error.retryAfter)
  const challenge = (reason: string, needed: readonly string[]) =>
    `Bearer ${reason}resource_metadata="${metadataUrl}", scope="${needed.join(' ')}"`
  // Without a credential there is no error code, as RFC 6750 requires.
  const reason = presented ? `error="invalid_token", error_description="${error.message}", ` : ''
  if (error.status === 401) headers['WWW-Authenticate'] = challenge(reason, scopes)
  if (error.code === 'insufficient_scope') {
    const needed = new Set([context.tool?.scope ?? '', ...(context.access?.scopes ?? [])])
    headers['WWW-Authenticate'] = challenge('error="insufficient_scope", ', [...needed])
  }
  return { status: error.status, headers, body: JSON.stringify(errorBody(error, defaultLanguage)) }
}

/** An operation's answer: structured, and the same JSON as text. */
export function toolResult(tool: Tool, { headers: { ETag } }: Answer, whole: string): Result {
  const body = tool.answerNames ? shortAnswer(tool.answerNames, whole) : whole
  const members = `${textContent(body)},"structuredContent":${body}`
  return typeof ETag === 'string' ? { members, meta: { etag: ETag } } : { members }
}

/** What a tool answers of a changed resource: the ids that a model may need, not the whole. */
function shortAnswer(names: string[], text: string): string {
  const whole = JSON.parse(text) as Record<string, unknown> & { tags?: { id: string }[] }
  const members = { ...whole, tagIds: whole.tags?.map(({ id }) => id) }
  return JSON.stringify(members, names)
}

/**
 * A refusal that the model can act on. Not structured: older clients validate structured content
 * against the output schema, which an error does not match.
 */
export function errorResult(error: ApiError): Result {
  return {
    members: `${textContent(JSON.stringify(errorBody(error, defaultLanguage)))},"isError":true`,
  }
}

function textContent(text: string): string {
  return `"content":[{"type":"text","text":${JSON.stringify(text)}}]`
}
