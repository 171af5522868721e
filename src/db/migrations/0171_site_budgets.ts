import { sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly } from '../online.ts'

/**
 * What visitors of a shop's own pages and its widget may spend per day; null is no limit. An attacker who
 * invents many visitors exhausts the day's budget, not the wallet.
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
