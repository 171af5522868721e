import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Events, with their actors and costs. Rows are only ever added, so no writer waits for a lock.
  await sql`
    create table usage_events (
      id text primary key,
      workspace_id text not null references workspaces on delete cascade,
      actor_type text not null,
      user_id text,
      event_name text not null,
      endpoint text not null default '',
      resource_type text not null default '',
      resource_id text not null default '',
      credit_delta integer not null default 0,
      model_key text not null default '',
      status text not null default 'SUCCESS',
      comprehensive boolean not null default false,
      details jsonb,
      created_at timestamptz not null,
      constraint usage_events_actor_type_check check (actor_type in
        ('OWNER', 'STAFF', 'CUSTOMER', 'GUEST', 'API_KEY', 'AGENT', 'SYSTEM')),
      constraint usage_events_status_check check (status in ('SUCCESS', 'FAILED'))
    )`.execute(db)
  await sql`create index usage_events_workspace_index on usage_events (workspace_id, created_at, id)`.execute(
    db,
  )
}
