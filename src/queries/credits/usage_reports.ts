import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type PageRequest, stretchOf } from '../../core/paging.ts'
import { isoTime, jsonObject } from '../../db/read_fields.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'

type Schemas = components['schemas']

/** Selects events from `firstMoment` up to but excluding `endMoment`. */
interface UsageFilters {
  firstMoment: Date
  endMoment: Date
  actorType: Schemas['ActorType'] | undefined
  eventName?: Schemas['UsageEventName'] | undefined
}

/** Use only columns of the report index, so that the rows themselves are not read. */
function conditionsOf(workspaceId: string, filters: UsageFilters): RawBuilder<unknown> {
  const { firstMoment, endMoment, actorType, eventName } = filters
  const conditions = [
    sql`e.workspace_id = ${workspaceId}`,
    sql`e.created_at >= ${firstMoment} and e.created_at < ${endMoment}`,
  ]
  if (actorType) conditions.push(sql`e.actor_type = ${actorType}`)
  if (eventName) conditions.push(sql`e.event_name = ${eventName}`)
  return sql.join(conditions, sql` and `)
}

/** A page of events, newest first, and the total. */
export async function listUsageEvents(
  db: Kysely<Database>,
  workspaceId: string,
  filters: UsageFilters,
  { page, pageSize }: PageRequest,
): Promise<{ events: Schemas['UsageEvent'][]; total: number }> {
  const matching = conditionsOf(workspaceId, filters)
  const count = await sql<{ total: number }>`
    select count(*) as total from usage_events e where ${matching}`.execute(db)
  const total = count.rows[0]?.total ?? 0
  const stretch = stretchOf(page, pageSize, total)
  if (!stretch) return { events: [], total }
  const { limit, offset, reversed } = stretch
  const order = reversed ? sql`e.created_at, e.id` : sql`e.created_at desc, e.id desc`
  const { rows } = await sql<Schemas['UsageEvent']>`
    select e.id, e.user_id as "userId", e.actor_type as "actorType", e.event_name as "eventName",
      e.endpoint, e.resource_type as "resourceType", e.resource_id as "resourceId",
      e.credit_delta as "creditDelta", e.model_key as "modelKey", e.status,
      e.created_at as "createdAt"
    from (select e.id from usage_events e where ${matching} order by ${order}
      limit ${limit} offset ${offset}) page
    join usage_events e on e.id = page.id
    order by e.created_at desc, e.id desc`.execute(db)
  return { events: rows, total }
}

type Totals = Schemas['UsageReport']['totals']

/**
 * One row per actor type and person, latest first; guests share one row, and so does the service.
 */
export async function reportUsage(
  db: Kysely<Database>,
  workspaceId: string,
  filters: UsageFilters,
  { page, pageSize }: PageRequest,
): Promise<{ usage: Schemas['UsageRow'][]; total: number; totals: Totals }> {
  const { rows } = await sql<Totals & { total: number; usage: Schemas['UsageRow'][] }>`
    with usage as materialized (
      select e.actor_type, case when e.actor_type <> 'GUEST' then e.user_id end as user_id,
        max(e.created_at) as last_used_at, count(*) as events,
        count(*) filter (where ${aiRequest}) as requests,
        coalesce(-sum(e.credit_delta) filter (where ${aiRequest}), 0) as credits,
        count(*) filter (where ${succeeded('chat.product')}) as product_requests,
        count(*) filter (where ${succeeded('chat.routine')}) as routine_requests,
        count(*) filter (where ${succeeded('chat.analyze_face')}) as face_analyses,
        count(*) filter (where ${aiRequest}
          and (e.comprehensive or e.event_name = 'chat.analyze_face')) as comprehensive_requests,
        count(*) filter (where ${succeeded('product.view')}) as product_views,
        count(*) filter (where ${succeeded('visit')}) as visits
      from usage_events e where ${conditionsOf(workspaceId, filters)}
      group by 1, 2),
    page as (select * from usage order by last_used_at desc, actor_type, user_id
      limit ${pageSize} offset ${(page - 1) * pageSize})
    select (select count(*) from usage) as total,
      (select coalesce(sum(events), 0)::bigint from usage) as events,
      (select coalesce(sum(requests), 0)::bigint from usage) as requests,
      (select coalesce(sum(credits), 0)::bigint from usage) as credits,
      (select coalesce(json_agg(${usageRow}
        order by p.last_used_at desc, p.actor_type, p.user_id), '[]')
        from page p left join accounts a on a.id = p.user_id
        left join customers c on c.id = p.user_id) as usage`.execute(db)
  const { usage, total, ...totals } = rows[0]!
  return { usage, total, totals }
}

/** Events and credits per UTC day, by actor type or event. */
export async function countUsageByDay(
  db: Kysely<Database>,
  workspaceId: string,
  moments: Pick<UsageFilters, 'firstMoment' | 'endMoment'>,
  by: 'ACTOR' | 'EVENT',
): Promise<Schemas['UsageDay'][]> {
  const key = by === 'ACTOR' ? sql`e.actor_type` : sql`e.event_name`
  const matching = conditionsOf(workspaceId, { ...moments, actorType: undefined })
  const { rows } = await sql<Schemas['UsageDay']>`
    select to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD') as date, ${key} as key,
      count(*) as events,
      coalesce(-sum(e.credit_delta) filter (where ${aiRequest}), 0)::bigint as credits
    from usage_events e where ${matching}
    group by 1, 2 order by 1, 2`.execute(db)
  return rows
}

/** A successful AI request. */
const aiRequest = sql`e.event_name in ('chat.product', 'chat.routine', 'chat.analyze_face')
  and e.status = 'SUCCESS'`

function succeeded(eventName: Schemas['UsageEventName']): RawBuilder<boolean> {
  return sql`e.event_name = ${sql.lit(eventName)} and e.status = 'SUCCESS'`
}

const usageRow = jsonObject<Schemas['UsageRow']>({
  actorType: sql`p.actor_type`,
  userId: sql`p.user_id`,
  name: sql`case p.actor_type when 'GUEST' then 'Guests' when 'SYSTEM' then 'System'
    else coalesce(a.name, c.name, '') end`,
  lastUsedAt: isoTime(sql`p.last_used_at`),
  events: sql`p.events`,
  requests: sql`p.requests`,
  credits: sql`p.credits`,
  productRequests: sql`p.product_requests`,
  routineRequests: sql`p.routine_requests`,
  faceAnalyses: sql`p.face_analyses`,
  comprehensiveRequests: sql`p.comprehensive_requests`,
  productViews: sql`p.product_views`,
  visits: sql`p.visits`,
})
