import { sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly } from '../online.ts'

/**
 * Counts the changes of what visitors see that are no entries of the change feed. Together with the
 * feed's last number it is the version of a site's pages.
 */
export const steps: readonly Step[] = [
  {
    name: 'column',
    run: ({ db }) =>
      briefly(db, async (trx) => {
        await sql`
          alter table feed_heads
            add column if not exists pages bigint not null default 0`.execute(trx)
      }),
  },
]
