import { type Kysely, sql } from 'kysely'
import type { Step } from '../migration.ts'
import { buildIndex } from '../online.ts'

/*
 * Names are sorted as people expect: by letters of any script, then by accents, whatever their case.
 * The build before sorts by code points; 0026 takes its indexes away.
 */

export const steps: readonly Step[] = [
  { name: 'order of names', run: ({ db }) => createOrder(db) },
  ...['products', 'tags'].map((table): Step => ({
    name: `names of ${table}`,
    run: ({ db }) =>
      buildIndex(db, `${table}_name_order_index`, {
        table,
        columns: '(workspace_id, name collate name_order, id)',
      }),
  })),
]

/** The root of all locales, without the level that tells upper from lower case. */
async function createOrder(db: Kysely<unknown>): Promise<void> {
  try {
    await sql`
      create collation if not exists name_order
        (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`.execute(db)
  } catch (error) {
    const featureNotSupported = (error as { code?: string }).code === '0A000'
    if (!featureNotSupported) throw error
    throw new Error(
      'This PostgreSQL was built without ICU, which sorts names: install a build with it, such as ' +
        'the packages of postgresql.org, of your distribution or of the image postgres.',
      { cause: error },
    )
  }
}
