import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError, errorBody } from '../../core/errors.ts'
import { languageOf } from '../../core/languages.ts'
import type { Log } from '../../core/log.ts'
import { countRequest } from '../../core/metrics.ts'
import { OAuthError } from '../../oauth/errors.ts'
import type { OperationId } from '../../operation.ts'
import { securityHeaders } from './security_headers.ts'

/** One request and its answer, with what its way through the house leaves for the log. */
export interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  requestId: string
  path: string
  /** Who limits of a client count, as far as the trusted proxies name them. */
  clientIp: string
  operation: OperationId | undefined
  connectionId: string | undefined
  error: unknown
  /** The status of the operation, where that of HTTP does not tell it. */
  outcome: number | undefined
}

export interface Reply {
  status: number
  headers: Record<string, string | string[]>
  body: string | undefined
  bytes?: Buffer
}

/** One path, served to POST alone. What is thrown is refused with the error object. */
export interface Endpoint {
  path: string
  answer(exchange: Exchange, search: string): Promise<Reply>
}

/** What all exchanges of one origin share. */
export interface OriginState {
  surface: string
  log: Log
  draining: boolean
}

const lingerMilliseconds = 1000
/** As much as a client may have sent to the end by the time that it reads its refusal. */
const drainedBytes = 65_536

/** What holds for every request: its id, the security headers, the drain and the log line. */
export function beginExchange(
  request: IncomingMessage,
  response: ServerResponse,
  { path, clientIp }: Pick<Exchange, 'path' | 'clientIp'>,
  state: OriginState,
): Exchange {
  const exchange: Exchange = {
    request,
    response,
    requestId: randomUUID(),
    path,
    clientIp,
    operation: undefined,
    connectionId: undefined,
    error: undefined,
    outcome: undefined,
  }
  const started = performance.now()
  for (const [header, value] of securityHeaders) response.setHeader(header, value)
  response.setHeader('X-Request-Id', exchange.requestId)
  if (state.draining) response.setHeader('Connection', 'close')
  response.once('close', () => logExchange(exchange, performance.now() - started, state))
  return exchange
}

function logExchange(
  exchange: Exchange,
  milliseconds: number,
  { surface, log }: OriginState,
): void {
  const { request, response, requestId, path, operation, connectionId, error, outcome } = exchange
  const line = {
    requestId,
    surface,
    method: request.method,
    path: plainPath(path),
    operation,
    connectionId,
    // Nothing was answered to a client that has gone before.
    status: response.headersSent ? response.statusCode : undefined,
    outcome,
    milliseconds: Math.round(milliseconds * 10) / 10,
    aborted: response.writableFinished ? undefined : true,
  }
  countRequest(surface, operation, line.status && (outcome ?? line.status), milliseconds)
  if ((outcome ?? response.statusCode) >= 500) log.error({ ...line, err: error }, 'request')
  else if (error instanceof ApiError || error instanceof OAuthError)
    log.info({ ...line, errorCode: error.code }, 'request')
  else log.info(line, 'request')
}

/** The id of a consent request is a secret of one browser, and has no form to be struck out by. */
const consentId = /(\/consent\/)[^/]+/gi

/**
 * An escaped letter in a path means the letter. Written plainly, a credential in it has the form by
 * which the log strikes it out.
 */
function plainPath(path: string): string {
  return unescaped(path).replaceAll(consentId, '$1[redacted]')
}

function unescaped(path: string): string {
  if (!path.includes('%')) return path
  return path.replaceAll(/%[2-7][0-9a-f]/gi, (escaped) => {
    const letter = String.fromCharCode(parseInt(escaped.slice(1), 16))
    return /[\w.~-]/.test(letter) ? letter : escaped
  })
}

export function reply(exchange: Exchange, answer: Reply, state: OriginState) {
  const { status, headers, body } = answer
  const { request, response } = exchange
  if (response.destroyed || response.headersSent) return
  if (state.draining) response.setHeader('Connection', 'close')
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  const bytes = answer.bytes ?? (body === undefined ? undefined : Buffer.from(body))
  if (bytes) {
    response.setHeader('Content-Type', 'application/json; charset=utf-8')
    response.setHeader('Content-Length', bytes.length)
  }
  if (!request.complete) {
    if (!isSmall(request)) announceEnd(request, response)
    response.once('finish', () => lingerUnread(request))
  }
  response.writeHead(status).end(bytes)
}

/** Answers with the error object, and leaves the reason in the log. */
export function refuse(
  exchange: Exchange,
  error: ApiError,
  state: OriginState,
  headers: Reply['headers'] = {},
  language = languageOf(exchange.request.headers['accept-language']),
): void {
  exchange.error ??= error
  const own: Reply['headers'] = {
    'Cache-Control': 'no-store',
    Vary: 'Accept-Language',
    ...headers,
  }
  if (error.retryAfter !== undefined) own['Retry-After'] = String(error.retryAfter)
  const body = JSON.stringify(errorBody(error, language))
  reply(exchange, { status: error.status, headers: own, body }, state)
}

export function refuseMethod(exchange: Exchange, methods: string[], state: OriginState): void {
  const { error, headers } = otherMethod(methods)
  refuse(exchange, error, state, headers)
}

/** What is said to a method that a path does not take. */
export function otherMethod(methods: string[]): { error: ApiError; headers: { Allow: string } } {
  const allow = methods.join(', ')
  const error = new ApiError('method_not_allowed', ['methodNotAllowed', { methods: allow }])
  return { error, headers: { Allow: allow } }
}

function isSmall({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? Infinity) <= drainedBytes
}

/**
 * A client must not send its next call on a connection that is about to end. Node would end it with
 * the answer, which a client that is still sending would not get to see: it is only half closed.
 */
function announceEnd({ socket }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Connection', 'close')
  socket.destroySoon = () => void socket.end()
}

/**
 * The rest of a body that was refused is not read. The connection stays open for a moment, so that
 * a client which is still sending gets to see the answer. A small body is let pass instead: its
 * client has sent all of it, and uses the connection again.
 */
export function lingerUnread(request: IncomingMessage): void {
  if (request.complete) return
  if (isSmall(request)) request.resume()
  else {
    request.pause()
    request.socket.pause()
  }
  const endUnread = () => void (request.complete || request.socket.destroy())
  setTimeout(endUnread, lingerMilliseconds).unref()
}
