import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { day } from '../../core/time.ts'

/* Raw SQL: one statement serves many tables, by their names. */

/** Tables whose expired rows every query treats as gone. */
const expiring = [
  'access_tokens',
  'agent_addresses',
  'authorization_requests',
  'customer_sessions',
  'dashboard_sessions',
  'email_changes',
  'known_browsers',
  'media_uploads',
  'sign_in_links',
  'spent_challenges',
  'staff_sessions',
]

/** Tables whose rows count for one day. */
const daily = [
  'visits',
  'visitor_quotas',
  'mail_days',
  'mailed_addresses',
  'account_mail_days',
  'account_mailed_addresses',
  'sign_in_attempts',
]

/** Deletes expired rows, and answers kept for retries. */
export async function deleteExpired(db: Kysely<Database>, now: Date): Promise<void> {
  const yesterday = new Date(now.getTime() - day)
  for (const table of expiring)
    await sql`delete from ${sql.table(table)} where expires_at < ${now}`.execute(db)
  await sql`delete from idempotency_records where started_at < ${yesterday}`.execute(db)
  // A process whose clock is slightly behind may still use yesterday's quotas and visits.
  const past = new Date(now.getTime() - 2 * day).toISOString().slice(0, 10)
  for (const table of daily)
    await sql`delete from ${sql.table(table)} where day < ${past}::date`.execute(db)
  // Without them, visitors of a day cannot be told apart once the day is over.
  for (const table of ['site_salts', 'site_visitors'])
    await sql`delete from ${sql.table(table)} where day < ${now.toISOString().slice(0, 10)}::date`.execute(
      db,
    )
  // Keep a code past its expiry: its row also enforces the resend interval.
  await sql`delete from one_time_codes where expires_at < ${yesterday}`.execute(db)
  await deleteExpiredAuthorizations(db, now)
}

/**
 * Used codes and refresh tokens stay while their grant is valid, so that reuse is detected. Grants
 * stay a while for the lists of connections, except those whose code was never exchanged: they never
 * became a connection.
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
    // Lock the code before its grant, the same order as an exchange.
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
