import { randomUUID } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'

/* Raw SQL: the table is outside the schema. */

/**
 * The random stamp that this database shares with its media store; created on first use. A copied database,
 * by a dump or as a template, gets a stamp of its own: its media do not belong to the original's store,
 * where its sweep would remove newer files of the original.
 */
export async function getStoreStamp(db: Kysely<Database>): Promise<string> {
  const place = await getPlace(db)
  return db.transaction().execute(async (trx) => {
    const known = await readOrPut(trx, 'database', place)
    if (known !== place) {
      await sql`update service_stamps set value = ${place} where name = 'database'`.execute(trx)
      await sql`delete from service_stamps where name = 'media_store'`.execute(trx)
    }
    return readOrPut(trx, 'media_store', randomUUID())
  })
}

/** A stamp, locked until the end of the transaction. */
async function readOrPut(trx: Transaction<Database>, name: string, value: string): Promise<string> {
  await sql`insert into service_stamps (name, value) values (${name}, ${value})
    on conflict (name) do nothing`.execute(trx)
  const { rows } = await sql<{ value: string }>`
    select value from service_stamps where name = ${name} for update`.execute(trx)
  return rows[0]!.value
}

/** Identifies the server and the database on it. A standby counts as the same server. */
export async function getPlace(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ oid: number }>`
    select oid::bigint as oid from pg_database where datname = current_database()`.execute(db)
  return `${await getSystem(db)}/${rows[0]!.oid}`
}

async function getSystem(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ allowed: boolean }>`
    select has_function_privilege('pg_control_system()', 'execute') as allowed`.execute(db)
  if (!rows[0]!.allowed) return 'unknown'
  const system = await sql<{ id: string }>`
    select system_identifier::text as id from pg_control_system()`.execute(db)
  return system.rows[0]!.id
}

const ownNames = ['media_store', 'database']

interface Stamp {
  name: string
  value: string
}

/** The stamps that belong to this database alone. */
export async function listOwnStamps(trx: Transaction<Database>): Promise<Stamp[]> {
  const { rows } = await sql<Stamp>`
    select name, value from service_stamps where name = any(${ownNames})`.execute(trx)
  return rows
}

/** Restores a database's own stamps over those that came with another database's rows. */
export async function replaceOwnStamps(trx: Transaction<Database>, stamps: Stamp[]): Promise<void> {
  await sql`delete from service_stamps where name = any(${ownNames})`.execute(trx)
  for (const { name, value } of stamps)
    await sql`insert into service_stamps (name, value) values (${name}, ${value})`.execute(trx)
}
