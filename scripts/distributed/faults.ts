import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { brokenWallets } from '../../src/queries/credits/wallet_audit.ts'
import type { Cluster } from './cluster.ts'
import { execute } from './nodes.ts'
import { type DistributedShops, openShops } from './shops.ts'
import { duringTraffic, read, type Traffic } from './traffic.ts'

/** A change of the cluster under traffic, and the statuses that clients may see of it. */
interface Fault {
  name: string
  allowed: string[]
  happen: () => Promise<void>
}

const awayMilliseconds = 3000

/** Moves shards and ends a worker while clients read and write; prints a table. True if all held. */
export async function runFaults(cluster: Cluster): Promise<boolean> {
  const shops = await openShops(cluster)
  try {
    const rows: Row[] = []
    for (const fault of faultsOf(cluster, shops)) {
      const traffic = await duringTraffic(shops, fault.happen)
      rows.push(await judge(shops, fault, traffic))
    }
    print(rows)
    for (const line of shops.internalErrors()) console.log(line)
    const broken = await brokenWallets(shops.connection.db)
    for (const { workspaceId, problem } of broken) console.log(`${workspaceId}: ${problem}`)
    return broken.length === 0 && rows.every(({ held }) => held)
  } finally {
    await shops.stop()
  }
}

function faultsOf({ workers }: Cluster, { databaseUrl }: DistributedShops): Fault[] {
  const [first, second] = workers
  return [
    { name: 'nothing', allowed: ['200'], happen: () => delay(awayMilliseconds) },
    {
      name: 'all shards of a worker moved to the other',
      allowed: ['200'],
      happen: () => moveShards(databaseUrl, first!.port, second!.port),
    },
    {
      name: 'citus_rebalance_start, to its end',
      allowed: ['200'],
      happen: async () => {
        await execute(
          databaseUrl,
          'select citus_rebalance_start()',
          'select citus_rebalance_wait()',
        )
      },
    },
    {
      name: 'a worker killed, back after three seconds',
      allowed: ['200', '503'],
      async happen() {
        await delay(1000)
        await second!.kill()
        await delay(awayMilliseconds)
        await second!.start()
        await delay(awayMilliseconds)
      },
    },
  ]
}

/** One shard of each colocated group is named; the others of its workspaces move with it. */
async function moveShards(databaseUrl: string, from: number, to: number): Promise<void> {
  const shards = await execute(
    databaseUrl,
    `select distinct on (colocation_id, min_value) s.shardid::text as shard
    from citus_shards s join pg_dist_shard d using (shardid),
      lateral (select d.shardminvalue::bigint as min_value) m
    where s.nodeport = ${from} and s.citus_table_type = 'distributed'
    order by colocation_id, min_value`,
  )
  for (const { shard } of shards)
    await execute(
      databaseUrl,
      `select citus_move_shard_placement(${shard}, '127.0.0.1', ${from}, '127.0.0.1', ${to})`,
    )
}

interface Row {
  name: string
  traffic: Traffic
  lost: number
  miscounted: number
  held: boolean
}

async function judge(shops: DistributedShops, fault: Fault, traffic: Traffic): Promise<Row> {
  // A worker may have died between the two phases of a commit. The extension's daemon finishes such
  // transactions every minute; this does it now.
  await execute(shops.databaseUrl, 'select recover_prepared_transactions()')
  const lost = await countLost(shops, traffic)
  const miscounted = await countMiscounted(shops)
  const surprises = Object.keys(traffic.statuses).filter(
    (status) => !fault.allowed.includes(status),
  )
  const held = surprises.length === 0 && lost + miscounted + traffic.stale === 0
  return { name: fault.name, traffic, lost, miscounted, held }
}

/** Acknowledged products that are not there. */
async function countLost(shops: DistributedShops, { created }: Traffic): Promise<number> {
  let lost = 0
  for (const { workspaceId, id } of created) {
    const { status } = await read(shops, `/v1/workspaces/${workspaceId}/products/${id}`)
    if (status !== '200') lost++
  }
  return lost
}

/** Workspaces whose counters do not equal counts, and products without their slug or the reverse. */
async function countMiscounted({ connection: { db } }: DistributedShops): Promise<number> {
  const counters = sql`
    select workspace_id, sum(products_active + products_inactive + products_deleted)::int as total
    from catalogue_counters group by workspace_id
    having sum(products_active + products_inactive + products_deleted) <> 0`
  const counts = sql`select workspace_id, count(*)::int as total from products group by workspace_id`
  const slugs = sql`
    select workspace_id, count(*)::int as total from product_slugs group by workspace_id`
  const [kept, counted, named] = await Promise.all(
    [counters, counts, slugs].map(async (query) => {
      const { rows } = await query.execute(db)
      return new Set(rows.map((row) => JSON.stringify(row)))
    }),
  )
  const differs = (left: Set<string>, right: Set<string>) =>
    [...left].filter((row) => !right.has(row)).length
  return differs(counted!, kept!) + differs(kept!, counted!) + differs(counted!, named!)
}

function print(rows: Row[]): void {
  const cells = rows.map(({ name, traffic, lost, miscounted, held }) => [
    name,
    Object.entries(traffic.statuses)
      .map(([status, count]) => `${count} × ${status}`)
      .join(', '),
    `${Math.round(traffic.longestMilliseconds)} ms`,
    `${lost} of ${traffic.created.length}`,
    String(traffic.stale),
    String(miscounted),
    held ? 'held' : 'BROKEN',
  ])
  const head = [
    'while clients read and write',
    'answers',
    'longest',
    'creates lost',
    'stale',
    'miscounted',
    '',
  ]
  const table = [head, ...cells]
  const widths = head.map((_, column) => Math.max(...table.map((row) => row[column]!.length)))
  for (const row of table)
    console.log(row.map((cell, column) => cell.padEnd(widths[column]!)).join('  '))
}
