import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'

const day = 24 * 3600_000

/** Deletes what has expired: sessions, codes, challenges, upload URLs, visitors' days, kept answers. */
export async function deleteExpired(db: Kysely<Database>, now: Date): Promise<void> {
  const yesterday = new Date(now.getTime() - day)
  await db
    .deleteFrom('idempotency_records')
    .where('started_at', '<', sql<string>`${yesterday}`)
    .execute()
  await db
    .deleteFrom('dashboard_sessions')
    .where('expires_at', '<', sql<string>`${now}`)
    .execute()
  await db
    .deleteFrom('spent_challenges')
    .where('expires_at', '<', sql<string>`${now}`)
    .execute()
  await db
    .deleteFrom('media_uploads')
    .where('expires_at', '<', sql<string>`${now}`)
    .execute()
  await db
    .deleteFrom('customer_sessions')
    .where('expires_at', '<', sql<string>`${now}`)
    .execute()
  // Yesterday's quotas and visits are still in use on a clock that is a little behind.
  const past = sql<string>`${new Date(now.getTime() - 2 * day).toISOString().slice(0, 10)}::date`
  await db.deleteFrom('visits').where('day', '<', past).execute()
  await db.deleteFrom('visitor_quotas').where('day', '<', past).execute()
  // A code outlives its expiry by the resend time, which is judged by the same row.
  await db
    .deleteFrom('one_time_codes')
    .where('expires_at', '<', sql<string>`${yesterday}`)
    .execute()
}
