import { type Kysely, sql } from 'kysely'

/**
 * What has changed in a workspace, numbered in the order of commits: every writer takes its numbers
 * from the workspace's head, whose row it keeps locked until it commits. The key serves readers that
 * follow; rows come in the order of time, so the sweep finds old ones by a few pages of the index.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table feed_heads (
      workspace_id text not null,
      last bigint not null,
      constraint feed_heads_key primary key (workspace_id)
    ) with (fillfactor = 50)`.execute(db)
  await sql`
    create table catalogue_changes (
      workspace_id text not null,
      number bigint not null,
      kind text not null,
      resource_id text not null,
      action text not null,
      changed_at timestamptz not null,
      constraint catalogue_changes_key primary key (workspace_id, number)
    )`.execute(db)
  await sql`
    create index catalogue_changes_time_index on catalogue_changes
      using brin (changed_at)`.execute(db)
  // Catalogue writes have these tables and the counters in one statement, so on a distributed
  // database they must lie together from the start.
  await sql`
    do $$ begin
      if exists (select from pg_extension where extname = 'citus') then
        if exists (select from pg_dist_partition
            where logicalrelid = 'catalogue_counters'::regclass and partmethod = 'h') then
          perform create_distributed_table('feed_heads', 'workspace_id',
            colocate_with => 'catalogue_counters');
          perform create_distributed_table('catalogue_changes', 'workspace_id',
            colocate_with => 'catalogue_counters');
        end if;
      end if;
    end $$`.execute(db)
}
