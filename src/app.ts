import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { BotChallenge } from './adapters/bot_challenge.ts'
import { createPublicDownload, type PublicDownload } from './adapters/public_download.ts'
import { createPublicFetch, type PublicFetch } from './adapters/public_fetch.ts'
import { createTxtLookup } from './adapters/txt_records.ts'
import { createWebhookPost, type WebhookPost } from './adapters/webhook_post.ts'
import { memoryRateStore, postgresRateStore, type RateStore } from './adapters/rate_store.ts'
import { sharedWhenSeveral } from './adapters/shared_rates.ts'
import type { Mailer } from './adapters/mailer.ts'
import type { Tracing } from './adapters/tracing.ts'
import type { MediaStore } from './adapters/media_store.ts'
import type { Payments } from './adapters/payments.ts'
import {
  botChallengeOf,
  openAiModel,
  openPayments,
  ownChallengeOf,
  publicFetchParts,
} from './configured_parts.ts'
import type { Rounds } from './fairness/rounds.ts'
import type { Connection } from './db/connect.ts'
import type { Replica } from './db/sessions/replica.ts'
import { createShards } from './db/shards/shards.ts'
import type { Log } from './core/log.ts'
import { watchPool } from './core/metrics.ts'
import { watchQueues } from './core/telemetry/runtime_metrics.ts'
import type { AiModel } from './domain/assistant/ai_model.ts'
import { countedModel } from './domain/assistant/counted_model.ts'
import { type SiteFigures, startSiteFigures } from './domain/site/site_figures.ts'
import { startOutbox } from './domain/upkeep/outbox.ts'
import { startWebhookSender } from './domain/webhooks/sender.ts'
import { startChangeSetWorker } from './domain/change_sets/worker.ts'
import { startPictureWorker } from './domain/media/picture_worker.ts'
import { startSweep } from './domain/upkeep/sweep.ts'
import { startCosts } from './domain/upkeep/costs.ts'
import { type OtherServices, watchOtherServices } from './domain/upkeep/other_services.ts'
import { listQueues } from './queries/upkeep/server_state.ts'
import type { Handlers, ServiceConfig } from './operation.ts'
import { createAdminSurface } from './surfaces/admin.ts'
import { createApiSurface } from './surfaces/api.ts'
import { createDashboardSurface } from './surfaces/dashboard.ts'
import { createSiteSurface } from './surfaces/site.ts'
import { createOrigin, type Origin, type Surface } from './surfaces/origin.ts'
import { sharedParts } from './surfaces/shared_parts.ts'
import { createCertificateAsk } from './surfaces/endpoints/certificates.ts'
import { createMcp } from './surfaces/mcp/mcp.ts'
import type { Service } from './surfaces/call/call.ts'
import { createExhausted } from './surfaces/call/exhausted.ts'
import { fieldErrorsOf } from './surfaces/call/field_errors.ts'
import { openRouter } from './surfaces/call/pipeline.ts'

export interface AppParts {
  config: ServiceConfig
  connection: Connection
  replica?: Replica | undefined
  mailer: Mailer
  mediaStore: MediaStore
  /** Counts calls for limits; by default in memory, or in the database with several processes. */
  rateStore?: RateStore | undefined
  /** Overrides the configured payment provider. */
  payments?: Payments
  /** Fetches documents whose URLs agents provide; by default from the public internet only. */
  publicFetch?: PublicFetch
  /** Fetches what callers name by its URL; by default from the public internet only. */
  publicDownload?: PublicDownload
  /** Posts to webhooks; by default to the public internet only. */
  webhookPost?: WebhookPost
  /** Lets time pass; tests decide when it has. */
  pause?: (milliseconds: number) => Promise<void>
  /** Overrides the configured model. */
  aiModel?: AiModel
  log: Log
  handlers: Handlers
  botChallenge?: BotChallenge
  clock?: () => Date
  observe?: Service['observe']
  /** Collects traces; undefined unless that is asked for. */
  tracing?: Tracing | undefined
}

export interface App {
  api: Origin
  dashboard: Origin
  admin: Origin
  /** The shops' pages; undefined where they have no domain. */
  site: Origin | undefined
  /** Asked about certificates for shops' names; must listen on loopback only. */
  certificates: Server | undefined
  outbox: Rounds
  webhooks: Rounds
  changeSets: Rounds
  /** Whether there are others on the same database. */
  others: OtherServices
  pictures: Rounds
  /** What visitors of the shops' pages see. */
  figures: SiteFigures
  /** Finishes pending calls, then releases everything except the parts it was given. */
  close(): Promise<void>
}

/** Builds the service from its parts; does not listen or read settings. */
export async function createApp(parts: AppParts): Promise<App> {
  const { config, connection, mailer, mediaStore, log, handlers } = parts
  const clock = parts.clock ?? (() => new Date())
  const { db, dbOf, background, pool, probe } = connection
  const outbox = startOutbox({ db, mailer, log, clock })
  const webhooks = startWebhookSender({
    db,
    log,
    clock,
    config,
    post:
      parts.webhookPost ??
      createWebhookPost(publicFetchParts(config), { loopback: config.webhookLoopback }),
  })
  const unwatchPool = watchPool(pool)
  const unwatchQueues = watchQueues(() => listQueues(probe, clock()))
  const costs = startCosts({ db, log, clock })
  const others = watchOtherServices(probe)
  const lookUpTxt = createTxtLookup(config.dnsServers)
  const stopSweep = startSweep({ db, mediaStore, lookUpTxt, log, clock, config })
  const aiModel = countedModel(parts.aiModel ?? openAiModel(config))
  const shards = createShards({ connection, baseUrl: config.baseUrl, log })
  const router = await openRouter()
  const checkBody: Service['checkBody'] = (operation, body) => {
    const errors = router.bodyErrors(operation, body)
    return errors.length === 0 ? undefined : fieldErrorsOf(errors)
  }
  const publicDownload = parts.publicDownload ?? createPublicDownload(publicFetchParts(config))
  const changeSets = startChangeSetWorker({
    db,
    background,
    log,
    clock,
    config,
    checkBody,
    mediaStore,
    download: publicDownload,
  })
  const pictures = startPictureWorker({ db, mediaStore, log, clock })
  const service: Service = {
    changeSets,
    checkBody,
    config,
    handlers,
    db,
    dbOf,
    replica: parts.replica,
    shards,
    probe,
    outbox,
    webhooks,
    mediaStore,
    aiModel,
    log,
    clock,
    broadcasts: new Map(),
    knownTags: new Map(),
    outlasting: new Set(),
    botChallenge: parts.botChallenge ?? botChallengeOf(config, db),
    payments: parts.payments ?? openPayments(config, () => addressOf(api.server)),
    publicFetch: parts.publicFetch ?? createPublicFetch(publicFetchParts(config)),
    publicDownload,
    lookUpTxt,
    pause: parts.pause ?? setTimeout,
    exhausted: createExhausted(),
    onFinished: (finished) => {
      const { workspaceId, milliseconds, bytes, meter } = finished
      if (workspaceId) costs.add(workspaceId, { milliseconds, bytes, ...meter })
      parts.tracing?.record(finished)
    },
    rateStore:
      parts.rateStore ??
      (config.webConcurrency > 1
        ? postgresRateStore(pool)
        : sharedWhenSeveral(memoryRateStore(), postgresRateStore(pool), () => others.areSeveral())),
    ...(parts.observe ? { observe: parts.observe } : {}),
  }
  const shared = sharedParts(config)
  const open = (surface: Surface) => createOrigin(router, service, surface, shared)
  const api = open(createApiSurface(service, createMcp(router, service)))
  const dashboard = open(createDashboardSurface(service, router))
  const admin = open(createAdminSurface(service))
  const { siteDomain } = config
  // The shops' pages have a solver for our own challenge, and no widget of a provider.
  const shops = { ...service, botChallenge: parts.botChallenge ?? ownChallengeOf(config, db) }
  const figures = startSiteFigures({ db, log, clock })
  const site =
    siteDomain === undefined
      ? undefined
      : createOrigin(
          router,
          shops,
          createSiteSurface(shops, router, { siteDomain, figures }),
          shared,
        )
  const certificates =
    siteDomain === undefined ? undefined : createCertificateAsk(service, siteDomain)
  return {
    api,
    dashboard,
    admin,
    site,
    certificates,
    outbox,
    webhooks,
    changeSets,
    others,
    pictures,
    figures,
    async close() {
      const origins = [api, dashboard, admin, ...(site ? [site] : [])]
      await retire(origins, config.drainSeconds, service.pause)
      await Promise.all(origins.map((origin) => origin.drain()))
      certificates?.close()
      certificates?.closeAllConnections()
      stopSweep()
      unwatchPool()
      unwatchQueues()
      others.stop()
      // None of them waits for another: one that takes long leaves the others their time.
      await Promise.all([
        changeSets.stop(),
        pictures.stop(),
        costs.stop(),
        figures.stop(),
        aiModel.close(),
      ])
      await shards.close()
      // An aborted chat still releases its credits.
      await Promise.allSettled(service.outlasting)
      await Promise.all([webhooks.stop(), outbox.stop()])
    },
  }
}

/**
 * A proxy takes some seconds to notice that a process is not ready. Until then it goes on sending, and
 * every call is served.
 */
async function retire(origins: Origin[], seconds: number, pause: Service['pause']): Promise<void> {
  if (seconds === 0 || !origins.some(({ server }) => server.listening)) return
  for (const origin of origins) origin.retire()
  await pause(seconds * 1000)
}

/** The loopback address of a listening server. */
function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
