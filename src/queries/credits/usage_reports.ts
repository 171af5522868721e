import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type PageRequest, stretchOf } from '../../core/paging.ts'
import { isoTime, jsonObject } from '../../db/read_fields.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { withoutPerson } from './usage_events.ts'
import { listMonthsWithoutEvents } from './usage_months.ts'

/* Raw SQL: filters and aggregates that the reports share, over JSON and generated days. */

type Schemas = components['schemas']

/** Selects events from `firstMoment` up to but excluding `endMoment`, both midnight in UTC. */
interface UsageFilters {
  firstMoment: Date
  endMoment: Date
  actorType: Schemas['ActorType'] | undefined
  eventName?: Schemas['UsageEventName'] | undefined
}

function conditionsOf(workspaceId: string, filters: UsageFilters): RawBuilder<unknown> {
  const { firstMoment, endMoment } = filters
  return sql.join(
    [
      sql`e.workspace_id = ${workspaceId}`,
      sql`e.created_at >= ${firstMoment} and e.created_at < ${endMoment}`,
      ...actorAndName(filters),
    ],
    sql` and `,
  )
}

/** The same events in the roll-up. A range is of whole days. */
function daysOf(workspaceId: string, filters: UsageFilters): RawBuilder<unknown> {
  return sql.join(
    [
      sql`e.workspace_id = ${workspaceId}`,
      sql`e.day >= ${dateOf(filters.firstMoment)}::date`,
      sql`e.day < ${dateOf(filters.endMoment)}::date`,
      ...actorAndName(filters),
    ],
    sql` and `,
  )
}

function actorAndName({ actorType, eventName }: UsageFilters): RawBuilder<unknown>[] {
  const conditions = []
  if (actorType) conditions.push(sql`e.actor_type = ${actorType}`)
  if (eventName) conditions.push(sql`e.event_name = ${eventName}`)
  return conditions
}

const dateOf = (moment: Date) => moment.toISOString().slice(0, 10)

/**
 * What an event was about. One of a visitor that names neither product nor collection was about a page
 * (its `path`) or about what the site calls it (a property `name`), in a CUSTOM event that first.
 */
const resource = (() => {
  const path = sql`nullif(e.details ->> 'path', '')`
  const name = sql`case when jsonb_typeof(e.details #> '{properties,name}') = 'string'
    then nullif(e.details #>> '{properties,name}', '') end`
  const pick = (
    known: RawBuilder<unknown>,
    ofPage: RawBuilder<unknown>,
    ofName: RawBuilder<unknown>,
  ) =>
    sql<string>`case when e.resource_type <> '' or e.endpoint <> 'record_event' then ${known}
      when ${path} is not null and (e.event_name <> 'custom' or ${name} is null) then ${ofPage}
      when ${name} is not null then ${ofName} else '' end`
  return {
    type: pick(sql`e.resource_type`, sql`'page'`, sql`'custom'`),
    id: pick(sql`e.resource_id`, path, name),
  }
})()

/** A page of events, newest first, and the total. */
export async function listUsageEvents(
  db: Kysely<Database>,
  workspaceId: string,
  filters: UsageFilters,
  { page, pageSize }: PageRequest,
): Promise<{ events: Schemas['UsageEvent'][]; total: number }> {
  const total = await countListed(db, workspaceId, filters)
  const stretch = stretchOf(page, pageSize, total)
  if (!stretch) return { events: [], total }
  const { limit, offset, reversed } = stretch
  const order = reversed ? sql`e.created_at, e.id` : sql`e.created_at desc, e.id desc`
  // The key alone answers which events are on the page; only their rows are read.
  const { rows } = await sql<Schemas['UsageEvent']>`
    select e.id, e.user_id as "userId", e.actor_type as "actorType", e.event_name as "eventName",
      e.endpoint, ${resource.type} as "resourceType", ${resource.id} as "resourceId",
      e.credit_delta as "creditDelta", e.model_key as "modelKey", e.status,
      e.created_at as "createdAt"
    from (select e.created_at, e.id from usage_events e
      where ${conditionsOf(workspaceId, filters)} order by ${order}
      limit ${limit} offset ${offset}) page
    join usage_events e on e.workspace_id = ${workspaceId} and e.created_at = page.created_at
      and e.id = page.id
    order by e.created_at desc, e.id desc`.execute(db)
  return { events: rows, total }
}

/** The total of the list. Days whose month was dropped stay in reports, but cannot be listed. */
async function countListed(
  db: Kysely<Database>,
  workspaceId: string,
  filters: UsageFilters,
): Promise<number> {
  const dropped = await listMonthsWithoutEvents(db, filters)
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(e.events), 0)::bigint as total from usage_days e
    where ${daysOf(workspaceId, filters)}
      and to_char(e.day, 'YYYY_MM') <> all (${dropped}::text[])`.execute(db)
  return rows[0]!.total
}

type Totals = Schemas['UsageReport']['totals']
type UsageRow = Schemas['UsageRow']

/**
 * One row per actor type and person, latest first; guests share one row, and so do trials and the
 * service.
 */
export async function reportUsage(
  db: Kysely<Database>,
  workspaceId: string,
  filters: UsageFilters,
  { page, pageSize }: PageRequest,
): Promise<{ usage: UsageRow[]; total: number; totals: Totals }> {
  const { rows } = await sql<Totals & { total: number; usage: Omit<UsageRow, 'name'>[] }>`
    with usage as materialized (
      select p.actor_type, nullif(p.user_id, '') as user_id, max(p.last_at) as last_used_at,
        ${sql.join(personCounters.map((name) => sql`sum(${sql.ref(`p.${name}`)}) as ${sql.ref(name)}`))}
      from (${peopleOf(workspaceId, filters)}) p group by p.actor_type, p.user_id
      union all ${withoutPeople(workspaceId, filters)}),
    page as (select * from usage order by last_used_at desc, actor_type, user_id
      limit ${pageSize} offset ${(page - 1) * pageSize})
    select (select count(*) from usage) as total,
      (select coalesce(sum(events), 0)::bigint from usage) as events,
      (select coalesce(sum(requests), 0)::bigint from usage) as requests,
      (select coalesce(sum(credits), 0)::bigint from usage) as credits,
      (select coalesce(json_agg(${usageRow}
        order by p.last_used_at desc, p.actor_type, p.user_id), '[]')
        from page p) as usage`.execute(db)
  const { usage, total, ...totals } = rows[0]!
  const names = await findNames(db, workspaceId, usage)
  return { usage: usage.map((row) => ({ ...row, name: nameOf(row, names) })), total, totals }
}

/** What is counted for a person. */
export const personCounters = [
  'events',
  'requests',
  'credits',
  'product_requests',
  'routine_requests',
  'face_analyses',
  'comprehensive_requests',
  'product_views',
  'visits',
] as const satisfies (keyof Database['usage_people'])[]

/**
 * The counts of people: by month where the range has the whole of it, and by day at both ends. The
 * month it ends in is whole, too, if nothing was counted after the range, as in reports up to today.
 */
function peopleOf(workspaceId: string, filters: UsageFilters): RawBuilder<unknown> {
  const [first, end] = [dateOf(filters.firstMoment), dateOf(filters.endMoment)]
  const [firstOfMonth, endOfLast] = [monthFrom(filters.firstMoment), monthFrom(filters.endMoment)]
  const lastMonth = `${end.slice(0, 8)}01`
  const ofSpan = (span: 'DAY' | 'MONTH', from: string, to: string) => sql`
    select p.* from usage_people p where p.workspace_id = ${workspaceId}
      and p.span = ${span} and p.day >= ${from}::date and p.day < ${to}::date`
  const later = sql`exists (${ofSpan('DAY', end, endOfLast)})`
  const parts =
    firstOfMonth > lastMonth
      ? [ofSpan('DAY', first, end)]
      : [
          ofSpan('DAY', first, firstOfMonth),
          ofSpan('MONTH', firstOfMonth, lastMonth),
          sql`${ofSpan('MONTH', lastMonth, endOfLast)} and not ${later}`,
          sql`${ofSpan('DAY', lastMonth, end)} and ${later}`,
        ]
  return sql`select p.* from (${sql.join(parts, sql` union all `)}) p
    ${filters.actorType ? sql`where p.actor_type = ${filters.actorType}` : sql``}`
}

/** The first day of the first month that begins at a moment or later. */
function monthFrom(moment: Date): string {
  const begins = moment.getUTCDate() === 1
  return dateOf(
    new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + (begins ? 0 : 1), 1)),
  )
}

/** Guests, trials and the service, whom nothing but the days counts. */
function withoutPeople(workspaceId: string, filters: UsageFilters): RawBuilder<unknown> {
  return sql`
    select e.actor_type, null, max(e.last_at), sum(e.events)::bigint,
      ${eventsWhere(aiRequest)},
      coalesce(-sum(e.credit_delta) filter (where ${aiRequest}), 0)::bigint,
      ${eventsWhere(succeeded('chat.product'))}, ${eventsWhere(succeeded('chat.routine'))},
      ${eventsWhere(succeeded('chat.analyze_face'))},
      ${eventsWhere(sql`${aiRequest}
        and (e.comprehensive or e.event_name = 'chat.analyze_face')`)},
      ${eventsWhere(succeeded('product.view'))}, ${eventsWhere(succeeded('visit'))}
    from usage_days e
    where ${daysOf(workspaceId, filters)} and e.actor_type = any(${withoutPerson})
    group by e.actor_type`
}

type Actor = Pick<UsageRow, 'actorType' | 'userId'>

function nameOf({ actorType, userId }: Actor, names: Map<string, string>): string {
  if (actorType === 'GUEST') return 'Guests'
  if (actorType === 'TRIAL') return 'Trials'
  if (actorType === 'SYSTEM') return 'System'
  if (actorType === 'CUSTOMER' && userId === null) return 'Deleted customers'
  return names.get(userId ?? '') ?? ''
}

/** Customers are kept with their workspace and accounts are not: a statement for each. */
async function findNames(
  db: Kysely<Database>,
  workspaceId: string,
  actors: readonly Actor[],
): Promise<Map<string, string>> {
  const idsOf = (ofCustomers: boolean) =>
    actors.flatMap(({ actorType, userId }) =>
      userId !== null && (actorType === 'CUSTOMER') === ofCustomers ? [userId] : [],
    )
  const [accounts, customers] = [idsOf(false), idsOf(true)]
  const named = []
  if (accounts.length > 0)
    named.push(
      await db.selectFrom('accounts').select(['id', 'name']).where('id', 'in', accounts).execute(),
    )
  if (customers.length > 0)
    named.push(
      await db
        .selectFrom('customers')
        .select(['id', 'name'])
        .where('workspace_id', '=', workspaceId)
        .where('id', 'in', customers)
        .execute(),
    )
  return new Map(named.flat().map(({ id, name }) => [id, name]))
}

/** Events and credits per UTC day, by actor type or event. */
export async function countUsageByDay(
  db: Kysely<Database>,
  workspaceId: string,
  moments: Pick<UsageFilters, 'firstMoment' | 'endMoment'>,
  by: 'ACTOR' | 'EVENT',
): Promise<Schemas['UsageDay'][]> {
  const key = by === 'ACTOR' ? sql`e.actor_type` : sql`e.event_name`
  const { rows } = await sql<Schemas['UsageDay']>`
    select to_char(e.day, 'YYYY-MM-DD') as date, ${key} as key, sum(e.events)::bigint as events,
      coalesce(-sum(e.credit_delta) filter (where ${aiRequest}), 0)::bigint as credits
    from usage_days e where ${daysOf(workspaceId, { ...moments, actorType: undefined })}
    group by e.day, ${key} order by e.day, ${key}`.execute(db)
  return rows
}

function eventsWhere(condition: RawBuilder<unknown>): RawBuilder<number> {
  return sql`coalesce(sum(e.events) filter (where ${condition}), 0)::bigint`
}

/** A successful AI request. */
const aiRequest = sql`e.event_name in ('chat.product', 'chat.routine', 'chat.analyze_face')
  and e.status = 'SUCCESS'`

function succeeded(eventName: Schemas['UsageEventName']): RawBuilder<boolean> {
  return sql`e.event_name = ${sql.lit(eventName)} and e.status = 'SUCCESS'`
}

const usageRow = jsonObject<Omit<UsageRow, 'name'>>({
  actorType: sql`p.actor_type`,
  userId: sql`p.user_id`,
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
