import type { Kysely } from 'kysely'
import pg from 'pg'
import type { Database } from './schema.ts'

/** Any database or transaction, whatever its tables. */
type AnyDatabase = Pick<Kysely<unknown>, 'getExecutor'>

/** An object that a database shares with all its transactions: their adapter. */
export function identityOf(db: AnyDatabase): object {
  return db.getExecutor().adapter
}

const pools = new WeakMap<object, pg.Pool>()

/** Remembers the pool behind a database. */
export function rememberPool(db: Kysely<Database>, pool: pg.Pool): void {
  pools.set(identityOf(db), pool)
}

/** The pool behind a database; undefined if it was not opened by connect(). */
export function poolOf(db: AnyDatabase): pg.Pool | undefined {
  return pools.get(identityOf(db))
}

/**
 * Sends a statement outside the caller's transaction, on a connection outside the pool: all of the pool's
 * connections may be held by callers that wait for this.
 */
export async function sendAlone(
  db: Kysely<Database>,
  text: string,
  values: unknown[],
): Promise<pg.QueryResult> {
  const pool = poolOf(db)
  if (!pool) throw new Error('The database was not opened by connect().')
  const client = new pg.Client(pool.options)
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await client.query(text, values)
  } finally {
    await client.end().catch(() => undefined)
  }
}
