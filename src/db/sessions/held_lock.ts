import { sql, type Kysely } from 'kysely'
import pg from 'pg'
import { poolOf } from '../own_connection.ts'

/** An advisory lock of the whole database, until it is released. */
export interface HeldLock {
  /** Whether it was taken; if not, another holds it. */
  tryTake(): Promise<boolean>
  release(): Promise<void>
}

/** Any database or connection, whatever its tables. */
type Executing = Pick<Kysely<unknown>, 'getExecutor'>

/**
 * A lock that a transaction on a connection of its own holds: behind a pooler no session lasts
 * longer. Between statements that transaction sees nothing, so an index that is built concurrently
 * does not wait for it. A database that was not opened by connect() has no other connection: there
 * the given session holds the lock.
 */
export async function openLock(
  db: Executing,
  connection: Executing,
  key: number,
): Promise<HeldLock> {
  const pool = poolOf(db)
  return pool ? lockOfTransaction(pool, key) : lockOfSession(connection, key)
}

/** Counts as a session of no older build than any. */
const sessionOfLock = 'vitrine lock'

async function lockOfTransaction(pool: pg.Pool, key: number): Promise<HeldLock> {
  const client = new pg.Client({ ...pool.options, application_name: sessionOfLock })
  client.on('error', () => undefined)
  await client.connect()
  return {
    async tryTake() {
      await client.query('begin; set local idle_in_transaction_session_timeout = 0')
      // Without parameters: a statement that has some keeps what it sees until the next one.
      const { rows } = await client.query<{ taken: boolean }>(
        `select pg_try_advisory_xact_lock(${key}) as taken`,
      )
      const { taken } = rows[0]!
      // The holder may build an index meanwhile, which waits for the end of each transaction that it has
      // found looking, and so for one that goes on until the holder is done.
      if (!taken) await client.query('rollback')
      return taken
    },
    // The end of the connection is the end of the transaction, whatever became of it.
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
