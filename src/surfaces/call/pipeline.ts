import type { Context, Document } from 'openapi-backend'
import { accountOf } from '../../access/access.ts'
import { admitVisitor, keepSignedIn } from '../../access/visitors.ts'
import { readContract } from '../../core/contract_documents.ts'
import { ApiError, errorBody } from '../../core/errors.ts'
import { etagOf, listsTag } from '../../core/etags.ts'
import { isInParts } from '../../core/json_text.ts'
import { languageOf } from '../../core/languages.ts'
import { rateLimits } from '../../core/rate_limits.ts'
import { operations } from '../../generated/operations.ts'
import type { Handlers, OperationId } from '../../operation.ts'
import { apiErrorFor, jsonOf, sendable } from './answers.ts'
import { authorise, reauthorise } from './admission.ts'
import { type Broadcast, createBroadcast } from './broadcasts.ts'
import type { Answer, Call, Door, Incoming, Service } from './call.ts'
import { announceCaching, inVersion } from './reads/caching.ts'
import { callerOf } from './caller.ts'
import { databaseOf, measured, onReplica, onShards } from './reads/databases.ts'
import { announceDeprecation } from './deprecation.ts'
import { refusalOf, requireNone } from './field_errors.ts'
import { Unconfirmed } from './guards.ts'
import { selectWorkspace } from './flat_urls.ts'
import { idempotencyOf } from './idempotency.ts'
import { announceLocation } from './locations.ts'
import {
  consumeLimit,
  countCall,
  countedKind,
  countRefused,
  limitVisitor,
  refuseExhausted,
} from './limits.ts'
import { parseQuery } from './request_parts.ts'
import { type RoutedRequest, Router } from './router.ts'
import type { Route } from './routes.ts'
import { revalidate, Unchanged } from './reads/unchanged.ts'
import { writeRecordOf } from './write_records.ts'

let opened: Promise<Router> | undefined

/**
 * The router of the contract with the steps of a call. It validates the request and finds the handler;
 * anything thrown in between is answered with the error object. All services of a process share it and the
 * schemas that it has compiled; their differences come with the call.
 */
export function openRouter(): Promise<Router> {
  opened ??= createRouter()
  return opened
}

async function createRouter(): Promise<Router> {
  const router = new Router(readContract() as unknown as Document)
  await router.init()
  router.register('postRoutingHandler', admit)
  router.register('validationFail', ({ validation }: Context) => {
    throw refusalOf(validation.errors ?? [])
  })
  for (const id of Object.keys(operations) as OperationId[])
    router.register(id, (context: Context, call: Call) =>
      carryOut(call.service.handlers[id], context, call),
    )
  return router
}

/** Runs a routed call from admission to answer. Throws only the question of its door. */
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
    db: measured(service.db, incoming),
    query: {},
    now: service.clock(),
    access: undefined,
    idempotency: undefined,
    broadcast: undefined,
    writeRecord: undefined,
    files: [],
  }
  let answer: Answer
  try {
    const request = await routedRequest(router, call, route)
    const output: unknown = await router.handleRequest(request as never, call)
    answer = success(call, output)
    door.answered?.(call)
  } catch (error) {
    if (error instanceof Unconfirmed) throw error
    answer = refusal(call, error)
  }
  await discardFiles(call)
  service.observe?.(operationId, answer)
  return answer
}

/** Deletes the files of a multipart body; what is needed of them is in the store by now. */
async function discardFiles({ files, service }: Call): Promise<void> {
  if (files.length === 0) return
  const results = await Promise.allSettled(files.map((file) => file.discard()))
  for (const result of results)
    if (result.status === 'rejected')
      service.log.warn({ err: result.reason as unknown }, 'An uploaded file was left on disk.')
}

/** The request to validate. A bad path or query is refused without a credential, but counted. */
async function routedRequest(router: Router, call: Call, route: Route): Promise<RoutedRequest> {
  try {
    return requestOf(router, call, route)
  } catch (error) {
    if (operations[call.operationId].auth !== 'none') {
      // An invalid credential is reported before a missing workspace.
      const namesNone = error instanceof ApiError && error.code === 'missing_workspace'
      await countRefused(call, { requireCredential: namesNone })
    }
    throw error
  }
}

function requestOf(router: Router, call: Call, route: Route): RoutedRequest {
  const { service, door, incoming, operationId, headers } = call
  const query = parseQuery(incoming.search, router.listsOf(operationId))
  // What a flat URL has in its path is checked before the workspace, which it may lack.
  if (route.flat) requireNone(router.pathErrors(operationId, route.params))
  const params = selectWorkspace(route, query, incoming, service.config, headers)
  announceDeprecation(call, query)
  requireNone(router.pathErrors(operationId, params))
  door.screen?.(incoming)
  call.workspaceId = params.workspaceId ?? ''
  router.typeQuery(operationId, query)
  call.query = query
  return {
    method: incoming.method,
    path: incoming.path,
    operationId,
    params,
    query,
    headers: incoming.headers,
    cookies: {},
    requestBody: undefined,
  }
}

/** Authenticates, rate-limits and authorises; reads the body only after that. */
async function admit(context: Context, call: Call): Promise<void> {
  const { door, operationId, incoming, service } = call
  const { auth, body } = operations[operationId]
  if (auth !== 'none') {
    const kind = countedKind(operationId)
    if (door.counts === 'connections') refuseExhausted(call, kind)
    const access = await door.authenticate(call)
    call.access = access
    if (access.accountId !== undefined)
      call.db = measured(databaseOf(service, access, operationId), incoming)
    if (door.counts === 'connections') await countCall(call, access, kind)
    if (door.counts === 'sessions')
      await consumeLimit(service, rateLimits.sessionsOfAccount, accountOf(access))
    incoming.identified()
    authorise(call, access)
    await limitVisitor(call, access)
  }
  // Only the handler knows how many raw bytes may be read.
  if (body === 'bytes' || (!body && !incoming.requireNoBody)) return
  const arrived = incoming.bodyArrived()
  const request = context.request as unknown as RoutedRequest
  // All visitors may send bodies to a shop or with a publishable key, which must not use up the account's
  // memory.
  const { access } = call
  const isOfAnyone = door.isPublic || access?.page
  const holder = (!isOfAnyone && access?.accountId) || incoming.clientIp
  if (!body) await incoming.requireNoBody?.()
  else if (body === 'multipart') {
    const { files, body: sent } = await incoming.readForm(holder, operationId)
    call.files = files
    request.requestBody = sent
  } else {
    request.requestBody = await incoming.readBody(holder)
    // The library validates a text or a number only under the bare type, without a charset.
    if (request.requestBody !== undefined && typeof request.requestBody !== 'object')
      request.headers = { ...request.headers, 'content-type': 'application/json' }
  }
  if (arrived) return
  // Access may be revoked while the body trickles in.
  await reauthorise(call)
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
  if (visit) {
    const { config } = call.service
    admitVisitor(call.operationId, operations[call.operationId].tag, visit)
    await keepSignedIn(call.db, visit, { config, now: call.now })
  }
  if (call.door.guard) await call.door.guard(call, input)
  return onShards(call, async () => {
    const unchanged = await revalidate(call, input)
    if (unchanged) return unchanged
    call.broadcast = broadcastOf(call)
    call.writeRecord = writeRecordOf(call, input)
    call.idempotency = idempotencyOf(call, input)
    const run = async () => {
      const handle = () => (handler as AnyHandler)(input, callerOf(call))
      const read = () => (visit ? inVersion(call, visit, handle) : handle())
      const output = await onReplica(call, read)
      await call.writeRecord?.addAfter(output)
      return output
    }
    return call.idempotency ? call.idempotency.run(run) : run()
  })
}

function broadcastOf({ incoming, headers }: Call): Broadcast | undefined {
  const { sendEvent } = incoming
  if (!sendEvent) return undefined
  const broadcast = createBroadcast()
  broadcast.follow((event, data) => sendEvent(headers, event, data))
  return broadcast
}

function success(call: Call, output: unknown): Answer {
  const { headers, incoming, operationId } = call
  const { status, revalidates, answersEtag } = operations[operationId]
  headers['Cache-Control'] = revalidates ? 'private, no-cache' : 'no-store'
  announceCaching(call)
  if (output instanceof Unchanged) {
    headers.ETag = output.etag
    return answerOf(call, 304, undefined, undefined)
  }
  announceLocation(call, output)
  const sent = sendable(output, incoming.maxAnswerBytes, call.query)
  if (isInParts(sent)) {
    if (sent.file) {
      headers['Content-Type'] = sent.file.type
      headers['Content-Disposition'] = `attachment; filename="${sent.file.name}"`
    }
    const answer = answerOf(call, status, undefined, undefined)
    const account = call.access?.accountId ?? incoming.clientIp
    const reader = { account, reauthorise: () => reauthorise(call) }
    // A list has no tag: it would be a hash of parts that have not been read yet.
    const isTagged = answersEtag && sent.brief !== undefined
    return { ...answer, parts: () => sent.parts(), isTagged, reader }
  }
  const isBrief = isInParts(output)
  const body = jsonOf(sent)
  if (body === undefined || !answersEtag) return answerOf(call, status, body, undefined)
  // Encode once for both hash and response: for long texts, that costs more than either.
  const bytes = Buffer.from(body)
  headers.ETag = etagOf(bytes)
  call.noteTag?.(headers.ETag)
  const ifNoneMatch = revalidates ? incoming.headers['if-none-match'] : undefined
  if (typeof ifNoneMatch === 'string' && listsTag(ifNoneMatch, headers.ETag))
    return answerOf(call, 304, undefined, undefined)
  return { ...answerOf(call, status, body, undefined), bytes, isBrief }
}

function refusal(call: Call, cause: unknown): Answer {
  const error = apiErrorFor(cause)
  const { headers } = call
  headers['Cache-Control'] = 'no-store'
  headers.Vary = 'Accept-Language'
  if (error.retryAfter !== undefined) headers['Retry-After'] = String(error.retryAfter)
  if (error.status === 401 && call.door.challenge) headers['WWW-Authenticate'] = call.door.challenge
  const language = languageOf(call.incoming.headers['accept-language'])
  return answerOf(call, error.status, JSON.stringify(errorBody(error, language)), cause)
}

function answerOf(call: Call, status: number, body: string | undefined, error: unknown): Answer {
  const { headers, access, workspaceId } = call
  return { status, headers, body, connectionId: access?.connectionId, workspaceId, error }
}
