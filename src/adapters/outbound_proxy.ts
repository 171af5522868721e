import { request } from 'node:http'
import type { Socket } from 'node:net'

/**
 * A connection to a host through an HTTP proxy. The proxy resolves the name, because a network whose
 * only way out is a proxy often has no public name service; it must refuse private addresses.
 */
export function connectThroughProxy(
  proxy: URL,
  target: { hostname: string; port: number },
  signal: AbortSignal,
): Promise<Socket> {
  const { hostname, port, username, password } = proxy
  const authority = `${target.hostname}:${target.port}`
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? 80 : Number(port),
      method: 'CONNECT',
      path: authority,
      headers: {
        Host: authority,
        ...(username === ''
          ? {}
          : {
              'Proxy-Authorization': `Basic ${Buffer.from(credentials).toString('base64')}`,
            }),
      },
      signal,
    })
    outgoing.on('error', reject)
    outgoing.on('response', (response) => {
      response.destroy()
      reject(new Error(`The proxy answered ${response.statusCode ?? 0}.`))
    })
    outgoing.on('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) return resolve(socket)
      socket.destroy()
      reject(new Error(`The proxy answered ${statusCode ?? 0}.`))
    })
    outgoing.end()
  })
}
