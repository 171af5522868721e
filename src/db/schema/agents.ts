import type { ColumnType, Generated } from 'kysely'
import type { Scope } from '../../generated/operations.ts'
import type { GeneratedText, NullableTimestamp, Timestamp } from './columns.ts'

export interface AgentTables {
  integration_sources: {
    id: string
    kind: 'KEY' | 'AGENT'
    identity: string
    name: string
    status: Generated<'APPROVED' | 'BLOCKED'>
    first_seen_at: Timestamp
    search: GeneratedText
  }
  api_keys: {
    id: string
    account_id: string
    source_id: string
    name: string
    prefix: string
    key_hash: Buffer
    scopes: ColumnType<Scope[], Scope[], never>
    /** Whether its owner tries the site with it. */
    is_trial: ColumnType<boolean, boolean | undefined, never>
    /** The only workspace of a trial's key; null for all of the account's. */
    only_workspace_id: ColumnType<string | null, string | null | undefined, never>
    created_at: Timestamp
    expires_at: ColumnType<string, Date, never>
    last_used_at: NullableTimestamp
    revoked_at: NullableTimestamp
  }
  /** Keys of pages without a backend. They are not secret, so they are stored in the clear. */
  publishable_keys: {
    id: string
    workspace_id: string
    name: string
    key: string
    origins: ColumnType<string[], string[], never>
    daily_credits: number
    created_at: Timestamp
    last_used_at: NullableTimestamp
    revoked_at: NullableTimestamp
  }
  publishable_key_days: {
    key_id: string
    day: ColumnType<string, string, never>
    credits: number
  }
  /** The software of agents, registered or described by the metadata document at its id. */
  oauth_clients: {
    id: string
    source_id: string
    metadata: ColumnType<unknown, string, string>
    /** When a fetched document becomes stale; null for a registered client. */
    fresh_until: NullableTimestamp
    /** Keys that the client publishes at a URL, as last fetched. */
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
    only_workspace_id: string | null
    asks_first: Generated<boolean>
    ticket_hash: Buffer | null
    ticket_expires_at: NullableTimestamp
  }
  /** Permission that an account gave an agent. Its tokens are valid only as long as the grant. */
  grants: {
    id: string
    account_id: string
    client_id: string
    source_id: string
    requested_scopes: ColumnType<Scope[], Scope[], never>
    scopes: ColumnType<Scope[], Scope[], never>
    /** The only workspace that the grant is for; null for all of the account's. */
    only_workspace_id: ColumnType<string | null, string | null | undefined, never>
    /** Whether the agent must ask a person before anything is lost. */
    asks_first: ColumnType<boolean, boolean | undefined, never>
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
    /** Random, set with `consumed_at`; together with the token itself it yields the successor. */
    successor_seed: Buffer | null
  }
  /** Where agents of an account get their tokens. */
  agent_addresses: {
    address: string
    account_id: string
    expires_at: ColumnType<string, Date, Date>
  }
  client_assertions: {
    client_id: string
    jti_hash: Buffer
    expires_at: ColumnType<string, Date, never>
  }
}
