import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'

/** Rejects if the database does not respond. */
export async function pingDatabase(db: Kysely<Database>): Promise<void> {
  await sql`select 1`.execute(db)
}
