import {
  type CompiledQuery,
  type Kysely,
  OperationNodeTransformer,
  PostgresQueryCompiler,
  type ReferenceNode,
  TableNode,
} from 'kysely'
import { identityOf } from '../own_connection.ts'
import type { Database } from '../schema.ts'

/*
 * What prepared queries know of shards. On a database that is not distributed there are no routes.
 */

/** A read that names only tables of its workspace. */
export interface WorkspaceRead {
  /** The name of the prepared statement; empty if it is planned on every call. */
  name: string
  compiled: CompiledQuery
}

/** The route of one call to the shards of its workspace. */
export interface ShardRoute {
  workspaceId: string
  /** The rows; undefined if the coordinator must be asked. */
  ask(read: WorkspaceRead, values: readonly unknown[]): Promise<unknown[] | undefined>
}

const routes = new WeakMap<Kysely<Database>, ShardRoute>()

export function setRoute(db: Kysely<Database>, route: ShardRoute): void {
  routes.set(db, route)
}

/** Also undefined for a transaction, which is an object of its own. */
export function routeOf(db: Kysely<Database>): ShardRoute | undefined {
  return routes.get(db)
}

const onShards = new WeakSet<Kysely<Database>>()

/** Notes that a transaction runs on the shards of its workspace. */
export function setOnShards(trx: Kysely<Database>): void {
  onShards.add(trx)
}

/** Whether a transaction runs on shards, where only the data of its workspace is local. */
export function isOnShards(trx: Kysely<Database>): boolean {
  return onShards.has(trx)
}

/** The known placements of workspaces on a distributed database. */
export interface KnownShards {
  shardOf(workspaceId: string): string | undefined
}

const distributed = new WeakMap<object, KnownShards>()

export function setDistributed(db: Kysely<Database>, known: KnownShards): void {
  distributed.set(identityOf(db), known)
}

/** Undefined if the database is not known to be distributed. */
export function knownShardsOf(db: Kysely<Database>): KnownShards | undefined {
  return distributed.get(identityOf(db))
}

/** For each table, the number of the shard that has the workspace's rows. */
export type ShardNumbers = Readonly<Record<string, string>>

/** The text of a statement, with the shards' tables in place of the distributed ones. */
export function textOnShards({ query, queryId }: CompiledQuery, numbers: ShardNumbers): string {
  const renamed = new ShardNames(numbers).transformNode(query)
  return new PostgresQueryCompiler().compileQuery(renamed, queryId).sql
}

class ShardNames extends OperationNodeTransformer {
  readonly #numbers: ShardNumbers

  constructor(numbers: ShardNumbers) {
    super()
    this.#numbers = numbers
  }

  /** Columns are named by the alias of their table. */
  protected override transformReference(node: ReferenceNode): ReferenceNode {
    return node
  }

  protected override transformTable(node: TableNode): TableNode {
    const { name } = node.table.identifier
    const number = this.#numbers[name]
    return number === undefined ? node : TableNode.create(`${name}_${number}`)
  }
}
