import { sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly } from '../online.ts'

/**
 * A table that stays empty. On a distributed database, a transaction with a write to it, even of no rows,
 * commits in two phases: first on the coordinator, then on the nodes. Other transactions commit on a single
 * node first.
 */
export const steps: readonly Step[] = [
  {
    name: 'table',
    run: ({ db }) =>
      briefly(db, async (trx) => {
        await sql`create table if not exists coordinator_writes (written boolean)`.execute(trx)
      }),
  },
]
