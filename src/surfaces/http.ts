import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import cors from 'cors'
import express, { type ErrorRequestHandler, type Express, type Router as Pages } from 'express'
import proxyAddress from 'proxy-addr'
import { ApiError, errorBody, invalidInput } from '../core/errors.ts'
import type { OperationId } from '../operation.ts'
import { apiErrorFor } from './answers.ts'
import { mountHealth } from './health.ts'
import { type Door, type Incoming, runCall, type Service } from './pipeline.ts'
import { readJsonBody } from './request_parts.ts'
import type { Router } from './router.ts'
import { createRoutes, type Match } from './routes.ts'
import { securityHeaders } from './security_headers.ts'

/** What one origin serves. */
export interface Surface {
  name: 'api' | 'dashboard' | 'admin'
  door: Door
  operations: OperationId[]
  /** Whether legacy URLs without their workspace are served. */
  flatUrls: boolean
  /** Whether pages of other origins may read the answers. */
  crossOrigin: boolean
  /** What is not in the contract: documents and pages. */
  pages: Pages
}

export interface Origin {
  server: Server
  /** Stops listening and ends every connection after the answer it is waiting for. */
  drain(): Promise<void>
}

/** What a request's way through the house leaves for the log line at its end. */
interface Trail {
  requestId: string
  path: string
  operation: OperationId | undefined
  connectionId: string | undefined
  error: unknown
}

interface Reply {
  status: number
  headers: Record<string, string | string[]>
  body: string | undefined
}

const lingerMilliseconds = 1000
const drainMilliseconds = 10_000

/**
 * One server for one origin. Every request is received alike, whichever way it then takes: a path
 * of the contract goes straight to the pipeline, everything else to Express.
 */
export function createOrigin(router: Router, service: Service, surface: Surface): Origin {
  const routes = createRoutes(surface.operations, { flat: surface.flatUrls })
  const trusted = trustOf(service.config.trustProxy)
  const share = surface.crossOrigin ? cors(corsOptions) : undefined
  const state = { draining: false }
  const pages = createPages(service, surface, state)

  async function route(
    request: IncomingMessage,
    response: ServerResponse,
    trail: Trail,
    search: string,
  ): Promise<void> {
    const method = (request.method ?? '').toLowerCase()
    const match = matchPath(() => routes(method, trail.path))
    if (match === undefined) return void pages(request, response)
    if (match instanceof ApiError) return send(request, response, refusal(match), state)
    if ('allow' in match) return send(request, response, notAllowed(match.allow), state)

    const { requestId, path } = trail
    trail.operation = match.operationId
    const incoming: Incoming = {
      ...{ method, path, search, requestId, headers: request.headers },
      clientIp: proxyAddress(request, trusted),
      readBody: () => readJsonBody(request),
    }
    const answer = await runCall(router, service, surface.door, incoming, match)
    trail.connectionId = answer.connectionId
    trail.error = answer.error
    send(request, response, answer, state)
  }

  const server = createServer(
    { requestTimeout: 60_000, headersTimeout: 20_000, keepAliveTimeout: 65_000 },
    (request, response) => {
      const [path = '', search = ''] = splitOnce(request.url ?? '/', '?')
      const trail: Trail = {
        ...{ requestId: randomUUID(), path },
        ...{ operation: undefined, connectionId: undefined, error: undefined },
      }
      receive(service, surface, request, response, trail, state)
      const go = () => void route(request, response, trail, search)
      if (share) share(request, response, go)
      else go()
    },
  )
  server.on('clientError', answerUnreadable)
  return { server, drain: () => drain(server, state) }
}

/** What holds for every request: its id, the security headers, the drain and the log line. */
function receive(
  { log }: Service,
  { name }: Surface,
  request: IncomingMessage,
  response: ServerResponse,
  trail: Trail,
  state: { draining: boolean },
): void {
  const started = performance.now()
  for (const [header, value] of securityHeaders) response.setHeader(header, value)
  response.setHeader('X-Request-Id', trail.requestId)
  if (state.draining) response.setHeader('Connection', 'close')
  response.locals = trail
  response.once('close', () => {
    const { requestId, path, operation, connectionId, error } = trail
    const line = {
      ...{ requestId, surface: name, method: request.method, path, operation, connectionId },
      status: response.statusCode,
      milliseconds: Math.round((performance.now() - started) * 10) / 10,
      ...(response.writableFinished ? {} : { aborted: true }),
    }
    if (response.statusCode >= 500) log.error({ ...line, err: error }, 'request')
    else if (error instanceof ApiError) log.info({ ...line, errorCode: error.code }, 'request')
    else log.info(line, 'request')
  })
}

declare module 'node:http' {
  interface ServerResponse {
    locals?: unknown
  }
}

function matchPath(find: () => Match): Match | ApiError {
  try {
    return find()
  } catch (error) {
    return apiErrorFor(error)
  }
}

function refusal(error: ApiError): Reply {
  const headers: Reply['headers'] = { 'Cache-Control': 'no-store' }
  if (error.retryAfter !== undefined) headers['Retry-After'] = String(error.retryAfter)
  return { status: error.status, headers, body: JSON.stringify(errorBody(error)) }
}

function notAllowed(methods: string[]): Reply {
  const allow = methods.join(', ')
  const reply = refusal(new ApiError('method_not_allowed', `This path takes ${allow}.`))
  return { ...reply, headers: { ...reply.headers, Allow: allow } }
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: Reply,
  state: { draining: boolean },
): void {
  if (response.destroyed) return
  if (state.draining) response.setHeader('Connection', 'close')
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  if (body !== undefined) {
    response.setHeader('Content-Type', 'application/json; charset=utf-8')
    response.setHeader('Content-Length', Buffer.byteLength(body))
  }
  // The rest of a body that was refused is not read. The connection stays open for a moment, so
  // that a client which is still sending gets to see the answer.
  if (!request.complete)
    response.once('finish', () => {
      setTimeout(() => request.complete || request.socket.destroy(), lingerMilliseconds).unref()
    })
  response.writeHead(status).end(body)
}

/** Express carries what is not in the contract, and answers the rest with the error object. */
function createPages(service: Service, { pages }: Surface, state: { draining: boolean }): Express {
  const app = express()
  app.disable('x-powered-by')
  app.set('etag', 'strong')
  mountHealth(app, service, state)
  app.use(pages)
  app.use((request, response) => {
    send(request, response, refusal(new ApiError('not_found', 'There is no such path.')), state)
  })
  const onError: ErrorRequestHandler = (thrown: unknown, request, response, _next) => {
    const clientFault = thrown instanceof URIError || statusOf(thrown) === 400
    const error = clientFault
      ? invalidInput({ path: 'Is not valid percent-encoding.' })
      : apiErrorFor(thrown)
    ;(response.locals as Trail).error = clientFault ? error : thrown
    send(request, response, refusal(error), state)
  }
  app.use(onError)
  return app
}

function statusOf(thrown: unknown): unknown {
  return thrown instanceof Error && 'status' in thrown ? thrown.status : undefined
}

/** Bytes that are no HTTP request never become one, so the answer is written by hand. */
function answerUnreadable(_error: Error, socket: Socket): void {
  if (!socket.writable) return socket.destroy() as never
  const error = new ApiError('invalid_input', 'The request is not readable HTTP.')
  const body = JSON.stringify(errorBody(error))
  const headers = [
    ...securityHeaders,
    ['X-Request-Id', randomUUID()],
    ['Content-Type', 'application/json; charset=utf-8'],
    ['Content-Length', String(Buffer.byteLength(body))],
    ['Connection', 'close'],
  ].map(([name, value]) => `${name}: ${value}`)
  socket.end(['HTTP/1.1 400 Bad Request', ...headers, '', body].join('\r\n'))
}

async function drain(server: Server, state: { draining: boolean }): Promise<void> {
  state.draining = true
  if (!server.listening) return
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeIdleConnections()
  const patience = setTimeout(() => server.closeAllConnections(), drainMilliseconds)
  await closed
  clearTimeout(patience)
}

/** Which proxies may name the client: so many hops, or the addresses that are listed. */
function trustOf(setting: string): (address: string, hop: number) => boolean {
  if (/^\d+$/.test(setting)) return (_address, hop) => hop < Number(setting)
  return proxyAddress.compile(setting.split(',').map((entry) => entry.trim()))
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

/** Credentials travel in a header that no page sends by itself, so that any page may call. */
const corsOptions: cors.CorsOptions = {
  origin: '*',
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
  maxAge: 600,
  exposedHeaders: [
    ...['ETag', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id'],
    ...['Deprecation', 'Link', 'WWW-Authenticate'],
  ],
}
