import { sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly } from '../online.ts'

/** The browser and the system of a session, by name. Sessions of the build before have none. */
export const steps: readonly Step[] = [
  {
    name: 'columns',
    run: ({ db }) =>
      briefly(db, async (trx) => {
        await sql`
          alter table dashboard_sessions
            add column if not exists browser text,
            add column if not exists system text`.execute(trx)
      }),
  },
]
