import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table accounts (
      id text primary key,
      email text not null,
      name text not null,
      phone text,
      language text not null,
      workspace_limit integer not null default 1,
      status text not null default 'ACTIVE',
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint accounts_email_key unique (email),
      constraint accounts_workspace_limit_check check (workspace_limit between 1 and 1000),
      constraint accounts_status_check check (status in ('ACTIVE', 'SUSPENDED'))
    )`.execute(db)

  await sql`
    create table dashboard_sessions (
      id text primary key,
      account_id text not null references accounts on delete cascade,
      token_hash bytea not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      constraint dashboard_sessions_token_hash_key unique (token_hash)
    )`.execute(db)
  await sql`create index dashboard_sessions_account_index on dashboard_sessions (account_id)`.execute(
    db,
  )

  // One live code for each purpose, subject and address: a new one replaces the old.
  await sql`
    create table one_time_codes (
      purpose text not null,
      subject text not null,
      email text not null,
      code_hash bytea not null,
      sent_at timestamptz not null,
      expires_at timestamptz not null,
      failures integer not null default 0,
      consumed_at timestamptz,
      primary key (purpose, subject, email)
    )`.execute(db)

  await sql`
    create table integration_sources (
      id text primary key,
      kind text not null,
      identity text not null,
      name text not null,
      status text not null default 'APPROVED',
      first_seen_at timestamptz not null default now(),
      constraint integration_sources_identity_key unique (kind, identity),
      constraint integration_sources_kind_check check (kind in ('KEY', 'AGENT')),
      constraint integration_sources_status_check check (status in ('APPROVED', 'BLOCKED'))
    )`.execute(db)

  await sql`
    create table api_keys (
      id text primary key,
      account_id text not null references accounts on delete cascade,
      source_id text not null references integration_sources,
      name text not null,
      prefix text not null,
      key_hash bytea not null,
      scopes text[] not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      last_used_at timestamptz,
      revoked_at timestamptz,
      constraint api_keys_key_hash_key unique (key_hash)
    )`.execute(db)
  await sql`create index api_keys_account_index on api_keys (account_id, id)`.execute(db)
  await sql`create index api_keys_source_index on api_keys (source_id)`.execute(db)

  // The body may hold a code, so a mail is deleted once it has been handed over.
  await sql`
    create table mails (
      id text primary key,
      recipient text not null,
      subject text not null,
      body text not null,
      created_at timestamptz not null default now(),
      attempts integer not null default 0,
      next_attempt_at timestamptz not null default now(),
      failed_at timestamptz,
      failure text
    )`.execute(db)
  await sql`create index mails_due_index on mails (next_attempt_at) where failed_at is null`.execute(
    db,
  )

  // Unlogged: counters of the last hour need not survive a crash of the database.
  await sql`
    create unlogged table rate_limits (
      key text primary key,
      points integer not null default 0,
      expire bigint
    )`.execute(db)
}
