import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The parts of a chat completion request that tests look at. */
export interface ChatRequest {
  model: string
  messages: {
    role: string
    content: string | { type: string; [key: string]: unknown }[] | null
    tool_calls?: { id: string; function: { name: string; arguments: string } }[]
  }[]
  tools?: { type: string; function: { name: string; parameters: object } }[]
  reasoning_effort?: string
  temperature?: number
  response_format?: { type: string }
  max_tokens?: number
  stream?: boolean
  stream_options?: { include_usage: boolean }
}

export interface SeenRequest {
  path: string | undefined
  headers: IncomingHttpHeaders
  body: ChatRequest
}

/** How the server answers: with a completion, calls of a tool, or one of the usual failures. */
export type Behaviour =
  | {
      says: unknown
      finish?: 'stop' | 'content_filter' | 'length'
      /** Delays the answer until this resolves. */
      after?: Promise<unknown>
      /** Streams the answer up to the end of this text, then waits; without a promise it breaks off. */
      pause?: { at: string; until?: Promise<unknown> }
      /** Refuses a request with 400 and these words, if it returns any. */
      refusing?: (body: ChatRequest) => string | undefined
    }
  | { calls: { name: string; input: unknown }[] }
  | { status: number }
  | { body: string }
  | { redirectTo: string }
  | 'hangs'
  | 'closes'
  | 'breaks off'

export interface ModelServer {
  baseUrl: string
  seen: SeenRequest[]
  /** Sets the behaviours for further requests, in order; the last one stays. */
  behave(...behaviours: [Behaviour, ...Behaviour[]]): void
  close(): Promise<void>
}

const usage = { prompt_tokens: 321, completion_tokens: 45, total_tokens: 366 }

function completion(model: string, message: object, finish: string) {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model,
    usage,
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
  }
}

function contentOf(says: unknown): { content: string } {
  return { content: typeof says === 'string' ? says : JSON.stringify(says) }
}

function callsOf(calls: { name: string; input: unknown }[]) {
  const tool_calls = calls.map(({ name, input }, index) => ({
    id: `call_${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }))
  return { content: null, tool_calls }
}

function respond(response: ServerResponse, behaviour: Behaviour, model: string): void {
  if (behaviour === 'hangs') return
  if (behaviour === 'closes') return void response.destroy()
  if (behaviour === 'breaks off') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('{"id":"chatcmpl-1","choices":[', () => response.destroy())
    return
  }
  if ('redirectTo' in behaviour) {
    response.writeHead(307, { location: behaviour.redirectTo }).end()
    return
  }
  const failed = 'status' in behaviour
  response.writeHead(failed ? behaviour.status : 200, { 'content-type': 'application/json' })
  if (failed) response.end(JSON.stringify({ error: { message: 'inside of the provider' } }))
  else if ('body' in behaviour) response.end(behaviour.body)
  else {
    const [message, finish] =
      'calls' in behaviour
        ? [callsOf(behaviour.calls), 'tool_calls']
        : [contentOf(behaviour.says), behaviour.finish ?? 'stop']
    response.end(JSON.stringify(completion(model, message, finish)))
  }
}

async function respondInTime(response: ServerResponse, behaviour: Behaviour, body: ChatRequest) {
  const isScripted = typeof behaviour === 'object' && ('says' in behaviour || 'calls' in behaviour)
  if (isScripted && 'says' in behaviour) await behaviour.after
  const refusal = isScripted && 'says' in behaviour ? behaviour.refusing?.(body) : undefined
  if (refusal !== undefined) {
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message: refusal } }))
    return
  }
  if (isScripted && body.stream) await respondInChunks(response, behaviour, body.model)
  else respond(response, behaviour, body.model)
}

/** Few characters at a time, so that sentences, marks and escapes are cut anywhere. */
const chunkLength = 3

async function respondInChunks(
  response: ServerResponse,
  behaviour: Extract<Behaviour, { says: unknown } | { calls: unknown }>,
  model: string,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const frame = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model }
  const send = (part: object) =>
    response.write(`data: ${JSON.stringify({ ...frame, ...part })}\n\n`)
  const chunk = (delta: object, finish: string | null = null) =>
    send({ choices: [{ index: 0, delta, finish_reason: finish }] })
  if ('calls' in behaviour) {
    const { tool_calls } = callsOf(behaviour.calls)
    chunk({ role: 'assistant', tool_calls: tool_calls.map((call, index) => ({ index, ...call })) })
    chunk({}, 'tool_calls')
  } else {
    const { content } = contentOf(behaviour.says)
    const { pause, finish = 'stop' } = behaviour
    const stop = pause ? content.indexOf(pause.at) + pause.at.length : content.length
    for (let at = 0; at < stop; at += chunkLength)
      chunk({ content: content.slice(at, Math.min(stop, at + chunkLength)) })
    // What was sent arrives; the end of the answer never does.
    if (pause && !pause.until) return void response.socket?.end()
    await pause?.until
    for (let at = stop; at < content.length; at += chunkLength)
      chunk({ content: content.slice(at, at + chunkLength) })
    chunk({}, finish)
  }
  send({ choices: [], usage })
  response.end('data: [DONE]\n\n')
}

/** A server on loopback that speaks the OpenAI protocol for chat completions. */
export async function startModelServer(): Promise<ModelServer> {
  const seen: SeenRequest[] = []
  let behaviours: Behaviour[] = [{ says: {} }]
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as ChatRequest
      seen.push({ path: request.url, headers: request.headers, body })
      const [behaviour, ...next] = behaviours
      if (next.length > 0) behaviours = next
      void respondInTime(response, behaviour!, body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    seen,
    behave: (...next) => {
      behaviours = next
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
