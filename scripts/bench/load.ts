import { Agent, request } from 'node:http'

export interface CallRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  path: string
  headers?: Record<string, string>
  body?: string
}

const connections = 8
const agent = new Agent({ keepAlive: true, maxSockets: connections })

export interface CallAnswer {
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** Makes one call; rejects unless it succeeds. */
export function call(
  origin: string,
  apiKey: string,
  callRequest: CallRequest,
): Promise<CallAnswer> {
  const { method, path, body } = callRequest
  const headers = {
    Authorization: `Bearer ${apiKey}`,
    ...callRequest.headers,
    ...(body === undefined
      ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
  }
  return new Promise((resolve, reject) => {
    request(`${origin}${path}`, { method, agent, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString()
        const { statusCode = 0 } = response
        if (statusCode < 300 || statusCode === 304)
          resolve({ headers: response.headers, body: text })
        else reject(new Error(`${method} ${path} answered ${statusCode}: ${text}`))
      })
    })
      .once('error', reject)
      .end(body)
  })
}

/**
 * A closed loop: each connection sends its next call when the last was answered, until the time or
 * the number of calls is reached. Returns the number of calls and the seconds they took.
 */
export async function load(
  origin: string,
  apiKey: string,
  next: () => CallRequest,
  { seconds, calls: maxCalls = Infinity }: { seconds: number; calls?: number },
): Promise<{ calls: number; seconds: number }> {
  const startedAt = performance.now()
  const elapsed = () => (performance.now() - startedAt) / 1000
  let calls = 0
  const connection = async () => {
    do {
      await call(origin, apiKey, next())
      calls++
    } while (elapsed() < seconds && calls < maxCalls)
  }
  await Promise.all(Array.from({ length: connections }, connection))
  return { calls, seconds: elapsed() }
}

export function endConnections(): void {
  agent.destroy()
}
