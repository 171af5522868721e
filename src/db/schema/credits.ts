import type { ColumnType, Generated } from 'kysely'
import type { components } from '../../generated/types.ts'
import type { NullableTimestamp } from './columns.ts'

type Schemas = components['schemas']

export interface CreditTables {
  /** Partitioned by month of `created_at`, in UTC. */
  usage_events: {
    id: string
    workspace_id: string
    actor_type: Schemas['ActorType']
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
  /** Management writes and their changes. */
  activities: {
    workspace_id: string
    id: string
    created_at: ColumnType<string, Date, never>
    actor_type: Schemas['ActorType']
    user_id: string
    /** The key, grant or session that was used. */
    connection_id: string
    operation: string
    resource_id: string
    resource_name: string
    changes: ColumnType<Schemas['ActivityChange'][], string, never>
    /** A short description of a deleted product; null for any other write. */
    snapshot: ColumnType<Schemas['ActivitySnapshot'] | null, string | null | undefined, never>
    /** The values of a product's fields that the write replaced; null if they are too long to keep. */
    former: ColumnType<Schemas['ProductPatch'] | null, string | null | undefined, never>
  }
  /** The events of a UTC day, counted by the statements that insert them. */
  usage_days: {
    workspace_id: string
    day: string
    actor_type: Schemas['ActorType']
    event_name: string
    status: string
    comprehensive: boolean
    /** Concurrent sessions count in different rows, which readers add up. */
    slot: number
    events: number
    credit_delta: number
    last_at: string
  }
  /** The events of an account or customer, counted in the same way, by UTC day and by month. */
  usage_people: {
    workspace_id: string
    span: 'DAY' | 'MONTH'
    /** The day, or the first day of the month. */
    day: string
    actor_type: Schemas['ActorType']
    /** Empty if the event has no user. */
    user_id: string
    slot: number
    events: number
    requests: number
    credits: number
    product_requests: number
    routine_requests: number
    face_analyses: number
    comprehensive_requests: number
    product_views: number
    visits: number
    last_at: string
  }
  /** AI requests per visitor and day. */
  visitor_quotas: {
    workspace_id: string
    visitor_id: string
    day: string
    requests: number
  }
  /** One per workspace, created by a trigger; updated in the same transaction as the ledger. */
  wallets: {
    workspace_id: string
    balance_credits: Generated<number>
    reserved_credits: Generated<number>
    entry_count: Generated<number>
    updated_at: ColumnType<string, Date, Date>
    /** The balance below which a mail is sent; null for none. */
    alert_below: number | null
    /** When it was sent; null once the balance has risen again. */
    alerted_at: NullableTimestamp
    /** What visitors of the shop's pages and widget may spend per day; null for no limit. */
    site_daily_credits: Generated<number | null>
  }
  /** The ledger: the database refuses to change a row. */
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
    /** The usage event to record as failed if the reservation expires. */
    usage: ColumnType<unknown, string | null, never>
    /** The visitor whose daily quota the call counts against while the reservation is held. */
    visitor_id: ColumnType<string | null, string | null | undefined, never>
    /** The UTC day of that quota, and of the budget. */
    quota_day: ColumnType<string | null, string | null | undefined, never>
    /** The budget of the day that it counts against, until it ends without a charge; null for none. */
    budget: ColumnType<string | null, string | null | undefined, never>
    created_at: ColumnType<string, Date, never>
    expires_at: ColumnType<string, Date, never>
    ended_at: NullableTimestamp
    /** Settled without an entry, because the answer was free. */
    is_free: ColumnType<boolean, never, never>
  }
  checkouts: {
    id: string
    workspace_id: string
    account_id: string | null
    credits: number
    amount_cents: number
    currency: string
    /** The provider's id; null for the built-in checkout. */
    session_id: string | null
    refunded_credits: Generated<number>
    created_at: ColumnType<string, Date, never>
    paid_at: NullableTimestamp
  }
  /** The workspace of each checkout: payments name a checkout without its workspace. */
  checkout_workspaces: {
    checkout_id: string
    workspace_id: string
  }
  payment_intents: {
    id: string
    checkout_id: string | null
    amount_cents: number | null
    refunded_cents: Generated<number>
  }
  /** Whether a dispute took our money, and whether it was given back. Both are final. */
  payment_disputes: {
    id: string
    payment_intent: string
    amount_cents: number
    is_withdrawn: boolean
    is_reinstated: boolean
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
