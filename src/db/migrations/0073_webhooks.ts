import { type Kysely, sql } from 'kysely'

/**
 * URLs that are told what happens in a workspace, how far each has followed its change feed, and what
 * was sent to it. The first index finds what is due, the second is the log of a webhook.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table webhooks (
      workspace_id text not null,
      id text not null,
      url text not null,
      events text[] not null,
      description text not null,
      status text not null,
      failing_since timestamptz,
      secret bytea not null,
      former_secret bytea,
      former_secret_until timestamptz,
      cursor bigint not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint webhooks_key primary key (workspace_id, id)
    )`.execute(db)
  await sql`
    create table webhook_deliveries (
      workspace_id text not null,
      id text not null,
      webhook_id text not null,
      type text not null,
      body text not null,
      status text not null,
      attempts integer not null,
      response_status integer,
      error text,
      created_at timestamptz not null,
      last_attempt_at timestamptz,
      next_attempt_at timestamptz,
      retry_until timestamptz,
      constraint webhook_deliveries_key primary key (workspace_id, id),
      constraint webhook_deliveries_webhook_fkey foreign key (workspace_id, webhook_id)
        references webhooks on delete cascade
    )`.execute(db)
  await sql`
    create index webhook_deliveries_due_index on webhook_deliveries
      (workspace_id, webhook_id, next_attempt_at, id) where status = 'PENDING'`.execute(db)
  await sql`
    create index webhook_deliveries_log_index on webhook_deliveries
      (workspace_id, webhook_id, id)`.execute(db)
  await sql`
    create index webhook_deliveries_time_index on webhook_deliveries
      using brin (created_at)`.execute(db)
  // Followers join them with the feed, so on a distributed database they lie with it.
  await sql`
    do $$ begin
      if exists (select from pg_extension where extname = 'citus') then
        if exists (select from pg_dist_partition
            where logicalrelid = 'catalogue_counters'::regclass and partmethod = 'h') then
          alter table webhook_deliveries drop constraint webhook_deliveries_webhook_fkey;
          perform create_distributed_table('webhooks', 'workspace_id',
            colocate_with => 'catalogue_counters');
          perform create_distributed_table('webhook_deliveries', 'workspace_id',
            colocate_with => 'catalogue_counters');
          alter table webhook_deliveries add constraint webhook_deliveries_webhook_fkey
            foreign key (workspace_id, webhook_id) references webhooks on delete cascade;
        end if;
      end if;
    end $$`.execute(db)
}
