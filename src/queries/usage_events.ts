import { type Kysely, sql } from 'kysely'
import { newId } from '../core/ids.ts'
import { prepared } from '../db/prepared.ts'
import type { Database } from '../db/schema.ts'
import type { components } from '../generated/types.ts'

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

type Values = Omit<Table, 'details' | 'created_at'> & { details: string | null; created_at: Date }

const insertPrepared = prepared<Values>()(
  'insert_usage_event',
  (_db, parameter) => sql`
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
  })
}
