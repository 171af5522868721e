import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../schema.ts'

const againMilliseconds = 250

/**
 * Runs a part of a transaction whose statement is cancelled when the signal comes. It is cancelled again until
 * the part has ended: the transaction may have been between two statements.
 */
export async function cancelledBy<T>(
  signal: AbortSignal,
  { db, trx }: { db: Kysely<Database>; trx: Transaction<Database> },
  work: () => Promise<T>,
): Promise<T> {
  // Raw SQL: functions of the server. By the time of the signal, the process may serve another transaction.
  const { rows } = await sql<{ pid: number; begunAt: string }>`
    select pg_backend_pid() as pid, extract(epoch from now())::text as "begunAt"`.execute(trx)
  const { pid, begunAt } = rows[0]!
  const cancel = () => {
    const sent = sql`select pg_cancel_backend(pid) from pg_stat_activity
      where pid = ${pid} and extract(epoch from xact_start)::text = ${begunAt}`.execute(db)
    sent.catch(() => undefined)
  }
  let again: NodeJS.Timeout | undefined
  const begin = () => {
    cancel()
    again = setInterval(cancel, againMilliseconds)
  }
  signal.addEventListener('abort', begin)
  try {
    signal.throwIfAborted()
    return await work()
  } finally {
    signal.removeEventListener('abort', begin)
    clearInterval(again)
  }
}
