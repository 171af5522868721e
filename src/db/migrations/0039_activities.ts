import { type Kysely, sql } from 'kysely'

/**
 * What members, keys and agents have changed in a workspace. Written by the statement that records
 * the usage event of the write. The key serves the list and its order, the first index the history of
 * a resource; rows come in the order of time, so the sweep finds old ones by a few pages of the second.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table activities (
      workspace_id text not null,
      id text not null,
      created_at timestamptz not null,
      actor_type text not null,
      user_id text not null,
      connection_id text not null,
      operation text not null,
      resource_id text not null,
      resource_name text not null,
      changes jsonb not null,
      constraint activities_key primary key (workspace_id, created_at, id)
    )`.execute(db)
  await sql`
    create index activities_resource_index on activities
      (workspace_id, resource_id, created_at)`.execute(db)
  await sql`create index activities_time_index on activities using brin (created_at)`.execute(db)
}
