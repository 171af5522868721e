import { sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly } from '../online.ts'

/**
 * A table that stays empty. On a distributed database, a transaction that has written to it, be it nothing,
 * commits in two phases: first on the coordinator, then on the nodes. Others commit on a single node first.
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
