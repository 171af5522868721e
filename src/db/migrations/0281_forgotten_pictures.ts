import { sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly } from '../online.ts'

/**
 * Which pictures of the queue a sweep has found, and no upload: they can wait. The build before notes none, so that
 * its own wait like uploads, as they did.
 */
export const steps: readonly Step[] = [
  {
    name: 'column',
    run: ({ db }) =>
      briefly(db, async (trx) => {
        await sql`alter table picture_queue
          add column if not exists is_forgotten boolean not null default false`.execute(trx)
      }),
  },
]
