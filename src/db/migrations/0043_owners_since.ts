import { sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly } from '../online.ts'

export const steps: readonly Step[] = [
  {
    // When a member became an owner; null for those who founded the workspace or owned it before.
    name: 'owners since',
    run: ({ db }) =>
      briefly(db, async (trx) => {
        await sql`alter table members add column if not exists owner_since timestamptz`.execute(trx)
      }),
  },
]
