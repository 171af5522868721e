import { type Kysely, sql } from 'kysely'

/**
 * Owners' replies, each with the question that it answers. No foreign key joins them to their products,
 * which may lie on other nodes until this table is distributed, too: the deletion of a product takes its
 * replies along.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table question_replies (
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
    create index question_replies_order_index on question_replies
      (workspace_id, updated_at desc, id)`.execute(db)
}
