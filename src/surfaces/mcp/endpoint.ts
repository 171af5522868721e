import { type ApiError, fieldsInWords } from '../../core/errors.ts'
import type { Scope } from '../../generated/operations.ts'
import { defaultLanguage } from '../../texts/languages.ts'
import { apiErrorFor, maxAnswerBytes } from '../call/answers.ts'
import type { Endpoint, Exchange, Reply } from '../http/exchange.ts'
import { type AgentDoor, createAgentDoor, requireKnownOrigin } from './door.ts'
import { instructionsFor } from './instructions.ts'
import {
  codes,
  type Generation,
  generationOf,
  idOf,
  type Message,
  messageOf,
  ProtocolRefusal,
  takesBatches,
} from './messages.ts'
import { answerMethod } from './methods.ts'
import { mcpPathOf, mcpPaths, narrowedSearch, type ToolSet } from './narrowing.ts'
import type { Resource } from './resources.ts'
import {
  errorResult,
  errorStatus,
  errorText,
  httpRefusal,
  type Result,
  resultText,
} from './results.ts'
import type { Service } from '../call/call.ts'
import { maxBodyBytes, parseUnchecked, readJsonBytes } from '../call/request_parts.ts'

/** Bodies up to this size are read before authentication, so that a single lookup is enough. */
const maxUnauthenticatedBytes = 64 * 1024
const maxBatch = 20

/** One request, with its caller and the tools served at its address. */
export interface McpRequest {
  exchange: Exchange
  toolSet: ToolSet
  door: AgentDoor
  /** The response headers. */
  headers: Reply['headers']
  body: unknown
  /** Whether the body may contain text that cannot be stored. */
  suspect: boolean
  /** The tool being called. */
  tool: { scope: Scope | null } | undefined
}

/** The parts that the endpoint serves to admitted callers. */
export interface EndpointParts {
  toolSetAt: (search: string) => ToolSet
  /** Caches the tool set of a live connection. */
  cacheToolSet: (search: string, toolSet: ToolSet) => void
  resources: Resource[]
  /** Calls a tool. Refusals for the HTTP layer are thrown; all others are results. */
  callTool: (mcpRequest: McpRequest, message: Message) => Promise<Result>
}

/**
 * The Model Context Protocol in both generations, without sessions. Every message gets its own JSON
 * answer. No state is kept between requests, so no client can reach or cancel another's work.
 */
export function createEndpoint(service: Service, parts: EndpointParts): Endpoint {
  const { resources, callTool, toolSetAt, cacheToolSet } = parts
  const metadataOf = (path: string) =>
    `${service.config.baseUrl}/.well-known/oauth-protected-resource${mcpPathOf(path)}`

  /** The text of the answer; undefined for a message that expects none. */
  async function textFor(
    mcpRequest: McpRequest,
    message: Message,
    generation: Generation,
  ): Promise<string | undefined> {
    const { toolSet, door, headers } = mcpRequest
    if (message.kind === 'request' && message.method === 'tools/call')
      return resultText(message.id, generation, await callTool(mcpRequest, message))
    await door.admit(headers)
    if (message.kind !== 'request') return undefined
    const instructions = instructionsFor(toolSet)
    const offer = { tools: toolSet.list, resources, instructions }
    return resultText(message.id, generation, answerMethod(offer, message, generation))
  }

  async function answerOne(mcpRequest: McpRequest): Promise<Reply> {
    const message = messageOf(mcpRequest.body)
    const generation = generationOf(message, mcpRequest.exchange.request.headers)
    try {
      const text = await textFor(mcpRequest, message, generation)
      return replyOf(mcpRequest, text)
    } catch (error) {
      if (!(error instanceof ProtocolRefusal)) throw error
      const status = errorStatus(generation, error)
      return replyOf(mcpRequest, errorText(message.id, error), status)
    }
  }

  /** Runs a batch in order. Most refusals for the HTTP layer become results in place. */
  async function answerBatch(mcpRequest: McpRequest, bodies: unknown[]): Promise<Reply> {
    const texts: string[] = []
    let spentBytes = 0
    const add = (text: string) => {
      texts.push(text)
      spentBytes += Buffer.byteLength(text)
    }
    for (const message of batchOf(bodies, mcpRequest.exchange)) {
      try {
        if (spentBytes > maxAnswerBytes.batch) throw batchTooHeavy()
        const text = await textFor(mcpRequest, message, 'handshake')
        if (text !== undefined) add(text)
      } catch (error) {
        if (error instanceof ProtocolRefusal) add(errorText(message.id, error))
        else if (apiErrorFor(error).status === 401 || message.kind !== 'request') throw error
        else add(resultText(message.id, 'handshake', errorResult(apiErrorFor(error))))
      }
    }
    return replyOf(mcpRequest, texts.length > 0 ? `[${texts.join(',')}]` : undefined)
  }

  async function answerBody(mcpRequest: McpRequest): Promise<Reply> {
    const { request } = mcpRequest.exchange
    const { authorization, 'content-length': length } = request.headers
    if (authorization === undefined || !(Number(length ?? Infinity) <= maxUnauthenticatedBytes))
      await mcpRequest.door.identify()
    const bytes = await readJsonBytes(request, maxBodyBytes.mcp)
    Object.assign(mcpRequest, parseBody(bytes))
    return Array.isArray(mcpRequest.body)
      ? answerBatch(mcpRequest, mcpRequest.body)
      : answerOne(mcpRequest)
  }

  /** Answers a refusal of the HTTP layer, or one from before the message was understood. */
  async function answerRefusal(mcpRequest: McpRequest, error: unknown): Promise<Reply> {
    const { exchange, door, toolSet, tool } = mcpRequest
    exchange.error = error
    if (error instanceof ProtocolRefusal) {
      if (!door.access) await door.admit(mcpRequest.headers)
      return replyOf(mcpRequest, errorText(idOf(mcpRequest.body), error), error.status)
    }
    const presented = exchange.request.headers.authorization !== undefined
    const metadataUrl = metadataOf(exchange.path)
    const challenge = { metadataUrl, presented, scopes: toolSet.scopes }
    const reply = httpRefusal(error, challenge, { tool, access: door.access })
    return { ...reply, headers: { ...mcpRequest.headers, ...reply.headers } }
  }

  async function answer(exchange: Exchange, query: string): Promise<Reply> {
    const search = narrowedSearch(exchange.path, query)
    requireKnownOrigin(exchange.request, service)
    const door = createAgentDoor(service, exchange.request)
    const mcpRequest: McpRequest = {
      exchange,
      toolSet: toolSetAt(search),
      door,
      headers: {},
      body: undefined,
      suspect: false,
      tool: undefined,
    }
    try {
      return await answerBody(mcpRequest).catch((error: unknown) =>
        answerRefusal(mcpRequest, error),
      )
    } catch (error) {
      return await answerRefusal(mcpRequest, error)
    } finally {
      exchange.connectionId = door.access?.connectionId
      if (door.access) cacheToolSet(search, mcpRequest.toolSet)
    }
  }

  return { serves: (path) => mcpPaths.has(mcpPathOf(path)), answer }
}

function parseBody(bytes: Buffer | undefined): Pick<McpRequest, 'body' | 'suspect'> {
  try {
    const { value, suspect } = parseUnchecked(bytes ?? Buffer.alloc(0))
    return { body: value, suspect }
  } catch (error) {
    const { fieldErrors = {} } = error as ApiError
    const { body = '' } = fieldsInWords(fieldErrors, defaultLanguage)
    throw new ProtocolRefusal(400, codes.parseError, `The body cannot be read. ${body}`.trim())
  }
}

function batchOf(bodies: unknown[], { request }: Exchange): Message[] {
  const refusal = (problem: string) => new ProtocolRefusal(400, codes.invalidRequest, problem)
  if (!takesBatches(request.headers)) throw refusal('This protocol version has no batches.')
  if (bodies.length === 0 || bodies.length > maxBatch)
    throw refusal(`A batch holds 1 to ${maxBatch} messages.`)
  return bodies.map((body) => {
    const message = messageOf(body)
    if (message.method === 'initialize') throw refusal('initialize is no part of a batch.')
    if (generationOf(message, request.headers) === 'stateless')
      throw refusal('This protocol version has no batches.')
    return message
  })
}

/** Refuses the rest of a batch unrun. What it has answered by then is at most one result over. */
function batchTooHeavy(): ProtocolRefusal {
  const megabytes = maxAnswerBytes.batch / 1024 / 1024
  const problem = `The answers to this batch weigh more than ${megabytes} MiB.`
  const advice = 'Send fewer calls at once, with a smaller pageSize or view=summary.'
  return new ProtocolRefusal(200, codes.invalidRequest, `${problem} ${advice}`)
}

function replyOf({ headers }: McpRequest, body: string | undefined, status = 200): Reply {
  const allHeaders = { ...headers, 'Cache-Control': 'no-store' }
  return { status: body === undefined ? 202 : status, headers: allHeaders, body }
}
