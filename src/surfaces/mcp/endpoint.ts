import { INVALID_REQUEST } from '@modelcontextprotocol/server'
import { apiErrorFor, maxAnswerBytes } from '../call/answers.ts'
import type { Endpoint, Exchange, Hold, Reply } from '../http/exchange.ts'
import { createAgentDoor, requireKnownOrigin } from './door.ts'
import type { McpRequest } from './mcp_request.ts'
import {
  generationOf,
  idOf,
  type Message,
  messageOf,
  parseBody,
  ProtocolRefusal,
  requireKnownVersion,
  takesBatches,
} from './messages.ts'
import { mcpPathOf, mcpPaths, narrowedSearch, type ToolSet } from './narrowing.ts'
import { errorResult, errorText, httpRefusal, resultText } from './results.ts'
import { createProtocol, type Spoken } from './protocol.ts'
import { createServers, type ServerParts } from './server.ts'
import type { Service } from '../call/call.ts'
import { maxBodyBytes, readJsonBytes } from '../call/request_parts.ts'

/** Bodies up to this size are read before authentication, so that a single lookup is enough. */
const maxUnauthenticatedBytes = 64 * 1024
const maxBatch = 20

/** Methods that run an operation, which authenticates its caller, so that a single lookup is enough. */
const selfAdmitting = new Set(['tools/call', 'resources/read', 'completion/complete'])

/** The parts that the endpoint serves to admitted callers. */
export interface EndpointParts extends ServerParts {
  toolSetAt: (search: string) => ToolSet
  /** Caches the tool set of a live connection. */
  cacheToolSet: (search: string, toolSet: ToolSet) => void
}

type Protocol = ReturnType<typeof createProtocol<McpRequest>>

/** What the exchanges at an endpoint are answered with. */
interface EndpointContext extends Pick<EndpointParts, 'toolSetAt' | 'cacheToolSet'> {
  service: Service
  protocol: Protocol
}

/**
 * The Model Context Protocol in both generations, without sessions, by the official server. Every
 * message gets its own JSON answer. No state is kept between requests, so no client can reach or
 * cancel another's work.
 */
export function createEndpoint(service: Service, parts: EndpointParts): Endpoint {
  const { toolSetAt, cacheToolSet } = parts
  const protocol = createProtocol(createServers(service.config, parts))
  const context: EndpointContext = { service, protocol, toolSetAt, cacheToolSet }
  return {
    serves: (path) => mcpPaths.has(mcpPathOf(path)),
    answer: (exchange, query, hold) => answer(context, exchange, query, hold),
  }
}

async function answer(
  context: EndpointContext,
  exchange: Exchange,
  query: string,
  hold: Hold,
): Promise<Reply> {
  const { service, protocol, toolSetAt, cacheToolSet } = context
  const search = narrowedSearch(exchange.path, query)
  requireKnownOrigin(exchange.request, service)
  const door = createAgentDoor(service, exchange)
  const mcpRequest: McpRequest = {
    exchange,
    toolSet: toolSetAt(search),
    door,
    headers: {},
    now: () => service.clock(),
    evidence: {},
    body: undefined,
    suspect: false,
    tool: undefined,
    refusals: [],
  }
  try {
    return await answerBody(protocol, mcpRequest, hold).catch((error: unknown) =>
      answerRefusal(context, mcpRequest, error),
    )
  } catch (error) {
    return await answerRefusal(context, mcpRequest, error)
  } finally {
    exchange.connectionId = door.access?.connectionId
    if (door.access) cacheToolSet(search, mcpRequest.toolSet)
  }
}

async function answerBody(protocol: Protocol, mcpRequest: McpRequest, hold: Hold): Promise<Reply> {
  const { request } = mcpRequest.exchange
  const { authorization, 'content-length': length } = request.headers
  if (authorization === undefined || !(Number(length ?? Infinity) <= maxUnauthenticatedBytes))
    await mcpRequest.door.identify(mcpRequest.headers)
  const holder = mcpRequest.door.access?.accountId ?? mcpRequest.exchange.clientIp
  const bytes = await readJsonBytes(request, maxBodyBytes.mcp, hold(holder))
  Object.assign(mcpRequest, parseBody(bytes))
  return Array.isArray(mcpRequest.body)
    ? answerBatch(protocol, mcpRequest, mcpRequest.body)
    : answerOne(protocol, mcpRequest)
}

async function answerOne(protocol: Protocol, mcpRequest: McpRequest): Promise<Reply> {
  const { body, exchange } = mcpRequest
  const message = messageOf(body)
  const { headers } = exchange.request
  const generation = generationOf(body, headers)
  if (generation === 'handshake') requireKnownVersion(message, headers)
  const { text, status } = await speak(mcpRequest, message, () =>
    generation === 'stateless'
      ? protocol.answerStateless(mcpRequest)
      : protocol.answerHandshake(mcpRequest, message, body),
  )
  return replyOf(mcpRequest, text, status)
}

/** Runs a batch in order. Most refusals for the HTTP layer become results in place. */
async function answerBatch(
  protocol: Protocol,
  mcpRequest: McpRequest,
  bodies: unknown[],
): Promise<Reply> {
  const texts: string[] = []
  let spentBytes = 0
  const add = (text: string) => {
    texts.push(text)
    spentBytes += Buffer.byteLength(text)
  }
  for (const [index, message] of batchOf(bodies, mcpRequest.exchange).entries()) {
    try {
      if (spentBytes > maxAnswerBytes.batch) throw batchTooHeavy()
      const { text } = await speak(mcpRequest, message, () =>
        protocol.answerHandshake(mcpRequest, message, bodies[index]),
      )
      if (text !== undefined) add(text)
    } catch (error) {
      if (error instanceof ProtocolRefusal) add(errorText(message.id, error))
      else if (apiErrorFor(error).status === 401 || message.kind !== 'request') throw error
      else add(resultText(message.id, errorResult(apiErrorFor(error))))
    }
  }
  return replyOf(mcpRequest, texts.length > 0 ? `[${texts.join(',')}]` : undefined)
}

/** Lets the server answer. Without access, no answer is returned, so that strangers learn nothing. */
async function speak(
  mcpRequest: McpRequest,
  message: Message,
  answerWith: () => Promise<Spoken>,
): Promise<Spoken> {
  const { door, headers } = mcpRequest
  const admitsItself = message.kind === 'request' && selfAdmitting.has(message.method)
  if (!admitsItself) await door.admit(headers)
  const spoken = await answerWith()
  const [refusal] = mcpRequest.refusals.splice(0)
  if (refusal) throw refusal
  if (!door.access) await door.admit(headers)
  return spoken
}

/** Answers a refusal of the HTTP layer, or one from before the message was understood. */
async function answerRefusal(
  { service }: EndpointContext,
  mcpRequest: McpRequest,
  error: unknown,
): Promise<Reply> {
  const { exchange, door, toolSet, tool } = mcpRequest
  exchange.error = error
  if (error instanceof ProtocolRefusal) {
    if (!door.access) await door.admit(mcpRequest.headers)
    return replyOf(mcpRequest, errorText(idOf(mcpRequest.body), error), error.status)
  }
  const presented = exchange.request.headers.authorization !== undefined
  const metadataUrl = `${service.config.baseUrl}/.well-known/oauth-protected-resource${mcpPathOf(exchange.path)}`
  const challenge = { metadataUrl, presented, scopes: toolSet.scopes }
  const reply = httpRefusal(error, challenge, { tool, access: door.access })
  return { ...reply, headers: { ...mcpRequest.headers, ...reply.headers } }
}

function batchOf(bodies: unknown[], { request }: Exchange): Message[] {
  const refusal = (problem: string) => new ProtocolRefusal(400, INVALID_REQUEST, problem)
  if (!takesBatches(request.headers)) throw refusal('This protocol version has no batches.')
  if (bodies.length === 0 || bodies.length > maxBatch)
    throw refusal(`A batch holds 1 to ${maxBatch} messages.`)
  return bodies.map((body) => {
    const message = messageOf(body)
    if (message.method === 'initialize') throw refusal('initialize is no part of a batch.')
    if (generationOf(body, request.headers) === 'stateless')
      throw refusal('This protocol version has no batches.')
    return message
  })
}

/**
 * Refuses the rest of a batch without running it. The answers so far exceed the limit by at most one
 * result.
 */
function batchTooHeavy(): ProtocolRefusal {
  const megabytes = maxAnswerBytes.batch / 1024 / 1024
  const problem = `The answers to this batch weigh more than ${megabytes} MiB.`
  const advice = 'Send fewer calls at once, with a smaller pageSize or view=summary.'
  return new ProtocolRefusal(200, INVALID_REQUEST, `${problem} ${advice}`)
}

function replyOf({ headers }: McpRequest, body: string | undefined, status = 200): Reply {
  const allHeaders = { ...headers, 'Cache-Control': 'no-store' }
  return { status: body === undefined ? 202 : status, headers: allHeaders, body }
}
