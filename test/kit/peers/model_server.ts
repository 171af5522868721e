import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The parts of a chat completion request that tests look at. */
export interface ChatRequest {
  model: string
  messages: { role: string; content: string | { type: string; [key: string]: unknown }[] }[]
  reasoning_effort?: string
  response_format?: { type: string }
  max_tokens?: number
}

export interface SeenRequest {
  path: string | undefined
  headers: IncomingHttpHeaders
  body: ChatRequest
}

/** How the server answers: with a completion, or with one of the usual failures. */
export type Behaviour =
  | {
      says: unknown
      finish?: 'stop' | 'content_filter' | 'length'
      /** Delays the answer until this resolves. */
      after?: Promise<unknown>
    }
  | { status: number }
  | { body: string }
  | { redirectTo: string }
  | 'hangs'
  | 'closes'
  | 'breaks off'

export interface ModelServer {
  baseUrl: string
  seen: SeenRequest[]
  /** Sets the behaviour for all further requests. */
  behave(behaviour: Behaviour): void
  close(): Promise<void>
}

const usage = { prompt_tokens: 321, completion_tokens: 45, total_tokens: 366 }

function completion(model: string, says: unknown, finish: string) {
  const content = typeof says === 'string' ? says : JSON.stringify(says)
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model,
    usage,
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: finish }],
  }
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
  else response.end(JSON.stringify(completion(model, behaviour.says, behaviour.finish ?? 'stop')))
}

async function respondInTime(response: ServerResponse, behaviour: Behaviour, model: string) {
  if (typeof behaviour === 'object' && 'says' in behaviour) await behaviour.after
  respond(response, behaviour, model)
}

/** A server on loopback that speaks the OpenAI protocol for chat completions. */
export async function startModelServer(): Promise<ModelServer> {
  const seen: SeenRequest[] = []
  let behaviour: Behaviour = { says: {} }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as ChatRequest
      seen.push({ path: request.url, headers: request.headers, body })
      void respondInTime(response, behaviour, body.model)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    seen,
    behave: (next) => {
      behaviour = next
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
