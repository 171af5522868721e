import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table one_time_codes add column details jsonb`.execute(db)

  await sql`
    create table customers (
      id text primary key,
      workspace_id text not null references workspaces on delete cascade,
      email text not null,
      name text not null,
      phone text,
      language text not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint customers_workspace_email_key unique (workspace_id, email)
    )`.execute(db)

  // The workspace is in this table, too, so that a token does not find a session of another workspace.
  await sql`
    create table customer_sessions (
      id text primary key,
      workspace_id text not null references workspaces on delete cascade,
      customer_id text not null references customers on delete cascade,
      token_hash bytea not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      revoked_at timestamptz,
      constraint customer_sessions_token_hash_key unique (token_hash)
    )`.execute(db)
  await sql`create index customer_sessions_customer_index on customer_sessions (customer_id)`.execute(
    db,
  )

  // A visitor is a guest or a customer; guests have no row of their own.
  await sql`
    create table threads (
      id text primary key,
      workspace_id text not null references workspaces on delete cascade,
      visitor_id text not null,
      token_hash bytea not null,
      created_at timestamptz not null,
      constraint threads_token_hash_key unique (token_hash)
    )`.execute(db)
  await sql`create index threads_visitor_index on threads (workspace_id, visitor_id)`.execute(db)

  await sql`
    create table feedback (
      id text primary key,
      workspace_id text not null references workspaces on delete cascade,
      customer_id text references customers on delete set null,
      message text not null,
      created_at timestamptz not null
    )`.execute(db)
  await sql`create index feedback_workspace_index on feedback (workspace_id, id)`.execute(db)

  // One row for each visitor and day: the call that inserts it is the first visit of the day.
  await sql`
    create table visits (
      workspace_id text not null references workspaces on delete cascade,
      visitor_id text not null,
      day date not null,
      constraint visits_pkey primary key (workspace_id, visitor_id, day)
    )`.execute(db)

  await sql`
    create table visitor_quotas (
      workspace_id text not null references workspaces on delete cascade,
      visitor_id text not null,
      day date not null,
      requests integer not null,
      constraint visitor_quotas_pkey primary key (workspace_id, visitor_id, day),
      constraint visitor_quotas_requests_check check (requests >= 0)
    )`.execute(db)
  // For the sweep of past days.
  await sql`create index visits_day_index on visits (day)`.execute(db)
  await sql`create index visitor_quotas_day_index on visitor_quotas (day)`.execute(db)
}
