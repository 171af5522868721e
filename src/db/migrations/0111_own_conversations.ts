import { sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly } from '../online.ts'

/**
 * What visitors see of their own conversations, and the customers who asked an unanswered question. The
 * id of a thread is signed with the service's secret: its seed alone leads to no conversation, and one
 * without a seed, of the build before, is listed once it has gone on.
 */
export const steps: readonly Step[] = [
  {
    name: 'columns',
    run: ({ db }) =>
      briefly(db, async (trx) => {
        await sql`
          alter table threads
            add column if not exists seed bytea,
            add column if not exists kind text,
            add column if not exists product_id text,
            add column if not exists title text,
            add column if not exists updated_at timestamptz`.execute(trx)
        await sql`
          alter table unanswered_questions
            add column if not exists customer_ids text[] not null default '{}'`.execute(trx)
      }),
  },
]
