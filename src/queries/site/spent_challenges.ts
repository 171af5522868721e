import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'

/** Whether this is the first use; of parallel uses, the primary key admits only one. */
export async function insertSpentChallenge(
  db: Kysely<Database>,
  fingerprint: Buffer,
  expiresAt: Date,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('spent_challenges')
    .values({ fingerprint, expires_at: expiresAt })
    .onConflict((on) => on.column('fingerprint').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}
