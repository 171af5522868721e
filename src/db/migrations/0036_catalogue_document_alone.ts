import { type Kysely, sql } from 'kysely'
import type { Step } from '../migration.ts'
import { rebuildTagIds } from '../backfills/tag_ids.ts'

/*
 * Takes away the index of published words, which only the build before used, and writes the tags that
 * it did not write into the rows of products.
 */

export const endsBuildBefore = true

export const steps: readonly Step[] = [
  { name: 'tags of products', run: rebuildTagIds },
  { name: 'index of published words', run: ({ db }) => dropWords(db) },
]

async function dropWords(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists products_words_index`.execute(db)
  await sql`drop function if exists catalogue_words(text, text, text, text)`.execute(db)
}
