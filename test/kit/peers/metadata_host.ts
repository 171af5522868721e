import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import type { PublicFetchParts } from '../../../src/adapters/public_fetch.ts'
import { makeCertificate } from './certificates.ts'

/** What the host answers at a path; an empty object is a 200 of JSON with nothing in it. */
export interface HostAnswer {
  status?: number
  headers?: Record<string, string>
  /** Sent as JSON, or as it is where it is a string. */
  body?: unknown
  /** Sends the beginning, then a blank from time to time, and never ends. */
  drips?: boolean
  /** Answers no sooner than this. */
  after?: Promise<void>
}

export interface MetadataHost {
  /** The URL of a path, at the first host name or another. */
  url(path: string, hostname?: string): string
  /** Answers a path in this way from now on. */
  serve(path: string, answer: HostAnswer): void
  /** Publishes a client's metadata document at a path and returns its URL, the client's id. */
  publish(path: string, metadata: Record<string, unknown>, headers?: Record<string, string>): string
  /** Ends every connection at once, until told otherwise. */
  goDown(isDown: boolean): void
  /** How often a path was asked for. */
  requests(path: string): number
  /** The addresses that connections were begun to. */
  connections(): string[]
  /** What lets a public fetch reach this host: its names have a public address, which leads here. */
  fetchParts: Required<Pick<PublicFetchParts, 'resolve' | 'connect' | 'trustedRoots'>>
  close(): Promise<void>
}

/** The address that the host's names resolve to; the connector leads from there to loopback. */
export const publicAddress = '93.184.215.14'

/** Clients' metadata documents and key sets, over real TLS on loopback. */
export async function startMetadataHost(
  hostnames = ['agent.example.com', 'keys.example.com'],
): Promise<MetadataHost> {
  const { certificate, key } = makeCertificate(hostnames)
  const answers = new Map<string, HostAnswer>()
  const requested: string[] = []
  const connections: string[] = []
  let isDown = false
  const server = createServer({ cert: certificate, key }, (request, response) => {
    const path = request.url ?? '/'
    requested.push(path)
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
    requests: (path) => requested.filter((asked) => asked === path).length,
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
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? {})
  if (!drips) return void response.end(text)
  response.write(text)
  const timer = setInterval(() => response.write(' '), 20)
  response.on('close', () => clearInterval(timer))
}
