import type { ColumnType, Generated } from 'kysely'
import type { NullableTimestamp, Timestamp } from './columns.ts'

export interface UpkeepTables {
  idempotency_records: {
    /** Empty for a call of an account. */
    workspace_id: string
    connection_id: string
    visitor: string
    operation: string
    path: string
    key: string
    body_hash: Buffer
    /** Null while the first call runs. */
    status: number | null
    body: string | null
    started_at: ColumnType<string, Date, Date>
  }
  mails: {
    id: string
    recipient: string
    subject: string
    body: string
    created_at: Timestamp
    attempts: Generated<number>
    next_attempt_at: Timestamp
    failed_at: NullableTimestamp
    failure: string | null
  }
}
