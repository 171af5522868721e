import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { day } from '../../core/time.ts'

/** What every query takes for gone once its time has come. */
const expiring = [
  'access_tokens',
  'authorization_requests',
  'customer_sessions',
  'dashboard_sessions',
  'media_uploads',
  'spent_challenges',
  'staff_sessions',
]

/** Deletes what has expired, and answers that were kept for retries. */
export async function deleteExpired(db: Kysely<Database>, now: Date): Promise<void> {
  const yesterday = new Date(now.getTime() - day)
  for (const table of expiring)
    await sql`delete from ${sql.table(table)} where expires_at < ${now}`.execute(db)
  await sql`delete from idempotency_records where started_at < ${yesterday}`.execute(db)
  // Yesterday's quotas and visits are still in use on a clock that is a little behind.
  const past = new Date(now.getTime() - 2 * day).toISOString().slice(0, 10)
  for (const table of ['visits', 'visitor_quotas'])
    await sql`delete from ${sql.table(table)} where day < ${past}::date`.execute(db)
  // A code outlives its expiry by the resend time, which is judged by the same row.
  await sql`delete from one_time_codes where expires_at < ${yesterday}`.execute(db)
  await deleteExpiredAuthorizations(db, now)
}

/**
 * Used codes and refresh tokens stay as long as their grant is good, so that their coming back is
 * noticed. Grants themselves stay, for the lists of connections, but for those whose code nobody
 * ever exchanged: they never became a connection.
 */
async function deleteExpiredAuthorizations(db: Kysely<Database>, now: Date): Promise<void> {
  const past = sql<string>`${now}`
  const ended = db
    .selectFrom('grants')
    .select('id')
    .where((where) =>
      where.or([where('expires_at', '<', past), where('revoked_at', 'is not', null)]),
    )
  await db.deleteFrom('refresh_tokens').where('grant_id', 'in', ended).execute()
  await db.transaction().execute(async (trx) => {
    // The code before its grant, which is the order in which an exchange locks them.
    const unused = await trx
      .deleteFrom('authorization_codes')
      .where('consumed_at', 'is', null)
      .where('expires_at', '<', past)
      .returning('grant_id')
      .execute()
    const ids = unused.map(({ grant_id }) => grant_id)
    if (ids.length > 0) await trx.deleteFrom('grants').where('id', 'in', ids).execute()
  })
}
