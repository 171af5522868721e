import type { Kysely } from 'kysely'
import { newId } from '../core/ids.ts'
import type { Database } from '../db/schema.ts'

type Table = Database['usage_events']

/** What is recorded of one thing that somebody did; what is left out is empty. */
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

export type EventName =
  | ('chat.product' | 'chat.routine' | 'chat.analyze_face')
  | ('visit' | 'page.view' | 'product.view' | 'collection.view' | 'click' | 'custom')
  | ('feedback.create' | 'customer.sign_in' | 'management.write')
  | ('credits.purchase' | 'credits.refund' | 'credits.adjust')

export async function insertUsageEvent(
  db: Kysely<Database>,
  workspaceId: string,
  event: UsageEvent,
  now: Date,
): Promise<void> {
  await db
    .insertInto('usage_events')
    .values({
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
    .execute()
}
