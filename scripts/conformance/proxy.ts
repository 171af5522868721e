import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Adds the bearer, which the suites cannot send, and changes nothing else. */
export async function startProxy(target: URL, token: string): Promise<Server> {
  const proxy = createServer((asked, answer) => {
    const own = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
    const { host = '' } = asked.headers
    const named = host === own || host === own.replace('127.0.0.1', 'localhost')
    const headers = {
      ...asked.headers,
      ...(named ? { host: target.host } : {}),
      authorization: `Bearer ${token}`,
    }
    const { hostname, port } = target
    const options = { hostname, port, path: asked.url, method: asked.method, headers, agent: false }
    const passed = request(options, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers)
      given.pipe(answer)
    })
    passed.once('error', () => answer.writeHead(502).end())
    asked.pipe(passed)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return proxy
}
