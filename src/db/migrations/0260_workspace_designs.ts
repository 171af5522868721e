import { sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly } from '../online.ts'

/** How staff have designed a shop; null, as the build before leaves it, is the template's own look. */
export const steps: readonly Step[] = [
  {
    name: 'column',
    run: ({ db }) =>
      briefly(db, async (trx) => {
        await sql`alter table websites add column if not exists design jsonb`.execute(trx)
      }),
  },
]
