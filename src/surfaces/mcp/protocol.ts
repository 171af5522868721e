import {
  createMcpHandler,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  type JSONRPCMessage,
  METHOD_NOT_FOUND,
  PerRequestHTTPServerTransport,
  type Server,
  type Transport,
} from '@modelcontextprotocol/server'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import { maxBodyBytes } from '../call/request_parts.ts'
import type { Exchange } from '../http/exchange.ts'
import {
  handshakeVersions,
  invalidParams,
  isPlainCall,
  type Message,
  ProtocolRefusal,
  requireHandshake,
  stateless,
} from './messages.ts'

const classification = { era: 'modern', revision: stateless } as const

/** The options of every server. The validator is shared, or each server would compile its own. */
export const serverOptions = {
  supportedProtocolVersions: [stateless, ...handshakeVersions],
  jsonSchemaValidator: new AjvJsonSchemaValidator(),
  // The shim would put a question to the client into our single answer.
  inputRequired: { legacyShim: false },
}

/** A request with its body; further members are for its server. */
interface Received {
  exchange: Exchange
  body: unknown
}

/** An answer of the protocol; a message that expects none gets no text. */
export interface Spoken {
  text: string | undefined
  status: number
}

/** Serves both generations of the protocol with the official server, a new one for each request. */
export function createProtocol<Arrived extends Received>(
  serverFor: (received: Arrived, body: unknown) => Server,
) {
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const received = authInfo?.extra?.received as Arrived
      return wordingErrors(serverFor(received, received.body))
    },
    { legacy: 'reject', responseMode: 'auto', maxRequestBodySize: maxBodyBytes.mcp },
  )

  /** Lets a server of its own answer each request: with JSON instead of the usual event stream. */
  function answerOn(transport: Transport, received: Arrived, body: unknown): Promise<string> {
    const server = serverFor(received, body)
    return new Promise((resolve, reject) => {
      transport.send = (message) => {
        resolve(textOf(inOurWords(message)))
        return Promise.resolve()
      }
      server.onerror = reject
      server.connect(transport).then(() => transport.onmessage?.(body as JSONRPCMessage), reject)
    })
  }

  /** The older generation answers every request with 200; other messages get no answer. */
  async function answerHandshake(
    received: Arrived,
    message: Message,
    body: unknown,
  ): Promise<Spoken> {
    if (message.kind !== 'request') return { text: undefined, status: 202 }
    requireHandshake(body)
    const nothing = () => Promise.resolve()
    const transport = { start: nothing, close: nothing, send: nothing }
    return { text: await answerOn(transport, received, body), status: 200 }
  }

  /**
   * A request of the newer generation. Most are plain calls, which skip the web's Request and Response
   * objects: a fifth of the CPU (`scripts/bench/against.ts`, tools/call).
   */
  async function answerStateless(received: Arrived): Promise<Spoken> {
    const { body, exchange } = received
    if (isPlainCall(body, exchange.request.headers)) {
      const transport = new PerRequestHTTPServerTransport({ classification })
      return { text: await answerOn(transport, received, body), status: 200 }
    }
    if ((body as { method: string }).method === 'subscriptions/listen') throw noSuchMethod()
    const authInfo = { token: '', clientId: '', scopes: [], extra: { received } }
    const request = webRequestOf(exchange)
    const response = await handler.fetch(request, { authInfo, parsedBody: body })
    const text = await response.text()
    return { text: text === '' ? undefined : text, status: response.status }
  }

  return { answerHandshake, answerStateless }
}

/**
 * The texts of lists of tools. Writing one takes 40 % of the CPU of tools/list, and a set of tools keeps
 * its list.
 */
const listTexts = new WeakMap<object, string>()

function textOf(message: JSONRPCMessage): string {
  if (!('result' in message) || !Array.isArray(message.result.tools)) return JSON.stringify(message)
  const { tools, ...beside } = message.result
  const list = listTexts.get(tools) ?? JSON.stringify(tools)
  listTexts.set(tools, list)
  const rest = JSON.stringify(beside).slice(1)
  const result = `{"tools":${list}${rest === '}' ? '' : ','}${rest}`
  return `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${result}}`
}

/** There is nothing to listen to: lists and resources never change while the service runs. */
function noSuchMethod(): ProtocolRefusal {
  return new ProtocolRefusal(404, METHOD_NOT_FOUND, 'There is no such method.')
}

/** The headers of a request, for the server to compare with its body. */
function webRequestOf({ request }: Exchange): Request {
  const headers = new Headers({ accept: 'application/json, text/event-stream' })
  for (const name of ['content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name']) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  return new Request('http://localhost/mcp', { method: 'POST', headers })
}

/** Words the errors of a server that the package connects by itself. */
function wordingErrors(server: Server): Server {
  const connect = server.connect.bind(server)
  server.connect = (transport) => {
    const send = transport.send.bind(transport)
    transport.send = (message, options) => send(inOurWords(message), options)
    return connect(transport)
  }
  return server
}

/** How the package begins what its validator says of a call; nothing of ours begins so. */
const ofValidator = 'Invalid tools/call '

/** A validator's own text is of no use to a client, and would change with the package. */
function inOurWords(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message)) return message
  const { code, message: words } = message.error
  if (code === INVALID_PARAMS && words.startsWith(ofValidator))
    return refusalIn(message, code, invalidParams('they do not fit the method.').message)
  return code === INTERNAL_ERROR ? refusalIn(message, code, 'Internal error.') : message
}

function refusalIn(message: JSONRPCMessage, code: number, words: string): JSONRPCMessage {
  return { ...message, error: { code, message: words } }
}
