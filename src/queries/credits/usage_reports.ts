import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type PageRequest, stretchOf } from '../../core/paging.ts'
import { day, utcDateOf } from '../../core/time.ts'
import { isoTime, jsonObject } from '../../db/read_fields.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { aiRequest, counterValues, personCounters } from './usage_counters.ts'
import { asWhole, type DayRange, movedEventsOf, usageDaysOf } from './usage_days.ts'
import { withoutPerson } from './usage_events.ts'
import { listMonthsWithoutEvents } from './usage_months.ts'

/* Raw SQL: filters and aggregates that the reports share, over JSON and generated days. */

type Schemas = components['schemas']

/** Selects events of a range of days. */
interface UsageFilters {
  range: DayRange
  actorType: Schemas['ActorType'] | undefined
  eventName?: Schemas['UsageEventName'] | undefined
}

function conditionsOf(workspaceId: string, filters: UsageFilters): RawBuilder<unknown> {
  const { firstMoment, endMoment } = filters.range
  return sql.join(
    [
      sql`e.workspace_id = ${workspaceId}`,
      sql`e.created_at >= ${firstMoment} and e.created_at < ${endMoment}`,
      ...actorAndName(filters),
    ],
    sql` and `,
  )
}

/** The same events in the roll-up, for sums over the whole range. */
function daysOf(workspaceId: string, { range, ...filters }: UsageFilters): RawBuilder<unknown> {
  const days = usageDaysOf(workspaceId, asWhole(range))
  return sql`${days} e where ${sql.join([sql`true`, ...actorAndName(filters)], sql` and `)}`
}

function actorAndName({
  actorType,
  eventName,
}: Omit<UsageFilters, 'range'>): RawBuilder<unknown>[] {
  const conditions = []
  if (actorType) conditions.push(sql`e.actor_type = ${actorType}`)
  if (eventName) conditions.push(sql`e.event_name = ${eventName}`)
  return conditions
}

/**
 * What an event was about. A visitor's event without product and collection was about a page (its `path`)
 * or about the site's own name for it (a property `name`), which a CUSTOM event prefers.
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
  // The index alone determines the events on the page; only their rows are read.
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

/** The total of the list. Days whose month was dropped are still in reports, but not in the list. */
async function countListed(
  db: Kysely<Database>,
  workspaceId: string,
  filters: UsageFilters,
): Promise<number> {
  const dropped = await listMonthsWithoutEvents(db, filters.range)
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(e.events), 0)::bigint as total
    from ${daysOf(workspaceId, filters)}
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
        ${sql.join(personCounters.map((name) => sql`sum(${sql.ref(`p.${name}`)})::bigint as ${sql.ref(name)}`))}
      from (${peopleOf(workspaceId, filters)} union all ${otherCounts(workspaceId, filters)}) p
      ${filters.actorType ? sql`where p.actor_type = ${filters.actorType}` : sql``}
      group by p.actor_type, p.user_id having sum(p.events) > 0),
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

/**
 * The counts of people: by month if the whole month is in the range, and by day at both ends. The last
 * month also counts as whole if it has no counts after the range, as in reports up to today.
 */
function peopleOf(workspaceId: string, { range }: UsageFilters): RawBuilder<unknown> {
  const [first, end] = [range.from, dayAfter(range.to)]
  const [firstOfMonth, endOfLast] = [monthFrom(first), monthFrom(end)]
  const lastMonth = `${end.slice(0, 8)}01`
  const columns = sql.join(personCounters.map((name) => sql.ref(`p.${name}`)))
  const ofSpan = (span: 'DAY' | 'MONTH', from: string, to: string) => sql`
    select p.actor_type, p.user_id, p.last_at, ${columns} from usage_people p
    where p.workspace_id = ${workspaceId}
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
  return sql.join(parts, sql` union all `)
}

const dayAfter = (date: string) => utcDateOf(new Date(Date.parse(date) + day))

/** The first day of the first month that begins on a date or later. */
function monthFrom(date: string): string {
  const [year, month] = [Number(date.slice(0, 4)), Number(date.slice(5, 7))]
  return utcDateOf(new Date(Date.UTC(year, month - (date.endsWith('-01') ? 1 : 0), 1)))
}

/**
 * What is not counted for people: guests, trials and the service, which only the days count, and events
 * that the shop's time zone moves into or out of the range.
 */
function otherCounts(workspaceId: string, { range }: UsageFilters): RawBuilder<unknown> {
  const whole = asWhole(range)
  const values = sql.join(personCounters.map((name) => counterValues[name]))
  const nobody = sql`e.actor_type = any(${withoutPerson})`
  const days = sql`select e.actor_type, '' as user_id, e.last_at, ${values}
    from ${usageDaysOf(workspaceId, whole)} e where ${nobody}`
  if (whole.shifts.length === 0) return days
  return sql`${days} union all
    select e.actor_type, e.user_id, e.last_at, ${values}
    from ${movedEventsOf(workspaceId, whole)} e where not ${nobody}`
}

type Actor = Pick<UsageRow, 'actorType' | 'userId'>

function nameOf({ actorType, userId }: Actor, names: Map<string, string>): string {
  if (actorType === 'GUEST') return 'Guests'
  if (actorType === 'TRIAL') return 'Trials'
  if (actorType === 'SYSTEM') return 'System'
  if (actorType === 'CUSTOMER' && userId === null) return 'Deleted customers'
  return names.get(userId ?? '') ?? ''
}

/** Customers are kept with their workspace, accounts are not: one statement for each. */
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

/**
 * Events and credits per day, by actor type or event; a day whose events have all moved away is left out.
 */
export async function countUsageByDay(
  db: Kysely<Database>,
  workspaceId: string,
  range: DayRange,
  by: 'ACTOR' | 'EVENT',
): Promise<Schemas['UsageDay'][]> {
  const key = by === 'ACTOR' ? sql`e.actor_type` : sql`e.event_name`
  const { rows } = await sql<Schemas['UsageDay']>`
    select to_char(e.day, 'YYYY-MM-DD') as date, ${key} as key, sum(e.events)::bigint as events,
      coalesce(-sum(e.credit_delta) filter (where ${aiRequest}), 0)::bigint as credits
    from ${usageDaysOf(workspaceId, range)} e
    group by e.day, ${key} having sum(e.events) > 0 order by e.day, ${key}`.execute(db)
  return rows
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
