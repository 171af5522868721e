import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { withoutPerson } from '../credits/usage_events.ts'

/* Raw SQL: sums are compared with the events of a partition, by the partition's name. */

/** A month whose events are kept. */
export interface Month {
  table: string
  first: string
}

/** The months whose events still exist. For dropped months there are only the sums. */
export async function listMonths(db: Kysely<Database>): Promise<Month[]> {
  const { rows } = await sql<{ table: string }>`
    select c.relname as table from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'usage_events'::regclass and c.relname ~ '^usage_events_[0-9]{4}_[0-9]{2}$'
    order by 1`.execute(db)
  return rows.map(({ table }) => ({
    table,
    first: `${table.slice('usage_events_'.length).replace('_', '-')}-01`,
  }))
}

const request = sql`status = 'SUCCESS'
  and event_name in ('chat.product', 'chat.routine', 'chat.analyze_face')`
const succeeded = (name: string) =>
  sql`count(*) filter (where status = 'SUCCESS' and event_name = ${sql.lit(name)})`

/** A table of sums: how its events are grouped, what is added up, and which events count. */
interface Sums {
  table: string
  name: (key: Record<string, unknown>) => string
  key: Record<string, RawBuilder<unknown>>
  sums: Record<string, RawBuilder<unknown>>
  from?: RawBuilder<unknown>
  where?: RawBuilder<unknown>
}

const day = sql`(created_at at time zone 'UTC')::date`

const days: Sums = {
  table: 'usage_days',
  name: ({ day, actor_type, event_name, status }) =>
    `${String(event_name)} of ${String(actor_type)} (${String(status)}) on ${String(day)}`,
  key: {
    day,
    actor_type: sql`actor_type`,
    event_name: sql`event_name`,
    status: sql`status`,
    comprehensive: sql`comprehensive`,
  },
  sums: { events: sql`count(*)`, credit_delta: sql`sum(credit_delta)` },
}

const people: Sums = {
  table: 'usage_people',
  name: ({ span, day, actor_type, user_id }) =>
    `${String(actor_type)} ${String(user_id)} in the ${String(span).toLowerCase()} of ${String(day)}`,
  key: {
    span: sql`span`,
    day: sql`case span when 'DAY' then ${day} else date_trunc('month', ${day}::timestamp)::date end`,
    actor_type: sql`actor_type`,
    user_id: sql`coalesce(user_id, '')`,
  },
  sums: {
    events: sql`count(*)`,
    requests: sql`count(*) filter (where ${request})`,
    credits: sql`coalesce(-sum(credit_delta) filter (where ${request}), 0)`,
    product_requests: succeeded('chat.product'),
    routine_requests: succeeded('chat.routine'),
    face_analyses: succeeded('chat.analyze_face'),
    comprehensive_requests: sql`count(*)
      filter (where ${request} and (comprehensive or event_name = 'chat.analyze_face'))`,
    product_views: succeeded('product.view'),
    visits: succeeded('visit'),
  },
  from: sql`cross join (values ('DAY'), ('MONTH')) spans (span)`,
  where: sql`and actor_type <> all(${[...withoutPerson]})`,
}

/** Corrects the sums of a workspace's events in a month; returns a line for each wrong one. */
export async function recountEvents(
  db: Kysely<Database>,
  workspaceId: string,
  month: Month,
): Promise<string[]> {
  const lines: string[] = []
  for (const sums of [people, days])
    lines.push(...(await recountSums(db, workspaceId, month, sums)))
  return lines
}

/**
 * Reads the month's table by its name: if the month is being dropped, that is an error instead of a month
 * without events.
 */
async function recountSums(
  db: Kysely<Database>,
  workspaceId: string,
  { table: month, first }: Month,
  { table, name, key, sums, from = sql``, where = sql`` }: Sums,
): Promise<string[]> {
  const keys = sql.join(Object.keys(key).map((column) => sql.ref(column)))
  const names = Object.keys(sums)
  const list = (of: (name: string) => RawBuilder<unknown>) => sql.join(names.map(of))
  const aliased = (columns: Record<string, RawBuilder<unknown>>) =>
    sql.join(Object.entries(columns).map(([column, value]) => sql`${value} as ${sql.ref(column)}`))
  const grouped = sql.join(Object.keys(key).map((_, index) => sql.lit(index + 1)))
  const difference = (column: string) =>
    sql`coalesce(${sql.ref(`counted.${column}`)}, 0) - coalesce(${sql.ref(`kept.${column}`)}, 0)`
  const { rows } = await sql<Record<string, unknown>>`
    with counted as (
      select ${aliased(key)}, ${aliased(sums)}, max(created_at) as last_at
      from ${sql.table(month)} ${from} where workspace_id = ${workspaceId} ${where}
      group by ${grouped}),
    kept as (
      select ${keys}, ${list((column) => sql`sum(${sql.ref(column)}) as ${sql.ref(column)}`)},
        max(last_at) as last_at
      from ${sql.table(table)} where workspace_id = ${workspaceId} and day >= ${first}::date
        and day < ${first}::date + interval '1 month'
      group by ${grouped})
    select ${keys}, day::text as day, coalesce(counted.last_at, kept.last_at) as last_at,
      ${list((column) => sql`(${difference(column)})::bigint as ${sql.ref(column)}`)}
    from counted full join kept using (${keys})
    where ${sql.join(
      names.map((column) => sql`${difference(column)} <> 0`),
      sql` or `,
    )}
    order by ${grouped}`.execute(db)
  for (const row of rows)
    await sql`
      insert into ${sql.table(table)} as s (workspace_id, slot, ${keys}, last_at,
        ${list((column) => sql.ref(column))})
      values (${workspaceId}, 0, ${sql.join(Object.keys(key).map((column) => row[column]))},
        ${row['last_at']}, ${list((column) => sql`${row[column]}`)})
      on conflict on constraint ${sql.ref(`${table}_key`)} do update set
        last_at = greatest(s.last_at, excluded.last_at),
        ${list((column) => sql`${sql.ref(column)} = s.${sql.ref(column)} + excluded.${sql.ref(column)}`)}
      `.execute(db)
  return rows.map((row) => {
    const wrong = names.filter((column) => row[column] !== 0)
    return `${name(row)}: ${wrong.map((column) => `${column} off by ${String(row[column])}`).join(', ')}`
  })
}
