import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import cors from 'cors'
import type { Router as Pages } from 'express'
import proxyAddress from 'proxy-addr'
import { clientOf } from '../core/client_addresses.ts'
import { trustOf } from '../core/proxies.ts'
import type { Budget } from '../fairness/budget.ts'
import { ApiError, invalidInput } from '../core/errors.ts'
import type { OperationId } from '../operation.ts'
import { defaultLanguage } from '../texts/languages.ts'
import { apiErrorFor } from './call/answers.ts'
import {
  beginExchange,
  type Endpoint,
  type Exchange,
  type Hold,
  methodNotAllowed,
  type OriginState,
  refuse,
  refuseMethod,
  reply,
  type Reply,
} from './http/exchange.ts'
import { answerCall, awaitBody, type OriginContext } from './http/calls.ts'
import { corsHeaders, corsOptions } from './http/cross_origin.ts'
import { drain, serverOptions } from './http/server.ts'
import { openHoldings } from './http/holdings.ts'
import { createHealth } from './endpoints/health.ts'
import { createIcon } from './endpoints/icon.ts'
import type { Connections } from '../fairness/connections.ts'
import type { Place, Turns } from '../fairness/turns.ts'
import type { HeavyAnswers } from './http/heavy_answers.ts'
import { answerUnreadable } from './http/unreadable.ts'
import { createPages } from './pages/pages.ts'
import type { Door, Service } from './call/call.ts'
import { countRefused, type RefusedCall } from './call/limits.ts'
import { hasBody } from './call/request_parts.ts'
import type { Router } from './call/router.ts'
import { createRoutes, type RouteMatch } from './call/routes.ts'

/** Everything that one origin serves. */
export interface Surface {
  name: 'api' | 'dashboard' | 'admin' | 'site'
  door: Door
  operations: OperationId[]
  /** Whether legacy URLs without a workspace are served. */
  flatUrls: boolean
  /** Whether pages of other origins may read the answers. */
  crossOrigin: boolean
  /** Answers what a browser asks before such a page calls, where only some may. */
  preflight?: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  /** Documents and pages that are not in the contract. */
  pages: Pages
  /** A path that serves the operations through another protocol. */
  endpoint?: Endpoint
}

export interface Origin {
  server: Server
  /** Says that it is not ready, and serves on: each answer is the last of its connection. */
  retire(): void
  /** Stops listening and closes every connection after its pending answer. */
  drain(): Promise<void>
}

/** What all origins of a process share. */
export interface Shared {
  connections: Connections
  /** Requests whose callers are not known yet, by their addresses. */
  turns: Turns
  heavyAnswers: HeavyAnswers
  /** For the bodies of requests, in memory and on disk. */
  memory: Budget
  disk: Budget
}

/**
 * One server per origin. Paths of the contract go straight to the pipeline, everything else to
 * Express; both share the same handling of requests.
 */
export function createOrigin(
  router: Router,
  service: Service,
  surface: Surface,
  { connections: allConnections, turns, heavyAnswers, memory, disk }: Shared,
): Origin {
  const { sendSeconds, dataDir } = service.config
  const state: OriginState = {
    surface: surface.name,
    log: service.log,
    draining: false,
    compresses: surface.name === 'api',
    sendMilliseconds: sendSeconds * 1000,
    ...(service.onFinished ? { onFinished: service.onFinished } : {}),
  }
  const context: OriginContext = {
    router,
    service,
    door: surface.door,
    state,
    heavyAnswers,
    memory,
    disk,
    uploadFolder: join(dataDir, 'uploads'),
  }
  const routes = createRoutes(surface.operations, { flat: surface.flatUrls })
  const isTrusted = trustOf(service.config.trustProxy)
  const preflight = surface.crossOrigin ? cors(corsOptions) : undefined
  const crossOriginHeaders = surface.crossOrigin ? corsHeaders : []
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
    const { path, clientIp, request } = exchange
    const incoming = { path, clientIp, headers: request.headers }
    const call: RefusedCall = { service, door, headers, access: undefined, incoming }
    let error = refusal
    try {
      if (refusal.status < 500) await countRefused(call)
    } catch (cause) {
      exchange.error = cause
      error = apiErrorFor(cause)
    }
    if (call.access) exchange.place.identified()
    exchange.connectionId = call.access?.connectionId
    refuse(exchange, error, state, headers)
  }

  async function answerEndpoint(endpoint: Endpoint, exchange: Exchange, search: string) {
    const { request } = exchange
    // Without a credential, GET is challenged like a call: some clients begin with it.
    const asksForChallenge = request.method === 'GET' && request.headers.authorization === undefined
    if (request.method !== 'POST' && !asksForChallenge)
      return refuseMethod(exchange, ['POST'], state)
    const held = openHoldings(exchange)
    try {
      const holdBody: Hold = (holder) => {
        awaitBody(exchange)
        return held.open(memory, holder)
      }
      reply(exchange, await endpoint.answer(exchange, search, holdBody), state)
    } catch (error) {
      exchange.error ??= error
      // Models and their developers read English, whatever the HTTP client prefers.
      refuse(exchange, apiErrorFor(error), state, {}, defaultLanguage)
    } finally {
      held.end()
    }
  }

  /** Routes a request when it is the turn of its client's address, which it is at once for most. */
  function routeInTurn(exchange: Exchange, search: string): void {
    const { path, clientIp, request } = exchange
    try {
      const place = probes.has(path)
        ? turns.take(`${clientIp} probe`)
        : turns.take(clientIp, request.headers.authorization)
      if (!(place instanceof Promise)) return begin(exchange, search, place)
      place.then(
        (taken) => begin(exchange, search, taken),
        (error) => refuseTurn(exchange, error),
      )
    } catch (error) {
      refuseTurn(exchange, error)
    }
  }

  function refuseTurn(exchange: Exchange, error: unknown): void {
    // There is a queue of its own requests: a new connection would only join it.
    exchange.response.setHeader('Connection', 'close')
    refuse(exchange, apiErrorFor(error), state, Object.fromEntries(crossOriginHeaders))
  }

  function begin(exchange: Exchange, search: string, place: Place): void {
    const { request, response } = exchange
    exchange.place = place
    if (response.destroyed) return place.leave()
    const next = () => void route(exchange, search)
    if (preflight && request.method === 'OPTIONS') return preflight(request, response, next)
    if (surface.preflight && request.headers['access-control-request-method'] !== undefined) {
      void surface.preflight(request, response).finally(() => place.end())
      return
    }
    for (const [name, value] of crossOriginHeaders) response.setHeader(name, value)
    next()
  }

  async function route(exchange: Exchange, search: string): Promise<void> {
    const { request, response, path, place } = exchange
    const method = (request.method ?? '').toLowerCase()
    const match = matchPath(request, path, () => routes(method, path))
    const endpoint = match === undefined && surface.endpoint?.serves(path) && surface.endpoint
    if (match === undefined && !endpoint) {
      response.once('close', () => place.end())
      if (hasBody(request)) awaitBody(exchange)
      return pages(exchange)
    }
    try {
      if (endpoint) await answerEndpoint(endpoint, exchange, search)
      else if (match instanceof ApiError) await refuseUnrouted(exchange, match)
      else if (match && 'allow' in match) {
        const { error, headers } = methodNotAllowed(match.allow)
        await refuseUnrouted(exchange, error, headers)
      } else if (match) await answerCall(context, exchange, match, { method, search })
    } finally {
      // Not when the response closes: work outlasts a client that leaves.
      place.end()
    }
  }

  function receive(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    allConnections.inTurn(socket, response, () => {
      const [path, search = ''] = splitOnce(request.url ?? '/', '?')
      const clientIp = clientOf(proxyAddress(request, isTrusted))
      const exchange = beginExchange(request, response, { path, clientIp }, state)
      connections.set(socket, exchange)
      routeInTurn(exchange, search)
    })
  }

  const server = createServer(serverOptions(service.config), receive)
  // Ignore unknown expectations: they are no reason to refuse a request we can answer.
  server.on('checkExpectation', receive)
  server.on('connection', (socket) => {
    if (!allConnections.admit(socket)) return void socket.destroy()
    connections.set(socket, undefined)
    socket.once('close', () => connections.delete(socket))
  })
  server.on('clientError', (error, stream) => {
    const socket = stream as Socket
    answerUnreadable(error, socket, connections.get(socket), state, crossOriginHeaders)
  })
  return {
    server,
    retire: () => void (state.draining = true),
    drain: () => drain(server, connections.keys(), state),
  }
}

/** Matches the path; returns a refusal if the request's head is invalid. */
function matchPath(
  request: IncomingMessage,
  path: string,
  find: () => RouteMatch,
): RouteMatch | ApiError {
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

/** They do not wait behind the other requests of their address. */
const probes = new Set(['/healthz', '/readyz'])

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
