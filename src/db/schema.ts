import type { ColumnType, Generated } from 'kysely'
import type { Scope } from '../generated/operations.ts'
import type { components } from '../generated/types.ts'
import type { Columns } from './stored_fields.ts'

type Schemas = components['schemas']

/** Read as RFC 3339 text, as the contract writes it; written as a Date. */
type Timestamp = ColumnType<string, Date | undefined, Date>
type NullableTimestamp = ColumnType<string | null, Date | null | undefined, Date | null>
type Json<T> = ColumnType<T, string, string>
/** Kept by the database, which makes it of other columns. */
type Made = ColumnType<string, never, never>

export interface Database {
  accounts: {
    id: string
    email: string
    name: string
    phone: string | null
    language: string
    workspace_limit: Generated<number>
    status: Generated<'ACTIVE' | 'SUSPENDED'>
    created_at: Timestamp
    updated_at: Timestamp
    search: Made
  }
  dashboard_sessions: {
    id: string
    account_id: string
    token_hash: Buffer
    created_at: Timestamp
    expires_at: ColumnType<string, Date, Date>
  }
  one_time_codes: {
    purpose:
      ('sign_in' | 'account_email' | 'billing_email') | ('customer_sign_in' | 'staff_sign_in')
    subject: string
    email: string
    code_hash: Buffer
    sent_at: ColumnType<string, Date, Date>
    expires_at: ColumnType<string, Date, Date>
    failures: Generated<number>
    consumed_at: NullableTimestamp
    /** What was said when the code was asked for, until it is used. */
    details: ColumnType<unknown, string | null | undefined, string | null>
  }
  integration_sources: {
    id: string
    kind: 'KEY' | 'AGENT'
    identity: string
    name: string
    status: Generated<'APPROVED' | 'BLOCKED'>
    first_seen_at: Timestamp
    search: Made
  }
  api_keys: {
    id: string
    account_id: string
    source_id: string
    name: string
    prefix: string
    key_hash: Buffer
    scopes: ColumnType<Scope[], Scope[], never>
    created_at: Timestamp
    expires_at: ColumnType<string, Date, never>
    last_used_at: NullableTimestamp
    revoked_at: NullableTimestamp
  }
  /** Agents' software, registered or described by the document at its id. */
  oauth_clients: {
    id: string
    source_id: string
    metadata: ColumnType<unknown, string, string>
    /** Until when a fetched document need not be fetched again; null for a registered client. */
    fresh_until: NullableTimestamp
    /** The keys that a client publishes elsewhere, as they were fetched last. */
    key_set: ColumnType<unknown, string | null | undefined, string | null>
    created_at: Timestamp
  }
  authorization_requests: {
    id_hash: Buffer
    browser_hash: Buffer
    client_id: string
    redirect_uri: string
    state: string | null
    code_challenge: string
    scopes: ColumnType<Scope[], Scope[], never>
    expires_at: ColumnType<string, Date, never>
    account_id: string | null
    granted_scopes: Scope[] | null
    ticket_hash: Buffer | null
    ticket_expires_at: NullableTimestamp
  }
  /** What an account has allowed an agent: its tokens are good while it is. */
  grants: {
    id: string
    account_id: string
    client_id: string
    source_id: string
    requested_scopes: ColumnType<Scope[], Scope[], never>
    scopes: ColumnType<Scope[], Scope[], never>
    resource: string
    consent_version: number
    created_at: ColumnType<string, Date, never>
    expires_at: ColumnType<string, Date, never>
    last_used_at: NullableTimestamp
    revoked_at: NullableTimestamp
  }
  authorization_codes: {
    code_hash: Buffer
    grant_id: string
    redirect_uri: string
    code_challenge: string
    expires_at: ColumnType<string, Date, never>
    consumed_at: NullableTimestamp
  }
  access_tokens: {
    token_hash: Buffer
    grant_id: string
    scopes: ColumnType<Scope[], Scope[], never>
    expires_at: ColumnType<string, Date, never>
  }
  refresh_tokens: {
    token_hash: Buffer
    grant_id: string
    consumed_at: NullableTimestamp
  }
  client_assertions: {
    client_id: string
    jti_hash: Buffer
    expires_at: ColumnType<string, Date, never>
  }
  workspaces: {
    id: string
    name: string
    sub_domain: string
    sub_domain_changed_at: NullableTimestamp
    status: Generated<'ACTIVE' | 'SUSPENDED'>
    billing_email: string
    billing_phone: string | null
    billing_gsm_country_code: string | null
    is_visible: Generated<boolean>
    main_agent_prompt: Generated<string>
    question_library: ColumnType<Schemas['ProductQuestion'][], string | undefined, string>
    ai_fast_enabled: Generated<boolean>
    ai_comprehensive_enabled: Generated<boolean>
    ai_sector: Generated<Schemas['AiSettings']['sector']>
    created_at: Timestamp
    updated_at: Timestamp
    search: Made
  }
  /** Solved challenges that were used, until they expire. */
  spent_challenges: {
    fingerprint: Buffer
    expires_at: ColumnType<string, Date, never>
  }
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
  customers: {
    id: string
    workspace_id: string
    email: string
    name: string
    phone: string | null
    language: string
    created_at: ColumnType<string, Date, never>
    updated_at: ColumnType<string, Date, Date>
  }
  customer_sessions: {
    id: string
    workspace_id: string
    customer_id: string
    token_hash: Buffer
    created_at: ColumnType<string, Date, never>
    expires_at: ColumnType<string, Date, Date>
    revoked_at: NullableTimestamp
  }
  /** Conversations; `visitor_id` is that of a guest or a customer. */
  threads: {
    id: string
    workspace_id: string
    visitor_id: string
    token_hash: Buffer
    created_at: ColumnType<string, Date, never>
    /** What was said last, the oldest first. */
    turns: ColumnType<{ role: 'visitor' | 'assistant'; text: string }[], string | undefined, string>
  }
  feedback: {
    id: string
    workspace_id: string
    customer_id: string | null
    message: string
    created_at: ColumnType<string, Date, never>
  }
  /** The days on which somebody came; dates are written and read as text. */
  visits: {
    workspace_id: string
    visitor_id: string
    day: string
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
  /** Every subdomain in use, or held for the workspace that gave it up. */
  sub_domains: {
    name: string
    workspace_id: string
    held_until: NullableTimestamp
  }
  websites: {
    workspace_id: string
    template_key: string
    theme: Json<Schemas['Website']['theme']>
    logo_image_id: string | null
    headline: Generated<string>
    tagline: Generated<string>
    about: Generated<string>
    contact_email: string | null
    social_links: Json<string[]>
    seo: Json<Schemas['Website']['seo']>
    access_policy: Json<Schemas['AccessPolicy']>
    updated_at: Timestamp
  }
  members: {
    id: string
    workspace_id: string
    account_id: string | null
    email: string
    role: Schemas['Role']
    status: Schemas['Member']['status']
    created_at: Timestamp
  }
  tags: Columns<Schemas['TagWrite']> & {
    id: string
    workspace_id: string
    search: string
    created_at: ColumnType<string, Date, never>
    updated_at: ColumnType<string, Date, Date>
  }
  media: {
    id: string
    workspace_id: string
    file_name: string
    mime_type: string
    size_bytes: number
    content_hash: string
    extension: string
    /** Kept by triggers. */
    usage_count: Generated<number>
    search: string
    created_at: ColumnType<string, Date, never>
  }
  /** A promise of one image: who may send it, where to, and what it will be. */
  media_uploads: {
    token_hash: Buffer
    workspace_id: string
    account_id: string
    connection_id: string
    file_name: string
    mime_type: Schemas['MimeType']
    size_bytes: number
    expires_at: ColumnType<string, Date, never>
    used_at: NullableTimestamp
  }
  products: Columns<Omit<Schemas['ProductUpdate'], 'imageIds' | 'tagIds'>> & {
    id: string
    workspace_id: string
    slug: string
    name_key: Buffer
    sku_key: Buffer
    barcode_key: Buffer
    search: string
    /** Null: the library of the workspace. */
    questions: ColumnType<
      Schemas['ProductQuestion'][] | null,
      string | null | undefined,
      string | null
    >
    created_at: ColumnType<string, Date, never>
    updated_at: ColumnType<string, Date, Date>
  }
  product_images: { product_id: string; media_id: string; position: number }
  product_tags: { product_id: string; tag_id: string; position: number }
  collections: Columns<Omit<Schemas['CollectionUpdate'], 'tagIds'>> & {
    id: string
    workspace_id: string
    slug: string
    search: string
    created_at: ColumnType<string, Date, never>
    updated_at: ColumnType<string, Date, Date>
  }
  collection_products: { collection_id: string; product_id: string; position: number }
  collection_tags: { collection_id: string; tag_id: string; position: number }
  /** Kept by triggers; a workspace's rows are added up. */
  catalogue_counters: {
    workspace_id: string
    slot: number
    products_active: number
    products_inactive: number
    products_deleted: number
    products_out_of_stock: number
    media_total: number
    media_linked: number
    media_multi_linked: number
    tags_total: number
    collections_total: number
    /** Counts up with every change of what a search of products may find. */
    changes: number
  }
  /** Who runs the service. They are no accounts. */
  staff: {
    id: string
    email: string
    created_at: ColumnType<string, Date, never>
  }
  staff_sessions: {
    id: string
    staff_id: string
    token_hash: Buffer
    created_at: ColumnType<string, Date, never>
    expires_at: ColumnType<string, Date, Date>
  }
  contact_requests: {
    id: string
    name: string
    email: string
    message: string
    created_at: ColumnType<string, Date, never>
    read_at: NullableTimestamp
    search: Made
  }
  /** Only ever added to: the database refuses everything else. */
  audit_entries: {
    id: string
    staff_email: string
    action: string
    subject_type: string
    subject_id: string
    before: ColumnType<Schemas['AuditEntry']['before'], string | null, never>
    after: ColumnType<Schemas['AuditEntry']['after'], string | null, never>
    created_at: ColumnType<string, Date, never>
    search: Made
  }
  /** Kept by triggers; the rows of one list, or the connections of one source, are added up. */
  row_counters: { counted: string; slot: number; total: number; changes: Generated<number> }
  idempotency_records: {
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
