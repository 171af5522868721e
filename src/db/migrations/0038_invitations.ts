import { sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly } from '../online.ts'

/* An invitation remembers the account that sent it. The build before writes none. */

export const steps: readonly Step[] = [
  {
    name: 'who invites',
    run: ({ db }) =>
      briefly(db, async (trx) => {
        await sql`alter table members add column if not exists invited_by text`.execute(trx)
      }),
  },
]
