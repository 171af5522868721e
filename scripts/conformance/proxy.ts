import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Adds the bearer token, which the suites cannot send, and changes nothing else. */
export async function startProxy(target: URL, token: string): Promise<Server> {
  const proxy = createServer((incoming, response) => {
    const own = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
    const { host = '' } = incoming.headers
    const namesProxy = host === own || host === own.replace('127.0.0.1', 'localhost')
    const headers = {
      ...incoming.headers,
      ...(namesProxy ? { host: target.host } : {}),
      authorization: `Bearer ${token}`,
    }
    const { hostname, port } = target
    const options = {
      hostname,
      port,
      path: incoming.url,
      method: incoming.method,
      headers,
      agent: false,
    }
    const outgoing = request(options, (upstream) => {
      response.writeHead(upstream.statusCode ?? 502, upstream.headers)
      upstream.pipe(response)
    })
    outgoing.once('error', () => response.writeHead(502).end())
    incoming.pipe(outgoing)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return proxy
}
