import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Holding } from '../../fairness/budget.ts'
import { ApiError, errorBody } from '../../core/errors.ts'
import { languageOf } from '../../core/languages.ts'
import { traceOf } from '../../core/telemetry/traces.ts'
import { newMeter } from '../../db/sessions/metered.ts'
import { codingOf } from './compression.ts'
import { logExchange, type LoggedExchange, type LogState } from './exchange_log.ts'
import { securityHeaders } from './security_headers.ts'
import { noPlace, type Place } from '../../fairness/turns.ts'

/** One HTTP request and its answer. */
export interface Exchange extends LoggedExchange {
  /** The client's address for rate limits, as reported by trusted proxies. */
  clientIp: string
  /** Its place among the requests of its address, from its turn on. */
  place: Place
  /** Created when first needed: see `departureOf`. */
  departure?: AbortSignal
}

export interface Reply {
  status: number
  headers: Record<string, string | string[]>
  body: string | undefined
  bytes?: Buffer
  /** Instead of a body that is too large to hold. */
  parts?: AsyncIterable<Buffer>
}

/** Holds the bytes of a body for an account or address, until its work is done. */
export type Hold = (holder: string) => Holding

/** Paths that only accept POST. Anything thrown is answered with the error object. */
export interface Endpoint {
  serves(path: string): boolean
  answer(exchange: Exchange, search: string, hold: Hold): Promise<Reply>
}

/** State shared by all exchanges of one origin. */
export interface OriginState extends LogState {
  draining: boolean
  /** Whether answers are compressed for clients that ask for it. */
  compresses: boolean
  /** How long a client may read nothing of what it is sent. */
  sendMilliseconds: number
}

/** How long a connection outlives its last answer, so that the client can read it. */
export const lingerMilliseconds = 1000
/** Small enough that a client has sent all of it by the time it reads the refusal. */
const maxDrainBytes = 65_536

/** Sets up every request: id, security headers, drain and log line. */
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
    place: noPlace,
    operation: undefined,
    connectionId: undefined,
    workspaceId: undefined,
    meter: newMeter(),
    trace: traceOf(request.headers.traceparent),
    error: undefined,
    outcome: undefined,
  }
  const startedAt = performance.now()
  const sentBefore = request.socket.bytesWritten
  for (const [header, value] of securityHeaders) response.setHeader(header, value)
  response.setHeader('X-Request-Id', exchange.requestId)
  if (state.draining) response.setHeader('Connection', 'close')
  watchBegin(exchange, state)
  response.once('close', () => {
    const bytes = request.socket.bytesWritten - sentBefore
    logExchange(exchange, { startedAt, bytes }, state)
    // A page in progress when the drain began did not announce it in its headers.
    if (state.draining) request.socket.end()
  })
  return exchange
}

/**
 * When the answer starts, gives back the exchange's place, and ends the connection if the client does not
 * read. Node ends it after a timeout, restarts the timer on progress, and replaces the limit once the
 * answer is sent.
 */
function watchBegin(exchange: Exchange, { sendMilliseconds }: OriginState): void {
  const { request, response } = exchange
  const writeHead = response.writeHead.bind(response)
  response.writeHead = ((...head: Parameters<typeof writeHead>) => {
    exchange.place.end()
    request.socket.setTimeout(sendMilliseconds)
    return writeHead(...head)
  }) as typeof writeHead
}

/** Aborted when the client leaves before its answer; one signal for all calls of a batch. */
export function departureOf(exchange: Exchange): AbortSignal {
  return (exchange.departure ??= watchDeparture(exchange.response))
}

function watchDeparture(response: ServerResponse): AbortSignal {
  const leaving = new AbortController()
  if (response.destroyed) leaving.abort()
  else response.once('close', () => response.writableFinished || leaving.abort())
  return leaving.signal
}

export function reply(exchange: Exchange, answer: Reply, state: OriginState) {
  const { status, headers, body } = answer
  const { request, response } = exchange
  if (response.destroyed || response.headersSent) return
  if (state.draining) response.setHeader('Connection', 'close')
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  // Text is sent with the headers in one piece; bytes would be a second one.
  const plain = answer.bytes ?? body
  if ((plain ?? answer.parts) && !response.hasHeader('Content-Type'))
    response.setHeader('Content-Type', 'application/json; charset=utf-8')
  const isSent = plain !== undefined || answer.parts !== undefined
  const coding = state.compresses && isSent ? codingOf(request, response, plain) : undefined
  const whole = coding ? coding.body : plain
  const parts = answer.parts ?? (coding?.stream && plain !== undefined ? once(plain) : undefined)
  if (whole !== undefined) response.setHeader('Content-Length', Buffer.byteLength(whole))
  if (!request.complete) {
    if (!isSmall(request)) announceEnd(request, response)
    response.once('finish', () => lingerUnread(request))
  }
  response.writeHead(status)
  if (parts && request.method !== 'HEAD') void sendParts(exchange, parts, coding?.stream)
  else response.end(whole)
}

const once = (body: string | Buffer) => Readable.from([Buffer.from(body)])

/** Reads each part once the previous one was taken. An error in between ends the connection. */
async function sendParts(
  exchange: Exchange,
  parts: AsyncIterable<Buffer>,
  encoder: Transform | undefined,
): Promise<void> {
  const { response } = exchange
  // The pipeline adds about five listeners of its own, so Node's limit of ten would warn of a leak.
  response.setMaxListeners(20)
  try {
    const source = Readable.from(noted(exchange, parts), { highWaterMark: 1 })
    await (encoder ? pipeline(source, encoder, response) : pipeline(source, response))
  } catch {
    response.destroy()
  }
}

/** Keeps an error for the log: after it has ended the connection, it looks as if the reader had left. */
async function* noted(exchange: Exchange, parts: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  try {
    yield* parts
  } catch (error) {
    exchange.error ??= error
    exchange.outcome = error instanceof ApiError ? error.status : 500
    throw error
  }
}

/** Answers with the error object, and keeps the reason for the log. */
export function refuse(
  exchange: Exchange,
  error: ApiError,
  state: OriginState,
  headers: Reply['headers'] = {},
  language = languageOf(exchange.request.headers['accept-language']),
): void {
  exchange.error ??= error
  const allHeaders: Reply['headers'] = {
    'Cache-Control': 'no-store',
    Vary: 'Accept-Language',
    ...headers,
  }
  if (error.retryAfter !== undefined) allHeaders['Retry-After'] = String(error.retryAfter)
  const body = JSON.stringify(errorBody(error, language))
  reply(exchange, { status: error.status, headers: allHeaders, body }, state)
}

export function refuseMethod(exchange: Exchange, methods: string[], state: OriginState): void {
  const { error, headers } = methodNotAllowed(methods)
  refuse(exchange, error, state, headers)
}

/** The refusal of a method that a path does not accept. */
export function methodNotAllowed(methods: string[]): {
  error: ApiError
  headers: { Allow: string }
} {
  const allow = methods.join(', ')
  const error = new ApiError('method_not_allowed', ['methodNotAllowed', { methods: allow }])
  return { error, headers: { Allow: allow } }
}

function isSmall({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? Infinity) <= maxDrainBytes
}

/**
 * Tells the client not to reuse a connection that is about to close. If Node closed it with the answer, a
 * client that is still sending might never see the answer, so only our half is closed.
 */
function announceEnd({ socket }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Connection', 'close')
  socket.destroySoon = () => void socket.end()
}

/**
 * Stops reading a refused body. The connection stays open briefly, so that a client that is still
 * sending sees the answer. A small body is drained instead: its client has sent all of it and can
 * reuse the connection.
 */
export function lingerUnread(request: IncomingMessage): void {
  if (request.complete) return
  if (isSmall(request)) request.resume()
  else {
    request.pause()
    request.socket.pause()
  }
  const { socket } = request
  const endUnread = () => {
    // Go on if our half is closed: a client that keeps its half open would keep the connection.
    if (request.complete && !socket.writableEnded) return
    // Code that still reads the body must learn that it has ended, which Node no longer tells it.
    request.destroy()
    socket.destroy()
  }
  setTimeout(endUnread, lingerMilliseconds).unref()
}
