import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'

/* Raw SQL: the table stands outside the schema. */

/** The random stamp that this database shares with its media store; made on first use. */
export async function getStoreStamp(db: Kysely<Database>): Promise<string> {
  await sql`insert into service_stamps (name, value) values ('media_store', ${randomUUID()})
    on conflict (name) do nothing`.execute(db)
  const { rows } = await sql<{ value: string }>`
    select value from service_stamps where name = 'media_store'`.execute(db)
  return rows[0]!.value
}
