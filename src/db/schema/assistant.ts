import type { ColumnType, Generated } from 'kysely'
import type { components } from '../../generated/types.ts'

/** A turn as it is stored; turns from before 0111 have neither time nor citations. */
export interface StoredTurn {
  role: 'visitor' | 'assistant'
  text: string
  citations?: components['schemas']['Citations']
  createdAt?: string
  /** Set if an owner tried the assistant; not counted among visitors' questions. */
  isTrial?: true
}

export interface AssistantTables {
  /** Questions of visitors that products do not answer, one row for each wording. */
  unanswered_questions: {
    workspace_id: string
    id: string
    product_id: string
    question_key: Buffer
    text: string
    asked: number
    last_asked_at: ColumnType<string, Date, Date>
    /** The customers among those who asked, once for each time. */
    customer_ids: Generated<string[]>
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
  /** Answers to the questions that product pages show; each is paid for once. */
  kept_answers: {
    workspace_id: string
    product_id: string
    question_key: Buffer
    /** Of the texts of the product from which it was made. */
    text_hash: Buffer
    /** Null while it is being made, or if the texts do not answer the question. */
    answer: string | null
    /** Also what it mentions without quoting it: see `stored_answers.ts`. */
    citations: ColumnType<components['schemas']['Citations'], string | undefined, string>
    /** Until then no other call makes it; null once it is made. */
    making_until: ColumnType<string | null, Date | null, Date | null>
  }
  /** Conversations; `visitor_id` is the id of a guest or a customer. */
  threads: {
    workspace_id: string
    visitor_id: string
    token_hash: Buffer
    created_at: ColumnType<string, Date, never>
    /** The day of its last turn. */
    used_at: ColumnType<string, Date | undefined, Date>
    /** The latest turns, oldest first. */
    turns: ColumnType<StoredTurn[], string | undefined, string>
    /** The random part of its id; null for threads of the build before 0111. */
    seed: Buffer | null
    kind: components['schemas']['ThreadSummary']['kind'] | null
    product_id: string | null
    title: string | null
    /** The time of its last turn. */
    updated_at: ColumnType<string | null, Date | undefined, Date>
  }
}
