import { type Kysely, type RawBuilder, sql } from 'kysely'
import { newId } from '../../core/ids.ts'
import { prepared, tableOf } from '../../db/prepared.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { insertInMonth, requireUsageMonth } from './usage_months.ts'

/* Raw SQL: parts of the statements that insert an event with all sums it belongs to. */

type EventsTable = Database['usage_events']

/** One recorded event; omitted fields are empty. */
export interface UsageEvent {
  actorType: EventsTable['actor_type']
  /** The account or customer; null for guests, trials and the service itself. */
  userId: string | null
  eventName: EventName
  endpoint?: string
  resourceType?: string
  resourceId?: string
  creditDelta?: number
  modelKey?: string
  status?: 'SUCCESS' | 'FAILED'
  /** Whether an AI request ran in the comprehensive mode. */
  comprehensive?: boolean
  details?: Record<string, unknown>
}

export type EventName = components['schemas']['UsageEventName']

/** Where an event is counted. */
export interface CountPlace {
  day: string
  /** The first day of the month. */
  month: string
  /** Whether the event is also counted for its person. */
  personal: boolean
  /** Over how many rows database sessions spread the counts of the person. */
  slots: number
}

/** Actors that act one call at a time. Keys and agents may write in many sessions at once. */
const people: readonly EventsTable['actor_type'][] = ['OWNER', 'STAFF', 'CUSTOMER']

/** Actors that are counted together, not individually. */
export const withoutPerson: readonly EventsTable['actor_type'][] = ['GUEST', 'TRIAL', 'SYSTEM']

/** Where to count an event; makes sure that its month exists. */
export async function placeOf(
  db: Kysely<Database>,
  { actorType }: Pick<UsageEvent, 'actorType'>,
  now: Date,
): Promise<CountPlace> {
  const day = await requireUsageMonth(db, now)
  return {
    day,
    month: `${day.slice(0, 8)}01`,
    personal: !withoutPerson.includes(actorType),
    slots: people.includes(actorType) ? 1 : 16,
  }
}

type Expression = RawBuilder<unknown>

/** SQL expressions of an event to record; omitted ones have the defaults of UsageEvent. */
interface RecordedEvent {
  id: Expression
  actorType: Expression
  userId: Expression
  eventName: Expression
  endpoint: Expression
  resourceType?: Expression
  resourceId?: Expression
  creditDelta?: Expression
  modelKey?: Expression
  status?: Expression
  comprehensive?: Expression
  details?: Expression
  now: Expression
  day: Expression
  month: Expression
  personal: Expression
  slots: Expression
  /** What the event adds to its person's counters besides itself. */
  counts?: Partial<Record<PersonCounter, Expression>>
}

type PersonCounter = Exclude<
  keyof Database['usage_people'],
  'workspace_id' | 'span' | 'day' | 'actor_type' | 'user_id' | 'slot' | 'events' | 'last_at'
>

/**
 * The rest of a statement that begins with `with`: records an event and counts it, for the day and for its
 * person's day and month. Reports read only the counts. If `source`, a from or where clause, has no row,
 * nothing happens. Every part names the workspace itself, so that the statement runs where the workspace is
 * kept.
 *
 * The counts stay locked until the transaction ends; a transaction that also locks the wallet must lock
 * that first. The counts are taken in a fixed order: the person's, the day's, then what `last` writes from
 * `of_day`. Each part reads the rows of the one before, because otherwise PostgreSQL would begin with the
 * last part, and the coordinator of Citus with the first.
 */
export function recordEvent(
  workspaceId: Expression,
  event: RecordedEvent,
  source: Expression = sql``,
  last: Expression = sql``,
): Expression {
  return sql`
    event as (
      select ${event.id}::text as id, ${event.actorType}::text as actor_type,
        ${event.userId}::text as user_id, ${event.eventName}::text as event_name,
        ${event.endpoint}::text as endpoint,
        ${event.resourceType ?? sql`''`}::text as resource_type,
        ${event.resourceId ?? sql`''`}::text as resource_id,
        ${event.creditDelta ?? sql`0`}::integer as credit_delta,
        ${event.modelKey ?? sql`''`}::text as model_key,
        ${event.status ?? sql`'SUCCESS'`}::text as status,
        ${event.comprehensive ?? sql`false`}::boolean as comprehensive,
        ${event.details ?? sql`null`}::jsonb as details, ${event.now}::timestamptz as created_at,
        ${event.day}::date as day, ${event.month}::date as month,
        ${event.personal}::boolean as personal, ${event.slots}::integer as slots
      ${source}
    ), of_person as (${countForPerson(workspaceId, event.counts ?? {})} returning slot
    ), of_day as (
      insert into ${tableOf('usage_days')} as d (workspace_id, day, actor_type, event_name, status,
        comprehensive, slot, events, credit_delta, last_at)
      select ${workspaceId}::text, day, actor_type, event_name, status, comprehensive,
        pg_backend_pid() % 16, 1, credit_delta, created_at
      from event where (select count(*) from of_person) >= 0
      on conflict (workspace_id, day, actor_type, event_name, status, comprehensive, slot)
      do update set events = d.events + 1,
        credit_delta = d.credit_delta + excluded.credit_delta,
        last_at = greatest(d.last_at, excluded.last_at)
      returning slot)${last}
    insert into ${tableOf('usage_events')} (id, workspace_id, actor_type, user_id, event_name, endpoint,
      resource_type, resource_id, credit_delta, model_key, status, comprehensive, details,
      created_at)
    select id, ${workspaceId}::text, actor_type, user_id, event_name, endpoint, resource_type,
      resource_id, credit_delta, model_key, status, comprehensive, details, created_at
    from event`
}

/** Writes only the counters that change: each one costs time, and most events change none. */
function countForPerson(
  workspaceId: Expression,
  counts: Partial<Record<PersonCounter, Expression>>,
): Expression {
  const counters = Object.entries(counts)
  const names = counters.map(([name]) => sql`, ${sql.ref(name)}`)
  const values = counters.map(([, value]) => sql`, ${value}`)
  const sums = counters.map(
    ([name]) => sql`, ${sql.ref(name)} = p.${sql.ref(name)} + excluded.${sql.ref(name)}`,
  )
  const none = sql``
  return sql`
    insert into ${tableOf('usage_people')} as p (workspace_id, span, day, actor_type, user_id, slot, events,
      last_at${sql.join(names, none)})
    select ${workspaceId}::text, spans.span, spans.day, actor_type, coalesce(user_id, ''),
      pg_backend_pid() % slots, 1, created_at${sql.join(values, none)}
    from event, unnest(array['DAY', 'MONTH'], array[event.day, event.month]) spans (span, day)
    where personal
    on conflict (workspace_id, span, day, actor_type, user_id, slot) do update set events = p.events + 1,
      last_at = greatest(p.last_at, excluded.last_at)${sql.join(sums, none)}`
}

const chats: readonly EventName[] = ['chat.product', 'chat.routine', 'chat.analyze_face']

/** Counts a successful AI request, for which `request` is 1. */
function chatCounts(request: Expression): Partial<Record<PersonCounter, Expression>> {
  const named = (name: EventName) =>
    sql`case when event_name = ${sql.lit(name)} then ${request} else 0 end`
  return {
    requests: request,
    credits: sql`-credit_delta * ${request}`,
    product_requests: named('chat.product'),
    routine_requests: named('chat.routine'),
    face_analyses: named('chat.analyze_face'),
    comprehensive_requests: sql`case when comprehensive or event_name = 'chat.analyze_face'
      then ${request} else 0 end`,
  }
}

export type EventRow = CountPlace &
  Required<Omit<UsageEvent, 'details'>> & {
    id: string
    workspaceId: string
    details: string | null
    now: Date
  }

function prepareInsert(name: string, counts: NonNullable<RecordedEvent['counts']>) {
  return prepared<EventRow>()(
    name,
    (_db, parameter) => sql`
      with ${recordEvent(parameter('workspaceId'), {
        id: parameter('id'),
        actorType: parameter('actorType'),
        userId: parameter('userId'),
        eventName: parameter('eventName'),
        endpoint: parameter('endpoint'),
        resourceType: parameter('resourceType'),
        resourceId: parameter('resourceId'),
        creditDelta: parameter('creditDelta'),
        modelKey: parameter('modelKey'),
        status: parameter('status'),
        comprehensive: parameter('comprehensive'),
        details: parameter('details'),
        now: parameter('now'),
        day: parameter('day'),
        month: parameter('month'),
        personal: parameter('personal'),
        slots: parameter('slots'),
        counts,
      })}`,
  )
}

const insertChat = prepareInsert(
  'insert_chat_event',
  chatCounts(sql`(status = 'SUCCESS')::integer`),
)
/** Views and visits of a person are also recorded by other statements, and count in each of them. */
const insertOther = prepareInsert('insert_usage_event', {
  product_views: sql`(event_name = 'product.view' and status = 'SUCCESS')::integer`,
  visits: sql`(event_name = 'visit' and status = 'SUCCESS')::integer`,
})

export async function insertUsageEvent(
  db: Kysely<Database>,
  workspaceId: string,
  event: UsageEvent,
  now: Date,
): Promise<void> {
  const insert = chats.includes(event.eventName) ? insertChat : insertOther
  const row = await rowOf(db, workspaceId, event, now)
  await insertInMonth(db, now, () => insert(db, row))
}

/** The event with all fields, and where it is counted. */
export async function rowOf(
  db: Kysely<Database>,
  workspaceId: string,
  event: UsageEvent,
  now: Date,
): Promise<EventRow> {
  const { day, month, personal, slots } = await placeOf(db, event, now)
  return {
    id: newId('evt'),
    workspaceId,
    actorType: event.actorType,
    userId: event.userId,
    eventName: event.eventName,
    endpoint: event.endpoint ?? '',
    resourceType: event.resourceType ?? '',
    resourceId: event.resourceId ?? '',
    creditDelta: event.creditDelta ?? 0,
    modelKey: event.modelKey ?? '',
    status: event.status ?? 'SUCCESS',
    comprehensive: event.comprehensive ?? false,
    details: event.details ? JSON.stringify(event.details) : null,
    now,
    day,
    month,
    personal,
    slots,
  }
}
