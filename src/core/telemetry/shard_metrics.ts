import { Counter } from 'prom-client'

const reads = new Counter({
  name: 'vitrine_shard_reads_total',
  help: 'Reads that a node of a distributed database may serve by itself, by what became of them: all but shard went to the coordinator.',
  labelNames: ['outcome'] as const,
})

const writes = new Counter({
  name: 'vitrine_shard_writes_total',
  help: 'Writes that a node of a distributed database may do by itself, by what became of them: all but shard and lost went to the coordinator.',
  labelNames: ['outcome'] as const,
})

/**
 * Counts a read: the node was asked; or its place was not known, all connections to the node were in use,
 * the node was away, or it failed while it was asked.
 */
export function countShardRead(outcome: 'shard' | 'unplaced' | 'busy' | 'away' | 'failed'): void {
  reads.inc({ outcome })
}

/**
 * Counts a write: the node did it; or its place was not known, all connections to the node were in use,
 * the node was away or refused to begin, the shard had moved, or the node was lost in the middle.
 */
export function countShardWrite(
  outcome: 'shard' | 'unplaced' | 'busy' | 'away' | 'refused' | 'moved' | 'lost',
): void {
  writes.inc({ outcome })
}
