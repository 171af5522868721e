import type { IncomingHttpHeaders } from 'node:http'
import {
  classifyInboundRequest,
  INVALID_PARAMS,
  INVALID_REQUEST,
  PARSE_ERROR,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server'
import { type ApiError, fieldsInWords } from '../../core/errors.ts'
import { defaultLanguage } from '../../texts/languages.ts'
import { parseUnchecked } from '../call/request_parts.ts'

export type Fields = Record<string, unknown>
export type MessageId = string | number

export interface Message {
  kind: 'request' | 'notification' | 'response'
  id: MessageId | null
  method: string
}

/** A refusal as a JSON-RPC error, with its HTTP status. */
export class ProtocolRefusal extends Error {
  readonly status: number
  readonly code: number
  readonly data: unknown

  constructor(status: number, code: number, message: string, data?: unknown) {
    super(message)
    this.status = status
    this.code = code
    this.data = data
  }
}

/** The members that `initialize` must have; without them the package would answer an internal error. */
export function requireHandshake(body: unknown): void {
  const { method, params } = body as { method: string; params?: Fields }
  if (method !== 'initialize') return
  const { protocolVersion, capabilities, clientInfo } = params ?? {}
  const info = isObject(clientInfo) ? clientInfo : {}
  const names = [protocolVersion, info.name, info.version]
  if (!isObject(capabilities) || names.some((name) => typeof name !== 'string'))
    throw invalidParams('initialize needs protocolVersion, capabilities and clientInfo.')
}

export function invalidParams(problem: string): ProtocolRefusal {
  return new ProtocolRefusal(200, INVALID_PARAMS, `Invalid params: ${problem}`)
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads a body as JSON, and reports whether it may contain text that cannot be stored. */
export function parseBody(bytes: Buffer | undefined): { body: unknown; suspect: boolean } {
  try {
    const { value, suspect } = parseUnchecked(bytes ?? Buffer.alloc(0))
    return { body: value, suspect }
  } catch (error) {
    const { fieldErrors = {} } = error as ApiError
    const { body = '' } = fieldsInWords(fieldErrors, defaultLanguage)
    throw new ProtocolRefusal(400, PARSE_ERROR, `The body cannot be read. ${body}`.trim())
  }
}

/** Reads one message; anything else is an invalid request. */
export function messageOf(body: unknown): Message {
  const invalid = () =>
    new ProtocolRefusal(400, INVALID_REQUEST, 'The body is not a JSON-RPC 2.0 message.')
  if (!isObject(body) || body.jsonrpc !== '2.0') throw invalid()
  const { id, method, params = {} } = body
  const hasId = typeof id === 'string' || Number.isSafeInteger(id)
  if (method === undefined && hasId && ('result' in body || 'error' in body))
    return { kind: 'response', id: null, method: '' }
  if (typeof method !== 'string' || !isObject(params)) throw invalid()
  if (id === undefined) return { kind: 'notification', id: null, method }
  if (!hasId) throw invalid()
  return { kind: 'request', id: id as MessageId, method }
}

/** The id for an error's answer: that of the request, even if the rest is malformed. */
export function idOf(body: unknown): MessageId | null {
  if (!isObject(body) || typeof body.method !== 'string') return null
  return typeof body.id === 'string' || typeof body.id === 'number' ? body.id : null
}

/**
 * The older generation starts with `initialize`; the newer identifies the client in every request.
 */
export type Generation = 'handshake' | 'stateless'

/** The version that the newer generation started with, and those of the older one. */
export const stateless = '2026-07-28'
export const handshakeVersions = SUPPORTED_PROTOCOL_VERSIONS.filter((each) => each < stateless)

/** Whether a call's headers plainly repeat its body; all other calls are judged by the package. */
export function isPlainCall(body: unknown, headers: IncomingHttpHeaders): boolean {
  const { id, method, params } = body as { id?: MessageId; method: string; params: Fields }
  return (
    id !== undefined &&
    method === 'tools/call' &&
    headers['mcp-protocol-version'] === stateless &&
    headers['mcp-method'] === method &&
    headers['mcp-name'] === params.name
  )
}

/** The generation of a body, as judged by the package; refuses headers that contradict it. */
export function generationOf(body: unknown, headers: IncomingHttpHeaders): Generation {
  const [protocolVersionHeader, mcpMethodHeader, mcpNameHeader] = [
    headerOf(headers, 'mcp-protocol-version'),
    headerOf(headers, 'mcp-method'),
    headerOf(headers, 'mcp-name'),
  ]
  if (isPlainlyOlder(body, protocolVersionHeader)) return 'handshake'
  const verdict = classifyInboundRequest({
    httpMethod: 'POST',
    body,
    ...(protocolVersionHeader !== undefined && { protocolVersionHeader }),
    ...(mcpMethodHeader !== undefined && { mcpMethodHeader }),
    ...(mcpNameHeader !== undefined && { mcpNameHeader }),
  })
  if (verdict.kind === 'modern') return 'stateless'
  if (verdict.kind === 'legacy') return 'handshake'
  const { httpStatus, code, message, data } = verdict
  throw new ProtocolRefusal(httpStatus, code, message, data)
}

const requestNames = new Set(['jsonrpc', 'id', 'method', 'params'])

/** Whether a message has nothing of the newer generation, so that the package need not judge it. */
function isPlainlyOlder(body: unknown, version: string | undefined): boolean {
  const { params = {}, ...rest } = body as Fields
  const isOlder = version === undefined || handshakeVersions.includes(version)
  const isRequest = 'id' in rest && Object.keys(rest).every((name) => requestNames.has(name))
  return isOlder && isRequest && !('_meta' in (params as Fields))
}

/** A request of the older generation must name a version that we support, or none. */
export function requireKnownVersion(message: Message, headers: IncomingHttpHeaders): void {
  const version = headerOf(headers, 'mcp-protocol-version')
  if (version === undefined || handshakeVersions.includes(version)) return
  if (message.kind === 'response' || message.method === 'initialize') return
  const sentence = `Unsupported MCP-Protocol-Version; supported: ${handshakeVersions.join(', ')}.`
  throw new ProtocolRefusal(400, -32000, sentence)
}

/** Only the first HTTP version of the older generation supports batches. */
export function takesBatches(headers: IncomingHttpHeaders): boolean {
  const version = headerOf(headers, 'mcp-protocol-version')
  return version === undefined || version === '2025-03-26'
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value.trim() : undefined
}
