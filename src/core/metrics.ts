import cluster, { type Worker } from 'node:cluster'
import { AggregatorRegistry, Counter, Gauge, Histogram, register } from 'prom-client'

/*
 * The service's metrics. Labels come from short fixed lists, never an id of a workspace, an account
 * or a visitor: metrics must not identify anyone.
 */

const requests = new Counter({
  name: 'vitrine_requests_total',
  help: 'Requests by origin, operation and status. Pages and unknown paths count as operation none.',
  labelNames: ['surface', 'operation', 'status'] as const,
})

const latencies = new Histogram({
  name: 'vitrine_request_seconds',
  help: 'Seconds from receiving a request to the end of its response, by operation.',
  labelNames: ['operation'] as const,
  buckets: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
})

/** Counts a finished request. One that the client aborted has no status. */
export function countRequest(
  surface: string,
  operation: string | undefined,
  status: number | undefined,
  milliseconds: number,
): void {
  const name = operation ?? 'none'
  requests.inc({ surface, operation: name, status: status ?? 'aborted' })
  latencies.observe({ operation: name }, milliseconds / 1000)
}

/** State of a connection pool. */
export interface PoolState {
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
}

const pools = new Set<PoolState>()

new Gauge({
  name: 'vitrine_database_connections',
  help: 'Pool connections in use and idle, and calls waiting for one.',
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

/** Includes a pool in the metrics until the returned function is called. */
export function watchPool(pool: PoolState): () => void {
  pools.add(pool)
  return () => void pools.delete(pool)
}

const rateLimitRefusals = new Counter({
  name: 'vitrine_rate_limit_refusals_total',
  help: 'Calls refused by a rate limit, by the name of the limit.',
  labelNames: ['limit'] as const,
})

export function countRateLimitRefusal(limit: string): void {
  rateLimitRefusals.inc({ limit })
}

const reservations = new Counter({
  name: 'vitrine_reservations_total',
  help: 'Credit reservations by outcome.',
  labelNames: ['outcome'] as const,
})

export function countReservation(
  outcome: 'reserved' | 'refused' | 'settled' | 'released' | 'expired',
): void {
  reservations.inc({ outcome })
}

const aiCalls = new Counter({
  name: 'vitrine_ai_calls_total',
  help: 'AI model calls by kind and outcome.',
  labelNames: ['kind', 'outcome'] as const,
})

export function countAiCall(
  kind: 'product' | 'routine' | 'face',
  outcome: 'answered' | 'stood_in' | 'failed',
): void {
  aiCalls.inc({ kind, outcome })
}

const webhooks = new Counter({
  name: 'vitrine_webhooks_total',
  help: 'Payment events by outcome.',
  labelNames: ['outcome'] as const,
})

/** Counts a payment event: its stored outcome, or REFUSED. */
export function countWebhook(
  outcome:
    | ('REPEATED' | 'IGNORED' | 'AWAITING' | 'CREDITED' | 'REVERSED' | 'REINSTATED')
    | ('UNMATCHED' | 'MISMATCH')
    | 'REFUSED',
): void {
  webhooks.inc({ outcome })
}

export const metricsType = register.contentType

/** The metrics in Prometheus text format, summed over all workers. */
export function readMetrics(): Promise<string> {
  return cluster.isWorker ? askPrimary() : register.metrics()
}

interface Question {
  metricsOf: number
}
interface Reply extends Question {
  text: string | null
}

let lastQuestion = 0
const pendingReplies = new Map<number, (text: string | null) => void>()
const replyMilliseconds = 8000

/** The worker's side: reports its metrics, and receives the aggregate that it asked for. */
export function shareMetrics(): void {
  new AggregatorRegistry()
  process.on('message', (message: Partial<Reply> | null) => {
    if (message?.metricsOf === undefined || message.text === undefined) return
    pendingReplies.get(message.metricsOf)?.(message.text)
  })
}

async function askPrimary(): Promise<string> {
  const metricsOf = ++lastQuestion
  const text = await new Promise<string | null>((resolve) => {
    const timer = setTimeout(() => resolve(null), replyMilliseconds)
    pendingReplies.set(metricsOf, (reply) => {
      clearTimeout(timer)
      resolve(reply)
    })
    process.send?.({ metricsOf } satisfies Question)
  })
  pendingReplies.delete(metricsOf)
  if (text === null) throw new Error("The workers' metrics could not be collected.")
  return text
}

/** The primary's side: answers a worker with the aggregated metrics of all workers. */
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
