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
    /** Sealed; signs, too, until its time is over. */
    former_secret: Buffer | null
    former_secret_until: NullableTimestamp
    /** The number of the last change that it was told, or had no interest in. */
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
    /** The end of the lease while it is being sent. */
    next_attempt_at: NullableTimestamp
    /** Null until it has failed. */
    retry_until: NullableTimestamp
  }
}
