import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

export interface ReceivedMessage {
  path: string
  headers: IncomingHttpHeaders
  body: string
  message: {
    type: string
    timestamp: string
    data: { workspaceId: string; kind: string; id: string; cursor?: string }
  }
}

/** A receiver on loopback; each path answers as it is told, 204 by default. */
export async function startWebhookReceiver() {
  const received: ReceivedMessage[] = []
  const answers = new Map<string, (response: ServerResponse) => void>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      const path = request.url ?? ''
      const message = JSON.parse(body) as ReceivedMessage['message']
      received.push({ path, headers: request.headers, body, message })
      const answer = answers.get(path) ?? ((own) => own.writeHead(204).end())
      answer(response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    received,
    at: (path: string) => received.filter((message) => message.path === path),
    url: (path: string) => `http://127.0.0.1:${port}${path}`,
    answer: (path: string, how: (response: ServerResponse) => void) => answers.set(path, how),
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** Whether a message is signed by the secret, as a receiver checks it. */
export function isSignedBy(secret: string, { headers, body }: ReceivedMessage): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}
