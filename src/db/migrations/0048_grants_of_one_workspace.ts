import { sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly } from '../online.ts'

export const steps: readonly Step[] = [
  {
    // The only workspace that an agent may use; null for every one.
    name: 'grants of one workspace',
    run: ({ db }) =>
      briefly(db, async (trx) => {
        await sql`alter table grants add column if not exists only_workspace_id text`.execute(trx)
        await sql`
          alter table authorization_requests
            add column if not exists only_workspace_id text`.execute(trx)
      }),
  },
]
