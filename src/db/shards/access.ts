import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type Build, type ParameterOf, preparedRow } from '../prepared.ts'
import type { Database } from '../schema.ts'
import { knownShardsOf } from './routes.ts'

/* Raw SQL: it asks the catalogue of Citus, around a statement that is given. */

/** Where a workspace's rows are, on a distributed database. */
export interface Placement {
  shard: string
  /** Host and port of its node. */
  node: string
}

interface Placed {
  placement?: Placement | undefined
}

const nodeOfShard = (shard: RawBuilder<unknown>) => sql<string | null>`(
  select node.nodename || ':' || node.nodeport
  from pg_dist_placement placed join pg_dist_node node on node.groupid = placed.groupid
  where placed.shardid = ${shard}::bigint and node.noderole = 'primary' and node.isactive
  order by placed.placementid limit 1)`

/**
 * A hot query that admits a call. On a distributed database it also returns where the workspace's rows are
 * right now: a shard that has moved can still be read at its old place for a while.
 */
export function preparedAccess<P extends { workspaceId: string }>() {
  return <Row>(name: string, build: Build<P, Row>) => {
    const find = preparedRow<P>()(name, build)
    const findPlaced = preparedRow<P & { shard: string }>()(
      `${name}_placed`,
      (db, parameter) => sql<Row & { node: string | null }>`
        select access.*, ${nodeOfShard(parameter('shard'))} as node
        from ${build(db, parameter as ParameterOf<P>)} access`,
    )
    return async (db: Kysely<Database>, parameters: P): Promise<(Row & Placed) | undefined> => {
      const shard = knownShardsOf(db)?.shardOf(parameters.workspaceId)
      if (shard === undefined) return (await find(db, parameters)) as (Row & Placed) | undefined
      const row = await findPlaced(db, { ...parameters, shard })
      if (!row) return undefined
      const { node, ...access } = row
      const placement = node === null ? undefined : { shard, node }
      return { ...(access as unknown as Row), placement }
    }
  }
}
