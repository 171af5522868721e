import { sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly } from '../online.ts'

/** When staff were mailed about what a shop is called, so that they get no mail for each rename. */
export const steps: readonly Step[] = [
  {
    name: 'column',
    run: ({ db }) =>
      briefly(db, async (trx) => {
        await sql`
          alter table workspaces add column if not exists review_mailed_at timestamptz`.execute(trx)
      }),
  },
]
