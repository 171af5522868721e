import type { IncomingMessage } from 'node:http'
import secureJson from 'secure-json-parse'
import { ApiError, invalidInput } from '../core/errors.ts'

/** The integrators' API takes a product in any script; the pages' own API takes forms. */
export const maxBodyBytes = { v1: 5 * 1024 * 1024, pages: 64 * 1024 }

/** What no legal body comes near: hostile ones are refused before they cost anything. */
const maxDepth = 64
const maxValues = 20_000

/** The query's names and values, decoded strictly. A name given twice is refused. */
export function parseQuery(search: string): Record<string, unknown> {
  const query: Record<string, unknown> = {}
  if (search === '') return query
  for (const pair of search.split('&')) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    const name = decode(at < 0 ? pair : pair.slice(0, at), 'query')
    const value = at < 0 ? '' : decode(pair.slice(at + 1), name)
    if (Object.hasOwn(query, name)) throw invalidInput({ [name]: 'Is given more than once.' })
    if (value.includes('\0')) throw invalidInput({ [name]: unstorable })
    // Not an assignment: `__proto__` must become a name like any other, and be refused as unknown.
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
    throw invalidInput({ [name]: 'Is not valid percent-encoding.' })
  }
}

/** Reads a JSON body. One over the limit is refused at the first byte too many. */
export async function readJsonBody(request: IncomingMessage, limit: number): Promise<unknown> {
  if (!hasBody(request)) return undefined
  requireJson(request)
  return parseJson(await readBytes(request, limit))
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function requireJson({ headers }: IncomingMessage): void {
  const [type, ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';')
  const charset = parameters.find((parameter) => parameter.trim().startsWith('charset='))
  const utf8 = !charset || /^charset=(utf-8|"utf-8")$/.test(charset.trim())
  if (type?.trim() !== 'application/json' || !utf8)
    throw new ApiError('unsupported_media_type', 'Send the body as application/json in UTF-8.')
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new ApiError('unsupported_media_type', 'Send the body without a content encoding.')
}

/** The bytes of a body; one over the limit is refused at the first byte too many. */
export function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const tooLarge = () =>
      new ApiError('payload_too_large', `The body may have at most ${limit} bytes.`)
    if (Number(request.headers['content-length'] ?? 0) > limit) return reject(tooLarge())
    const chunks: Buffer[] = []
    let size = 0
    const settle = (finish: () => void) => {
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose)
      finish()
    }
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) settle(() => reject(tooLarge()))
      else chunks.push(chunk)
    }
    const onEnd = () => settle(() => resolve(Buffer.concat(chunks, size)))
    const onClose = () => settle(() => reject(invalidInput({ body: 'Ended too early.' })))
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose)
  })
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
const unstorable = 'Contains a character that cannot be stored.'

export function parseJson(bytes: Buffer): unknown {
  refuseMonstrous(bytes)
  let text: string
  let body: unknown
  try {
    text = utf8.decode(bytes)
    body = secureJson.parse(text, undefined, { protoAction: 'error', constructorAction: 'error' })
  } catch {
    throw invalidInput({ body: 'Is not well-formed JSON in UTF-8.' })
  }
  // NUL and lone surrogates can only come in as escapes, so that most bodies need no walk.
  if (/\\u(?:0000|d[89a-f])/i.test(text)) refuseUnstorable(body)
  return body
}

/**
 * Parsing and validating cost in proportion to depth and number of values, which the bytes tell
 * without parsing. What is miscounted in text that is not JSON is refused as such anyway.
 */
function refuseMonstrous(bytes: Buffer): void {
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
    if (depth > maxDepth) throw invalidInput({ body: `Is nested deeper than ${maxDepth} levels.` })
    if (values > maxValues) throw invalidInput({ body: `Has more than ${maxValues} values.` })
  }
}

/** PostgreSQL stores neither NUL nor half a character; a deep body must not exhaust the stack. */
function refuseUnstorable(body: unknown): void {
  const open: [path: string, value: unknown][] = [['', body]]
  const isUnstorable = (text: string) => text.includes('\0') || !text.isWellFormed()
  for (let next = open.pop(); next; next = open.pop()) {
    const [path, value] = next
    if (typeof value === 'string' && isUnstorable(value))
      throw invalidInput({ [path || 'body']: unstorable })
    if (typeof value !== 'object' || value === null) continue
    for (const [name, child] of Object.entries(value)) {
      if (isUnstorable(name)) throw invalidInput({ [path || 'body']: unstorable })
      open.push([path ? `${path}.${name}` : name, child])
    }
  }
}
