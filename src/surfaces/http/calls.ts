import type { Budget } from '../../fairness/budget.ts'
import { etagOfParts } from '../../core/etags.ts'
import { apiErrorFor, maxAnswerBytes } from '../call/answers.ts'
import type { Answer, Door, Incoming, Service } from '../call/call.ts'
import { runCall } from '../call/pipeline.ts'
import {
  hasBody,
  maxBodyBytes,
  readJsonBody,
  readPromisedBytes,
  requireNoBody,
} from '../call/request_parts.ts'
import type { Router } from '../call/router.ts'
import type { Route } from '../call/routes.ts'
import { eventStreamFor } from './event_stream.ts'
import { departureOf, type Exchange, type OriginState, refuse, reply } from './exchange.ts'
import { type HeavyAnswers, isKnown } from './heavy_answers.ts'
import { type Holdings, openHoldings } from './holdings.ts'
import { type FormOperation, forms, readForm } from './multipart.ts'

/** The parts that the calls of one origin use. */
export interface OriginContext {
  router: Router
  service: Service
  door: Door
  state: OriginState
  heavyAnswers: HeavyAnswers
  /** For the bodies of requests, in memory and on disk. */
  memory: Budget
  disk: Budget
  uploadFolder: string
}

/** Runs a call of the contract and answers it. */
export async function answerCall(
  context: OriginContext,
  exchange: Exchange,
  match: Route,
  line: { method: string; search: string },
): Promise<void> {
  const { router, service, door, state } = context
  exchange.operation = match.operationId
  const held = openHoldings(exchange)
  const incoming = incomingOf(context, exchange, held, line)
  const stream = eventStreamFor(exchange, match.operationId, state)
  if (stream) incoming.sendEvent = stream.send
  const answer = await runCall(router, service, door, incoming, match)
  held.end()
  exchange.connectionId = answer.connectionId
  exchange.workspaceId = answer.workspaceId
  exchange.error ??= answer.error
  if (stream) stream.finish(answer)
  else await send(context, exchange, answer)
}

/** The call as the pipeline sees it, with what it may read from the request. */
function incomingOf(
  { memory, disk, uploadFolder }: OriginContext,
  exchange: Exchange,
  held: Holdings,
  { method, search }: { method: string; search: string },
): Incoming {
  const { request, requestId, path, clientIp } = exchange
  const limit = path.startsWith('/v1/') ? maxBodyBytes.v1 : maxBodyBytes.pages
  const incoming: Incoming = {
    method,
    path,
    search,
    requestId,
    clientIp,
    meter: exchange.meter,
    headers: request.headers,
    maxAnswerBytes: maxAnswerBytes.rest,
    signal: () => departureOf(exchange),
    identified: () => exchange.place.identified(),
    bodyArrived: () => request.complete,
    readBody: (holder) => {
      awaitBody(exchange)
      return readJsonBody(request, limit, held.open(memory, holder))
    },
    readForm: (holder, operation) => {
      const space = { folder: uploadFolder, holding: held.open(disk, holder) }
      return readForm(request, space, forms[operation as FormOperation])
    },
    readBytes: (expected) => {
      // The secret address of the upload identifies the sender.
      exchange.place.identified()
      return readPromisedBytes(request, expected, held.open(memory, clientIp))
    },
  }
  if (hasBody(request))
    incoming.requireNoBody = () => {
      awaitBody(exchange)
      return requireNoBody(request)
    }
  return incoming
}

async function send(
  { state, heavyAnswers }: OriginContext,
  exchange: Exchange,
  { parts, reader, ...answer }: Answer,
): Promise<void> {
  if (!parts || !reader) return reply(exchange, answer, state)
  try {
    const paced = await heavyAnswers.admit(exchange, reader, parts)
    // Read twice, because the tag comes first and the whole must not be held in memory.
    if (answer.isTagged) answer.headers.ETag = await etagOfParts(paced())
    if (isKnown(exchange, answer)) return reply(exchange, { ...answer, status: 304 }, state)
    reply(exchange, { ...answer, parts: paced() }, state)
  } catch (error) {
    exchange.error ??= error
    refuse(exchange, apiErrorFor(error), state)
  }
}

/**
 * Gives up the place while waiting for a body, which costs nothing: 32 slow senders would block all others
 * at their address.
 */
export function awaitBody({ request, place }: Exchange): void {
  if (!request.complete) place.end()
}
