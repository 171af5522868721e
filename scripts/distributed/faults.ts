import { setTimeout as delay } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { brokenWallets } from '../../src/queries/credits/wallet_audit.ts'
import type { Cluster } from './cluster.ts'
import { databaseAt, execute } from './nodes.ts'
import { type DistributedShops, openShops } from './shops.ts'
import { duringTraffic, pathOf, read, type Traffic } from './traffic.ts'

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
      rows.push(await judge(cluster, shops, fault, traffic))
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
  wrong: Wrong
  held: boolean
}

async function judge(
  cluster: Cluster,
  shops: DistributedShops,
  fault: Fault,
  traffic: Traffic,
): Promise<Row> {
  // A node may have died between the two phases of a commit. The extension's daemon finishes such
  // transactions every minute; this does it now.
  const { pathname } = new URL(shops.databaseUrl)
  for (const { url } of [...cluster.workers, cluster.coordinator])
    await execute(databaseAt(url, pathname.slice(1)), 'select recover_prepared_transactions()')
  const lost = await countLost(shops, traffic)
  const wrong = await countWrong(shops, traffic)
  const surprises = Object.keys(traffic.statuses).filter(
    (status) => !fault.allowed.includes(status),
  )
  const faults = [lost, traffic.stale, wrong.half, wrong.miscounted, wrong.unfed]
  const held = surprises.length === 0 && faults.every((count) => count === 0)
  return { name: fault.name, traffic, lost, wrong, held }
}

/** Acknowledged products that are not there, or not as they were changed. */
async function countLost(shops: DistributedShops, { created }: Traffic): Promise<number> {
  let lost = 0
  for (const product of created) {
    const { status, body } = await read(shops, pathOf(product))
    const { stock = body['stock'] } = product
    if (status !== '200' || body['stock'] !== stock) lost++
  }
  return lost
}

/** Workspaces at fault, but for the entries. */
interface Wrong {
  /** Not every product has its slug, its event and its activity, or one of them has no product. */
  half: number
  /** The counters are not what is there. */
  miscounted: number
  /** The numbers of the feed have a gap; and entries of acknowledged writes that are not there. */
  unfed: number
}

async function countWrong(
  { connection: { db } }: DistributedShops,
  { created }: Traffic,
): Promise<Wrong> {
  const totals = async (query: RawBuilder<{ workspace_id: string; total: number }>) => {
    const { rows } = await query.execute(db)
    return new Set(rows.map(({ workspace_id: id, total }) => `${id} ${total}`))
  }
  const countsOf = (table: string, condition = sql`true`) =>
    totals(sql`select workspace_id, count(*)::int as total from ${sql.table(table)}
      where ${condition} group by workspace_id`)
  const products = await countsOf('products')
  const counters = await totals(sql`
    select workspace_id, sum(products_active + products_inactive + products_deleted)::int as total
    from catalogue_counters group by workspace_id
    having sum(products_active + products_inactive + products_deleted) <> 0`)
  const beside = [
    await countsOf('product_slugs'),
    await countsOf('activities', sql`operation = 'create_product'`),
    await countsOf('usage_events', sql`endpoint = 'create_product'`),
  ]
  const heads = await totals(sql`
    select workspace_id, last::int as total from feed_heads where last > 0`)
  const entries = await countsOf('catalogue_changes')
  const { rows } = await sql<{ id: string; count: number }>`
    select resource_id as id, count(*)::int as count from catalogue_changes
    where kind = 'PRODUCT' group by resource_id`.execute(db)
  const fed = new Map(rows.map(({ id, count }) => [id, count]))
  const missing = created.filter(
    ({ id, stock }) => (fed.get(id) ?? 0) < (stock === undefined ? 1 : 2),
  )
  return {
    half: beside.reduce((sum, each) => sum + differences(products, each), 0),
    miscounted: differences(products, counters),
    unfed: differences(heads, entries) + missing.length,
  }
}

const differences = (left: Set<string>, right: Set<string>): number =>
  [...left].filter((row) => !right.has(row)).length +
  [...right].filter((row) => !left.has(row)).length

function print(rows: Row[]): void {
  const cells = rows.map(({ name, traffic, lost, wrong, held }) => [
    name,
    Object.entries(traffic.statuses)
      .map(([status, count]) => `${count} × ${status}`)
      .join(', '),
    `${Math.round(traffic.longestMilliseconds)} ms`,
    `${lost} of ${traffic.created.length}`,
    String(traffic.stale),
    ...[wrong.half, wrong.miscounted, wrong.unfed].map(String),
    held ? 'held' : 'BROKEN',
  ])
  const head = [
    'while clients read and write',
    'answers',
    'longest',
    'writes lost',
    'stale',
    'half',
    'miscounted',
    'not in the feed',
    '',
  ]
  const table = [head, ...cells]
  const widths = head.map((_, column) => Math.max(...table.map((row) => row[column]!.length)))
  for (const row of table)
    console.log(row.map((cell, column) => cell.padEnd(widths[column]!)).join('  '))
}
