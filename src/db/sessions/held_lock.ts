import { sql, type Kysely } from 'kysely'
import pg from 'pg'
import { poolOf } from '../own_connection.ts'

/* Raw SQL: an advisory lock is a function of PostgreSQL, and lies in no table. */

/** An advisory lock on the whole database, held until it is released. */
export interface HeldLock {
  /** Whether the lock was taken; if not, another process holds it. */
  tryTake(): Promise<boolean>
  release(): Promise<void>
}

/** Any database or connection, whatever its tables. */
type Executing = Pick<Kysely<unknown>, 'getExecutor'>

/**
 * A lock held by a transaction on a connection of its own, because behind a pooler no session lasts longer.
 * The transaction has no snapshot between statements, so an index that is built concurrently does not wait
 * for it. A database that was not opened by connect() has no other connection, so there the given session
 * holds the lock.
 */
export async function openLock(
  db: Executing,
  connection: Executing,
  key: number,
): Promise<HeldLock> {
  const pool = poolOf(db)
  return pool ? lockOfTransaction(pool, key) : lockOfSession(connection, key)
}

/** A name that does not count as a session of an older build. */
const sessionOfLock = 'vitrine lock'

async function lockOfTransaction(pool: pg.Pool, key: number): Promise<HeldLock> {
  const client = new pg.Client({ ...pool.options, application_name: sessionOfLock })
  client.on('error', () => undefined)
  await client.connect()
  return {
    async tryTake() {
      await client.query('begin; set local idle_in_transaction_session_timeout = 0')
      // Without parameters: a statement with parameters keeps its snapshot until the next one.
      const { rows } = await client.query<{ taken: boolean }>(
        `select pg_try_advisory_xact_lock(${key}) as taken`,
      )
      const { taken } = rows[0]!
      // The holder may be building an index, which waits for transactions that were open when it started:
      // end this one, or both would wait for each other.
      if (!taken) await client.query('rollback')
      return taken
    },
    // Closing the connection ends the transaction, whatever state it is in.
    release: () => client.end().catch(() => undefined),
  }
}

function lockOfSession(connection: Executing, key: number): HeldLock {
  return {
    async tryTake() {
      const { rows } = await sql<{ taken: boolean }>`
        select pg_try_advisory_lock(${key}) as taken`.execute(connection)
      return rows[0]!.taken
    },
    async release() {
      // A broken connection has released it; its own error is the one to report.
      await sql`select pg_advisory_unlock(${key})`.execute(connection).catch(() => undefined)
    },
  }
}
