import type { components } from '../../generated/types.ts'
import type { NullableTimestamp } from './columns.ts'
import type { ColumnType } from 'kysely'

type Schemas = components['schemas']

export interface WebhookTables {
  webhooks: {
    workspace_id: string
    id: string
    url: string
    events: Schemas['WebhookEvent'][]
    description: string
    status: Schemas['Webhook']['status']
    failing_since: NullableTimestamp
    /** Sealed. */
    secret: Buffer
    /** Sealed. Deliveries are also signed with it until `former_secret_until`. */
    former_secret: Buffer | null
    former_secret_until: NullableTimestamp
    /** The number of the last change that it was sent or that it did not subscribe to. */
    cursor: number
    created_at: ColumnType<string, Date, never>
    updated_at: ColumnType<string, Date, Date>
  }
  webhook_deliveries: {
    workspace_id: string
    id: string
    webhook_id: string
    type: string
    /** As it is sent, and signed. */
    body: string
    status: Schemas['WebhookDelivery']['status']
    attempts: number
    response_status: number | null
    error: string | null
    created_at: ColumnType<string, Date, never>
    last_attempt_at: NullableTimestamp
    /** While it is being sent, the end of the lease. */
    next_attempt_at: NullableTimestamp
    /** Null until the first failure. */
    retry_until: NullableTimestamp
  }
}
