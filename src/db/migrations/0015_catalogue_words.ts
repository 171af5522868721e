import { type Kysely, sql } from 'kysely'

/**
 * The words of a product in the form in which questions search for them: without case and marks, whatever
 * the locale of the database. The lengths keep the longest texts within the size of an index entry. The
 * high cost makes the planner use the index instead of computing words row by row.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function catalogue_words(name text, brand text, description text, information text)
      returns tsvector language plpgsql immutable parallel safe cost 100000 as $$
    begin
      return to_tsvector('pg_catalog.simple', translate(lower(regexp_replace(normalize(
        name || ' ' || brand || ' ' || left(description, 20000) || ' ' || left(information, 40000),
        nfkd), '[\u0300-\u036f]', '', 'g')), 'ı./-_@:&+''’', 'i          '));
    end $$`.execute(db)
  await sql`
    create index products_words_index on products
      using gin (workspace_id, catalogue_words(name, brand, description, information))
      where status = 'ACTIVE'`.execute(db)
}
