import { sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly } from '../online.ts'

/** Domains of shops that await review by a person; those of the build before are approved. */
export const steps: readonly Step[] = [
  {
    name: 'column',
    run: ({ db }) =>
      briefly(db, async (trx) => {
        await sql`
          alter table site_domains
            add column if not exists is_approved boolean not null default true`.execute(trx)
      }),
  },
]
