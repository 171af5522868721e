import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'

/**
 * Rejects if the database does not respond, or would refuse a write. Locking no rows costs no more
 * than reading none, and a read-only database refuses it.
 */
export async function pingDatabase(db: Kysely<Database>): Promise<void> {
  await sql`select 1 from service_stamps where false for update`.execute(db)
}
