import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'

const day = 24 * 3600_000

/** Deletes what has expired: sessions, codes, used challenges, and answers kept for retries. */
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
  // A code outlives its expiry by the resend time, which is judged by the same row.
  await db
    .deleteFrom('one_time_codes')
    .where('expires_at', '<', sql<string>`${yesterday}`)
    .execute()
}
