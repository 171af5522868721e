import type { ColumnType, Generated } from 'kysely'
import type { components } from '../../generated/types.ts'
import type { GeneratedText, NullableTimestamp } from './columns.ts'

type Schemas = components['schemas']

export interface AdministrationTables {
  /** The people who run the service; separate from accounts. */
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
    search: GeneratedText
  }
  /** Append-only: the database refuses updates and deletes. */
  audit_entries: {
    id: string
    staff_email: string
    action: string
    subject_type: string
    subject_id: string
    before: ColumnType<Schemas['AuditEntry']['before'], string | null, never>
    after: ColumnType<Schemas['AuditEntry']['after'], string | null, never>
    created_at: ColumnType<string, Date, never>
    search: GeneratedText
  }
  /**
   * Maintained by triggers; feedback is counted by its insert. The total of a list, a source's connections
   * or a workspace's feedback is the sum of its rows.
   */
  row_counters: { counted: string; slot: number; total: number; changes: Generated<number> }
}
