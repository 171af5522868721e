import { sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly, throughBlocks } from '../online.ts'

/**
 * The language of a site, its owner's to begin with, and the origins that may embed its assistant. The
 * build before writes neither: a site that it makes is English.
 */
export const steps: readonly Step[] = [
  {
    name: 'columns',
    run: ({ db }) =>
      briefly(db, async (trx) => {
        await sql`
          alter table websites
            add column if not exists language text not null default 'en',
            add column if not exists embed_origins jsonb not null default '[]'`.execute(trx)
      }),
  },
  {
    name: 'languages of owners',
    run: (context) =>
      throughBlocks(
        context,
        'websites',
        (range) => sql`
          update websites set language = 'tr' where ${range} and language = 'en'
            and exists (select from members join accounts on accounts.id = members.account_id
              where members.workspace_id = websites.workspace_id and members.role = 'owner'
                and members.status = 'ACTIVE' and lower(accounts.language) ~ '^tr(-|$)')`,
      ),
  },
]
