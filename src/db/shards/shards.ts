import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import type { Log } from '../../core/log.ts'
import { countShardRead } from '../../core/telemetry/shard_metrics.ts'
import { observeStatement } from '../../core/telemetry/runtime_metrics.ts'
import { NoPlaceError } from '../../fairness/shares.ts'
import { withBaseUrl } from '../base_url.ts'
import type { Connection } from '../connect.ts'
import type { Database } from '../schema.ts'
import { ask } from '../sessions/lending.ts'
import { type Meter, onConnections } from '../sessions/metered.ts'
import type { Placement } from './access.ts'
import { nameIn, openNode, serverStart, type ShardNode } from './nodes.ts'
import {
  type Route,
  setDistributed,
  setRoute,
  type ShardNumbers,
  textOnShards,
  type WorkspaceRead,
} from './routes.ts'

/*
 * Citus plans each statement anew and passes it on, which costs a read of one workspace 1.7 to 2.4 times
 * what the whole call costs on one PostgreSQL, on whichever node. The tables of the shards are tables like
 * any other: asked for them, the node that has them takes as long as one PostgreSQL does. The figures:
 * `npm run test:distributed -- speed`.
 *
 * A call asks for its shard's place in the query that admits it, and no later call uses that place: a shard
 * that has moved can be read where it was for some time. Whatever is wrong, the coordinator is asked, and
 * from then on the call asks it alone: what it has read may be newer than the shard.
 */

export interface Shards {
  /**
   * Runs a read of a workspace with a database that asks the shards for what the workspace has. Without a
   * placement, or on a database that is not distributed, it is the given one.
   */
  read<T>(db: Kysely<Database>, place: Place, run: (db: Kysely<Database>) => Promise<T>): Promise<T>
  close(): Promise<void>
}

interface Place {
  workspaceId: string
  placement: Placement | undefined
  /** Whose share of the connections the call uses. */
  account: string
  meter: Meter | undefined
}

const maxWorkspaces = 20_000
const maxTexts = 1000

export function createShards({
  connection: { db: coordinator, pool },
  baseUrl,
  log,
}: {
  connection: Connection
  baseUrl: string
  log: Log
}): Shards {
  /** Undefined until the database has been asked. */
  let isDistributed: boolean | undefined
  const shardsOfWorkspaces = new Map<string, string>()
  const numbersOfShards = new Map<string, ShardNumbers>()
  const texts = new Map<string, string>()
  const nodes = new Map<string, ShardNode>()

  async function examine(): Promise<void> {
    isDistributed = await readIsDistributed(coordinator)
    if (isDistributed)
      setDistributed(coordinator, { shardOf: (workspaceId) => shardsOfWorkspaces.get(workspaceId) })
  }

  /** Finds the shards of a workspace, for its next call. */
  async function learn(workspaceId: string): Promise<void> {
    const { shard, numbers } = await readShards(coordinator, workspaceId)
    numbersOfShards.set(shard, numbers)
    keep(shardsOfWorkspaces, workspaceId, shard, maxWorkspaces)
  }

  function forget(workspaceId: string): void {
    shardsOfWorkspaces.delete(workspaceId)
    texts.clear()
  }

  function nodeAt(name: string): ShardNode {
    let node = nodes.get(name)
    if (!node) {
      const startOf = (workspaceId: string) => readStart(coordinator, workspaceId)
      nodes.set(name, (node = openNode({ name, coordinator: pool, startOf, log })))
    }
    return node
  }

  function textOf({ compiled }: WorkspaceRead, shard: string): string | undefined {
    const numbers = numbersOfShards.get(shard)
    if (!numbers) return undefined
    const key = `${shard} ${compiled.queryId.queryId}`
    const text = texts.get(key) ?? textOnShards(compiled, numbers)
    keep(texts, key, text, maxTexts)
    return text
  }

  async function send(
    client: pg.PoolClient,
    read: WorkspaceRead & { shard: string },
    values: readonly unknown[],
  ): Promise<unknown[] | undefined> {
    const text = textOf(read, read.shard)
    if (text === undefined) return undefined
    const startedAt = performance.now()
    try {
      const name = await nameIn(client, read.name && `${read.name}_${read.shard}`)
      const query = { name, text, values: withBaseUrl(values, baseUrl), query_timeout: undefined }
      const { rows } = await ask(client, query)
      return rows as unknown[]
    } finally {
      observeStatement(read.name || 'select', performance.now() - startedAt)
    }
  }

  function routeTo(
    placement: Placement,
    { workspaceId, account, meter }: Place,
  ): Route & { end(): void } {
    let isOver = false
    const node = nodeAt(placement.node)
    const leave = (outcome: Parameters<typeof countShardRead>[0]): undefined => {
      isOver = true
      countShardRead(outcome)
    }
    return {
      workspaceId,
      async ask(read, values) {
        if (isOver) return undefined
        if (!node.isUp(workspaceId)) return leave('away')
        const startedAt = performance.now()
        let fault: Error | undefined
        let lent: Awaited<ReturnType<ShardNode['borrow']>>
        try {
          lent = await node.borrow(account)
          if (!lent) return leave('busy')
          const rows = await send(lent.client, { ...read, shard: placement.shard }, values)
          if (!rows) return leave('unplaced')
          countShardRead('shard')
          return rows
        } catch (error) {
          if (error instanceof NoPlaceError) throw error
          // A statement that is at fault itself fails at the coordinator, too.
          if (!(error instanceof pg.DatabaseError)) fault = error as Error
          if (isOfServer(error)) node.fail(error)
          if (isMissing(error)) forget(workspaceId)
          return leave('failed')
        } finally {
          lent?.giveBack(fault)
          if (meter) meter.databaseMilliseconds += performance.now() - startedAt
        }
      },
      end() {
        isOver = true
      },
    }
  }

  return {
    async read(db, place, run) {
      if (isDistributed === false) return run(db)
      const { placement, workspaceId } = place
      if (!placement) {
        if (isDistributed) countShardRead('unplaced')
        await (isDistributed ? learn(workspaceId) : examine()).catch(() => undefined)
        return run(db)
      }
      const route = routeTo(placement, place)
      const routed = onConnections(db, db.getExecutor())
      setRoute(routed, route)
      try {
        return await run(routed)
      } finally {
        route.end()
      }
    },
    async close() {
      await Promise.all([...nodes.values()].map((node) => node.close()))
    },
  }
}

/** The order of a map is that of insertion: the entry used longest ago goes first. */
function keep<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  map.delete(key)
  map.set(key, value)
  if (map.size > most) map.delete(map.keys().next().value!)
}

/** A table or a column that the shard has no more, or not yet. */
function isMissing(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^42(P01|703)$/.test(error.code ?? '')
}

/** Whether a fault is the server's or the network's, and not of one statement. */
function isOfServer(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(08|28|53|57P|3D)/.test(error.code ?? '')
  return !(error instanceof Error && error.message === 'Query read timeout')
}

async function readIsDistributed(db: Kysely<Database>): Promise<boolean> {
  const catalogue = await sql<{ it: boolean }>`
    select to_regclass('pg_catalog.pg_dist_partition') is not null as it`.execute(db)
  if (!catalogue.rows[0]!.it) return false
  const { rows } = await sql`select from pg_dist_partition
    where logicalrelid = 'catalogue_counters'::regclass and partmethod = 'h'`.execute(db)
  return rows.length > 0
}

/** The shards of a workspace, one of each of its tables, and the first, which stands for them. */
async function readShards(
  db: Kysely<Database>,
  workspaceId: string,
): Promise<{ shard: string; numbers: ShardNumbers }> {
  const { rows } = await sql<{ shard: string; numbers: ShardNumbers }>`
    select first.shardid::text as shard, json_object_agg(class.relname, own.shardid::text) as numbers
    from (select get_shard_id_for_distribution_column('catalogue_counters', ${workspaceId}::text) as id) named
    join pg_dist_shard first on first.shardid = named.id
    join pg_dist_partition grouped on grouped.logicalrelid = first.logicalrelid
    join pg_dist_partition part on part.colocationid = grouped.colocationid and part.partmethod = 'h'
    join pg_dist_shard own on own.logicalrelid = part.logicalrelid
      and own.shardminvalue = first.shardminvalue
    join pg_class class on class.oid = part.logicalrelid
    group by first.shardid`.execute(db)
  return rows[0]!
}

/** When the server was started that has a workspace's rows: the statement runs there. */
async function readStart(db: Kysely<Database>, workspaceId: string): Promise<string> {
  const { rows } = await sql<{ start: string }>`
    select ${sql.raw(serverStart)} as start from (
      select count(*) as rows from catalogue_counters where workspace_id = ${workspaceId}) counted`.execute(
    db,
  )
  return rows[0]!.start
}
