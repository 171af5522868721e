import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A store of media on loopback, which can be made to hang. */
export interface Store {
  settings: {
    endpoint: string
    region: string
    bucket: string
    accessKeyId: string
    secretAccessKey: string
  }
  hang(): void
  /** Answers again, those that wait included. */
  resume(): void
  close(): Promise<void>
}

/** Keeps what is put into it, in memory, and looks at no signature. */
export async function startStore(): Promise<Store> {
  const objects = new Map<string, Buffer>()
  const waiting = new Set<() => void>()
  let hanging = false

  function answer(method: string, url: string, body: Buffer, response: ServerResponse): void {
    if (method === 'PUT') objects.set(url, body)
    if (method === 'DELETE') objects.delete(url)
    const found = objects.get(url)
    if (method !== 'DELETE' && !found) return void response.writeHead(404).end()
    response.writeHead(200, { 'Content-Length': method === 'PUT' ? 0 : (found?.length ?? 0) })
    response.end(method === 'GET' ? found : undefined)
  }

  const server = createServer((request, response) => {
    void request.toArray().then((chunks) => {
      const { method = '', url = '' } = request
      const proceed = () => answer(method, url, Buffer.concat(chunks as Buffer[]), response)
      if (hanging) waiting.add(proceed)
      else proceed()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const resume = () => {
    hanging = false
    for (const proceed of waiting) proceed()
    waiting.clear()
  }
  return {
    settings: {
      endpoint: `http://127.0.0.1:${port}`,
      region: 'here',
      bucket: 'media',
      accessKeyId: 'key',
      secretAccessKey: 'secret',
    },
    hang() {
      hanging = true
    },
    resume,
    async close() {
      resume()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
