import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { BotChallenge } from './adapters/bot_challenge.ts'
import { createPublicDownload, type PublicDownload } from './adapters/public_download.ts'
import { createPublicFetch, type PublicFetch } from './adapters/public_fetch.ts'
import { createTxtLookup } from './adapters/txt_records.ts'
import type { WebhookPost } from './adapters/webhook_post.ts'
import { memoryRateStore, postgresRateStore, type RateStore } from './adapters/rate_store.ts'
import { sharedWhenSeveral } from './adapters/shared_rates.ts'
import type { Mailer } from './adapters/mailer.ts'
import type { Tracing } from './adapters/tracing.ts'
import type { MediaStore } from './adapters/media_store.ts'
import type { Payments } from './adapters/payments.ts'
import { type Background, startBackground } from './background.ts'
import {
  botChallengeOf,
  openAiModel,
  openPayments,
  ownChallengeOf,
  publicFetchParts,
} from './configured_parts.ts'
import type { Connection } from './db/connect.ts'
import type { Replica } from './db/sessions/replica.ts'
import { createShards } from './db/shards/shards.ts'
import type { Log } from './core/log.ts'
import type { AiModel } from './domain/assistant/ai_model.ts'
import { countedModel } from './domain/assistant/counted_model.ts'
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
import type { Router } from './surfaces/call/router.ts'

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

export interface App extends Omit<Background, 'costs' | 'stop'> {
  api: Origin
  dashboard: Origin
  admin: Origin
  /** The shops' pages; undefined where they have no domain. */
  site: Origin | undefined
  /** Asked about certificates for shops' names; must listen on loopback only. */
  certificates: Server | undefined
  /** Finishes pending calls, then releases everything except the parts it was given. */
  close(): Promise<void>
}

/** Builds the service from its parts; does not listen or read settings. */
export async function createApp(parts: AppParts): Promise<App> {
  const { config, connection, log } = parts
  const { db } = connection
  const router = await openRouter()
  const own = {
    clock: parts.clock ?? (() => new Date()),
    lookUpTxt: createTxtLookup(config.dnsServers),
    publicDownload: parts.publicDownload ?? createPublicDownload(publicFetchParts(config)),
    checkBody: checkBodyOf(router),
  }
  const background = startBackground({ ...parts, ...own })
  const aiModel = countedModel(parts.aiModel ?? openAiModel(config))
  const shards = createShards({ connection, baseUrl: config.baseUrl, log })
  const payments = parts.payments ?? openPayments(config, () => addressOf(api.server))
  const service = serviceOf(parts, background, { ...own, aiModel, shards, payments })
  const shared = sharedParts(config)
  const open = (surface: Surface) => createOrigin(router, service, surface, shared)
  const api = open(createApiSurface(service, createMcp(router, service)))
  const dashboard = open(createDashboardSurface(service, router))
  const admin = open(createAdminSurface(service))
  const { siteDomain } = config
  // The shops' pages have a solver for our own challenge, and no widget of a provider.
  const shops = { ...service, botChallenge: parts.botChallenge ?? ownChallengeOf(config, db) }
  const { outbox, webhooks, changeSets, others, pictures, figures } = background
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
      // None of them waits for another: one that takes long leaves the others their time.
      await Promise.all([background.stop(), aiModel.close()])
      await shards.close()
      // An aborted chat still releases its credits.
      await Promise.allSettled(service.outlasting)
      await Promise.all([webhooks.stop(), outbox.stop()])
    },
  }
}

/** What every call may use. */
function serviceOf(
  parts: AppParts,
  { changeSets, outbox, webhooks, costs, others }: Background,
  own: Pick<
    Service,
    'aiModel' | 'checkBody' | 'clock' | 'lookUpTxt' | 'payments' | 'publicDownload' | 'shards'
  >,
): Service {
  const { config, connection, handlers, mediaStore, log, tracing } = parts
  const { db, dbOf, pool, probe } = connection
  return {
    ...own,
    changeSets,
    config,
    handlers,
    db,
    dbOf,
    replica: parts.replica,
    probe,
    outbox,
    webhooks,
    mediaStore,
    log,
    broadcasts: new Map(),
    knownTags: new Map(),
    outlasting: new Set(),
    botChallenge: parts.botChallenge ?? botChallengeOf(config, db),
    publicFetch: parts.publicFetch ?? createPublicFetch(publicFetchParts(config)),
    pause: parts.pause ?? setTimeout,
    exhausted: createExhausted(),
    onFinished: (finished) => {
      const { workspaceId, milliseconds, bytes, meter } = finished
      if (workspaceId) costs.add(workspaceId, { milliseconds, bytes, ...meter })
      tracing?.record(finished)
    },
    rateStore:
      parts.rateStore ??
      (config.webConcurrency > 1
        ? postgresRateStore(pool)
        : sharedWhenSeveral(memoryRateStore(), postgresRateStore(pool), () => others.areSeveral())),
    ...(parts.observe ? { observe: parts.observe } : {}),
  }
}

function checkBodyOf(router: Router): Service['checkBody'] {
  return (operation, body) => {
    const errors = router.bodyErrors(operation, body)
    return errors.length === 0 ? undefined : fieldErrorsOf(errors)
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
