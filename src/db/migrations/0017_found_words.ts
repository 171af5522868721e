import { type Kysely, sql } from 'kysely'

/**
 * Characters that come apart into many, as signs for whole words do, made a text longer than an
 * index entry may be: what is left of it is cut after that, too.
 *
 * Workspace and status stand in the index in a form that no other index has. Without statistics
 * the planner takes a workspace for small, and would go through its products by one of those and
 * compute the words of each, which takes seconds where the texts are long.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index products_words_index`.execute(db)
  await sql`
    create or replace function catalogue_words(
        name text, brand text, description text, information text)
      returns tsvector language plpgsql immutable parallel safe cost 100000 as $$
    begin
      return to_tsvector('pg_catalog.simple', translate(lower(left(regexp_replace(normalize(
        name || ' ' || brand || ' ' || left(description, 20000) || ' ' || left(information, 40000),
        nfkd), '[\u0300-\u036f]', '', 'g'), 130000)), 'ı./-_@:&+''’', 'i          '));
    end $$`.execute(db)
  await sql`
    create index products_words_index on products
      using gin ((workspace_id || ''), catalogue_words(name, brand, description, information))
      where status || '' = 'ACTIVE'`.execute(db)
}
