import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Step, StepContext } from '../migration.ts'
import { briefly, throughBlocks } from '../online.ts'

/** The columns of an event, in the order of both tables. */
const columns = [
  'id',
  'workspace_id',
  'actor_type',
  'user_id',
  'event_name',
  'endpoint',
  'resource_type',
  'resource_id',
  'credit_delta',
  'model_key',
  'status',
  'comprehensive',
  'details',
  'created_at',
]

/** Events by month and their roll-up by day. The build before writes on, and is followed. */
export const steps: readonly Step[] = [
  { name: 'tables', run: ({ db }) => briefly(db, makeTables) },
  { name: 'follow the build before', run: ({ db }) => briefly(db, followBuildBefore) },
  { name: 'months', run: ({ db }) => makeMonthsOfEvents(db) },
  { name: 'events', run: copyEvents },
  { name: 'names', run: ({ db }) => briefly(db, exchangeNames) },
]

async function exists(db: Kysely<unknown>, table: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select to_regclass(${table}) is not null as found`.execute(db)
  return rows[0]!.found
}

async function makeTables(trx: Kysely<unknown>): Promise<void> {
  if (await exists(trx, 'usage_events_by_month')) return
  // No foreign key to workspaces: events may be on another machine than the list of workspaces.
  await sql`
    create table usage_events_by_month (
      id text not null,
      workspace_id text not null,
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
      constraint usage_events_key primary key (workspace_id, created_at, id)
        include (actor_type, event_name),
      constraint usage_events_actor_type_check check (actor_type in
        ('OWNER', 'STAFF', 'CUSTOMER', 'GUEST', 'API_KEY', 'AGENT', 'SYSTEM')),
      constraint usage_events_status_check check (status in ('SUCCESS', 'FAILED'))
    ) partition by range (created_at)`.execute(trx)
  // The build before reads a page of events by their ids.
  await sql`create index usage_events_id_index on usage_events_by_month (id)`.execute(trx)
  // What reports need to know of a day. Actors that many sessions write for have several slots, so
  // that their sessions do not wait for one row. Room in each page keeps updates off the key.
  await sql`
    create table usage_days (
      workspace_id text not null,
      day date not null,
      actor_type text not null,
      user_id text not null default '',
      event_name text not null,
      status text not null,
      comprehensive boolean not null,
      slot smallint not null,
      events bigint not null,
      credit_delta bigint not null,
      last_at timestamptz not null,
      constraint usage_days_key primary key
        (workspace_id, day, actor_type, user_id, event_name, status, comprehensive, slot)
    ) with (fillfactor = 70)`.execute(trx)
  await defineMonths(trx, 'usage_events_by_month')
  await rollUpForBuildBefore(trx)
  await sql`
    select ensure_usage_month((now() at time zone 'UTC' + n * interval '1 month')::date)
    from generate_series(0, 3) n`.execute(trx)
}

/**
 * A function that makes the month of a day. It runs with its owner's rights, because a service may
 * have none to create tables. A table that is made first and then attached needs no lock on the
 * events that a reader or writer would wait for.
 */
async function defineMonths(trx: Kysely<unknown>, parent: string): Promise<void> {
  const find = `exists (select from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = '${parent}'::regclass and c.relname = month)`
  await sql`
    create or replace function ensure_usage_month(day date) returns void
    language plpgsql security definer set search_path = ${await ownSchema(trx)}, pg_temp as $$
    declare
      first timestamp := date_trunc('month', day::timestamp);
      month text := 'usage_events_' || to_char(first, 'YYYY_MM');
    begin
      if ${sql.raw(find)} then return; end if;
      perform pg_advisory_xact_lock(7318112047);
      if ${sql.raw(find)} then return; end if;
      execute format('create table %I (like ${sql.raw(parent)} including all)', month);
      execute format('alter table ${sql.raw(parent)} attach partition %I for values from (%L) to (%L)',
        month, first::text || '+00', (first + interval '1 month')::text || '+00');
    end $$`.execute(trx)
}

/** Functions with their owner's rights must not look for tables where a caller says. */
async function ownSchema(trx: Kysely<unknown>): Promise<RawBuilder<unknown>> {
  const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(trx)
  return sql.ref(rows[0]!.name)
}

/** Sessions of the build before do not say that they keep counts themselves. */
async function rollUpForBuildBefore(trx: Kysely<unknown>): Promise<void> {
  await sql`
    create function usage_event_rolled_up() returns trigger
    language plpgsql security definer set search_path = ${await ownSchema(trx)}, pg_temp as $$
    begin
      insert into usage_days as d (workspace_id, day, actor_type, user_id, event_name, status,
        comprehensive, slot, events, credit_delta, last_at)
      values (new.workspace_id, (new.created_at at time zone 'UTC')::date, new.actor_type,
        case when new.actor_type = 'GUEST' then '' else coalesce(new.user_id, '') end,
        new.event_name, new.status, new.comprehensive,
        case when new.actor_type in ('OWNER', 'STAFF', 'CUSTOMER') then 0
          else pg_backend_pid() % 16 end,
        1, new.credit_delta, new.created_at)
      on conflict on constraint usage_days_key do update set events = d.events + 1,
        credit_delta = d.credit_delta + excluded.credit_delta,
        last_at = greatest(d.last_at, excluded.last_at);
      return null;
    end $$`.execute(trx)
  await sql`
    create trigger usage_event_rolled_up after insert on usage_events_by_month for each row
      when (coalesce(current_setting('vitrine.counts', true), '') <> 'kept')
      execute function usage_event_rolled_up()`.execute(trx)
}

/** Events that the build before writes from now on are copied, and with that rolled up. */
async function followBuildBefore(trx: Kysely<unknown>): Promise<void> {
  const copies = sql.raw(columns.map((column) => `new.${column}`).join(', '))
  await sql`
    create or replace function usage_event_copied() returns trigger
    language plpgsql security definer set search_path = ${await ownSchema(trx)}, pg_temp as $$
    begin
      perform ensure_usage_month((new.created_at at time zone 'UTC')::date);
      insert into usage_events_by_month values (${copies});
      return null;
    end $$`.execute(trx)
  await sql`drop trigger if exists usage_event_copied on usage_events`.execute(trx)
  await sql`
    create trigger usage_event_copied after insert on usage_events
      for each row execute function usage_event_copied()`.execute(trx)
}

async function makeMonthsOfEvents(db: Kysely<unknown>): Promise<void> {
  await sql`
    select ensure_usage_month(day) from (
      select distinct date_trunc('month', created_at at time zone 'UTC')::date as day
      from usage_events) months`.execute(db)
}

/**
 * Only events that the trigger has not copied are copied and rolled up. They have a slot of their
 * own, so that no batch and no session of the service wait for each other's rows.
 */
async function copyEvents(context: StepContext): Promise<void> {
  await sql`select set_config('vitrine.counts', 'kept', false)`.execute(context.db)
  const list = sql.join(columns.map((column) => sql.ref(column)))
  await throughBlocks(
    context,
    'usage_events',
    (range) => sql`
      with copied as (
        insert into usage_events_by_month (${list})
        select ${list} from usage_events where ${range}
        on conflict do nothing
        returning *)
      insert into usage_days as d (workspace_id, day, actor_type, user_id, event_name, status,
        comprehensive, slot, events, credit_delta, last_at)
      select workspace_id, (created_at at time zone 'UTC')::date, actor_type,
        case when actor_type = 'GUEST' then '' else coalesce(user_id, '') end,
        event_name, status, comprehensive, 16, count(*), sum(credit_delta), max(created_at)
      from copied group by 1, 2, 3, 4, 5, 6, 7
      on conflict on constraint usage_days_key do update set events = d.events + excluded.events,
        credit_delta = d.credit_delta + excluded.credit_delta,
        last_at = greatest(d.last_at, excluded.last_at)`,
  )
}

/** From here on both builds write the events by month. */
async function exchangeNames(trx: Kysely<unknown>): Promise<void> {
  if (!(await exists(trx, 'usage_events_by_month'))) return
  await sql`drop trigger usage_event_copied on usage_events`.execute(trx)
  await sql`drop function usage_event_copied()`.execute(trx)
  await sql`alter table usage_events rename to usage_events_before`.execute(trx)
  await sql`alter table usage_events_by_month rename to usage_events`.execute(trx)
  await defineMonths(trx, 'usage_events')
}
