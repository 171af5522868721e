import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await createSearch(db)
  await createStaff(db)
  await createContactRequests(db)
  await createAudit(db)
  await createCounters(db)
}

/** Staff search lists of the whole service. The compared text is a generated column. */
async function createSearch(db: Kysely<unknown>): Promise<void> {
  // To upper case and back: only that unites the dotless with the dotted i.
  await sql`
    create function administration_text(value text) returns text
      language sql immutable strict parallel safe as $$
      select lower(upper(lower(normalize(value, NFKC))))
    $$`.execute(db)
  // Escape after folding, which turns wide forms into ordinary signs.
  await sql`
    create function administration_pattern(value text) returns text
      language sql immutable strict parallel safe as $$
      select '%' || regexp_replace(administration_text(value), '([\\\\%_])', '\\\\\\1', 'g') || '%'
    $$`.execute(db)
  await addSearch(db, 'accounts', `id || ' ' || email || ' ' || name`)
  await addSearch(
    db,
    'workspaces',
    `id || ' ' || name || ' ' || sub_domain || ' ' || billing_email`,
  )
  await addSearch(db, 'integration_sources', `id || ' ' || identity || ' ' || name`)
  // The connections of a source, newest first.
  for (const table of ['api_keys', 'grants']) {
    await sql`drop index ${sql.ref(`${table}_source_index`)}`.execute(db)
    await sql`
      create index ${sql.ref(`${table}_source_index`)} on ${sql.table(table)}
        (source_id, id)`.execute(db)
    await sql`
      create index ${sql.ref(`${table}_source_used_index`)} on ${sql.table(table)}
        (source_id, last_used_at) where last_used_at is not null`.execute(db)
  }
}

async function addSearch(db: Kysely<unknown>, table: string, text: string): Promise<void> {
  await sql`
    alter table ${sql.table(table)} add column search text not null
      generated always as (administration_text(${sql.raw(text)})) stored`.execute(db)
  await sql`
    create index ${sql.ref(`${table}_search_index`)} on ${sql.table(table)}
      using gin (search gin_trgm_ops)`.execute(db)
}

async function createStaff(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table staff (
      id text primary key,
      email text not null,
      created_at timestamptz not null,
      constraint staff_email_key unique (email)
    )`.execute(db)
  await sql`
    create table staff_sessions (
      id text primary key,
      staff_id text not null references staff on delete cascade,
      token_hash bytea not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      constraint staff_sessions_token_hash_key unique (token_hash)
    )`.execute(db)
  await sql`create index staff_sessions_staff_index on staff_sessions (staff_id)`.execute(db)
}

async function createContactRequests(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table contact_requests (
      id text primary key,
      name text not null,
      email text not null,
      message text not null,
      created_at timestamptz not null,
      read_at timestamptz
    )`.execute(db)
  await addSearch(db, 'contact_requests', `id || ' ' || email || ' ' || name`)
  // At most one unread request for each sender; this index stops concurrent ones.
  await sql`
    create unique index contact_requests_unread_key on contact_requests (email)
      where read_at is null`.execute(db)
}

async function createAudit(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_entries (
      id text primary key,
      staff_email text not null,
      action text not null,
      subject_type text not null,
      subject_id text not null,
      before jsonb,
      after jsonb,
      created_at timestamptz not null
    )`.execute(db)
  await addSearch(db, 'audit_entries', `staff_email || ' ' || action || ' ' || subject_id`)
  await sql`
    create function audit_entries_stand() returns trigger language plpgsql as $$
    begin
      raise exception 'Audit entries are only ever added.' using errcode = 'restrict_violation';
    end $$`.execute(db)
  await sql`
    create trigger audit_entries_stand before update or delete or truncate on audit_entries
      for each statement execute function audit_entries_stand()`.execute(db)
  // Always enabled, so that it fires in sessions that skip ordinary triggers, too.
  await sql`alter table audit_entries enable always trigger audit_entries_stand`.execute(db)
}

/** The number of rows of a list, counted like catalogue_counters: in slots, which are added up. */
async function createCounters(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table row_counters (
      counted text not null,
      slot integer not null,
      total bigint not null,
      constraint row_counters_key primary key (counted, slot)
    )`.execute(db)
  await sql`
    create function rows_of_list_counted() returns trigger language plpgsql as $$
    declare
      counted text := tg_table_name;
      delta integer := case when tg_op = 'INSERT' then 1 else -1 end;
    begin
      if tg_nargs > 0 then
        counted := (case when tg_op = 'INSERT' then to_jsonb(new) else to_jsonb(old) end)
          ->> tg_argv[0];
      end if;
      insert into row_counters as c (counted, slot, total)
      values (counted, pg_backend_pid() % 64, delta)
      on conflict on constraint row_counters_key do update set total = c.total + excluded.total;
      return null;
    end $$`.execute(db)
  const lists = ['accounts', 'workspaces', 'integration_sources', 'contact_requests']
  for (const table of [...lists, 'audit_entries']) {
    await sql`
      insert into row_counters (counted, slot, total)
      select ${sql.lit(table)}, 0, count(*) from ${sql.table(table)}`.execute(db)
    await countRows(db, table, sql``)
  }
  // The connections of a source are counted under its id.
  for (const table of ['api_keys', 'grants']) {
    await sql`
      insert into row_counters (counted, slot, total)
      select source_id, 0, count(*) from ${sql.table(table)} group by source_id`.execute(db)
    await countRows(db, table, sql`'source_id'`)
  }
}

async function countRows(
  db: Kysely<unknown>,
  table: string,
  column: ReturnType<typeof sql>,
): Promise<void> {
  await sql`
    create constraint trigger rows_of_list_counted after insert or delete on ${sql.table(table)}
      deferrable initially deferred
      for each row execute function rows_of_list_counted(${column})`.execute(db)
}
