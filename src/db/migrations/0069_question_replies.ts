import { type Kysely, sql } from 'kysely'
import type { Step } from '../migration.ts'
import { addForeignKey } from '../online.ts'

/*
 * Owners' replies, each with the question that it answers. Chats try them before the product's texts.
 */

export const steps: readonly Step[] = [
  { name: 'table', run: ({ db }) => createReplies(db) },
  {
    name: 'product of a reply',
    run: ({ db }) =>
      addForeignKey(
        db,
        'question_replies',
        'question_replies_product_fkey',
        '(workspace_id, product_id) references products (workspace_id, id) on delete cascade',
      ),
  },
]

async function createReplies(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists question_replies (
      workspace_id text not null,
      id text not null,
      product_id text not null,
      question_key bytea not null,
      question text not null,
      answer text not null,
      updated_at timestamptz not null,
      constraint question_replies_key primary key (workspace_id, id),
      constraint question_replies_wording_key unique (workspace_id, product_id, question_key)
    )`.execute(db)
  await sql`
    create index if not exists question_replies_order_index on question_replies
      (workspace_id, updated_at desc, id)`.execute(db)
}
