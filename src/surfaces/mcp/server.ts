import {
  type CallToolResult,
  createMcpHandler,
  type JSONRPCMessage,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Tool as ListedTool,
  type Transport,
} from '@modelcontextprotocol/server'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import { maxBodyBytes } from '../call/request_parts.ts'
import { instructionsFor } from './instructions.ts'
import type { McpRequest } from './mcp_request.ts'
import { codes, type Fields, ProtocolRefusal } from './messages.ts'
import type { Resource } from './resources.ts'

const serverInfo = { name: 'vitrine', title: 'Vitrine', version: '1.0.0' }

/** Lists never change while the service runs, so there are no change notifications. */
const capabilities = { tools: {}, resources: {} }

/** Cache lifetime for clients; only a new version of the service changes these results. */
const hint = { ttlMs: 300_000, cacheScope: 'private' as const }
const cacheHints = {
  'tools/list': hint,
  'resources/list': hint,
  'resources/templates/list': hint,
  'resources/read': hint,
  'server/discover': hint,
}

const stateless = '2026-07-28'
const supportedProtocolVersions = [
  stateless,
  ...SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version !== stateless),
]
/** Shared: each server would otherwise compile its own. */
const jsonSchemaValidator = new AjvJsonSchemaValidator()

export interface ServerParts {
  resources: Resource[]
  /** Calls a tool. Refusals for the HTTP layer are thrown; all others are results. */
  callTool: (mcpRequest: McpRequest, params: Fields) => Promise<CallToolResult>
}

/** An answer of the protocol; a message that expects none has no text. */
export interface Spoken {
  text: string | undefined
  status: number
}

/** The official server behind our door: one for each request, so that nothing is shared. */
export function createProtocol({ resources, callTool }: ServerParts) {
  function serverFor(mcpRequest: McpRequest): Server {
    const { toolSet } = mcpRequest
    const server = new Server(serverInfo, {
      capabilities,
      instructions: instructionsFor(toolSet),
      cacheHints,
      supportedProtocolVersions,
      jsonSchemaValidator,
    })
    server.setRequestHandler('tools/list', ({ params }) => {
      requireNoCursor(params)
      return { tools: toolSet.list() as ListedTool[] }
    })
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      try {
        return await callTool(mcpRequest, { ...params, _meta: mcpReq._meta })
      } catch (error) {
        if (error instanceof ProtocolRefusal) throw new ProtocolError(error.code, error.message)
        mcpRequest.refusals.push(error as Error)
        throw error
      }
    })
    server.setRequestHandler('resources/list', ({ params }) => {
      requireNoCursor(params)
      const described = resources.map(({ text, ...rest }) => ({
        ...rest,
        size: Buffer.byteLength(text),
      }))
      return { resources: described }
    })
    server.setRequestHandler('resources/templates/list', ({ params }) => {
      requireNoCursor(params)
      return { resourceTemplates: [] }
    })
    server.setRequestHandler('resources/read', ({ params: { uri } }) => {
      const found = resources.find((resource) => resource.uri === uri)
      if (!found) throw new ResourceNotFoundError(uri, 'There is no such resource.')
      return { contents: [{ uri, mimeType: found.mimeType, text: found.text }] }
    })
    return server
  }

  const handler = createMcpHandler(
    ({ authInfo }) => serverFor(authInfo?.extra?.mcpRequest as McpRequest),
    { legacy: 'reject', responseMode: 'auto', maxRequestBodySize: maxBodyBytes.mcp },
  )

  /** A request of the older generation, answered with JSON instead of the usual event stream. */
  function answerHandshake(mcpRequest: McpRequest, body: unknown): Promise<string> {
    const server = serverFor(mcpRequest)
    return new Promise((resolve, reject) => {
      const transport: Transport = {
        start: () => Promise.resolve(),
        close: () => Promise.resolve(),
        send: (message) => Promise.resolve(resolve(JSON.stringify(inOurWords(message)))),
      }
      server.onerror = reject
      server.connect(transport).then(() => transport.onmessage?.(body as JSONRPCMessage), reject)
    })
  }

  /** A request of the newer generation. */
  async function answerStateless(mcpRequest: McpRequest): Promise<Spoken> {
    const { method } = mcpRequest.body as { method: string }
    if (method === 'subscriptions/listen') throw noSuchMethod()
    const authInfo = { token: '', clientId: '', scopes: [], extra: { mcpRequest } }
    const request = webRequestOf(mcpRequest)
    const response = await handler.fetch(request, { authInfo, parsedBody: mcpRequest.body })
    // A stream might never end.
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
      await response.body?.cancel()
      throw noSuchMethod()
    }
    const text = await response.text()
    return { text: text === '' ? undefined : textInOurWords(text), status: response.status }
  }

  return { answerHandshake, answerStateless }
}

/** There is nothing to listen to: lists and resources never change while the service runs. */
function noSuchMethod(): ProtocolRefusal {
  return new ProtocolRefusal(404, codes.methodNotFound, 'There is no such method.')
}

/** The headers of a request, for the server to compare with its body. */
function webRequestOf({ exchange: { request } }: McpRequest): Request {
  const headers = new Headers({ accept: 'application/json, text/event-stream' })
  for (const name of ['content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name']) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  return new Request('http://localhost/mcp', { method: 'POST', headers })
}

/** Every list is a single page, so any cursor is invalid. */
function requireNoCursor(params: { cursor?: unknown } | undefined): void {
  if (params?.cursor !== undefined)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `${invalidParams} there is no such cursor.`,
    )
}

/** What our own messages about parameters begin with. */
const invalidParams = 'Invalid params:'

/** A validator's own text is of no use to a client, and would change with the package. */
function inOurWords(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message)) return message
  const { code, message: words } = message.error
  const isValidators = code === codes.invalidParams && /[[{]/.test(words)
  if (isValidators) return refusalIn(message, code, `${invalidParams} they do not fit the method.`)
  return code === codes.internalError ? refusalIn(message, code, 'Internal error.') : message
}

function refusalIn(message: JSONRPCMessage, code: number, words: string): JSONRPCMessage {
  return { ...message, error: { code, message: words } }
}

function textInOurWords(text: string): string {
  if (!text.includes('"error"')) return text
  return JSON.stringify(inOurWords(JSON.parse(text) as JSONRPCMessage))
}
