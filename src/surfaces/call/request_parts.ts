import type { IncomingMessage } from 'node:http'
import secureJson from 'secure-json-parse'
import type { Holding } from '../../fairness/budget.ts'
import { ApiError, invalidInput } from '../../core/errors.ts'
import type { ExpectedBytes } from '../../operation.ts'

/** The API must accept a product in any script; the dashboard API and OAuth accept only forms. */
export const maxBodyBytes = {
  v1: 5 * 1024 * 1024,
  pages: 64 * 1024,
  oauth: 32 * 1024,
  /** Enough to tell an empty object from anything else. */
  none: 1024,
  /** The largest body of an operation, plus the message around it. */
  mcp: 5 * 1024 * 1024 + 64 * 1024,
}

/** Far beyond any legal body: hostile ones are refused before they cost much. */
const maxDepth = 64
const maxValues = 20_000

/** A header's value; undefined unless it was sent exactly once. */
export function headerOf(
  { headers }: { headers: Record<string, string | string[] | undefined> },
  name: string,
): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

const noLists: ReadonlySet<string> = new Set()

/**
 * Parses the query with strict decoding. A list may be written with commas, by repeating its name, or with
 * brackets after it, as clients do; any other name is refused if it is repeated.
 */
export function parseQuery(
  search: string,
  lists: ReadonlySet<string> = noLists,
): Record<string, unknown> {
  const query: Record<string, unknown> = {}
  if (search === '') return query
  for (const pair of search.split('&')) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    const written = decode(at < 0 ? pair : pair.slice(0, at), 'query')
    const bare = written.replace(/\[\]$/, '')
    const isList = lists.has(bare)
    const name = isList ? bare : written
    const text = at < 0 ? '' : decode(pair.slice(at + 1), name)
    if (text.includes('\0')) throw invalidInput({ [name]: 'unstorable' })
    const sent = Object.hasOwn(query, name) ? query[name] : undefined
    if (Array.isArray(sent)) {
      sent.push(...text.split(','))
      continue
    }
    if (sent !== undefined) throw invalidInput({ [name]: 'sentTwice' })
    const value = isList ? text.split(',') : text
    // Not an assignment: `__proto__` must become an ordinary name, and be refused as unknown.
    Object.defineProperty(query, name, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    })
  }
  return query
}

function decode(text: string, name: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw invalidInput({ [name]: 'percentEncoding' })
  }
}

/** Reads a JSON body. Refuses it at the first byte over the limit. */
export async function readJsonBody(
  request: IncomingMessage,
  limit: number,
  holding?: Holding,
): Promise<unknown> {
  const bytes = await readJsonBytes(request, limit, holding)
  return bytes && parseJson(bytes)
}

/** Reads the bytes of a JSON body, under the same limit; undefined without a body. */
export async function readJsonBytes(
  request: IncomingMessage,
  limit: number,
  holding?: Holding,
): Promise<Buffer | undefined> {
  if (!hasBody(request)) return undefined
  requireType(request, 'application/json')
  return readBytes(request, limit, holding)
}

/** Reads a body of exactly the promised type and size, and nothing beyond. */
export async function readPromisedBytes(
  request: IncomingMessage,
  { mimeType, size }: ExpectedBytes,
  holding: Holding,
): Promise<Buffer> {
  const { 'content-type': type = '', 'content-length': length } = request.headers
  if (type.split(';')[0]?.trim().toLowerCase() !== mimeType)
    throw new ApiError('unsupported_media_type', ['promisedTypeExpected', { type: mimeType }])
  requireNoEncoding(request)
  const requireWhole = (sent: number) => {
    if (sent < size) throw invalidInput({ body: ['bodyShort', { sent, size }] })
  }
  if (length !== undefined) requireWhole(Number(length))
  const bytes = await readBytes(request, size, holding)
  requireWhole(bytes.length)
  return bytes
}

/** Reads a form body as text. */
export async function readFormBody(
  request: IncomingMessage,
  limit: number,
  holding?: Holding,
): Promise<string> {
  requireType(request, 'application/x-www-form-urlencoded')
  const bytes = await readBytes(request, limit, holding)
  return new TextDecoder().decode(bytes)
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/**
 * Refuses a body of any type for an operation that takes none. An empty object passes, because some clients
 * send one with every call. If a caller sends more, they expect something that would not happen.
 */
export async function requireNoBody(request: IncomingMessage): Promise<void> {
  const unwanted = () => invalidInput({ body: 'bodyUnwanted' })
  const bytes = await readBytes(request, maxBodyBytes.none).catch((error: ApiError) => {
    throw error.code === 'payload_too_large' ? unwanted() : error
  })
  if (bytes.length === 0) return
  const value = parseJson(bytes)
  if (typeof value !== 'object' || value === null) throw unwanted()
  if (Array.isArray(value) || Object.keys(value).length > 0) throw unwanted()
}

function requireType({ headers }: IncomingMessage, expected: string): void {
  const [type, ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';')
  const charset = parameters.find((parameter) => parameter.trim().startsWith('charset='))
  const utf8 = !charset || /^charset=(utf-8|"utf-8")$/.test(charset.trim())
  if (type?.trim() !== expected || !utf8)
    throw new ApiError('unsupported_media_type', ['bodyTypeExpected', { type: expected }])
  requireNoEncoding({ headers })
}

function requireNoEncoding({ headers }: Pick<IncomingMessage, 'headers'>): void {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new ApiError('unsupported_media_type', 'contentEncoding')
}

/** Reads the bytes of a body. Refuses it at the first byte over the limit. */
export function readBytes(
  request: IncomingMessage,
  limit: number,
  holding?: Holding,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const tooLarge = () => new ApiError('payload_too_large', ['bodyTooLarge', { limit }])
    if (Number(request.headers['content-length'] ?? 0) > limit) return reject(tooLarge())
    const chunks: Buffer[] = []
    let size = 0
    const conclude = (finish: () => void) => {
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose)
      finish()
    }
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) return conclude(() => reject(tooLarge()))
      try {
        holding?.take(chunk.length)
        chunks.push(chunk)
      } catch (error) {
        const refusal = error as ApiError
        conclude(() => reject(refusal))
      }
    }
    const onEnd = () => conclude(() => resolve(Buffer.concat(chunks, size)))
    const onClose = () => conclude(() => reject(invalidInput({ body: 'bodyCutOff' })))
    // A client that left during admission emits no further event.
    if (request.destroyed) return onClose()
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose)
  })
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Parses JSON. A refusal of the body as a whole names it as `field`. */
export function parseJson(bytes: Buffer, field = 'body'): unknown {
  const { value, suspect } = parseUnchecked(bytes, field)
  if (suspect) refuseUnstorable(value)
  return value
}

/** Parses JSON, and reports whether it may contain a string that cannot be stored. */
export function parseUnchecked(
  bytes: Buffer,
  field = 'body',
): { value: unknown; suspect: boolean } {
  refuseMonstrous(bytes, field)
  let text: string
  let value: unknown
  try {
    text = utf8.decode(bytes)
    value = secureJson.parse(text, undefined, { protoAction: 'error', constructorAction: 'error' })
  } catch {
    throw invalidInput({ [field]: 'jsonMalformed' })
  }
  // NUL and lone surrogates can only arrive as escapes, so most bodies need no traversal.
  return { value, suspect: /\\u(?:0000|d[89a-f])/i.test(text) }
}

/**
 * The cost of parsing and validating grows with depth and number of values, which can be counted without
 * parsing. The count is wrong only for text that is not JSON, which is refused anyway.
 */
function refuseMonstrous(bytes: Buffer, field: string): void {
  let depth = 0
  let values = 0
  let quoted = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === 0x22) quoted = !quoted
    else if (quoted) at += byte === 0x5c ? 1 : 0
    else if (byte === 0x7b || byte === 0x5b) depth++
    else if (byte === 0x7d || byte === 0x5d) depth--
    else if (byte === 0x2c) values++
    if (depth > maxDepth) throw invalidInput({ [field]: ['jsonTooDeep', { limit: maxDepth }] })
    if (values > maxValues) throw invalidInput({ [field]: ['jsonTooMany', { limit: maxValues }] })
  }
}

/**
 * PostgreSQL cannot store NUL or lone surrogates. Iterative, so a deep body cannot exhaust the
 * stack.
 */
export function refuseUnstorable(body: unknown): void {
  const open: [path: string, value: unknown][] = [['', body]]
  const isUnstorable = (text: string) => text.includes('\0') || !text.isWellFormed()
  for (let next = open.pop(); next; next = open.pop()) {
    const [path, value] = next
    if (typeof value === 'string' && isUnstorable(value))
      throw invalidInput({ [path || 'body']: 'unstorable' })
    if (typeof value !== 'object' || value === null) continue
    for (const [name, child] of Object.entries(value)) {
      if (isUnstorable(name)) throw invalidInput({ [path || 'body']: 'unstorable' })
      open.push([path ? `${path}.${name}` : name, child])
    }
  }
}
