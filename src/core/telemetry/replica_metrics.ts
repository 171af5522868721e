import { Counter, Gauge } from 'prom-client'

const reads = new Counter({
  name: 'vitrine_replica_reads_total',
  help: 'Reads that a replica may serve, by what became of them: all but replica went to the primary.',
  labelNames: ['outcome'] as const,
})

/**
 * Counts a read: the replica was asked; or it was behind the primary, out of connections, away, or
 * failed while it was asked.
 */
export function countReplicaRead(outcome: 'replica' | 'late' | 'busy' | 'away' | 'failed'): void {
  reads.inc({ outcome })
}

const up = new Gauge({
  name: 'vitrine_replica_up',
  help: 'Whether the replica can be used, by process the least: 1, or 0. Without one there is no value.',
  labelNames: ['replica'] as const,
  aggregator: 'min',
})

export function setReplicaUp(isUp: boolean): void {
  up.set({ replica: 'database' }, isUp ? 1 : 0)
}
