import type { ColumnType, Generated } from 'kysely'
import type { components } from '../../generated/types.ts'
import type { NullableTimestamp } from './columns.ts'

type Schemas = components['schemas']

export interface CreditTables {
  usage_events: {
    id: string
    workspace_id: string
    actor_type: 'OWNER' | 'STAFF' | 'CUSTOMER' | 'GUEST' | 'API_KEY' | 'AGENT' | 'SYSTEM'
    user_id: string | null
    event_name: string
    endpoint: string
    resource_type: string
    resource_id: string
    credit_delta: number
    model_key: string
    status: 'SUCCESS' | 'FAILED'
    comprehensive: boolean
    details: ColumnType<unknown, string | null, never>
    created_at: ColumnType<string, Date, never>
  }
  /** How many AI requests a visitor has made on a day. */
  visitor_quotas: {
    workspace_id: string
    visitor_id: string
    day: string
    requests: number
  }
  /** One a workspace, made by a trigger; kept with the ledger in the same transaction. */
  wallets: {
    workspace_id: string
    balance_credits: Generated<number>
    reserved_credits: Generated<number>
    entry_count: Generated<number>
    updated_at: ColumnType<string, Date, Date>
  }
  /** The ledger: the database refuses any change of a row. */
  wallet_entries: {
    id: string
    workspace_id: string
    number: number
    type: Schemas['WalletEntry']['type']
    credits: number
    balance_after: number
    reference: string
    reason: string | null
    created_at: ColumnType<string, Date, never>
  }
  reservations: {
    id: string
    workspace_id: string
    credits: number
    reference: string
    status: 'HELD' | 'SETTLED' | 'RELEASED'
    /** What is recorded as failed when nobody settles or releases it. */
    usage: ColumnType<unknown, string | null, never>
    /** Against whose day the call counts while this holds. */
    visitor_id: ColumnType<string | null, string | null | undefined, never>
    quota_day: ColumnType<string | null, string | null | undefined, never>
    created_at: ColumnType<string, Date, never>
    expires_at: ColumnType<string, Date, never>
    ended_at: NullableTimestamp
  }
  checkouts: {
    id: string
    workspace_id: string
    account_id: string | null
    credits: number
    amount_cents: number
    currency: string
    /** The provider's own id; null at the built-in checkout. */
    session_id: string | null
    refunded_credits: Generated<number>
    created_at: ColumnType<string, Date, never>
    paid_at: NullableTimestamp
  }
  payment_intents: {
    id: string
    checkout_id: string | null
    amount_cents: number | null
    refunded_cents: Generated<number>
  }
  payment_events: {
    id: string
    type: string
    checkout_id: string | null
    payment_intent: string | null
    outcome: string
    received_at: ColumnType<string, Date, never>
  }
}
