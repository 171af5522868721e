import { type Kysely, sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly } from '../online.ts'

/** Clicks to shops that followed an answer of the assistant in the same visit: who has asked today. */
export const steps: readonly Step[] = [
  {
    name: 'column',
    run: ({ db }) =>
      briefly(db, async (trx) => {
        await sql`
          alter table site_visitors
            add column if not exists has_asked boolean not null default false`.execute(trx)
      }),
  },
  { name: 'kind', run: ({ db }) => allowAskedClicks(db) },
]

async function allowAskedClicks(db: Kysely<unknown>): Promise<void> {
  await briefly(db, async (trx) => {
    await sql`
      alter table site_counts drop constraint if exists site_counts_kind_check`.execute(trx)
    await sql`
      alter table site_counts add constraint site_counts_kind_check check (kind in
        ('visitor', 'product', 'page', 'click', 'asked_click', 'shop', 'referrer', 'missed'))
        not valid`.execute(trx)
  })
  await sql`alter table site_counts validate constraint site_counts_kind_check`.execute(db)
}
