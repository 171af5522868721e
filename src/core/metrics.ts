import cluster, { type Worker } from 'node:cluster'
import { AggregatorRegistry, Counter, Gauge, Histogram, register } from 'prom-client'

/*
 * What the service counts of itself. Labels are names out of our own short lists, never an id of a
 * workspace, an account or a visitor: whoever reads the metrics learns of nobody.
 */

const requests = new Counter({
  name: 'vitrine_requests_total',
  help: 'Requests by origin, operation and status; pages and unknown paths are the operation none.',
  labelNames: ['surface', 'operation', 'status'] as const,
})

const latency = new Histogram({
  name: 'vitrine_request_seconds',
  help: 'Seconds from a request to the end of its answer, by operation.',
  labelNames: ['operation'] as const,
  buckets: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
})

/** Counts a request that has ended. A client that went away before has no status. */
export function countRequest(
  surface: string,
  operation: string | undefined,
  status: number | undefined,
  milliseconds: number,
): void {
  const name = operation ?? 'none'
  requests.inc({ surface, operation: name, status: status ?? 'aborted' })
  latency.observe({ operation: name }, milliseconds / 1000)
}

/** What a pool of connections says of itself. */
export interface PoolState {
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
}

const pools = new Set<PoolState>()

new Gauge({
  name: 'vitrine_database_connections',
  help: 'Connections of the pool that are in use or idle, and calls that wait for one.',
  labelNames: ['state'] as const,
  collect() {
    const sum = (of: (pool: PoolState) => number) =>
      [...pools].reduce((total, pool) => total + of(pool), 0)
    this.set(
      { state: 'used' },
      sum(({ totalCount, idleCount }) => totalCount - idleCount),
    )
    this.set(
      { state: 'idle' },
      sum(({ idleCount }) => idleCount),
    )
    this.set(
      { state: 'waiting' },
      sum(({ waitingCount }) => waitingCount),
    )
  },
})

/** Watches a pool until the returned function is called. */
export function watchPool(pool: PoolState): () => void {
  pools.add(pool)
  return () => void pools.delete(pool)
}

const rateLimitRefusals = new Counter({
  name: 'vitrine_rate_limit_refusals_total',
  help: 'Calls that were refused because a limit was used up, by the name of the limit.',
  labelNames: ['limit'] as const,
})

export function countRateLimitRefusal(limit: string): void {
  rateLimitRefusals.inc({ limit })
}

const reservations = new Counter({
  name: 'vitrine_reservations_total',
  help: 'Reservations of credits: made, refused, settled, released, or expired.',
  labelNames: ['outcome'] as const,
})

export function countReservation(
  outcome: 'reserved' | 'refused' | 'settled' | 'released' | 'expired',
): void {
  reservations.inc({ outcome })
}

const aiCalls = new Counter({
  name: 'vitrine_ai_calls_total',
  help: 'Calls of the model by kind, and whether it answered.',
  labelNames: ['kind', 'outcome'] as const,
})

export function countAiCall(
  kind: 'product' | 'routine' | 'face',
  outcome: 'answered' | 'failed',
): void {
  aiCalls.inc({ kind, outcome })
}

const webhooks = new Counter({
  name: 'vitrine_webhooks_total',
  help: 'Payment events by what became of them.',
  labelNames: ['outcome'] as const,
})

/** Counts an event by its outcome as the ledger of payments names it, or as REFUSED. */
export function countWebhook(
  outcome:
    | ('REPEATED' | 'IGNORED' | 'AWAITING' | 'CREDITED' | 'REVERSED' | 'UNMATCHED' | 'MISMATCH')
    | 'REFUSED',
): void {
  webhooks.inc({ outcome })
}

export const metricsType = register.contentType

/** The metrics in Prometheus' text form; those of all workers together where there are several. */
export function readMetrics(): Promise<string> {
  return cluster.isWorker ? askPrimary() : register.metrics()
}

interface Question {
  metricsOf: number
}
interface Reply extends Question {
  text: string | null
}

let asked = 0
const waiting = new Map<number, (text: string | null) => void>()
const patienceMilliseconds = 8000

/** A worker's share of one collection; the primary gathers all shares. */
export function shareMetrics(): void {
  new AggregatorRegistry()
  process.on('message', (message: Partial<Reply> | null) => {
    if (message?.metricsOf === undefined || message.text === undefined) return
    waiting.get(message.metricsOf)?.(message.text)
  })
}

async function askPrimary(): Promise<string> {
  const metricsOf = ++asked
  const text = await new Promise<string | null>((resolve) => {
    const timer = setTimeout(() => resolve(null), patienceMilliseconds)
    waiting.set(metricsOf, (reply) => {
      clearTimeout(timer)
      resolve(reply)
    })
    process.send?.({ metricsOf } satisfies Question)
  })
  waiting.delete(metricsOf)
  if (text === null) throw new Error('The metrics of the workers could not be gathered.')
  return text
}

/** The primary's part: answers each worker that asks with the metrics of all of them. */
export function gatherMetrics(): void {
  const workers = new AggregatorRegistry()
  cluster.on('message', (worker: Worker, message: Partial<Question> | null) => {
    const metricsOf = message?.metricsOf
    if (metricsOf === undefined) return
    const answer = (text: string | null) => {
      if (worker.isConnected()) worker.send({ metricsOf, text } satisfies Reply)
    }
    workers.clusterMetrics().then(answer, () => answer(null))
  })
}
