import { sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly } from '../online.ts'

export const steps: readonly Step[] = [
  {
    // Whether an agent must ask before anything is lost; those of the build before need not.
    name: 'grants that ask first',
    run: ({ db }) =>
      briefly(db, async (trx) => {
        await sql`
          alter table grants
            add column if not exists asks_first boolean not null default false`.execute(trx)
        await sql`
          alter table authorization_requests
            add column if not exists asks_first boolean not null default false`.execute(trx)
      }),
  },
]
