import { type Kysely, sql } from 'kysely'
import type { Step } from '../migration.ts'
import { addForeignKey } from '../online.ts'

/*
 * What visitors asked about a product and its texts do not say, once for each wording, until the owner
 * has replied or put it aside.
 */

export const steps: readonly Step[] = [
  { name: 'table', run: ({ db }) => createQuestions(db) },
  {
    name: 'product of a question',
    run: ({ db }) =>
      addForeignKey(
        db,
        'unanswered_questions',
        'unanswered_questions_product_fkey',
        '(workspace_id, product_id) references products (workspace_id, id) on delete cascade',
      ),
  },
]

async function createQuestions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists unanswered_questions (
      workspace_id text not null,
      id text not null,
      product_id text not null,
      question_key bytea not null,
      text text not null,
      asked integer not null,
      last_asked_at timestamptz not null,
      constraint unanswered_questions_key primary key (workspace_id, id),
      constraint unanswered_questions_wording_key unique (workspace_id, product_id, question_key)
    )`.execute(db)
  await sql`
    create index if not exists unanswered_questions_order_index on unanswered_questions
      (workspace_id, asked desc, last_asked_at desc, id)`.execute(db)
}
