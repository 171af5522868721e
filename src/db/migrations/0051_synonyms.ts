import { sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly } from '../online.ts'

export const steps: readonly Step[] = [
  {
    // Words and phrases that mean the same in this shop, in groups.
    name: 'synonyms',
    run: ({ db }) =>
      briefly(db, async (trx) => {
        await sql`
          alter table workspaces
            add column if not exists synonyms json not null default '[]'`.execute(trx)
      }),
  },
]
