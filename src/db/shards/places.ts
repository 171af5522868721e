import { type Kysely, sql } from 'kysely'
import type { Database } from '../schema.ts'
import { serverStart } from './nodes.ts'
import type { ShardNumbers } from './routes.ts'

/* Raw SQL: it reads what the catalogue of Citus says of shards. */

export async function readIsDistributed(db: Kysely<Database>): Promise<boolean> {
  const catalogue = await sql<{ it: boolean }>`
    select to_regclass('pg_catalog.pg_dist_partition') is not null as it`.execute(db)
  if (!catalogue.rows[0]!.it) return false
  const { rows } = await sql`select from pg_dist_partition
    where logicalrelid = 'catalogue_counters'::regclass and partmethod = 'h'`.execute(db)
  return rows.length > 0
}

/** The shards of a workspace, one of each of its tables, and the first, which stands for them. */
export async function readShards(
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

/** When the server with a workspace's rows was started: the statement runs on that server. */
export async function readStart(db: Kysely<Database>, workspaceId: string): Promise<string> {
  const { rows } = await sql<{ start: string }>`
    select ${sql.raw(serverStart)} as start from (
      select count(*) as rows from catalogue_counters where workspace_id = ${workspaceId}) counted`.execute(
    db,
  )
  return rows[0]!.start
}
