import type { ColumnType } from 'kysely'

export interface AssistantTables {
  /** Conversations; `visitor_id` is the id of a guest or a customer. */
  threads: {
    workspace_id: string
    visitor_id: string
    token_hash: Buffer
    created_at: ColumnType<string, Date, never>
    /** Its last turn, to the day. */
    used_at: ColumnType<string, Date | undefined, Date>
    /** The latest turns, oldest first. */
    turns: ColumnType<{ role: 'visitor' | 'assistant'; text: string }[], string | undefined, string>
  }
}
