import { sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { readIsDistributed } from '../../db/shards/places.ts'

/*
 * Raw SQL: Kysely has no ANALYZE.
 */

/** What a long step begins with. */
export const stepTables = [
  'change_set_rows',
  'products',
  'product_images',
  'product_tags',
  'collection_products',
  'media',
] as const

export type StepTable = (typeof stepTables)[number] | 'tags' | 'collections'

/**
 * Has the planner look at what this transaction has written. Of a workspace that its statistics do not know, it
 * expects a row or none: a first import of 10,000 products then joins everything with everything, and so does
 * each page of the new shop until the database looks by itself. Tables that are being looked at are passed over.
 */
export async function renewStatistics(
  trx: Transaction<Database>,
  tables: readonly StepTable[],
): Promise<void> {
  // A coordinator looks at shards from outside of this transaction, and sees nothing of it.
  if (await readIsDistributed(trx)) return
  await sql`analyze (skip_locked) ${sql.join(tables.map((name) => sql.table(name)))}`.execute(trx)
}
