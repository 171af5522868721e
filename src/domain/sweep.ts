import type { Kysely } from 'kysely'
import type { Log } from '../core/log.ts'
import type { Database } from '../db/schema.ts'
import { deleteExpired } from '../queries/expiry.ts'

const sweepMilliseconds = 10 * 60_000

/** Removes rows that every query already takes for gone. Nothing depends on its ever running. */
export function startSweep(db: Kysely<Database>, log: Log, clock: () => Date): () => void {
  const timer = setInterval(() => {
    deleteExpired(db, clock()).catch((err: unknown) => log.warn({ err }, 'The sweep failed.'))
  }, sweepMilliseconds)
  timer.unref()
  return () => clearInterval(timer)
}
