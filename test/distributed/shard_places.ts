import { execute } from '../../scripts/distributed/nodes.ts'
import { readMetrics } from '../../src/core/metrics.ts'

const outcomes = ['shard', 'unplaced', 'busy', 'away', 'failed'] as const
type Outcome = (typeof outcomes)[number]

/** How many reads of nodes have had each outcome so far, of all services of the process. */
async function shardReads(): Promise<Record<Outcome, number>> {
  const lines = (await readMetrics()).split('\n')
  const counts = outcomes.map((outcome) => {
    const line = `vitrine_shard_reads_total{outcome="${outcome}"} `
    const found = lines.find((each) => each.startsWith(line))
    return [outcome, Number(found?.slice(line.length) ?? 0)]
  })
  return Object.fromEntries(counts) as Record<Outcome, number>
}

/** Counts reads of nodes by what became of them. */
export async function outcomesOf(
  work: () => Promise<unknown>,
): Promise<Partial<Record<Outcome, number>>> {
  const before = await shardReads()
  await work()
  const after = await shardReads()
  const counted = outcomes.map((name) => [name, after[name] - before[name]] as const)
  return Object.fromEntries(counted.filter(([, count]) => count > 0))
}

/** The shard that stands for a workspace's, and the port of its node. */
export async function placeOf(
  databaseUrl: string,
  workspaceId: string,
): Promise<{ shard: string; port: number }> {
  const [row] = await execute(
    databaseUrl,
    `select shardid::text as shard, nodeport as port from citus_shards
    where shardid = get_shard_id_for_distribution_column('catalogue_counters', '${workspaceId}'::text)`,
  )
  return row as { shard: string; port: number }
}

/** Moves all that a workspace's shard has to the other worker. */
export async function moveShard(
  databaseUrl: string,
  workspaceId: string,
  ports: readonly number[],
): Promise<void> {
  const { shard, port } = await placeOf(databaseUrl, workspaceId)
  const other = ports.find((each) => each !== port)!
  await execute(
    databaseUrl,
    `select citus_move_shard_placement(${shard}, '127.0.0.1', ${port}, '127.0.0.1', ${other})`,
  )
}
