import { collectDefaultMetrics, Gauge, Histogram, register } from 'prom-client'

/*
 * What tells why a process is slow: its event loop and memory, its statements, and the wait for a
 * connection. Labels are the names that the code gives statements, never their text.
 */

/** How often the event loop is sampled; a sample costs a microsecond. */
const lookMilliseconds = 20

let isStarted = false

/** Measures the process from now on: event loop, heap, garbage collection, processor, descriptors. */
export function startRuntimeMetrics(build: string): void {
  if (isStarted) return
  isStarted = true
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: lookMilliseconds })
  new Gauge({
    name: 'vitrine_build_info',
    help: 'Always 1; the labels say which build runs.',
    labelNames: ['build', 'node'] as const,
    aggregator: 'max',
  }).set({ build, node: process.version }, 1)
}

const statements = new Histogram({
  name: 'vitrine_statement_seconds',
  help: 'Seconds of statements by their name; those without one by their verb.',
  labelNames: ['statement'] as const,
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 4, 7],
})

export function observeStatement(name: string, milliseconds: number): void {
  statements.observe({ statement: name }, milliseconds / 1000)
}

const poolWaits = new Histogram({
  name: 'vitrine_pool_wait_seconds',
  help: 'Seconds for which work waited for a database connection.',
  buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 1, 3, 10],
})

export function observePoolWait(milliseconds: number): void {
  poolWaits.observe(milliseconds / 1000)
}

/** A queue of the whole service, as its tables say. */
interface QueueState {
  queue: string
  waiting: number
  oldestSeconds: number
}

type ReadQueues = () => Promise<QueueState[]>
const readers = new Set<ReadQueues>()

/** Includes queues in the metrics until the returned function is called. Only the latest reader is used. */
export function watchQueues(read: ReadQueues): () => void {
  readers.add(read)
  return () => void readers.delete(read)
}

let reading: Promise<QueueState[]> | undefined

/** Both gauges are collected at the same time, so they share one query. */
function readQueues(): Promise<QueueState[]> {
  const read = [...readers].at(-1)
  if (!read) return Promise.resolve([])
  reading ??= read()
    // Without the database, still report the metrics of the process.
    .catch(() => [])
    .finally(() => (reading = undefined))
  return reading
}

function queueGauge(name: string, help: string, valueOf: (state: QueueState) => number): void {
  new Gauge({
    name,
    help,
    labelNames: ['queue'] as const,
    // All processes report the same value, so the greatest is as good as any.
    aggregator: 'max',
    async collect() {
      const states = await readQueues()
      this.reset()
      for (const state of states) this.set({ queue: state.queue }, valueOf(state))
    },
  })
}

queueGauge(
  'vitrine_queue_length',
  'What waits in a queue of the whole service and is due.',
  ({ waiting }) => waiting,
)
queueGauge(
  'vitrine_queue_oldest_seconds',
  'For how long the oldest in a queue has been due.',
  ({ oldestSeconds }) => oldestSeconds,
)

const sweeps = new Histogram({
  name: 'vitrine_sweep_seconds',
  help: 'Seconds of the steps of housekeeping, by step and outcome.',
  labelNames: ['step', 'outcome'] as const,
  buckets: [0.01, 0.1, 1, 10, 60, 600],
})

export function observeSweep(step: string, outcome: 'done' | 'failed', milliseconds: number): void {
  sweeps.observe({ step, outcome }, milliseconds / 1000)
}
