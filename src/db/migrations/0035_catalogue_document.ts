import { type Kysely, sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly, buildIndex } from '../online.ts'
import { rebuildTagIds } from '../backfills/tag_ids.ts'

/*
 * One document a product, whatever its status: the words of its texts and of what names it, and the ids
 * of its tags, so that a tag can be renamed without a change of its products. Search, chats and routines
 * look things up in it. The index of before covers published texts only; 0036 takes it away.
 *
 * The index of substrings was most of what writing a product cost: every product touches dozens of its
 * pages. It gets a short list of pending entries, which is sorted in as soon as it has 64 kB, so that
 * many products share a touch and a search reads at most those.
 */

export const steps: readonly Step[] = [
  { name: 'column of tags', run: ({ db }) => briefly(db, addColumn) },
  { name: 'tags of products', run: rebuildTagIds },
  { name: 'words of a product', run: ({ db }) => createDocument(db) },
  {
    name: 'index of words',
    run: ({ db }) =>
      buildIndex(db, 'products_document_index', {
        table: 'products',
        columns: `using gin ((workspace_id || ''), catalogue_document(
          name, brand, sku, barcode, description, information, tag_ids))`,
      }),
  },
  { name: 'pending substrings', run: ({ db }) => briefly(db, keepPending) },
]

async function addColumn(db: Kysely<unknown>): Promise<void> {
  await sql`alter table products
    add column if not exists tag_ids text[] not null default '{}'`.execute(db)
}

/** The lengths keep the longest texts within what an index entry may hold, as in 0017. */
async function createDocument(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function catalogue_document(name text, brand text, sku text, barcode text,
        description text, information text, tag_ids text[])
      returns tsvector language plpgsql immutable parallel safe cost 100000 as $$
    begin
      return to_tsvector('pg_catalog.simple', translate(lower(left(regexp_replace(normalize(
        name || ' ' || brand || ' ' || sku || ' ' || barcode || ' ' || left(description, 20000)
          || ' ' || left(information, 40000),
        nfkd), '[\u0300-\u036f]', '', 'g'), 130000)), 'ı./-_@:&+''’', 'i          '))
        || array_to_tsvector(tag_ids);
    end $$`.execute(db)
}

async function keepPending(db: Kysely<unknown>): Promise<void> {
  await sql`alter index products_search_index
    set (fastupdate = on, gin_pending_list_limit = 64)`.execute(db)
}
