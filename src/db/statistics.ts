import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from './schema.ts'
import { readIsDistributed } from './shards/places.ts'

/* Raw SQL: Kysely has no ANALYZE, and what PostgreSQL knows of a table lies in no table of ours. */

/** Where a shop's rows come by the thousand, and what is looked at there. */
const lookedAt = {
  // All its columns would take the words of 30,000 products, which is seconds of CPU.
  products: sql`products (workspace_id)`,
  product_images: sql`product_images`,
  product_tags: sql`product_tags`,
  collections: sql`collections`,
  collection_products: sql`collection_products`,
  collection_tags: sql`collection_tags`,
  media: sql`media`,
  tags: sql`tags`,
  change_set_rows: sql`change_set_rows`,
}

export type GrowingTable = keyof typeof lookedAt

/** What a long step begins with. */
export const stepTables = [
  'change_set_rows',
  'products',
  'product_images',
  'product_tags',
  'collection_products',
  'media',
] as const satisfies GrowingTable[]

/** With fewer unknown rows, a wrong plan costs milliseconds. */
const unknownRows = 1000

/** The tables that have grown since PostgreSQL last looked at them, by itself or for us. */
export async function listGrown(db: Kysely<Database>): Promise<GrowingTable[]> {
  const { rows } = await sql<{ name: GrowingTable }>`
    select t.name from unnest(${Object.keys(lookedAt)}::text[]) as t (name)
    join pg_class c on c.oid = t.name::regclass
    where pg_stat_get_live_tuples(c.oid) - greatest(c.reltuples, 0) >= ${unknownRows}`.execute(db)
  return rows.map(({ name }) => name)
}

/**
 * Has the planner look at tables, and at what this transaction has written. Of a workspace that its statistics do
 * not know, it expects a row or none where they know all others. Then every index that begins with the workspace
 * looks as good as the right one, and a shop of 20,000 products is read whole for each row of an answer. Tables that
 * are being looked at are passed over.
 */
export async function renewStatistics(
  trx: Transaction<Database>,
  tables: readonly GrowingTable[],
): Promise<void> {
  // A coordinator looks at shards from outside of this transaction, and sees nothing of it.
  if (await readIsDistributed(trx)) return
  await sql`analyze (skip_locked) ${sql.join(tables.map((name) => lookedAt[name]))}`.execute(trx)
}
