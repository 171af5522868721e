import { sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly } from '../online.ts'

/**
 * What a reservation counts against besides the wallet: a budget of the day, or the free trials, for which
 * it holds no credits. The build before names none, and gives back what its calls have counted by itself.
 */
export const steps: readonly Step[] = [
  {
    name: 'column',
    run: ({ db }) =>
      briefly(db, async (trx) => {
        await sql`alter table reservations add column if not exists budget text`.execute(trx)
      }),
  },
  {
    name: 'free trials',
    run: async ({ db }) => {
      await briefly(db, async (trx) => {
        await sql`
          alter table reservations drop constraint if exists reservations_credits_check`.execute(
          trx,
        )
        await sql`
          alter table reservations add constraint reservations_credits_check check (credits >= 0)
            not valid`.execute(trx)
      })
      await sql`
        alter table reservations validate constraint reservations_credits_check`.execute(db)
    },
  },
]
