import { type Kysely, sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly } from '../online.ts'

/* Takes away what wrote the copies of tags for the first release. */

export const endsBuildBefore = true

export const steps: readonly Step[] = [
  { name: 'triggers', run: ({ db }) => briefly(db, dropTriggers) },
]

async function dropTriggers(trx: Kysely<unknown>): Promise<void> {
  for (const name of ['keep_tag_ids_insert', 'keep_tag_ids_delete'])
    await sql`drop trigger if exists ${sql.ref(name)} on product_tags`.execute(trx)
  await sql`drop function if exists keep_tag_ids()`.execute(trx)
}
