import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import cors from 'cors'
import type { Router as Pages } from 'express'
import proxyAddress from 'proxy-addr'
import { clientOf } from '../core/client_addresses.ts'
import { trustOf } from '../core/proxies.ts'
import type { Budget } from '../fairness/budget.ts'
import type { OperationId } from '../operation.ts'
import { beginExchange, type Endpoint, type Exchange, type OriginState } from './http/exchange.ts'
import type { OriginContext } from './http/calls.ts'
import { corsHeaders, corsOptions } from './http/cross_origin.ts'
import { drain, serverOptions } from './http/server.ts'
import { createHealth } from './endpoints/health.ts'
import { createIcon } from './endpoints/icon.ts'
import type { Connections } from '../fairness/connections.ts'
import type { Turns } from '../fairness/turns.ts'
import type { HeavyAnswers } from './http/heavy_answers.ts'
import { type Preflight, refuseUnrouted, routeInTurn, type Routing } from './http/routing.ts'
import { answerUnreadable } from './http/unreadable.ts'
import { createPages } from './pages/pages.ts'
import type { Door, Service } from './call/call.ts'
import type { Router } from './call/router.ts'
import { createRoutes } from './call/routes.ts'

/** Everything that one origin serves. */
export interface Surface {
  name: 'api' | 'dashboard' | 'admin' | 'site'
  door: Door
  operations: OperationId[]
  /** Whether legacy URLs without a workspace are served. */
  flatUrls: boolean
  /** Whether pages of other origins may read the answers. */
  crossOrigin: boolean
  /** Answers a browser's preflight request for such a page, if only some pages may call. */
  preflight?: Preflight
  /** Documents and pages that are not in the contract. */
  pages: Pages
  /** A path that serves the operations through another protocol. */
  endpoint?: Endpoint
}

export interface Origin {
  server: Server
  /** Reports that it is not ready, but keeps serving: each answer is the last of its connection. */
  retire(): void
  /** Stops listening and closes every connection after its pending answer. */
  drain(): Promise<void>
}

/** The parts that all origins of a process share. */
export interface Shared {
  connections: Connections
  /** Requests whose callers are not known yet, by address. */
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
  shared: Shared,
): Origin {
  const state: OriginState = {
    surface: surface.name,
    log: service.log,
    draining: false,
    compresses: surface.name === 'api',
    sendMilliseconds: service.config.sendSeconds * 1000,
    ...(service.onFinished ? { onFinished: service.onFinished } : {}),
  }
  const routing = routingOf(router, service, surface, shared, state)
  const isTrusted = trustOf(service.config.trustProxy)
  /** Every open connection, with its last exchange. */
  const connections = new Map<Socket, Exchange | undefined>()

  function receive(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    shared.connections.inTurn(socket, response, () => {
      const [path, search = ''] = splitOnce(request.url ?? '/', '?')
      const clientIp = clientOf(proxyAddress(request, isTrusted))
      const exchange = beginExchange(request, response, { path, clientIp }, state)
      connections.set(socket, exchange)
      routeInTurn(routing, exchange, search)
    })
  }

  const server = createServer(serverOptions(service.config), receive)
  // Ignore unknown expectations: they are no reason to refuse a request we can answer.
  server.on('checkExpectation', receive)
  server.on('connection', (socket) => {
    if (!shared.connections.admit(socket)) return void socket.destroy()
    connections.set(socket, undefined)
    socket.once('close', () => connections.delete(socket))
  })
  server.on('clientError', (error, stream) => {
    const socket = stream as Socket
    answerUnreadable(error, socket, connections.get(socket), state, routing.crossOriginHeaders)
  })
  return {
    server,
    retire: () => void (state.draining = true),
    drain: () => drain(server, connections.keys(), state),
  }
}

function routingOf(
  router: Router,
  service: Service,
  surface: Surface,
  { turns, heavyAnswers, memory, disk }: Shared,
  state: OriginState,
): Routing {
  const context: OriginContext = {
    router,
    service,
    door: surface.door,
    state,
    heavyAnswers,
    memory,
    disk,
    uploadFolder: join(service.config.dataDir, 'uploads'),
  }
  const routers = [createHealth(service, state), createIcon(), surface.pages]
  return {
    ...context,
    turns,
    routes: createRoutes(surface.operations, { flat: surface.flatUrls }),
    endpoint: surface.endpoint,
    pages: createPages(routers, state, (exchange, refusal, headers) =>
      refuseUnrouted(context, exchange, refusal, headers),
    ),
    crossOrigin: surface.crossOrigin ? cors(corsOptions) : undefined,
    preflight: surface.preflight,
    crossOriginHeaders: surface.crossOrigin ? corsHeaders : [],
  }
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
