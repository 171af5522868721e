import { sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly } from '../online.ts'

/* A wallet knows below which balance its owner wants a mail, and whether that mail was sent. */

export const steps: readonly Step[] = [
  {
    name: 'alerts',
    run: ({ db }) =>
      briefly(db, async (trx) => {
        await sql`
          alter table wallets
            add column if not exists alert_below integer,
            add column if not exists alerted_at timestamptz`.execute(trx)
      }),
  },
]
