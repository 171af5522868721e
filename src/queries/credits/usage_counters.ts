import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'

/** The counters of a person. */
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

/** A successful AI request. */
export const aiRequest = sql`e.event_name in ('chat.product', 'chat.routine', 'chat.analyze_face')
  and e.status = 'SUCCESS'`

function succeeded(eventName: components['schemas']['UsageEventName']): RawBuilder<boolean> {
  return sql`e.event_name = ${sql.lit(eventName)} and e.status = 'SUCCESS'`
}

const eventsIf = (condition: RawBuilder<unknown>) =>
  sql`case when ${condition} then e.events else 0 end`

/** What a row of the roll-up adds to each counter. */
export const counterValues: Record<(typeof personCounters)[number], RawBuilder<unknown>> = {
  events: sql`e.events`,
  requests: eventsIf(aiRequest),
  credits: sql`case when ${aiRequest} then -e.credit_delta else 0 end`,
  product_requests: eventsIf(succeeded('chat.product')),
  routine_requests: eventsIf(succeeded('chat.routine')),
  face_analyses: eventsIf(succeeded('chat.analyze_face')),
  comprehensive_requests: eventsIf(sql`${aiRequest}
    and (e.comprehensive or e.event_name = 'chat.analyze_face')`),
  product_views: eventsIf(succeeded('product.view')),
  visits: eventsIf(succeeded('visit')),
}
