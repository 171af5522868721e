import { type Kysely, sql } from 'kysely'

/** Days whose roll-up differs from a count of their events; none, if all is well. */
export async function miscountedDays<DB>(db: Kysely<DB>): Promise<unknown[]> {
  const { rows } = await sql`
    with counted as (
      select workspace_id, (created_at at time zone 'UTC')::date as day, actor_type,
        case when actor_type = 'GUEST' then '' else coalesce(user_id, '') end as user_id,
        event_name, status, comprehensive, count(*) as events, sum(credit_delta) as credits,
        max(created_at) as last_at
      from usage_events group by 1, 2, 3, 4, 5, 6, 7),
    rolled as (
      select workspace_id, day, actor_type, user_id, event_name, status, comprehensive,
        sum(events) as events, sum(credit_delta) as credits, max(last_at) as last_at
      from usage_days group by 1, 2, 3, 4, 5, 6, 7)
    (select 'events' as source, * from (table counted except table rolled) only_counted)
    union all
    (select 'days' as source, * from (table rolled except table counted) only_rolled)`.execute(db)
  return rows
}
