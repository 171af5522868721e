import { sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly } from '../online.ts'

/**
 * What a shop answers of itself: questions with their answers, in order. They are written and read as a
 * whole, and a long list lies outside the row, so that pages and chats of other shops do not pay for it.
 */
export const steps: readonly Step[] = [
  {
    name: 'column',
    run: ({ db }) =>
      briefly(db, async (trx) => {
        await sql`
          alter table websites
            add column if not exists knowledge jsonb not null default '[]'`.execute(trx)
      }),
  },
]
