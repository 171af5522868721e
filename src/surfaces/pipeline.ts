import { createHash } from 'node:crypto'
import type { ErrorObject } from 'ajv/dist/2020.js'
import type { Kysely } from 'kysely'
import type { Context } from 'openapi-backend'
import type { MediaStore } from '../adapters/media_store.ts'
import { type RateStore, rateLimitHeaders } from '../adapters/rate_store.ts'
import type { Access, Demand } from '../access/access.ts'
import { ApiError, errorBody, invalidInput } from '../core/errors.ts'
import { etagOf, noneMatches } from '../core/etags.ts'
import type { Log } from '../core/log.ts'
import type { Database } from '../db/schema.ts'
import type { AiModel } from '../domain/ai_model.ts'
import { rateLimits, scaledLimit } from '../domain/rate_limits.ts'
import type { Outbox } from '../domain/outbox.ts'
import { operations } from '../generated/operations.ts'
import type { Handlers, OperationId, ServiceConfig, Upload } from '../operation.ts'
import { apiErrorFor, jsonOf, tooManyRequests } from './answers.ts'
import { createCaller } from './caller.ts'
import { fieldErrorsOf } from './field_errors.ts'
import { selectWorkspace } from './flat_urls.ts'
import { type Idempotency, idempotencyOf } from './idempotency.ts'
import { parseQuery } from './request_parts.ts'
import type { RoutedRequest, Router } from './router.ts'
import { inWorkspace, type Route } from './routes.ts'

/** A call as it comes in, whichever way it came. */
export interface Incoming {
  method: string
  path: string
  search: string
  headers: Record<string, string | string[] | undefined>
  clientIp: string
  requestId: string
  /** Whether the whole body has come in, read or not. */
  bodyArrived(): boolean
  /** Reads the files of a multipart body, under the same rule as the body. */
  readFiles(): Promise<Upload[]>
  /** Reads the body. Only an admitted call's body is read, and only when its operation takes one. */
  readBody(): Promise<unknown>
}

export interface Answer {
  status: number
  headers: Record<string, string | string[]>
  body: string | undefined
  /** For the log. */
  connectionId: string | undefined
  error: unknown
}

/** What differs between the ways in: whom they admit, and how an effect becomes a header. */
export interface Door {
  authenticate(call: Call): Promise<Access>
  authorise(access: Access, demand: Demand): void
  /** The `WWW-Authenticate` of a refused credential. */
  challenge?: string
  /** Whether a connection of this door counts against the limit of requests a minute. */
  limitsConnections: boolean
  /** Refuses a call before anybody is authenticated, for instance by its Origin. */
  screen?(incoming: Incoming): void
  sessionCookie?(token: string, expiresAt: Date): string
}

/** Everything the pipeline needs of the running service. */
export interface Service {
  config: ServiceConfig
  db: Kysely<Database>
  rateStore: RateStore
  outbox: Pick<Outbox, 'kick'>
  mediaStore: MediaStore
  aiModel: AiModel
  log: Log
  clock(): Date
  handlers: Handlers
  /** Sees every answer of an operation: tests hold it against the contract. */
  observe?(operationId: OperationId, answer: Answer): void
}

/** One call on its way through the hall. */
export interface Call {
  service: Service
  door: Door
  incoming: Incoming
  operationId: OperationId
  workspaceId: string
  now: Date
  access: Access | undefined
  idempotency: Idempotency | undefined
  files: Upload[]
  headers: Record<string, string | string[]>
}

/**
 * Gives openapi-backend the steps of a call. It matches the operation, validates and finds the
 * handler; in between, what is thrown here leaves as the error object.
 */
export async function installPipeline(router: Router, handlers: Handlers): Promise<void> {
  await router.init()
  router.register('postRoutingHandler', admit)
  router.register('validationFail', ({ validation }: Context) => {
    throw refusalOf(validation.errors ?? [])
  })
  router.register('notFound', () => {
    throw new ApiError('not_found', 'There is no such path.')
  })
  for (const id of Object.keys(operations) as OperationId[])
    router.register(id, (context: Context, call: Call) => carryOut(handlers[id], context, call))
}

/** Bytes in a field that are too many are too large a payload, like those of a body. */
function refusalOf(errors: ErrorObject[]): ApiError {
  const fieldErrors = fieldErrorsOf(errors)
  const tooLarge = errors.some(({ keyword, parentSchema }) => {
    return keyword === 'maxLength' && parentSchema?.contentEncoding === 'base64'
  })
  if (!tooLarge) return invalidInput(fieldErrors)
  return new ApiError('payload_too_large', 'The request holds more bytes than it may.', fieldErrors)
}

/** Runs a routed call from admission to answer. It never throws. */
export async function runCall(
  router: Router,
  service: Service,
  door: Door,
  incoming: Incoming,
  route: Route,
): Promise<Answer> {
  const { operationId } = route
  const headers: Call['headers'] = {}
  const call: Call = {
    ...{ service, door, incoming, operationId, headers },
    ...{ workspaceId: '', now: service.clock(), access: undefined, idempotency: undefined },
    files: [],
  }
  let answer: Answer
  try {
    const query = parseQuery(incoming.search)
    const params = selectWorkspace(route, query, incoming, service.config, headers)
    const pathErrors = router.pathErrors(operationId, params)
    if (pathErrors.length > 0) throw invalidInput(fieldErrorsOf(pathErrors))
    door.screen?.(incoming)
    call.workspaceId = params.workspaceId ?? ''

    const request: RoutedRequest = {
      ...{ method: incoming.method, path: incoming.path, operationId, params, query },
      ...{ headers: incoming.headers, cookies: {}, requestBody: undefined },
    }
    const output: unknown = await router.handleRequest(request as never, call)
    answer = success(call, output)
  } catch (error) {
    answer = refusal(call, error)
  }
  service.observe?.(operationId, answer)
  return answer
}

/** authenticate → rate limit → authorise, and only then the body is read. */
async function admit(context: Context, call: Call): Promise<void> {
  const { door, operationId, incoming, service } = call
  const { auth, body } = operations[operationId]
  if (auth !== 'none') {
    const access = await door.authenticate(call)
    call.access = access
    if (door.limitsConnections) await limitConnection(call, access.connectionId)
    authorise(call, access)
  }
  if (!body) return
  const arrived = incoming.bodyArrived()
  const request = context.request as unknown as RoutedRequest
  if (body === 'multipart') {
    call.files = await incoming.readFiles()
    request.requestBody = { files: call.files.map(fingerprintOf) }
  } else request.requestBody = await incoming.readBody()
  if (arrived) return
  // Whoever holds a body back must not keep the access that they had when they began to send it.
  call.now = service.clock()
  if (auth !== 'none') authorise(call, await door.authenticate(call))
}

/** What stands for a file where a call is validated and compared with a repetition of itself. */
function fingerprintOf({ fileName, mimeType, bytes }: Upload): string {
  return `${fileName} ${mimeType} ${createHash('sha256').update(bytes).digest('hex')}`
}

function authorise({ door, operationId }: Call, access: Access): void {
  const { scope, tag } = operations[operationId]
  door.authorise(access, { scope, tag, inWorkspace: inWorkspace(operationId) })
}

async function limitConnection({ service, headers }: Call, connectionId: string): Promise<void> {
  const limit = scaledLimit(rateLimits.connection, service.config.rateLimitPerMinute)
  const verdict = await service.rateStore.consume(limit, connectionId)
  Object.assign(headers, rateLimitHeaders(limit, verdict))
  if (!verdict.allowed) throw tooManyRequests(verdict.resetSeconds)
}

type AnyHandler = (input: unknown, caller: unknown) => Promise<unknown>

async function carryOut(
  handler: Handlers[OperationId],
  context: Context,
  call: Call,
): Promise<unknown> {
  const { params, query, requestBody } = context.request as unknown as RoutedRequest
  const input = { path: params, query, body: requestBody }
  const run = () => (handler as AnyHandler)(input, createCaller(call))
  call.idempotency = idempotencyOf(call, input)
  return call.idempotency ? call.idempotency.run(run) : run()
}

function success(call: Call, output: unknown): Answer {
  const { headers, incoming, operationId } = call
  const { method, status, path } = operations[operationId]
  const body = jsonOf(output)
  const readable = method === 'get' && path.startsWith('/v1/')
  headers['Cache-Control'] = readable ? 'private, no-cache' : 'no-store'
  if (body !== undefined && readable) {
    headers.ETag = etagOf(body)
    const known = incoming.headers['if-none-match']
    if (typeof known === 'string' && noneMatches(known, headers.ETag))
      return finished(call, 304, undefined, undefined)
  }
  return finished(call, status, body, undefined)
}

function refusal(call: Call, thrown: unknown): Answer {
  const error = apiErrorFor(thrown)
  const { headers } = call
  headers['Cache-Control'] = 'no-store'
  if (error.retryAfter !== undefined) headers['Retry-After'] = String(error.retryAfter)
  if (error.status === 401 && call.door.challenge) headers['WWW-Authenticate'] = call.door.challenge
  return finished(call, error.status, JSON.stringify(errorBody(error)), thrown)
}

function finished(call: Call, status: number, body: string | undefined, error: unknown): Answer {
  const { headers, access } = call
  return { status, headers, body, connectionId: access?.connectionId, error }
}
