import type { ColumnType, Generated } from 'kysely'
import type { Scope } from '../generated/operations.ts'
import type { components } from '../generated/types.ts'

type Schemas = components['schemas']

/** Read as RFC 3339 text, as the contract writes it; written as a Date. */
type Timestamp = ColumnType<string, Date | undefined, Date>
type NullableTimestamp = ColumnType<string | null, Date | null | undefined, Date | null>
type Json<T> = ColumnType<T, string, string>

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
  }
  dashboard_sessions: {
    id: string
    account_id: string
    token_hash: Buffer
    created_at: Timestamp
    expires_at: ColumnType<string, Date, Date>
  }
  one_time_codes: {
    purpose: 'sign_in' | 'account_email' | 'billing_email'
    subject: string
    email: string
    code_hash: Buffer
    sent_at: ColumnType<string, Date, Date>
    expires_at: ColumnType<string, Date, Date>
    failures: Generated<number>
    consumed_at: NullableTimestamp
  }
  integration_sources: {
    id: string
    kind: 'KEY' | 'AGENT'
    identity: string
    name: string
    status: Generated<'APPROVED' | 'BLOCKED'>
    first_seen_at: Timestamp
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
    created_at: Timestamp
    updated_at: Timestamp
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
