import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import pg from 'pg'
import { observeStatement } from '../../core/telemetry/runtime_metrics.ts'
import { withBaseUrl } from '../base_url.ts'
import { statementName } from '../prepared.ts'
import { nameOf } from '../sessions/lending.ts'
import { sessionOf } from '../sessions/session.ts'
import { nameIn } from './nodes.ts'

/*
 * A transaction on the tables of shards, on their node. Other tables in its statements, such as slugs, go
 * through the extension, which commits in two phases if they lie on another node.
 */

/** The same limit as for statements of the coordinator: see `connect`. */
const statementMilliseconds = 7000
const clientMilliseconds = 8000

/** The number of the lock that the extension itself takes for a write: moves of the shard wait for it. */
const shareLock = 5

/**
 * Begins a transaction that moves of the shard wait for, and answers whether the shard is on this node. If
 * it waited for a move to end, the last statement sees the new place: each statement sees everything
 * committed before it.
 */
export async function beginAt(client: pg.PoolClient, shard: string): Promise<boolean> {
  const { isPooled, settings } = sessionOf(client)
  const results = (await client.query({
    text: `begin; ${isPooled ? `${settings};` : ''}
      set local statement_timeout = ${statementMilliseconds};
      select lock_shard_metadata(${shareLock}, array[${BigInt(shard)}]);
      select from pg_dist_placement join pg_dist_local_group using (groupid)
      where shardid = ${BigInt(shard)}`,
    query_timeout: clientMilliseconds,
  } as pg.QueryConfig)) as unknown as pg.QueryResult[]
  return results.at(-1)!.rows.length === 1
}

interface ConnectionShard {
  shard: string
  textOf: (compiled: CompiledQuery) => string
  baseUrl: string
}

/** A connection in a transaction that has begun. */
export class ShardConnection implements DatabaseConnection {
  /** Set once the connection is unusable: everything would queue behind the lost statement. */
  fault: Error | undefined
  readonly #client: pg.PoolClient
  readonly #parts: ConnectionShard

  constructor(client: pg.PoolClient, parts: ConnectionShard) {
    this.#client = client
    this.#parts = parts
  }

  async executeQuery<Row>(compiled: CompiledQuery): Promise<QueryResult<Row>> {
    if (compiled.sql === 'begin') return { rows: [] }
    if (this.fault) throw this.fault
    const { shard, textOf, baseUrl } = this.#parts
    const startedAt = performance.now()
    const name = statementName(compiled.sql)
    try {
      const text = textOf(compiled)
      const ownName = text === compiled.sql ? name : name && `${name}_${shard}`
      const query = {
        name: await nameIn(this.#client, ownName ?? ''),
        text,
        values: withBaseUrl(compiled.parameters, baseUrl),
        query_timeout: clientMilliseconds,
      }
      const { rows, rowCount } = await this.#client.query(query)
      return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) }
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) this.fault = error as Error
      throw error
    } finally {
      observeStatement(nameOf(compiled.sql), performance.now() - startedAt)
    }
  }

  streamQuery(): never {
    throw new Error('A transaction on shards streams nothing.')
  }
}
