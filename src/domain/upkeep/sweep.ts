import type { Kysely } from 'kysely'
import type { MediaStore } from '../../adapters/media_store.ts'
import type { TxtLookup } from '../../adapters/txt_records.ts'
import type { Log } from '../../core/log.ts'
import { observeSweep } from '../../core/telemetry/runtime_metrics.ts'
import { day, minute } from '../../core/time.ts'
import type { Database } from '../../db/schema.ts'
import type { ServiceConfig } from '../../operation.ts'
import { deleteExpired } from '../../queries/upkeep/expiry.ts'
import { keptDays } from '../../queries/catalogue/kept_products.ts'
import { activityDays } from '../../queries/credits/activities.ts'
import {
  deleteEndedConnections,
  deleteEndedReservations,
  deleteFailedMails,
  deleteOldChanges,
  deleteOldDeliveries,
  deleteOldActivities,
  deleteOldKeptFiles,
  deleteOldFetches,
  deleteOldKeptProducts,
  deleteOldSets,
  deleteOldSiteCounts,
  deleteOldUploads,
  deleteUnaskedQuestions,
  deleteUnusedSources,
  deleteUnusedThreads,
  listSourcesAfter,
} from '../../queries/upkeep/retention.ts'
import { dropUsageMonths, makeUsageMonths } from '../../queries/credits/usage_months.ts'
import { deleteIdleClients } from '../../queries/agents/oauth_clients.ts'
import { queueForgotten } from '../../queries/media/picture_queue.ts'
import { sweepMedia } from '../media/media.ts'
import { sweepBalanceAlerts } from '../credits/balance_alerts.ts'
import { sweepDigests } from '../people/digests.ts'
import { sweepReservations } from '../credits/wallet.ts'
import { sweepDomains } from '../site/domains.ts'

const sweepMilliseconds = 10 * minute

/** How long things are kept after their end, as `.github/guides/retention.md` tells. */
const days = {
  connections: 90,
  reservations: 90,
  failedMails: 30,
  sources: 30,
  changes: 30,
  // A day longer than they can be undone.
  sets: 31,
  uploads: 1,
}

export interface SweepParts {
  db: Kysely<Database>
  mediaStore: MediaStore
  lookUpTxt: TxtLookup
  log: Log
  clock: () => Date
  config: Pick<
    ServiceConfig,
    'conversationDays' | 'usageEventMonths' | 'dashboardUrl' | 'siteDomain' | 'secretKey'
  >
}

/**
 * Deletes rows that every query already treats as gone or that were kept long enough, and orphan
 * files, and makes the months of usage events ahead. Housekeeping only; correctness never depends on
 * it. A sweep passes over a step that an earlier one is still at: a slow step is not done twice at a
 * time, and does not hold up the others.
 */
export function createSweep({ db, mediaStore, lookUpTxt, log, clock, config }: SweepParts) {
  let lastSource = ''
  const before = (count: number) => new Date(clock().getTime() - count * day)
  const steps: Record<string, () => Promise<unknown>> = {
    'months ahead': () => makeUsageMonths(db, clock()),
    'expired rows': () => deleteExpired(db, clock()),
    'expired reservations': () => sweepReservations(db, clock()),
    'low balances': () => sweepBalanceAlerts(db, config.dashboardUrl, clock()),
    digests: () => sweepDigests(db, config, clock()),
    'ended reservations': () => deleteEndedReservations(db, before(days.reservations)),
    'unused conversations': () => deleteUnusedThreads(db, before(config.conversationDays)),
    'unanswered questions': () => deleteUnaskedQuestions(db, before(config.conversationDays)),
    'figures of sites': () =>
      deleteOldSiteCounts(db, {
        before: firstKept(clock(), config.usageEventMonths),
        wordsBefore: before(config.conversationDays),
      }),
    'old activities': () => deleteOldActivities(db, before(activityDays)),
    'old changes': () => deleteOldChanges(db, before(days.changes)),
    'deleted products': () => deleteOldKeptProducts(db, before(keptDays)),
    'old change sets': () => deleteOldSets(db, before(days.sets)),
    'old uploads': () => deleteOldUploads(db, before(days.uploads)),
    'old fetches': () => deleteOldFetches(db, before(days.sets)),
    'old deliveries': () => deleteOldDeliveries(db, before(days.changes)),
    'ended connections': () =>
      deleteEndedConnections(db, { before: before(days.connections), now: clock() }),
    'idle clients': () => deleteIdleClients(db, clock()),
    'unused sources': async () => {
      const { ids, next } = await listSourcesAfter(db, lastSource)
      // Also after a failure: the same ones must not come first each time.
      lastSource = next
      await deleteUnusedSources(db, ids, before(days.sources))
    },
    'failed mails': () => deleteFailedMails(db, before(days.failedMails)),
    'months of events': () => dropUsageMonths(db, firstKept(clock(), config.usageEventMonths)),
    domains: () => sweepDomains(db, { lookUp: lookUpTxt, config, now: clock() }),
    'pictures without files': () => queueForgotten(db, clock()),
    // What is kept no longer is an orphan.
    'kept files': () => deleteOldKeptFiles(db, clock()),
    'orphan files': () => sweepMedia(db, mediaStore, clock),
  }
  const underway = new Set<string>()
  async function take(name: string, run: () => Promise<unknown>): Promise<void> {
    const startedAt = performance.now()
    const tell = (outcome: 'done' | 'failed') =>
      observeSweep(name, outcome, performance.now() - startedAt)
    underway.add(name)
    try {
      await run()
      tell('done')
    } catch (err) {
      tell('failed')
      log.warn({ err, step: name }, 'The sweep failed.')
    } finally {
      underway.delete(name)
    }
  }
  return async function sweep(): Promise<void> {
    for (const [name, run] of Object.entries(steps)) if (!underway.has(name)) await take(name, run)
  }
}

/** The first moment of the oldest month that is kept beside the current one. */
function firstKept(now: Date, months: number): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1))
}

export function startSweep(parts: SweepParts): () => void {
  const sweep = createSweep(parts)
  const timer = setInterval(() => void sweep(), sweepMilliseconds)
  timer.unref()
  return () => clearInterval(timer)
}
