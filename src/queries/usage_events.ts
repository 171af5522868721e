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

/** Where an event is counted in the roll-up of its day. */
export interface DayPlace {
  day: string
  /** The account or customer; empty for guests, who are counted together, and the service. */
  person: string
  /** Among how many rows the sessions of the database share the events of this actor. */
  slots: number
}

/** Actors that act one call at a time. For the others many sessions write, and share their rows. */
const people: readonly Table['actor_type'][] = ['OWNER', 'STAFF', 'CUSTOMER']

/** Where to count an event, whose month exists by then. */
export async function placeInDay(
  db: Kysely<Database>,
  { actorType, userId }: Pick<UsageEvent, 'actorType' | 'userId'>,
  now: Date,
): Promise<DayPlace> {
  return {
    day: await requireUsageMonth(db, now),
    person: actorType === 'GUEST' ? '' : (userId ?? ''),
    slots: people.includes(actorType) ? 1 : 16,
  }
}

interface CountedEvent {
  workspaceId: RawBuilder<unknown>
  day: RawBuilder<unknown>
  actorType: RawBuilder<unknown>
  person: RawBuilder<unknown>
  eventName: RawBuilder<unknown>
  slots: RawBuilder<unknown>
  now: RawBuilder<unknown>
  status?: RawBuilder<unknown>
  comprehensive?: RawBuilder<unknown>
  creditDelta?: RawBuilder<unknown>
}

/**
 * Counts an event in its day, once for each row of the source. Belongs into the statement that
 * inserts the event: reports read only these counts.
 */
export function countInDay(
  event: CountedEvent,
  source: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> {
  const { workspaceId, day, actorType, person, eventName, slots, now } = event
  const { status = sql`'SUCCESS'`, comprehensive = sql`false`, creditDelta = sql`0` } = event
  return sql`
    insert into usage_days as d (workspace_id, day, actor_type, user_id, event_name, status,
      comprehensive, slot, events, credit_delta, last_at)
    select ${workspaceId}::text, ${day}::date, ${actorType}::text, ${person}::text,
      ${eventName}::text, ${status}::text, ${comprehensive}::boolean,
      pg_backend_pid() % ${slots}::integer, 1, ${creditDelta}::integer, ${now}::timestamptz
    ${source}
    on conflict on constraint usage_days_key do update set events = d.events + 1,
      credit_delta = d.credit_delta + excluded.credit_delta,
      last_at = greatest(d.last_at, excluded.last_at)`
}

type Values = Omit<Table, 'details' | 'created_at'> & {
  details: string | null
  created_at: Date
} & DayPlace

const insertPrepared = prepared<Values>()(
  'insert_usage_event',
  (_db, parameter) => sql`
    with counted as (${countInDay({
      workspaceId: parameter('workspace_id'),
      day: parameter('day'),
      actorType: parameter('actor_type'),
      person: parameter('person'),
      eventName: parameter('event_name'),
      slots: parameter('slots'),
      now: parameter('created_at'),
      status: parameter('status'),
      comprehensive: parameter('comprehensive'),
      creditDelta: parameter('credit_delta'),
    })})
    insert into usage_events (id, workspace_id, actor_type, user_id, event_name, endpoint,
      resource_type, resource_id, credit_delta, model_key, status, comprehensive, details,
      created_at)
    values (${parameter('id')}, ${parameter('workspace_id')}, ${parameter('actor_type')},
      ${parameter('user_id')}, ${parameter('event_name')}, ${parameter('endpoint')},
      ${parameter('resource_type')}, ${parameter('resource_id')}, ${parameter('credit_delta')},
      ${parameter('model_key')}, ${parameter('status')}, ${parameter('comprehensive')},
      ${parameter('details')}, ${parameter('created_at')})`,
)

export async function insertUsageEvent(
  db: Kysely<Database>,
  workspaceId: string,
  event: UsageEvent,
  now: Date,
): Promise<void> {
  const { day, person, slots } = await placeInDay(db, event, now)
  await insertPrepared(db, {
    id: newId('evt'),
    workspace_id: workspaceId,
    actor_type: event.actorType,
    user_id: event.userId,
    event_name: event.eventName,
    endpoint: event.endpoint ?? '',
    resource_type: event.resourceType ?? '',
    resource_id: event.resourceId ?? '',
    credit_delta: event.creditDelta ?? 0,
    model_key: event.modelKey ?? '',
    status: event.status ?? 'SUCCESS',
    comprehensive: event.comprehensive ?? false,
    details: event.details ? JSON.stringify(event.details) : null,
    created_at: now,
    day,
    person,
    slots,
  })
}
