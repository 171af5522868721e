import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A checkout session as it was requested. */
export interface Session {
  id: string
  url: string
  headers: IncomingHttpHeaders
  form: Record<string, string>
}

/** The part of Stripe's HTTP API that a checkout uses, on loopback. */
export interface StripeServer {
  address: { host: string; port: number; protocol: 'http' }
  sessions: Session[]
  /** Makes every call fail with this status; 0 closes the connection without an answer. */
  failWith(status: number | undefined): void
  close(): Promise<void>
}

export async function startStripe(): Promise<StripeServer> {
  const sessions: Session[] = []
  let failure: number | undefined
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (failure === 0) return void request.socket.destroy()
      const answer = (status: number, body: object) =>
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
      const type = failure === 401 ? 'invalid_request_error' : 'api_error'
      if (failure !== undefined)
        return void answer(failure, { error: { type, message: `It fails with ${failure}.` } })
      if (request.method !== 'POST' || request.url !== '/v1/checkout/sessions')
        return void answer(404, { error: { type: 'invalid_request_error', message: 'No path.' } })
      const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()))
      const id = `cs_test_${sessions.length + 1}`
      const session = { id, url: `https://checkout.example/${id}` }
      sessions.push({ ...session, headers: request.headers, form })
      answer(200, { ...session, object: 'checkout.session', payment_status: 'unpaid' })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    address: { host: '127.0.0.1', port, protocol: 'http' },
    sessions,
    failWith: (status) => {
      failure = status
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
