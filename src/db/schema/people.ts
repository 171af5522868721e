import type { ColumnType, Generated } from 'kysely'
import type { components } from '../../generated/types.ts'
import type { GeneratedText, NullableTimestamp, Timestamp } from './columns.ts'

type Schemas = components['schemas']

/** The dashboard's sign-in, and that of the staff. */
export type SignInPurpose = 'sign_in' | 'staff_sign_in'

export interface PeopleTables {
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
    search: GeneratedText
  }
  dashboard_sessions: {
    id: string
    account_id: string
    token_hash: Buffer
    created_at: Timestamp
    expires_at: ColumnType<string, Date, Date>
    browser: string | null
    system: string | null
  }
  /** Changes of address that the old address can take back until they expire. */
  email_changes: {
    token_hash: Buffer
    account_id: string
    old_email: string
    new_email: string
    changed_at: ColumnType<string, Date, never>
    expires_at: ColumnType<string, Date, never>
    taken_back_at: NullableTimestamp
  }
  one_time_codes: {
    purpose: SignInPurpose | 'account_email' | 'billing_email' | 'customer_sign_in'
    subject: string
    email: string
    code_hash: Buffer
    sent_at: ColumnType<string, Date, Date>
    expires_at: ColumnType<string, Date, Date>
    failures: Generated<number>
    /** Wrong tries from other browsers, for a code that a known browser requested. */
    stranger_failures: Generated<number>
    consumed_at: NullableTimestamp
    /** Data from the request for the code, kept until the code is used. */
    details: ColumnType<unknown, string | null | undefined, string | null>
  }
  /** Browsers in which an address has signed in: one row for each address. */
  known_browsers: {
    id: string
    token_hash: Buffer
    purpose: SignInPurpose
    email: string
    created_at: ColumnType<string, Date, never>
    expires_at: ColumnType<string, Date, Date>
  }
  sign_in_links: {
    token_hash: Buffer
    purpose: SignInPurpose
    email: string
    expires_at: ColumnType<string, Date, never>
  }
  /** One row for each address, for the last day on which a wrong code was tried or a link was mailed. */
  sign_in_attempts: {
    purpose: SignInPurpose
    email: string
    day: ColumnType<string, string, string>
    failures: Generated<number>
    link_mailed_at: NullableTimestamp
  }
  members: {
    id: string
    workspace_id: string
    account_id: string | null
    email: string
    role: Schemas['Role']
    status: Schemas['Member']['status']
    /** The account that sent the invitation; null for the first owner. */
    invited_by: string | null
    created_at: Timestamp
    /** Null for a founder of the workspace. */
    owner_since: NullableTimestamp
    /** How often the member wants a mail about pending work, and when the next one is due. */
    digest_every: Generated<'DAY' | 'WEEK' | null>
    digest_at: NullableTimestamp
  }
}
