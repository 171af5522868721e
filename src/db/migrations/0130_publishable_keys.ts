import { type Kysely, sql } from 'kysely'

/**
 * Keys of pages without a backend, and the credits that each spent on a day. A key is found before its
 * workspace is known, so that both tables stay whole on a distributed database.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table publishable_keys (
      id text not null,
      workspace_id text not null,
      name text not null,
      key text not null,
      origins text[] not null,
      daily_credits integer not null,
      created_at timestamptz not null,
      last_used_at timestamptz,
      revoked_at timestamptz,
      constraint publishable_keys_key primary key (id),
      constraint publishable_keys_workspace_fkey foreign key (workspace_id) references workspaces,
      constraint publishable_keys_key_key unique (key)
    )`.execute(db)
  await sql`
    create index publishable_keys_workspace_index
      on publishable_keys (workspace_id, id)`.execute(db)
  await sql`
    create table publishable_key_days (
      key_id text not null,
      day date not null,
      credits integer not null,
      constraint publishable_key_days_key primary key (key_id, day),
      constraint publishable_key_days_key_fkey foreign key (key_id)
        references publishable_keys on delete cascade
    )`.execute(db)
}
