import { sql } from 'kysely'
import { rebuildIdentityKeys } from '../backfills/identity_keys.ts'
import type { Step } from '../migration.ts'

/*
 * Takes away what only the build before needed of names, once 0022 and 0023 have been applied for an
 * hour, and rewrites the keys that it wrote meanwhile.
 */

export const endsBuildBefore = true

export const steps: readonly Step[] = [
  { name: 'keys of products', run: rebuildIdentityKeys },
  ...['products_name_index', 'tags_name_index'].map((index): Step => ({
    name: index,
    run: async ({ db }) => {
      await sql`drop index concurrently if exists ${sql.ref(index)}`.execute(db)
    },
  })),
]
