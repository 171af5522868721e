import { sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly } from '../online.ts'

/**
 * How often a background step was started without finishing: a step that fails every time is given up. The
 * build before does not count, so its attempts are free.
 */
export const steps: readonly Step[] = [
  {
    name: 'column',
    run: ({ db }) =>
      briefly(db, async (trx) => {
        await sql`alter table change_set_queue add column if not exists
          attempts integer not null default 0`.execute(trx)
      }),
  },
]
