import { type Kysely, type RawBuilder, sql } from 'kysely'
import { newId } from '../core/ids.ts'
import { prepared } from '../db/prepared.ts'
import type { Database } from '../db/schema.ts'
import type { components } from '../generated/types.ts'
import { requireUsageMonth } from './usage_months.ts'

type Table = Database['usage_events']

/** One recorded event; omitted fields are empty. */
export interface UsageEvent {
  actorType: Table['actor_type']
  /** The account or customer; null for guests and the service itself. */
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
  /** Among how many rows the sessions of the database share the counts of the person. */
  slots: number
}

/** Actors that act one call at a time. A key or an agent may write in many sessions at once. */
const people: readonly Table['actor_type'][] = ['OWNER', 'STAFF', 'CUSTOMER']

/** Where to count an event, whose month exists by then. */
export async function placeOf(
  db: Kysely<Database>,
  { actorType }: Pick<UsageEvent, 'actorType'>,
  now: Date,
): Promise<CountPlace> {
  const day = await requireUsageMonth(db, now)
  return {
    day,
    month: `${day.slice(0, 8)}01`,
    personal: actorType !== 'GUEST' && actorType !== 'SYSTEM',
    slots: people.includes(actorType) ? 1 : 16,
  }
}

type Expression = RawBuilder<unknown>

/** SQL expressions of an event to record; those that are omitted have the default of UsageEvent. */
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
}

/**
 * The rest of a statement that begins with `with`: records an event and counts it, for the day and
 * for its person's day and month. Reports read only the counts. Nothing happens if `source`, which
 * is a from or where clause, has no row. Every part names the workspace itself, so that the
 * statement runs where the workspace is kept.
 */
export function recordEvent(
  workspaceId: Expression,
  event: RecordedEvent,
  source: Expression = sql``,
): RawBuilder<{ id: string }> {
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
    ), of_day as (
      insert into usage_days as d (workspace_id, day, actor_type, event_name, status,
        comprehensive, slot, events, credit_delta, last_at)
      select ${workspaceId}::text, day, actor_type, event_name, status, comprehensive,
        pg_backend_pid() % 16, 1, credit_delta, created_at
      from event
      on conflict on constraint usage_days_key do update set events = d.events + 1,
        credit_delta = d.credit_delta + excluded.credit_delta,
        last_at = greatest(d.last_at, excluded.last_at)
    ), of_persons_day as (${countForPerson(workspaceId, 'DAY')}
    ), of_persons_month as (${countForPerson(workspaceId, 'MONTH')})
    insert into usage_events (id, workspace_id, actor_type, user_id, event_name, endpoint,
      resource_type, resource_id, credit_delta, model_key, status, comprehensive, details,
      created_at)
    select id, ${workspaceId}::text, actor_type, user_id, event_name, endpoint, resource_type,
      resource_id, credit_delta, model_key, status, comprehensive, details, created_at
    from event
    returning id`
}

const aiRequest = sql`status = 'SUCCESS'
  and event_name in ('chat.product', 'chat.routine', 'chat.analyze_face')`
const succeeded = (name: EventName) =>
  sql`(status = 'SUCCESS' and event_name = ${sql.lit(name)})::integer`

function countForPerson(workspaceId: Expression, span: 'DAY' | 'MONTH'): Expression {
  return sql`
    insert into usage_people as p (workspace_id, span, day, actor_type, user_id, slot, events,
      requests, credits, product_requests, routine_requests, face_analyses,
      comprehensive_requests, product_views, visits, last_at)
    select ${workspaceId}::text, ${sql.lit(span)}, ${sql.ref(span.toLowerCase())}, actor_type,
      coalesce(user_id, ''), pg_backend_pid() % slots, 1, (${aiRequest})::integer,
      case when ${aiRequest} then -credit_delta else 0 end,
      ${succeeded('chat.product')}, ${succeeded('chat.routine')},
      ${succeeded('chat.analyze_face')},
      (${aiRequest} and (comprehensive or event_name = 'chat.analyze_face'))::integer,
      ${succeeded('product.view')}, ${succeeded('visit')}, created_at
    from event where personal
    on conflict on constraint usage_people_key do update set events = p.events + 1,
      requests = p.requests + excluded.requests, credits = p.credits + excluded.credits,
      product_requests = p.product_requests + excluded.product_requests,
      routine_requests = p.routine_requests + excluded.routine_requests,
      face_analyses = p.face_analyses + excluded.face_analyses,
      comprehensive_requests = p.comprehensive_requests + excluded.comprehensive_requests,
      product_views = p.product_views + excluded.product_views,
      visits = p.visits + excluded.visits, last_at = greatest(p.last_at, excluded.last_at)`
}

type Values = CountPlace &
  Required<Omit<UsageEvent, 'details'>> & {
    id: string
    workspaceId: string
    details: string | null
    now: Date
  }

const insertPrepared = prepared<Values>()(
  'insert_usage_event',
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
    })}`,
)

export async function insertUsageEvent(
  db: Kysely<Database>,
  workspaceId: string,
  event: UsageEvent,
  now: Date,
): Promise<void> {
  const { day, month, personal, slots } = await placeOf(db, event, now)
  await insertPrepared(db, {
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
  })
}
