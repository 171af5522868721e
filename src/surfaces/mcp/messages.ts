import type { IncomingHttpHeaders } from 'node:http'
import { decodeBase64 } from '../../core/base64.ts'

/**
 * The older generation starts with `initialize`; the newer identifies the client in every request.
 */
export type Generation = 'handshake' | 'stateless'

/** The versions of each generation, preferred one first. */
export const versions = {
  handshake: ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'],
  stateless: ['2026-07-28'],
} as const satisfies Record<Generation, readonly string[]>

/** Version identifiers are ISO dates, so they can be compared as strings. */
const isStateless = (version: string) => version >= versions.stateless[0]

export const metaKeys = {
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
} as const

/** JSON-RPC's codes, and those that the protocol adds. */
export const codes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  badRequest: -32000,
  resourceNotFound: -32002,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const

export type Fields = Record<string, unknown>
export type MessageId = string | number

export interface Message {
  kind: 'request' | 'notification' | 'response'
  id: MessageId | null
  method: string
  params: Fields
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

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads one message; anything else is an invalid request. */
export function messageOf(body: unknown): Message {
  const invalid = () =>
    new ProtocolRefusal(400, codes.invalidRequest, 'The body is not a JSON-RPC 2.0 message.')
  if (!isObject(body) || body.jsonrpc !== '2.0') throw invalid()
  const { id, method, params = {} } = body
  const hasId = typeof id === 'string' || (typeof id === 'number' && Number.isInteger(id))
  if (method === undefined && hasId && ('result' in body || 'error' in body))
    return { kind: 'response', id: null, method: '', params: {} }
  if (typeof method !== 'string' || !isObject(params)) throw invalid()
  if (id === undefined) return { kind: 'notification', id: null, method, params }
  if (!hasId) throw invalid()
  return { kind: 'request', id, method, params }
}

/** The id for an error's answer: that of the request, even if the rest is malformed. */
export function idOf(body: unknown): MessageId | null {
  if (!isObject(body) || typeof body.method !== 'string') return null
  return typeof body.id === 'string' || typeof body.id === 'number' ? body.id : null
}

/**
 * The generation of a message. The body decides; headers are checked against it in the order of the
 * specification, so that a proxy that reads the headers sees what is executed.
 */
export function generationOf(message: Message, headers: IncomingHttpHeaders): Generation {
  if (message.kind === 'response') return 'handshake'
  const meta = isObject(message.params._meta) ? message.params._meta : undefined
  const version = headerOf(headers, 'mcp-protocol-version')
  const claimed = meta !== undefined && metaKeys.version in meta
  const handshake = message.method === 'initialize' && !(claimed && isWholeEnvelope(meta))
  if (handshake || !claimed) return generationFromHeader(message, meta, version, headers)
  requireEnvelope(meta)
  const bodyVersion = String(meta[metaKeys.version])
  if (version !== undefined && version !== bodyVersion)
    throw mismatch(`MCP-Protocol-Version is ${version}, the body names ${bodyVersion}.`)
  requireSameMethod(message, headers)
  if (!(versions.stateless as readonly string[]).includes(bodyVersion))
    throw unsupported(bodyVersion)
  if (message.kind === 'request') requireStandardHeaders(message, headers)
  return 'stateless'
}

/** A message without an envelope is of the older generation, unless its header says otherwise. */
function generationFromHeader(
  message: Message,
  meta: Fields | undefined,
  version: string | undefined,
  headers: IncomingHttpHeaders,
): Generation {
  if (version !== undefined && isStateless(version)) {
    if (message.method === 'initialize')
      throw mismatch(`There is no initialize in version ${version}.`)
    if (message.kind === 'request') throw missingEnvelope(meta ?? {})
    requireSameMethod(message, headers)
    if (!(versions.stateless as readonly string[]).includes(version)) throw unsupported(version)
    return 'stateless'
  }
  const supported = (versions.handshake as readonly (string | undefined)[]).includes(version)
  if (version !== undefined && !supported && message.method !== 'initialize') {
    const sentence = `Unsupported MCP-Protocol-Version; supported: ${versions.handshake.join(', ')}.`
    throw new ProtocolRefusal(400, codes.badRequest, sentence)
  }
  return 'handshake'
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

function envelopeProblem(meta: Fields): string | undefined {
  if (typeof meta[metaKeys.version] !== 'string') return `${metaKeys.version} must be a string.`
  const { [metaKeys.capabilities]: capabilities, [metaKeys.clientInfo]: info } = meta
  if (!isObject(capabilities)) return `${metaKeys.capabilities} is required, an object.`
  const isValidInfo =
    isObject(info) && typeof info.name === 'string' && typeof info.version === 'string'
  if (info !== undefined && !isValidInfo)
    return `${metaKeys.clientInfo} must have name and version.`
  return undefined
}

function isWholeEnvelope(meta: Fields): boolean {
  const version = meta[metaKeys.version]
  return envelopeProblem(meta) === undefined && typeof version === 'string' && isStateless(version)
}

function requireEnvelope(meta: Fields): void {
  const problem = envelopeProblem(meta)
  if (problem !== undefined)
    throw new ProtocolRefusal(400, codes.invalidParams, `The _meta is not valid: ${problem}`)
}

function missingEnvelope(meta: Fields): ProtocolRefusal {
  const needed = [metaKeys.version, metaKeys.capabilities]
  const missing = needed.filter((key) => !(key in meta))
  const sentence = `The request's _meta lacks ${missing.join(', ')}.`
  return new ProtocolRefusal(400, codes.invalidParams, sentence, { envelope: { missing } })
}

function mismatch(sentence: string): ProtocolRefusal {
  return new ProtocolRefusal(400, codes.headerMismatch, `Headers and body disagree. ${sentence}`)
}

function unsupported(requested: string): ProtocolRefusal {
  const data = { supported: versions.stateless, requested }
  const sentence = 'Unsupported protocol version.'
  return new ProtocolRefusal(400, codes.unsupportedVersion, sentence, data)
}

function requireSameMethod({ method }: Message, headers: IncomingHttpHeaders): void {
  const methodHeader = headerOf(headers, 'mcp-method')
  if (methodHeader !== undefined && methodHeader !== method)
    throw mismatch('Mcp-Method is not the method of the body.')
}

/** The parameter that the header `Mcp-Name` repeats, by method. */
const nameSources: Record<string, string> = { 'tools/call': 'name', 'resources/read': 'uri' }

function requireStandardHeaders({ method, params }: Message, headers: IncomingHttpHeaders): void {
  for (const name of ['MCP-Protocol-Version', 'Mcp-Method'])
    if (headers[name.toLowerCase()] === undefined) throw mismatch(`${name} is missing.`)
  const source = nameSources[method]
  const value = source === undefined ? undefined : params[source]
  if (typeof value !== 'string') return
  const nameHeader = headerOf(headers, 'mcp-name')
  if (nameHeader === undefined) throw mismatch('Mcp-Name is missing.')
  if (decodeName(nameHeader) !== value) throw mismatch(`Mcp-Name is not params.${source}.`)
}

/** Decodes `=?base64?…?=`, used for names that a header cannot carry. */
function decodeName(header: string): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(header)?.[1]
  return encoded === undefined ? header : decodeBase64(encoded)?.toString('utf8')
}
