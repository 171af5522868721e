import type { ColumnType } from 'kysely'

export interface AssistantTables {
  /** What visitors asked and products do not say, once for each wording. */
  unanswered_questions: {
    workspace_id: string
    id: string
    product_id: string
    question_key: Buffer
    text: string
    asked: number
    last_asked_at: ColumnType<string, Date, Date>
  }
  /** Owners' replies, each with the question that it answers. */
  question_replies: {
    workspace_id: string
    id: string
    product_id: string
    question_key: Buffer
    question: string
    answer: string
    updated_at: ColumnType<string, Date, Date>
  }
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
