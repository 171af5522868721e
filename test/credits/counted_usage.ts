import { type Kysely, sql } from 'kysely'

/** Counts that differ from the events themselves; none, if all is well. */
export async function miscountedUsage<DB>(db: Kysely<DB>): Promise<unknown[]> {
  return [...(await miscountedDays(db)), ...(await miscountedPeople(db))]
}

async function miscountedDays<DB>(db: Kysely<DB>): Promise<unknown[]> {
  const { rows } = await sql`
    with counted as (
      select workspace_id, (created_at at time zone 'UTC')::date as day, actor_type, event_name,
        status, comprehensive, count(*) as events, sum(credit_delta) as credits,
        max(created_at) as last_at
      from usage_events group by 1, 2, 3, 4, 5, 6),
    stored as (
      select workspace_id, day, actor_type, event_name, status, comprehensive,
        sum(events) as events, sum(credit_delta) as credits, max(last_at) as last_at
      from usage_days group by 1, 2, 3, 4, 5, 6)
    ${differences}`.execute(db)
  return rows
}

async function miscountedPeople<DB>(db: Kysely<DB>): Promise<unknown[]> {
  const request = sql`event_name like 'chat.%' and status = 'SUCCESS'`
  const succeeded = (name: string) =>
    sql`count(*) filter (where event_name = ${name} and status = 'SUCCESS')`
  const { rows } = await sql`
    with counted as (
      select workspace_id, span, date_trunc(lower(span), created_at at time zone 'UTC')::date as day,
        actor_type, coalesce(user_id, '') as user_id, count(*) as events,
        count(*) filter (where ${request}) as requests,
        coalesce(-sum(credit_delta) filter (where ${request}), 0) as credits,
        ${succeeded('chat.product')} as products, ${succeeded('chat.routine')} as routines,
        ${succeeded('chat.analyze_face')} as faces,
        count(*) filter (where ${request}
          and (comprehensive or event_name = 'chat.analyze_face')) as comprehensive,
        ${succeeded('product.view')} as views, ${succeeded('visit')} as visits,
        max(created_at) as last_at
      from usage_events cross join (values ('DAY'), ('MONTH')) spans (span)
      where actor_type not in ('GUEST', 'SYSTEM') group by 1, 2, 3, 4, 5),
    stored as (
      select workspace_id, span, day, actor_type, user_id, sum(events), sum(requests),
        sum(credits), sum(product_requests), sum(routine_requests), sum(face_analyses),
        sum(comprehensive_requests), sum(product_views), sum(visits), max(last_at)
      from usage_people group by 1, 2, 3, 4, 5)
    ${differences}`.execute(db)
  return rows
}

const differences = sql`
  (select 'counted' as source, * from (table counted except table stored) only_counted)
  union all
  (select 'stored' as source, * from (table stored except table counted) only_stored)`
