import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A call on its way to the service. */
export interface Passing {
  method: string
  path: string
  headers: Record<string, string>
  body: Buffer
}

/** What comes back. */
export interface Returned {
  status: number
  headers: Headers
  body: Buffer
}

export interface Meddling {
  /** May change the call; an answer that it returns is given instead of the service's. */
  before?: (
    call: Passing,
    pass: (call: Passing) => Promise<Returned>,
  ) => Promise<Returned | undefined> | undefined
  /** May change the answer. */
  after?: (answer: Returned, call: Passing) => Promise<Returned> | Returned
}

/** What belongs to a connection, or to another form of the body. */
const ofConnection = [
  'host',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-encoding',
  'content-length',
  'accept-encoding',
  'expect',
]

/** Stands between clients and the service, and meddles with what they say to each other. */
export async function startRelay(upstream: string, { before, after }: Meddling) {
  const pass = async ({ method, path, headers, body }: Passing): Promise<Returned> => {
    const init =
      body.length > 0 ? { method, headers, body: new Uint8Array(body) } : { method, headers }
    const response = await fetch(upstream + path, init)
    const answered = Buffer.from(await response.arrayBuffer())
    return { status: response.status, headers: response.headers, body: answered }
  }

  const relay = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const call: Passing = {
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      headers: Object.fromEntries(
        Object.entries(request.headers).filter(([name]) => !ofConnection.includes(name)),
      ) as Record<string, string>,
      body: Buffer.concat(chunks),
    }
    const own = (await before?.(call, pass)) ?? (await pass(call))
    const { status, headers, body } = (await after?.(own, call)) ?? own
    response.statusCode = status
    for (const [name, value] of headers)
      if (!ofConnection.includes(name)) response.setHeader(name, value)
    response.end(body)
  }

  // The service keeps idle connections as long; a caller may reuse one at any time.
  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    relay(request, response).catch(() => response.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}

/** A body of JSON; undefined where it is none. */
export function jsonIn({ body }: Pick<Passing, 'body'>): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString())
    return typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

export const bodyOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))
