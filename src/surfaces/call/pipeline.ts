import { createHash } from 'node:crypto'
import type { ErrorObject } from 'ajv/dist/2020.js'
import type { Kysely } from 'kysely'
import type { Context } from 'openapi-backend'
import type { BotChallenge } from '../../adapters/bot_challenge.ts'
import type { MediaStore } from '../../adapters/media_store.ts'
import type { Payments } from '../../adapters/payments.ts'
import type { PublicFetch } from '../../adapters/public_fetch.ts'
import { type RateLimit, type RateStore, rateLimitHeaders } from '../../adapters/rate_store.ts'
import type { Access, Demand } from '../../access/access.ts'
import { admitVisitor } from '../../access/visitors.ts'
import { ApiError, errorBody, invalidInput } from '../../core/errors.ts'
import { etagOf, noneMatches } from '../../core/etags.ts'
import type { Log } from '../../core/log.ts'
import type { Database } from '../../db/schema.ts'
import type { AiModel } from '../../domain/assistant/ai_model.ts'
import { rateLimits, scaledLimit } from '../../core/rate_limits.ts'
import type { Outbox } from '../../domain/upkeep/outbox.ts'
import { operations } from '../../generated/operations.ts'
import type { Handlers, OperationId, Promised, ServiceConfig, Upload } from '../../operation.ts'
import { apiErrorFor, jsonOf, tooManyRequests } from './answers.ts'
import { createCaller } from './caller.ts'
import { type ActorType, type WriteRecord, writeRecordOf } from './write_records.ts'
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
  /** Reads a body of raw bytes, never more of it than was promised. */
  readBytes(promised: Promised): Promise<Buffer>
  /** Reads the body. Only an admitted call's body is read, and only when its operation takes one. */
  readBody(): Promise<unknown>
}

export interface Answer {
  status: number
  headers: Record<string, string | string[]>
  body: string | undefined
  /** The body as it is sent, where it was needed before. */
  bytes?: Buffer
  /** For the log. */
  connectionId: string | undefined
  error: unknown
}

/** What differs between the ways in: whom they admit, and how an effect becomes a header. */
export interface Door {
  authenticate(call: Call): Promise<Access>
  authorise(access: Access, demand: Demand): void
  /** As whom a caller of this door is recorded. */
  actorType(access: Access): ActorType
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
  botChallenge: BotChallenge
  payments: Payments
  /** Gets documents that agents name. */
  publicFetch: PublicFetch
  aiModel: AiModel
  /** What is carried out to its end before the service lets go of its parts. */
  outlasting: Set<Promise<unknown>>
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
  /** What is to be recorded of a management write; undefined for any other call. */
  writeRecord: WriteRecord | undefined
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
    service,
    door,
    incoming,
    operationId,
    headers,
    workspaceId: '',
    now: service.clock(),
    access: undefined,
    idempotency: undefined,
    writeRecord: undefined,
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
      method: incoming.method,
      path: incoming.path,
      operationId,
      params,
      query,
      headers: incoming.headers,
      cookies: {},
      requestBody: undefined,
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
  const { auth, body, surface } = operations[operationId]
  if (auth !== 'none') {
    const access = await door.authenticate(call)
    call.access = access
    if (door.limitsConnections) {
      const limit = surface === 'experience' ? rateLimits.experience : rateLimits.connection
      await limitConnection(call, access.connectionId, limit)
    }
    authorise(call, access)
    await limitVisitor(call, access)
  }
  // How much may be read of raw bytes, the handler alone knows.
  if (!body || body === 'bytes') return
  const arrived = incoming.bodyArrived()
  const request = context.request as unknown as RoutedRequest
  if (body === 'multipart') {
    call.files = await incoming.readFiles()
    request.requestBody = { files: call.files.map(fingerprintOf) }
  } else request.requestBody = await incoming.readBody()
  if (arrived) return
  // Whoever holds a body back must not keep the access that they had when they began to send it.
  call.now = service.clock()
  if (auth === 'none') return
  call.access = await door.authenticate(call)
  authorise(call, call.access)
}

/** What stands for a file where a call is validated and compared with a repetition of itself. */
function fingerprintOf({ fileName, mimeType, bytes }: Upload): string {
  return `${fileName} ${mimeType} ${createHash('sha256').update(bytes).digest('hex')}`
}

function authorise({ door, operationId }: Call, access: Access): void {
  const { scope, tag } = operations[operationId]
  door.authorise(access, { scope, tag, inWorkspace: inWorkspace(operationId) })
}

/** What limits count with, whichever way a call came. */
type Limited = Pick<Call, 'service' | 'headers'>

/** Counts a request of a connection, and tells in the headers how many are left. */
export async function limitConnection(
  call: Limited,
  connectionId: string,
  limit: RateLimit = rateLimits.connection,
): Promise<void> {
  await consumeLimit(call, limit, connectionId)
}

/** A visitor has limits of their own, counted in the workspace they visit. */
async function limitVisitor(call: Call, { visit }: Access): Promise<void> {
  if (!visit?.visitor) return
  const key = `${visit.site.workspaceId}/${visit.visitor.id}`
  await consumeLimit(call, rateLimits.visitor, key)
  if (operations[call.operationId].scope === 'ai:write')
    await consumeLimit(call, rateLimits.aiOfVisitor, key)
}

/** Counts against a limit and tells of it in the answer, beside the limits told of before. */
async function consumeLimit({ service, headers }: Limited, limit: RateLimit, key: string) {
  const scaled = scaledLimit(limit, service.config.rateLimitPerMinute)
  const verdict = await service.rateStore.consume(scaled, key)
  for (const [name, value] of Object.entries(rateLimitHeaders(scaled, verdict)))
    headers[name] = headers[name] === undefined ? value : `${String(headers[name])}, ${value}`
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
  const { visit } = call.access ?? {}
  if (visit) admitVisitor(call.operationId, operations[call.operationId].tag, visit)
  call.writeRecord = writeRecordOf(call, input)
  call.idempotency = idempotencyOf(call, input)
  const run = async () => {
    const output = await (handler as AnyHandler)(input, createCaller(call))
    await call.writeRecord?.addAfter(output)
    return output
  }
  return call.idempotency ? call.idempotency.run(run) : run()
}

function success(call: Call, output: unknown): Answer {
  const { headers, incoming, operationId } = call
  const { status, revalidates } = operations[operationId]
  const body = jsonOf(output)
  headers['Cache-Control'] = revalidates ? 'private, no-cache' : 'no-store'
  if (body === undefined || !revalidates) return finished(call, status, body, undefined)
  // Hashed and sent as the same bytes: making them of a long text costs more than either.
  const bytes = Buffer.from(body)
  headers.ETag = etagOf(bytes)
  const known = incoming.headers['if-none-match']
  if (typeof known === 'string' && noneMatches(known, headers.ETag))
    return finished(call, 304, undefined, undefined)
  return { ...finished(call, status, body, undefined), bytes }
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
