import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'

const day = 24 * 3600_000

/** What every query takes for gone once its time has come. */
const expiring = [
  'dashboard_sessions',
  'customer_sessions',
  'media_uploads',
  'spent_challenges',
] as const

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
}
