import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table workspaces (
      id text primary key,
      name text not null,
      sub_domain text not null,
      sub_domain_changed_at timestamptz,
      status text not null default 'ACTIVE',
      billing_email text not null,
      billing_phone text,
      billing_gsm_country_code text,
      is_visible boolean not null default true,
      main_agent_prompt text not null default '',
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint workspaces_sub_domain_key unique (sub_domain),
      constraint workspaces_status_check check (status in ('ACTIVE', 'SUSPENDED'))
    )`.execute(db)

  // A name keeps one row from its first use on, so that claiming it is one statement on one row.
  await sql`
    create table sub_domains (
      name text primary key,
      workspace_id text not null,
      held_until timestamptz
    )`.execute(db)

  await sql`
    create table websites (
      workspace_id text primary key references workspaces on delete cascade,
      template_key text not null,
      theme jsonb not null,
      logo_image_id text,
      headline text not null default '',
      tagline text not null default '',
      about text not null default '',
      contact_email text,
      social_links jsonb not null default '[]',
      seo jsonb not null,
      access_policy jsonb not null,
      updated_at timestamptz not null default now()
    )`.execute(db)

  await sql`
    create table members (
      id text primary key,
      workspace_id text not null references workspaces on delete cascade,
      account_id text references accounts on delete cascade,
      email text not null,
      role text not null,
      status text not null,
      created_at timestamptz not null default now(),
      constraint members_workspace_account_key unique (workspace_id, account_id),
      constraint members_role_check check (role in ('owner', 'staff', 'billing')),
      constraint members_status_check check (status in ('ACTIVE', 'INVITED', 'SUSPENDED')),
      constraint members_account_check check ((account_id is null) = (status = 'INVITED'))
    )`.execute(db)
  // An accepted membership follows its account, even if its address changes; an invitation follows its
  // address.
  await sql`
    create unique index members_workspace_email_key on members (workspace_id, email)
      where account_id is null`.execute(db)
  await sql`create index members_account_index on members (account_id, workspace_id)`.execute(db)
  await sql`create index members_invited_index on members (email) where account_id is null`.execute(
    db,
  )

  await sql`
    create table idempotency_records (
      connection_id text not null,
      visitor text not null,
      operation text not null,
      path text not null,
      key text not null,
      body_hash bytea not null,
      status integer,
      body text,
      started_at timestamptz not null,
      primary key (connection_id, visitor, operation, path, key)
    )`.execute(db)
  await sql`create index idempotency_records_started_index on idempotency_records (started_at)`.execute(
    db,
  )
}
