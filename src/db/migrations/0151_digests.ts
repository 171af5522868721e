import { sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly, buildIndex } from '../online.ts'

/**
 * How often a member wants a mail of what waits in a workspace, and when the next one is due; a mail
 * that is sent without being asked for says where it is stopped. The build before sends none of them.
 */
export const steps: readonly Step[] = [
  {
    name: 'columns',
    run: ({ db }) =>
      briefly(db, async (trx) => {
        await sql`
          alter table members
            add column if not exists digest_every text,
            add column if not exists digest_at timestamptz`.execute(trx)
        await sql`alter table mails add column if not exists stop_url text`.execute(trx)
      }),
  },
  {
    name: 'members_digest_index',
    run: ({ db }) =>
      buildIndex(db, 'members_digest_index', {
        table: 'members',
        columns: '(digest_at) where digest_at is not null',
      }),
  },
]
