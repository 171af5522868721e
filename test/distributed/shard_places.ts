import { inject } from 'vitest'
import { databaseAt, execute } from '../../scripts/distributed/nodes.ts'
import { readMetrics } from '../../src/core/metrics.ts'

const outcomes = [
  'shard',
  'unplaced',
  'busy',
  'away',
  'failed',
  'refused',
  'moved',
  'lost',
] as const
type Outcome = (typeof outcomes)[number]
type Kind = 'reads' | 'writes'

/** How many reads or writes of nodes have had each outcome so far, of all services of the process. */
async function counted(kind: Kind): Promise<Record<Outcome, number>> {
  const lines = (await readMetrics()).split('\n')
  const counts = outcomes.map((outcome) => {
    const line = `vitrine_shard_${kind}_total{outcome="${outcome}"} `
    const found = lines.find((each) => each.startsWith(line))
    return [outcome, Number(found?.slice(line.length) ?? 0)]
  })
  return Object.fromEntries(counts) as Record<Outcome, number>
}

/** Counts reads or writes of nodes by what became of them. */
export async function outcomesOf(
  work: () => Promise<unknown>,
  kind: Kind = 'reads',
): Promise<Partial<Record<Outcome, number>>> {
  const before = await counted(kind)
  await work()
  const after = await counted(kind)
  const differences = outcomes.map((name) => [name, after[name] - before[name]] as const)
  return Object.fromEntries(differences.filter(([, count]) => count > 0))
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
  mode: 'auto' | 'block_writes' = 'auto',
): Promise<void> {
  const { shard, port } = await placeOf(databaseUrl, workspaceId)
  const other = ports.find((each) => each !== port)!
  await execute(
    databaseUrl,
    `select citus_move_shard_placement(${shard}, '127.0.0.1', ${port}, '127.0.0.1', ${other}, '${mode}')`,
  )
}

/** The worker that has a workspace, at the database of the test. */
export async function nodeUrlOf(databaseUrl: string, workspaceId: string): Promise<string> {
  const { port } = await placeOf(databaseUrl, workspaceId)
  const worker = inject('workerUrls').find((url) => new URL(url).port === String(port))!
  return databaseAt(worker, new URL(databaseUrl).pathname.slice(1))
}

/** The number of the shard of a table that has a workspace's rows. */
export async function shardOf(
  databaseUrl: string,
  table: string,
  workspaceId: string,
): Promise<string> {
  const [row] = await execute(
    databaseUrl,
    `select get_shard_id_for_distribution_column('${table}', '${workspaceId}'::text)::text as shard`,
  )
  return String(row!.shard)
}

/** Lets a node count the statements that the extension plans there. */
export async function countPlanned(node: string): Promise<void> {
  await execute(node, 'alter system set citus.enable_stat_counters = on', 'select pg_reload_conf()')
}

/** How many statements the extension has planned on a node. */
export async function plannedOn(node: string): Promise<number> {
  const [row] = await execute(
    node,
    `select query_execution_single_shard + query_execution_multi_shard as count
    from citus_stat_counters where name = current_database()`,
  )
  return Number(row!.count)
}

/** Ends sessions of a node's database. */
export const terminate = (
  sessions: string,
) => `select pg_terminate_backend(pid) as done from pg_stat_activity
  where datname = current_database() and ${sessions}`
