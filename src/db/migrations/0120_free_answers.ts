import { sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly } from '../online.ts'

/** Reservations of calls that succeeded and cost nothing: settled without an entry in the ledger. */
export const steps: readonly Step[] = [
  {
    name: 'column',
    run: ({ db }) =>
      briefly(db, async (trx) => {
        await sql`
          alter table reservations
            add column if not exists is_free boolean not null default false`.execute(trx)
      }),
  },
]
