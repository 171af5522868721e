import type { ColumnType, Generated } from 'kysely'
import type { NullableTimestamp, Timestamp } from './columns.ts'

export interface UpkeepTables {
  idempotency_records: {
    /** Empty for a call of an account, not of a workspace. */
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
  /** What workspaces cost by the minute. */
  workspace_costs: {
    minute: ColumnType<string, Date, never>
    workspace_id: string
    calls: number
    milliseconds: number
    database_milliseconds: number
    wait_milliseconds: number
    bytes: number
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
    /** The workspace or account that caused it; empty for the service itself. */
    sender: Generated<string>
    is_urgent: Generated<boolean>
    /** Its place in the queue, in which senders take turns. */
    turn: Generated<number>
    /** The URL at which its reader can stop mails of this kind. */
    stop_url: Generated<string | null>
  }
  /** How many different addresses a workspace mailed to on a UTC day. */
  mail_days: {
    workspace_id: string
    day: string
    addresses: number
  }
  mailed_addresses: {
    workspace_id: string
    day: string
    address_hash: Buffer
  }
  /** The same for an account over all of its workspaces, while it has paid nothing. */
  account_mail_days: {
    account_id: string
    day: string
    addresses: number
  }
  account_mailed_addresses: {
    account_id: string
    day: string
    address_hash: Buffer
  }
}
