import { type Kysely, sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly } from '../online.ts'

/* An owner tries the site with a key of its own; what happens with it is not a guest's. */

export const steps: readonly Step[] = [
  {
    name: 'trials',
    run: ({ db }) =>
      briefly(db, async (trx) => {
        await sql`
          alter table api_keys
            add column if not exists is_trial boolean not null default false`.execute(trx)
      }),
  },
  { name: 'actors', run: ({ db }) => allowTrials(db) },
]

async function allowTrials(db: Kysely<unknown>): Promise<void> {
  await briefly(db, async (trx) => {
    await sql`
      alter table usage_events
        drop constraint if exists usage_events_actor_type_check`.execute(trx)
    await sql`
      alter table usage_events add constraint usage_events_actor_type_check check (actor_type in
        ('OWNER', 'STAFF', 'CUSTOMER', 'GUEST', 'TRIAL', 'API_KEY', 'AGENT', 'SYSTEM'))
        not valid`.execute(trx)
  })
  await sql`alter table usage_events validate constraint usage_events_actor_type_check`.execute(db)
}
