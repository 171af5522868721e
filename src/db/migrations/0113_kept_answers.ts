import { type Kysely, sql } from 'kysely'

/**
 * Answers that an owner has paid for once, for the pages of products. Each is of the texts that the
 * product had then; a null answer is one that is being made, until a time, or that the texts do not give.
 * No foreign key joins them to their products, as with question_replies.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table kept_answers (
      workspace_id text not null,
      product_id text not null,
      question_key bytea not null,
      text_hash bytea not null,
      answer text,
      citations jsonb not null default '[]',
      making_until timestamptz,
      constraint kept_answers_key primary key (workspace_id, product_id, question_key)
    )`.execute(db)
}
