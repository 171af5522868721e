import { type Kysely, sql } from 'kysely'
import type { Step, StepContext } from '../migration.ts'
import { briefly } from '../online.ts'
import { rebuildTagIds } from '../backfills/tag_ids.ts'

/*
 * The first release writes a product's tags, but not their copy in its row, by which searches find it.
 * A trigger writes that for it until 0056; 0036 alone would leave it stale for as long as that release
 * runs. A database that 0036 has been applied to needs none.
 */

export const steps: readonly Step[] = [
  { name: 'follow the build before', run: ({ db }) => briefly(db, followBuildBefore) },
  { name: 'tags of products', run: rebuildUnlessDone },
]

async function needsFollowing(db: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql`
    select where to_regclass('products_words_index') is not null`.execute(db)
  return rows.length > 0
}

/**
 * Deleted tags may stay in the rows. Taking them out here would lock products after a tag, where
 * writers of products lock them before.
 */
async function followBuildBefore(trx: Kysely<unknown>): Promise<void> {
  if (!(await needsFollowing(trx))) return
  await sql`
    create or replace function keep_tag_ids() returns trigger language plpgsql as $$
    begin
      update products p set tag_ids = array(select l.tag_id from product_tags l
        where l.product_id = p.id order by l.position)
      where p.id in (select c.product_id from changed c
        where exists (select from tags t where t.id = c.tag_id));
      return null;
    end $$`.execute(trx)
  for (const [event, rows] of [
    ['insert', 'new'],
    ['delete', 'old'],
  ] as const)
    await sql`
      create or replace trigger ${sql.ref(`keep_tag_ids_${event}`)}
        after ${sql.raw(event)} on product_tags
        referencing ${sql.raw(rows)} table as changed for each statement
        when (coalesce(current_setting('vitrine.counts', true), '') <> 'kept')
        execute function keep_tag_ids()`.execute(trx)
}

async function rebuildUnlessDone(context: StepContext): Promise<void> {
  if (await needsFollowing(context.db)) await rebuildTagIds(context)
}
