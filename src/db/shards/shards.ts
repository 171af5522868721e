import type { Kysely, Transaction } from 'kysely'
import pg from 'pg'
import type { Log } from '../../core/log.ts'
import { countShardRead, countShardWrite } from '../../core/telemetry/shard_metrics.ts'
import { observeStatement } from '../../core/telemetry/runtime_metrics.ts'
import { NoPlaceError } from '../../fairness/shares.ts'
import { withBaseUrl } from '../base_url.ts'
import type { Connection } from '../connect.ts'
import type { Database } from '../schema.ts'
import { type Meter, metered, onConnections } from '../sessions/metered.ts'
import type { Placement } from './access.ts'
import {
  createDirectory,
  findShards,
  forget,
  nodeAt,
  type ShardDirectory,
  textOf,
} from './directory.ts'
import { type Lent, nameIn, type ShardNode } from './nodes.ts'
import { type ShardRoute, setOnShards, setRoute, type WorkspaceRead } from './routes.ts'
import { beginAt, ShardConnection } from './transactions.ts'

/*
 * Citus plans each statement anew and forwards it. That costs a read of one workspace 1.7 to 2.4 times what
 * the whole call costs on a single PostgreSQL, and a write ten times, on any node. But shards are ordinary
 * tables: queried directly, their node is as fast as a single PostgreSQL. The figures: `npm run
 * test:distributed -- speed`.
 *
 * The query that admits a call returns the place of its shard, and only this call uses it: a shard that has
 * moved can still be read at its old place for some time. If anything is wrong, the coordinator is asked,
 * and then for the rest of the call: what it has read may be newer than the shard. A write that has begun
 * on shards fails instead.
 */

export interface Shards {
  /**
   * Runs a read of a workspace with a database that queries the shards for the workspace's data. Without a
   * placement, or on a database that is not distributed, it is the given database.
   */
  read<T>(
    db: Kysely<Database>,
    place: CallPlace,
    run: (db: Kysely<Database>) => Promise<T>,
  ): Promise<T>
  /**
   * Runs a transaction on the shards of a workspace, or on the given database if that is not possible. It
   * may name tables of the workspace and others that the extension distributes, but none that stays whole.
   */
  transact<T>(
    db: Kysely<Database>,
    place: CallPlace,
    work: (trx: Transaction<Database>) => Promise<T>,
  ): Promise<T>
  close(): Promise<void>
}

interface CallPlace {
  workspaceId: string
  placement: Placement | undefined
  /** The account whose share of the connections the call uses. */
  account: string
  meter: Meter | undefined
}

/** A transaction that has begun on shards. */
interface Begun {
  node: ShardNode
  lent: Lent
  shard: string
}

/** What the calls of this process find shards with. */
interface ShardParts {
  directory: ShardDirectory
  baseUrl: string
}

export function createShards({
  connection,
  baseUrl,
  log,
}: {
  connection: Connection
  baseUrl: string
  log: Log
}): Shards {
  const directory = createDirectory(connection, log)
  const parts: ShardParts = { directory, baseUrl }
  return {
    read: (db, place, run) => readOn(parts, db, place, run),
    transact: (db, place, work) => transactOn(parts, db, place, work),
    async close() {
      await Promise.all([...directory.nodes.values()].map((node) => node.close()))
    },
  }
}

async function readOn<T>(
  parts: ShardParts,
  db: Kysely<Database>,
  place: CallPlace,
  run: (db: Kysely<Database>) => Promise<T>,
): Promise<T> {
  const { directory } = parts
  if (directory.isDistributed === false) return run(db)
  const { placement, workspaceId } = place
  if (!placement) {
    if (directory.isDistributed) countShardRead('unplaced')
    await findShards(directory, workspaceId)
    return run(db)
  }
  const route = routeTo(parts, placement, place)
  const routed = onConnections(db, db.getExecutor())
  setRoute(routed, route)
  try {
    return await run(routed)
  } finally {
    route.end()
  }
}

/** The reads of one call, which end at the first that the shard cannot answer. */
function routeTo(
  parts: ShardParts,
  placement: Placement,
  { workspaceId, account, meter }: CallPlace,
): ShardRoute & { end(): void } {
  let isOver = false
  const { directory } = parts
  const node = nodeAt(directory, placement.node)
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
        const rows = await send(parts, lent.client, { ...read, shard: placement.shard }, values)
        if (!rows) return leave('unplaced')
        countShardRead('shard')
        return rows
      } catch (error) {
        if (error instanceof NoPlaceError) throw error
        // If the statement itself is at fault, it fails at the coordinator, too.
        if (!(error instanceof pg.DatabaseError)) fault = error as Error
        if (isOfServer(error)) node.fail(error)
        if (isMissing(error)) forget(directory, workspaceId)
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

async function send(
  { directory, baseUrl }: ShardParts,
  client: pg.PoolClient,
  read: WorkspaceRead & { shard: string },
  values: readonly unknown[],
): Promise<unknown[] | undefined> {
  const text = textOf(directory, read.compiled, read.shard)
  if (text === undefined) return undefined
  const startedAt = performance.now()
  try {
    const name = await nameIn(client, read.name && `${read.name}_${read.shard}`)
    const { rows } = await client.query({ name, text, values: withBaseUrl(values, baseUrl) })
    return rows as unknown[]
  } finally {
    observeStatement(read.name || 'select', performance.now() - startedAt)
  }
}

async function transactOn<T>(
  { directory, baseUrl }: ShardParts,
  db: Kysely<Database>,
  place: CallPlace,
  work: (trx: Transaction<Database>) => Promise<T>,
): Promise<T> {
  const begun = directory.isDistributed === false ? undefined : await begin(directory, place)
  if (!begun) return db.transaction().execute(work)
  const { node, lent, shard } = begun
  const connection = new ShardConnection(lent.client, {
    shard,
    textOf: (compiled) => textOf(directory, compiled, shard) ?? compiled.sql,
    baseUrl,
  })
  const routed = onConnections(db, {
    provideConnection: (consumer) => consumer(connection),
  })
  const { meter } = place
  try {
    return await (meter ? metered(routed, meter) : routed).transaction().execute((trx) => {
      setOnShards(trx)
      return work(trx)
    })
  } finally {
    const { fault } = connection
    if (fault && isOfServer(fault)) node.fail(fault)
    lent.giveBack(fault)
    countShardWrite(fault ? 'lost' : 'shard')
  }
}

/** Begins a transaction on the shards of a workspace; undefined if the coordinator must be asked. */
async function begin(
  directory: ShardDirectory,
  { placement, workspaceId, account }: CallPlace,
): Promise<Begun | undefined> {
  const leave = (outcome: Parameters<typeof countShardWrite>[0]): undefined => {
    countShardWrite(outcome)
  }
  if (!placement) {
    await findShards(directory, workspaceId)
    return directory.isDistributed ? leave('unplaced') : undefined
  }
  const { shard } = placement
  const node = nodeAt(directory, placement.node)
  if (!node.isUp(workspaceId)) return leave('away')
  let lent: Lent | undefined
  try {
    lent = await node.borrow(account)
    if (!lent) return leave('busy')
    if (await beginAt(lent.client, shard)) return { node, lent, shard }
    await lent.client.query('rollback')
    lent.giveBack()
    return leave('moved')
  } catch (error) {
    if (error instanceof NoPlaceError) throw error
    const isRefused = error instanceof pg.DatabaseError
    if (isRefused) await lent?.client.query('rollback').catch(() => undefined)
    lent?.giveBack(isRefused ? undefined : (error as Error))
    if (isOfServer(error)) node.fail(error)
    return leave('refused')
  }
}

/** A table or column that the shard does not have any more, or not yet. */
function isMissing(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^42(P01|703)$/.test(error.code ?? '')
}

/** Whether a fault concerns the server or the network, not a single statement. */
function isOfServer(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(08|28|53|57P|3D)/.test(error.code ?? '')
  return !(error instanceof Error && error.message === 'Query read timeout')
}
