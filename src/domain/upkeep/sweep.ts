import type { Kysely } from 'kysely'
import type { MediaStore } from '../../adapters/media_store.ts'
import type { Log } from '../../core/log.ts'
import { minute } from '../../core/time.ts'
import type { Database } from '../../db/schema.ts'
import { deleteExpired } from '../../queries/upkeep/expiry.ts'
import { makeUsageMonths } from '../../queries/usage_months.ts'
import { deleteIdleClients } from '../../queries/agents/oauth_clients.ts'
import { sweepMedia } from '../media/media.ts'
import { sweepBalanceAlerts } from '../credits/balance_alerts.ts'
import { sweepReservations } from '../credits/wallet.ts'

const sweepMilliseconds = 10 * minute

/** The parts of the service that housekeeping needs. */
interface SweepParts {
  db: Kysely<Database>
  mediaStore: MediaStore
  log: Log
  clock: () => Date
  dashboardUrl: string
}

/**
 * Deletes rows that every query already treats as gone, and orphan files, and makes the months of
 * usage events ahead. Housekeeping only; correctness never depends on it.
 */
export function startSweep({ db, mediaStore, log, clock, dashboardUrl }: SweepParts): () => void {
  const sweep = async () => {
    await makeUsageMonths(db, clock())
    await deleteExpired(db, clock())
    await sweepReservations(db, clock())
    await sweepBalanceAlerts(db, dashboardUrl, clock())
    await deleteIdleClients(db, clock())
    await sweepMedia(db, mediaStore, clock)
  }
  const timer = setInterval(() => {
    sweep().catch((err: unknown) => log.warn({ err }, 'The sweep failed.'))
  }, sweepMilliseconds)
  timer.unref()
  return () => clearInterval(timer)
}
