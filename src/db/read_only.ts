import type { Kysely } from 'kysely'
import { identityOf } from './own_connection.ts'
import type { Database } from './schema.ts'

/** SQLSTATE read_only_sql_transaction: a standby, or an operator who keeps writes out. */
export function isReadOnly(error: unknown): error is Error {
  return error instanceof Error && (error as { code?: string }).code === '25006'
}

/** After a refusal, side writes pause for this long, because each refused one costs a connection. */
const pauseMilliseconds = 5000
/** Databases that refused a side write, and when, by `performance.now`. */
const refusals = new WeakMap<object, number>()

/**
 * Writes the notes that a read leaves: a visit, the last use of a key, a session's extension. False if the
 * database is read-only: shops stay open without these notes.
 */
export async function writeOnTheSide(
  db: Kysely<Database>,
  write: () => Promise<unknown>,
): Promise<boolean> {
  const database = identityOf(db)
  const refusedAt = refusals.get(database) ?? -Infinity
  if (performance.now() - refusedAt < pauseMilliseconds) return false
  try {
    await write()
    return true
  } catch (error) {
    if (!isReadOnly(error)) throw error
    refusals.set(database, performance.now())
    return false
  }
}
