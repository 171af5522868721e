import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

/** What another account noticed of an attack. */
export interface Noticed {
  calls: number
  failed: number
  p99: number
  worst: number
}

const pauseMilliseconds = 20
const agent = new Agent({ keepAlive: true })

function call(url: string, apiKey: string): Promise<number> {
  return new Promise((resolve) => {
    const headers = { Authorization: `Bearer ${apiKey}` }
    request(url, { agent, headers, timeout: 10_000 }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0))
    })
      .once('timeout', () => resolve(0))
      .once('error', () => resolve(0))
      .end()
  })
}

/** Calls the service as another account while the work runs: a list and the sign of readiness. */
export async function standBy(
  { origin, workspaceId, apiKey }: { origin: string; workspaceId: string; apiKey: string },
  work: () => Promise<unknown>,
): Promise<Noticed> {
  const paths = [`/v1/workspaces/${workspaceId}/products`, '/readyz']
  const times: number[] = []
  let failed = 0
  let over = false
  const calling = (async () => {
    for (let count = 0; !over; count++) {
      const startedAt = performance.now()
      const status = await call(`${origin}${paths[count % paths.length]!}`, apiKey)
      times.push(performance.now() - startedAt)
      if (status !== 200) failed++
      await delay(pauseMilliseconds)
    }
  })()
  try {
    await work()
  } finally {
    over = true
    await calling
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => Math.round(times[Math.floor((times.length - 1) * share)] ?? 0)
  return { calls: times.length, failed, p99: at(0.99), worst: at(1) }
}
