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
  await makeCounts(trx)
  await defineMonths(trx, 'usage_events_by_month')
  await rollUpForBuildBefore(trx)
  await sql`
    select ensure_usage_month((now() at time zone 'UTC' + n * interval '1 month')::date)
    from generate_series(0, 3) n`.execute(trx)
}

/**
 * What reports need to know. Actors that many sessions write for have several slots, so that these
 * do not wait for one row. Room in each page keeps updates off the keys.
 */
async function makeCounts(trx: Kysely<unknown>): Promise<void> {
  await sql`
    create table usage_days (
      workspace_id text not null,
      day date not null,
      actor_type text not null,
      event_name text not null,
      status text not null,
      comprehensive boolean not null,
      slot smallint not null,
      events bigint not null,
      credit_delta bigint not null,
      last_at timestamptz not null,
      constraint usage_days_key primary key
        (workspace_id, day, actor_type, event_name, status, comprehensive, slot)
    ) with (fillfactor = 70)`.execute(trx)
  // Many people may act on each of 400 days: reports read their months, and days only at both ends.
  await sql`
    create table usage_people (
      workspace_id text not null,
      span text not null,
      day date not null,
      actor_type text not null,
      user_id text not null default '',
      slot smallint not null,
      events integer not null,
      requests integer not null default 0,
      credits integer not null default 0,
      product_requests integer not null default 0,
      routine_requests integer not null default 0,
      face_analyses integer not null default 0,
      comprehensive_requests integer not null default 0,
      product_views integer not null default 0,
      visits integer not null default 0,
      last_at timestamptz not null,
      constraint usage_people_key primary key (workspace_id, span, day, actor_type, user_id, slot),
      constraint usage_people_span_check check (span in ('DAY', 'MONTH'))
    ) with (fillfactor = 70)`.execute(trx)
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

/** Statements that count the events of a source: for each day, and for each person's. */
function countsOf(
  source: RawBuilder<unknown>,
  { slot, personsSlot }: { slot: RawBuilder<unknown>; personsSlot: RawBuilder<unknown> },
): { days: RawBuilder<unknown>; people: RawBuilder<unknown> } {
  const day = sql`(created_at at time zone 'UTC')::date`
  const request = sql`status = 'SUCCESS'
    and event_name in ('chat.product', 'chat.routine', 'chat.analyze_face')`
  const succeeded = (name: string) =>
    sql`count(*) filter (where status = 'SUCCESS' and event_name = ${sql.lit(name)})`
  const counters = [
    'events',
    'requests',
    'credits',
    'product_requests',
    'routine_requests',
    'face_analyses',
    'comprehensive_requests',
    'product_views',
    'visits',
  ]
  return {
    days: sql`
      insert into usage_days as d (workspace_id, day, actor_type, event_name, status,
        comprehensive, slot, events, credit_delta, last_at)
      select workspace_id, ${day}, actor_type, event_name, status, comprehensive, ${slot},
        count(*), sum(credit_delta), max(created_at)
      from ${source} group by 1, 2, 3, 4, 5, 6
      on conflict on constraint usage_days_key do update set events = d.events + excluded.events,
        credit_delta = d.credit_delta + excluded.credit_delta,
        last_at = greatest(d.last_at, excluded.last_at)`,
    people: sql`
      insert into usage_people as p (workspace_id, span, day, actor_type, user_id, slot,
        ${sql.join(counters.map((name) => sql.ref(name)))}, last_at)
      select workspace_id, span,
        case span when 'DAY' then ${day} else date_trunc('month', ${day}::timestamp)::date end,
        actor_type, coalesce(user_id, ''), ${personsSlot}, count(*),
        count(*) filter (where ${request}),
        coalesce(-sum(credit_delta) filter (where ${request}), 0),
        ${succeeded('chat.product')}, ${succeeded('chat.routine')},
        ${succeeded('chat.analyze_face')},
        count(*) filter (where ${request} and (comprehensive or event_name = 'chat.analyze_face')),
        ${succeeded('product.view')}, ${succeeded('visit')}, max(created_at)
      from ${source} cross join (values ('DAY'), ('MONTH')) spans (span)
      where actor_type not in ('GUEST', 'SYSTEM')
      group by 1, 2, 3, 4, 5 order by 2
      on conflict on constraint usage_people_key do update set
        ${sql.join(counters.map((name) => sql`${sql.ref(name)} = p.${sql.ref(name)} + excluded.${sql.ref(name)}`))},
        last_at = greatest(p.last_at, excluded.last_at)`,
  }
}

/**
 * Sessions of the build before do not say that they keep counts themselves. Rows are locked in the
 * same order as by the service: the person's day, its month, the day of all.
 */
async function rollUpForBuildBefore(trx: Kysely<unknown>): Promise<void> {
  const counts = countsOf(sql`(select new.*) e`, {
    slot: sql`pg_backend_pid() % 16`,
    personsSlot: sql`case when actor_type in ('OWNER', 'STAFF', 'CUSTOMER') then 0
      else pg_backend_pid() % 16 end`,
  })
  await sql`
    create function usage_event_rolled_up() returns trigger
    language plpgsql security definer set search_path = ${await ownSchema(trx)}, pg_temp as $$
    begin
      ${counts.people};
      ${counts.days};
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
  const counts = countsOf(sql`copied`, { slot: sql`16`, personsSlot: sql`16` })
  await throughBlocks(
    context,
    'usage_events',
    (range) => sql`
      with copied as (
        insert into usage_events_by_month (${list})
        select ${list} from usage_events where ${range}
        on conflict do nothing
        returning *),
      days as (${counts.days})
      ${counts.people}`,
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
