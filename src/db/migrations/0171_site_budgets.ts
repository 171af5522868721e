import { sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly } from '../online.ts'

/**
 * What visitors of a shop's own pages and its widget may spend on a day; null is no limit. Whoever makes up
 * many visitors empties a day, and not the wallet.
 */
export const steps: readonly Step[] = [
  {
    name: 'column',
    run: ({ db }) =>
      briefly(db, async (trx) => {
        await sql`
          alter table wallets
            add column if not exists site_daily_credits integer default 500`.execute(trx)
      }),
  },
]
