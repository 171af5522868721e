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

export interface Load {
  calls: number
  seconds: number
  /** How long each call took, in milliseconds. */
  times: number[]
}

/**
 * A closed loop: each connection sends its next call when the last was answered, until the time or
 * the number of calls is reached.
 */
export async function load(
  origin: string,
  apiKey: string,
  next: () => CallRequest,
  { seconds, calls: maxCalls = Infinity }: { seconds: number; calls?: number },
): Promise<Load> {
  const startedAt = performance.now()
  const elapsed = () => (performance.now() - startedAt) / 1000
  const times: number[] = []
  const connection = async () => {
    do {
      const sentAt = performance.now()
      await call(origin, apiKey, next())
      times.push(performance.now() - sentAt)
    } while (elapsed() < seconds && times.length < maxCalls)
  }
  await Promise.all(Array.from({ length: connections }, connection))
  return { calls: times.length, seconds: elapsed(), times }
}

/** What this share of the calls took at most. */
export function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * share) - 1] ?? NaN
}

export function endConnections(): void {
  agent.destroy()
}
