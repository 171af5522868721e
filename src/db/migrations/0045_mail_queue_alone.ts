import { sql } from 'kysely'
import type { Step } from '../migration.ts'

/* Takes away the index by which the build before found due mails. */

export const endsBuildBefore = true

export const steps: readonly Step[] = [
  {
    name: 'mails_turn_index',
    run: async ({ db }) => {
      await sql`drop index concurrently if exists mails_turn_index`.execute(db)
    },
  },
]
