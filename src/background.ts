import type { Mailer } from './adapters/mailer.ts'
import type { MediaStore } from './adapters/media_store.ts'
import type { PublicDownload } from './adapters/public_download.ts'
import { createWebhookPost, type WebhookPost } from './adapters/webhook_post.ts'
import { publicFetchParts } from './configured_parts.ts'
import type { Log } from './core/log.ts'
import { watchPool } from './core/metrics.ts'
import { watchQueues } from './core/telemetry/runtime_metrics.ts'
import type { Connection } from './db/connect.ts'
import { startChangeSetWorker } from './domain/change_sets/worker.ts'
import { startPictureWorker } from './domain/media/picture_worker.ts'
import { type SiteFigures, startSiteFigures } from './domain/site/site_figures.ts'
import { startCosts } from './domain/upkeep/costs.ts'
import { type OtherServices, watchOtherServices } from './domain/upkeep/other_services.ts'
import { startOutbox } from './domain/upkeep/outbox.ts'
import { startStatistics } from './domain/upkeep/statistics.ts'
import { startSweep } from './domain/upkeep/sweep.ts'
import { startWebhookSender } from './domain/webhooks/sender.ts'
import type { Rounds } from './fairness/rounds.ts'
import type { ServiceConfig } from './operation.ts'
import { listQueues } from './queries/upkeep/server_state.ts'
import type { Service } from './surfaces/call/call.ts'

interface BackgroundParts extends Pick<Service, 'clock' | 'checkBody' | 'lookUpTxt'> {
  config: ServiceConfig
  connection: Connection
  mailer: Mailer
  mediaStore: MediaStore
  publicDownload: PublicDownload
  webhookPost?: WebhookPost
  log: Log
}

/** What goes on beside the calls. */
export interface Background {
  outbox: Rounds
  webhooks: Rounds
  changeSets: Rounds
  pictures: Rounds
  /** What each workspace costs. */
  costs: ReturnType<typeof startCosts>
  /** What visitors of the shops' pages see. */
  figures: SiteFigures
  /** Whether there are others on the same database. */
  others: OtherServices
  /** Stops all but mails and webhooks, which what ends later may still have to send. */
  stop(): Promise<void>
}

export function startBackground(parts: BackgroundParts): Background {
  const { config, connection, mailer, mediaStore, log, clock, checkBody, lookUpTxt } = parts
  const { db, background, pool, probe } = connection
  const post =
    parts.webhookPost ??
    createWebhookPost(publicFetchParts(config), { loopback: config.webhookLoopback })
  const outbox = startOutbox({ db, mailer, log, clock })
  const webhooks = startWebhookSender({ db, log, clock, config, post })
  const unwatchPool = watchPool(pool)
  const unwatchQueues = watchQueues(() => listQueues(probe, clock()))
  const costs = startCosts({ db, log, clock })
  const others = watchOtherServices(probe)
  const statistics = startStatistics({ background, probe, log })
  const stopSweep = startSweep({ db, mediaStore, lookUpTxt, log, clock, config })
  const changeSets = startChangeSetWorker({
    db,
    background,
    probe,
    log,
    clock,
    config,
    checkBody,
    mediaStore,
    download: parts.publicDownload,
  })
  const pictures = startPictureWorker({ db, mediaStore, log, clock })
  const figures = startSiteFigures({ db, log, clock })
  return {
    outbox,
    webhooks,
    changeSets,
    pictures,
    costs,
    figures,
    others,
    async stop() {
      stopSweep()
      unwatchPool()
      unwatchQueues()
      others.stop()
      statistics.stop()
      await Promise.all([changeSets.stop(), pictures.stop(), costs.stop(), figures.stop()])
    },
  }
}
