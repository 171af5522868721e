import { type Kysely, sql } from 'kysely'

/*
 * What visitors asked about a product and its texts do not say, once for each wording, until the owner
 * has replied or put it aside.
 */
export async function up(trx: Kysely<unknown>): Promise<void> {
  await sql`
    create table unanswered_questions (
      workspace_id text not null,
      id text not null,
      product_id text not null,
      question_key bytea not null,
      text text not null,
      asked integer not null,
      last_asked_at timestamptz not null,
      constraint unanswered_questions_key primary key (workspace_id, id),
      constraint unanswered_questions_wording_key unique (workspace_id, product_id, question_key),
      constraint unanswered_questions_product_fkey foreign key (workspace_id, product_id)
        references products (workspace_id, id) on delete cascade
    )`.execute(trx)
  await sql`
    create index unanswered_questions_order_index on unanswered_questions
      (workspace_id, asked desc, last_asked_at desc, id)`.execute(trx)
}
