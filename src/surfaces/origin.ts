import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import cors from 'cors'
import type { Router as Pages } from 'express'
import proxyAddress from 'proxy-addr'
import { clientOf } from '../core/client_addresses.ts'
import { trustOf } from '../core/proxies.ts'
import { ApiError, errorBody, invalidInput } from '../core/errors.ts'
import type { OperationId } from '../operation.ts'
import { defaultLanguage } from '../texts/languages.ts'
import { apiErrorFor, maxAnswerBytes } from './call/answers.ts'
import {
  beginExchange,
  type Endpoint,
  type Exchange,
  methodNotAllowed,
  type OriginState,
  refuse,
  refuseMethod,
  reply,
  type Reply,
} from './http/exchange.ts'
import { eventStreamFor } from './http/event_stream.ts'
import { createHealth } from './endpoints/health.ts'
import { createIcon } from './endpoints/icon.ts'
import { readFiles } from './http/multipart.ts'
import { createPages } from './pages/pages.ts'
import type { Door, Incoming, Service } from './call/call.ts'
import { countRefused, type RefusedCall } from './call/limits.ts'
import { runCall } from './call/pipeline.ts'
import { maxBodyBytes, readJsonBody, readPromisedBytes } from './call/request_parts.ts'
import type { Router } from './call/router.ts'
import { createRoutes, type Match } from './call/routes.ts'
import { securityHeaders } from './http/security_headers.ts'

/** Everything that one origin serves. */
export interface Surface {
  name: 'api' | 'dashboard' | 'admin'
  door: Door
  operations: OperationId[]
  /** Whether legacy URLs without a workspace are served. */
  flatUrls: boolean
  /** Whether pages of other origins may read the answers. */
  crossOrigin: boolean
  /** Documents and pages that are not in the contract. */
  pages: Pages
  /** A path that serves the operations through another protocol. */
  endpoint?: Endpoint
}

export interface Origin {
  server: Server
  /** Stops listening and closes every connection after its pending answer. */
  drain(): Promise<void>
}

const drainMilliseconds = 10_000
/** We check the Host header ourselves below, to refuse its absence with the error object. */
const serverOptions = {
  requestTimeout: 60_000,
  headersTimeout: 20_000,
  keepAliveTimeout: 65_000,
  requireHostHeader: false,
}

/**
 * One server per origin. Paths of the contract go straight to the pipeline, everything else to
 * Express; both share the same handling of requests.
 */
export function createOrigin(router: Router, service: Service, surface: Surface): Origin {
  const state: OriginState = { surface: surface.name, log: service.log, draining: false }
  const routes = createRoutes(surface.operations, { flat: surface.flatUrls })
  const isTrusted = trustOf(service.config.trustProxy)
  const corsMiddleware = surface.crossOrigin ? cors(corsOptions) : undefined
  const pages = createPages(
    [createHealth(service, state), createIcon(), surface.pages],
    state,
    refuseUnrouted,
  )
  /** Every open connection, with its last exchange. */
  const connections = new Map<Socket, Exchange | undefined>()

  /** Refuses a call that reached no operation. */
  async function refuseUnrouted(
    exchange: Exchange,
    refusal: ApiError,
    headers: Reply['headers'] = {},
  ): Promise<void> {
    const { door } = surface
    const incoming = { path: exchange.path, headers: exchange.request.headers }
    const call: RefusedCall = { service, door, headers, access: undefined, incoming }
    let error = refusal
    try {
      if (refusal.status < 500) await countRefused(call)
    } catch (cause) {
      exchange.error = cause
      error = apiErrorFor(cause)
    }
    exchange.connectionId = call.access?.connectionId
    refuse(exchange, error, state, headers)
  }

  async function answerEndpoint(endpoint: Endpoint, exchange: Exchange, search: string) {
    const { request } = exchange
    // Without a credential, GET is challenged like a call: some clients begin with it.
    const asksForChallenge = request.method === 'GET' && request.headers.authorization === undefined
    if (request.method !== 'POST' && !asksForChallenge)
      return refuseMethod(exchange, ['POST'], state)
    try {
      reply(exchange, await endpoint.answer(exchange, search), state)
    } catch (error) {
      exchange.error ??= error
      // Models and their developers read English, whatever the HTTP client prefers.
      refuse(exchange, apiErrorFor(error), state, {}, defaultLanguage)
    }
  }

  async function route(exchange: Exchange, search: string): Promise<void> {
    const { request, requestId, path, clientIp } = exchange
    const method = (request.method ?? '').toLowerCase()
    const match = matchPath(request, path, () => routes(method, path))
    if (match === undefined)
      return surface.endpoint?.serves(path)
        ? answerEndpoint(surface.endpoint, exchange, search)
        : pages(exchange)
    if (match instanceof ApiError) return refuseUnrouted(exchange, match)
    if ('allow' in match) {
      const { error, headers } = methodNotAllowed(match.allow)
      return refuseUnrouted(exchange, error, headers)
    }

    exchange.operation = match.operationId
    const limit = path.startsWith('/v1/') ? maxBodyBytes.v1 : maxBodyBytes.pages
    const incoming: Incoming = {
      method,
      path,
      search,
      requestId,
      clientIp,
      headers: request.headers,
      maxAnswerBytes: maxAnswerBytes.rest,
      bodyArrived: () => request.complete,
      readBody: () => readJsonBody(request, limit),
      readFiles: async () => readFiles(request),
      readBytes: (expected) => readPromisedBytes(request, expected),
    }
    const stream = eventStreamFor(exchange, match.operationId, state)
    if (stream) incoming.sendEvent = stream.send
    const answer = await runCall(router, service, surface.door, incoming, match)
    exchange.connectionId = answer.connectionId
    exchange.error ??= answer.error
    if (stream) stream.finish(answer)
    else reply(exchange, answer, state)
  }

  function receive(request: IncomingMessage, response: ServerResponse): void {
    const [path, search = ''] = splitOnce(request.url ?? '/', '?')
    const clientIp = clientOf(proxyAddress(request, isTrusted))
    const exchange = beginExchange(request, response, { path, clientIp }, state)
    const { socket } = request
    connections.set(socket, exchange)
    // A page in progress when the drain began did not announce it in its headers.
    response.once('close', () => state.draining && socket.end())
    const next = () => void route(exchange, search)
    if (corsMiddleware) corsMiddleware(request, response, next)
    else next()
  }

  const server = createServer(serverOptions, receive)
  // Ignore unknown expectations: they are no reason to refuse a request we can answer.
  server.on('checkExpectation', receive)
  server.on('connection', (socket) => {
    connections.set(socket, undefined)
    socket.once('close', () => connections.delete(socket))
  })
  server.on('clientError', (_error, socket) => {
    answerUnreadable(
      socket as Socket,
      connections.get(socket as Socket),
      state,
      corsMiddleware !== undefined,
    )
  })
  return { server, drain: () => drain(server, connections.keys(), state) }
}

/** Matches the path; returns a refusal if the request's head is invalid. */
function matchPath(request: IncomingMessage, path: string, find: () => Match): Match | ApiError {
  try {
    if (request.headers.host === undefined && request.httpVersion === '1.1')
      return invalidInput({ Host: 'required' })
    const match = find()
    // Matching decodes the contract's paths; apply the same checks to pages.
    if (match === undefined && path.includes('%') && decodeURIComponent(path).includes('\0'))
      return invalidInput({ path: 'unstorable' })
    return match
  } catch (error) {
    if (error instanceof URIError) return invalidInput({ path: 'percentEncoding' })
    return apiErrorFor(error)
  }
}

/**
 * Handles bytes that are not HTTP and so never become a request. If they cut off a body, its
 * request is refused; if they follow a request, that one is still answered; otherwise the answer is
 * written by hand.
 */
function answerUnreadable(
  socket: Socket,
  exchange: Exchange | undefined,
  state: OriginState,
  crossOrigin: boolean,
): void {
  const error = new ApiError('invalid_input', 'unreadableHttp')
  const { request, response } = exchange ?? {}
  if (!socket.writable || (request?.complete === false && response?.headersSent))
    return void socket.destroy()
  if (exchange && !exchange.request.complete) {
    exchange.response.setHeader('Connection', 'close')
    return refuse(exchange, error, state)
  }
  if (response && !response.writableEnded) {
    response.shouldKeepAlive = false
    return
  }
  const requestId = randomUUID()
  const body = JSON.stringify(errorBody(error, defaultLanguage))
  const headers = [
    ...securityHeaders,
    ...(crossOrigin ? corsHeaders : []),
    ['X-Request-Id', requestId],
    ['Cache-Control', 'no-store'],
    ['Content-Type', 'application/json; charset=utf-8'],
    ['Content-Length', String(Buffer.byteLength(body))],
    ['Connection', 'close'],
  ].map(([name, value]) => `${name}: ${value}`)
  socket.end(['HTTP/1.1 400 Bad Request', ...headers, '', body].join('\r\n'))
  const { log, surface } = state
  log.info({ requestId, surface, status: 400, errorCode: error.code }, 'request')
}

async function drain(server: Server, sockets: Iterable<Socket>, state: OriginState): Promise<void> {
  state.draining = true
  if (!server.listening) return
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeIdleConnections()
  // Node counts a connection that has never sent anything as busy.
  for (const socket of [...sockets]) if (socket.bytesRead === 0) socket.destroy()
  const timeout = setTimeout(() => server.closeAllConnections(), drainMilliseconds)
  await closed
  clearTimeout(timeout)
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

const exposedHeaders = [
  'ETag',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Request-Id',
  'Deprecation',
  'Link',
  'WWW-Authenticate',
]

/** Credentials are in a header that browsers never add themselves, so any page may call. */
const corsOptions: cors.CorsOptions = {
  origin: '*',
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
  maxAge: 600,
  exposedHeaders,
}

const corsHeaders: [string, string][] = [
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', exposedHeaders.join(',')],
]
