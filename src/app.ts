import type { Document } from 'openapi-backend'
import { createFaceDetector } from './adapters/face_detector.ts'
import { createLanguageModel } from './adapters/language_model.ts'
import { memoryRateStore, postgresRateStore } from './adapters/rate_store.ts'
import type { Mailer } from './adapters/mailer.ts'
import type { MediaStore } from './adapters/media_store.ts'
import type { Connection } from './db/connect.ts'
import type { Log } from './core/log.ts'
import type { AiModel } from './domain/ai_model.ts'
import { localModel } from './domain/local_model.ts'
import { type Outbox, startOutbox } from './domain/outbox.ts'
import { remoteModel } from './domain/remote_model.ts'
import { startSweep } from './domain/sweep.ts'
import document from './generated/openapi.json' with { type: 'json' }
import type { Handlers, ServiceConfig } from './operation.ts'
import { createAdminSurface } from './surfaces/admin.ts'
import { createApiSurface } from './surfaces/api.ts'
import { createDashboardSurface } from './surfaces/dashboard.ts'
import { createOrigin, type Origin } from './surfaces/http.ts'
import { installPipeline, type Service } from './surfaces/pipeline.ts'
import { Router } from './surfaces/router.ts'

export interface AppParts {
  config: ServiceConfig
  connection: Connection
  mailer: Mailer
  mediaStore: MediaStore
  log: Log
  handlers: Handlers
  clock?: () => Date
  observe?: Service['observe']
}

export interface App {
  api: Origin
  dashboard: Origin
  admin: Origin
  outbox: Outbox
  /** Answers what is under way, then lets go of everything but the parts it was given. */
  close(): Promise<void>
}

/** The whole service from its parts; it listens nowhere and reads no setting by itself. */
export async function createApp(parts: AppParts): Promise<App> {
  const { config, connection, mailer, mediaStore, log, handlers } = parts
  const clock = parts.clock ?? (() => new Date())
  const { db, pool } = connection
  const outbox = startOutbox({ db, mailer, log, clock })
  const stopSweep = startSweep(db, mediaStore, log, clock)
  const aiModel = openAiModel(db, config)
  const service: Service = {
    ...{ config, db, outbox, mediaStore, aiModel, log, clock, handlers },
    rateStore: config.webConcurrency > 1 ? postgresRateStore(pool) : memoryRateStore(),
    ...(parts.observe ? { observe: parts.observe } : {}),
  }
  const router = new Router(document as unknown as Document)
  await installPipeline(router, handlers)

  const [api, dashboard, admin] = [
    createApiSurface(service),
    createDashboardSurface(service),
    createAdminSurface(),
  ].map((surface) => createOrigin(router, service, surface)) as [Origin, Origin, Origin]
  return {
    ...{ api, dashboard, admin, outbox },
    async close() {
      await Promise.all([api, dashboard, admin].map((origin) => origin.drain()))
      stopSweep()
      await aiModel.close()
      await outbox.stop()
    },
  }
}

/** How long the built-in model may look at one picture, its turn included. */
const faceSeconds = 60

function openAiModel(db: Connection['db'], { ai }: ServiceConfig): AiModel {
  return ai
    ? remoteModel(db, createLanguageModel(ai))
    : localModel(db, createFaceDetector({ timeoutSeconds: faceSeconds }))
}
