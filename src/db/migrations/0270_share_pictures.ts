import { sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly, buildIndex } from '../online.ts'

/**
 * The content whose files are all made, the one for messengers among them. The build before makes none of
 * these: what is there already, and what that build stores or puts in its place, gets one in the background.
 */
export const steps: readonly Step[] = [
  {
    name: 'column',
    run: ({ db }) =>
      briefly(db, async (trx) => {
        await sql`alter table media
          add column if not exists ready_hash text`.execute(trx)
      }),
  },
  {
    name: 'pictures to be made ready',
    run: ({ db }) =>
      buildIndex(db, 'media_unready_index', {
        table: 'media',
        columns: '(workspace_id, id) where ready_hash is distinct from content_hash',
      }),
  },
]
