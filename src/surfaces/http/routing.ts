import type { IncomingMessage, ServerResponse } from 'node:http'
import type cors from 'cors'
import { ApiError, invalidInput } from '../../core/errors.ts'
import type { Place, Turns } from '../../fairness/turns.ts'
import { defaultLanguage } from '../../texts/languages.ts'
import { apiErrorFor } from '../call/answers.ts'
import { countRefused, type RefusedCall } from '../call/limits.ts'
import { hasBody } from '../call/request_parts.ts'
import type { RouteMatch, Routes } from '../call/routes.ts'
import { answerCall, awaitBody, type OriginContext } from './calls.ts'
import {
  type Endpoint,
  type Exchange,
  type Hold,
  methodNotAllowed,
  refuse,
  refuseMethod,
  reply,
  type Reply,
} from './exchange.ts'
import { openHoldings } from './holdings.ts'

/** How the requests of one origin find what answers them. */
export interface Routing extends OriginContext {
  /** Requests whose callers are not known yet, by address. */
  turns: Turns
  routes: Routes
  endpoint: Endpoint | undefined
  /** What is not in the contract, and the refusal of unknown paths. */
  pages: (exchange: Exchange) => void
  /** Answers what a browser asks before a page of any other origin calls, where all may. */
  crossOrigin: ReturnType<typeof cors> | undefined
  /** Answers it where only some may. */
  preflight: Preflight | undefined
  crossOriginHeaders: [string, string][]
}

/** Answers what a browser asks before a page of another origin calls. */
export type Preflight = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** Probes do not wait behind other requests of their address. */
const probes = new Set(['/healthz', '/readyz'])

/** Routes a request when its client's address has its turn, which is at once for most. */
export function routeInTurn(routing: Routing, exchange: Exchange, search: string): void {
  const { turns } = routing
  const { path, clientIp, request } = exchange
  try {
    const place = probes.has(path)
      ? turns.take(`${clientIp} probe`)
      : turns.take(clientIp, request.headers.authorization)
    if (!(place instanceof Promise)) return begin(routing, exchange, search, place)
    place.then(
      (taken) => begin(routing, exchange, search, taken),
      (error) => refuseTurn(routing, exchange, error),
    )
  } catch (error) {
    refuseTurn(routing, exchange, error)
  }
}

function refuseTurn(
  { state, crossOriginHeaders }: Routing,
  exchange: Exchange,
  error: unknown,
): void {
  // The queue is that of the client's own requests: a new connection would only join it.
  exchange.response.setHeader('Connection', 'close')
  refuse(exchange, apiErrorFor(error), state, Object.fromEntries(crossOriginHeaders))
}

function begin(routing: Routing, exchange: Exchange, search: string, place: Place): void {
  const { crossOrigin, preflight, crossOriginHeaders } = routing
  const { request, response } = exchange
  exchange.place = place
  if (response.destroyed) return place.leave()
  const next = () => void route(routing, exchange, search)
  if (crossOrigin && request.method === 'OPTIONS') return crossOrigin(request, response, next)
  if (preflight && request.headers['access-control-request-method'] !== undefined) {
    void preflight(request, response).finally(() => place.end())
    return
  }
  for (const [name, value] of crossOriginHeaders) response.setHeader(name, value)
  next()
}

async function route(routing: Routing, exchange: Exchange, search: string): Promise<void> {
  const { routes, endpoint: other, pages } = routing
  const { request, response, path, place } = exchange
  const method = (request.method ?? '').toLowerCase()
  const match = matchPath(request, path, () => routes(method, path))
  const endpoint = match === undefined && other?.serves(path) && other
  if (match === undefined && !endpoint) {
    response.once('close', () => place.end())
    if (hasBody(request)) awaitBody(exchange)
    return pages(exchange)
  }
  try {
    if (endpoint) await answerEndpoint(routing, endpoint, exchange, search)
    else if (match instanceof ApiError) await refuseUnrouted(routing, exchange, match)
    else if (match && 'allow' in match) {
      const { error, headers } = methodNotAllowed(match.allow)
      await refuseUnrouted(routing, exchange, error, headers)
    } else if (match) await answerCall(routing, exchange, match, { method, search })
  } finally {
    // Not when the response closes: work continues after a client has left.
    place.end()
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

/** Refuses a call that reached no operation. */
export async function refuseUnrouted(
  { service, door, state }: OriginContext,
  exchange: Exchange,
  refusal: ApiError,
  headers: Reply['headers'] = {},
): Promise<void> {
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

/** Answers a request of another protocol. */
async function answerEndpoint(
  { state, memory }: OriginContext,
  endpoint: Endpoint,
  exchange: Exchange,
  search: string,
): Promise<void> {
  const { request } = exchange
  // Without a credential, a GET is challenged like a call: some clients begin with one.
  const asksForChallenge = request.method === 'GET' && request.headers.authorization === undefined
  if (request.method !== 'POST' && !asksForChallenge) return refuseMethod(exchange, ['POST'], state)
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
