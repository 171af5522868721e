import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import type { PublicFetchParts } from '../../../src/adapters/public_fetch.ts'
import { makeCertificate } from './certificates.ts'

/** The host's answer at a path; the default is a 200 with an empty JSON object. */
export interface HostAnswer {
  status?: number
  headers?: Record<string, string>
  /** Sent as JSON; a string and bytes are sent as they are. */
  body?: unknown
  /** Sends the body, then a space every 20 ms, and never ends. */
  drips?: boolean
  /** Delays the answer until this resolves. */
  after?: Promise<void>
}

export interface MetadataHost {
  /** The URL of a path, at the first host name or another. */
  url(path: string, hostname?: string): string
  /** Sets the answer at a path. */
  serve(path: string, answer: HostAnswer): void
  /** Publishes a client's metadata document at a path and returns its URL, the client's id. */
  publish(path: string, metadata: Record<string, unknown>, headers?: Record<string, string>): string
  /** While down, closes every new connection immediately. */
  goDown(isDown: boolean): void
  /** Number of requests for a path. */
  requests(path: string): number
  /** The `User-Agent` of all requests. */
  userAgents(): (string | undefined)[]
  /** Addresses of all connection attempts. */
  connections(): string[]
  /** Lets a public fetch reach this host: its names resolve to a public address, routed here. */
  fetchParts: Required<Pick<PublicFetchParts, 'resolve' | 'connect' | 'trustedRoots'>>
  close(): Promise<void>
}

/** The address that the host's names resolve to; the connector routes it to loopback. */
export const publicAddress = '93.184.215.14'

/** Serves clients' metadata documents and key sets, over real TLS on loopback. */
export async function startMetadataHost(
  hostnames = ['agent.example.com', 'keys.example.com'],
): Promise<MetadataHost> {
  const { certificate, key } = makeCertificate(hostnames)
  const answers = new Map<string, HostAnswer>()
  const paths: string[] = []
  const userAgents: (string | undefined)[] = []
  const connections: string[] = []
  let isDown = false
  const server = createServer({ cert: certificate, key }, (request, response) => {
    const path = request.url ?? '/'
    paths.push(path)
    userAgents.push(request.headers['user-agent'])
    const answer = answers.get(path) ?? { status: 404 }
    void Promise.resolve(answer.after).then(() => send(response, answer))
  })
  server.on('connection', (socket) => isDown && socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  const url = (path: string, hostname = hostnames[0] ?? '') => `https://${hostname}${path}`
  const serve = (path: string, answer: HostAnswer) => void answers.set(path, answer)
  return {
    url,
    serve,
    publish(path, metadata, headers = {}) {
      const id = url(path)
      serve(path, { body: { client_id: id, ...metadata }, headers })
      return id
    },
    goDown: (down) => {
      isDown = down
    },
    requests: (path) => paths.filter((other) => other === path).length,
    userAgents: () => userAgents,
    connections: () => connections,
    fetchParts: {
      resolve: (hostname) => Promise.resolve(hostnames.includes(hostname) ? [publicAddress] : []),
      connect: (address) => {
        connections.push(address)
        return connect(port, '127.0.0.1')
      },
      trustedRoots: [certificate],
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function send(response: ServerResponse, { status, headers, body, drips }: HostAnswer): void {
  response.writeHead(status ?? 200, { 'Content-Type': 'application/json', ...headers })
  const isPlain = typeof body === 'string' || Buffer.isBuffer(body)
  const text = isPlain ? body : JSON.stringify(body ?? {})
  if (!drips) return void response.end(text)
  response.write(text)
  const timer = setInterval(() => response.write(' '), 20)
  response.on('close', () => clearInterval(timer))
}
