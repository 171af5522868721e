import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Server } from 'node:http'
import type { Kysely } from 'kysely'
import { handlers } from '../handlers/index.ts'
import { outboxFolderMailer, smtpMailer } from './adapters/mailer.ts'
import { openMediaStore } from './adapters/open_store.ts'
import { type OwnStore, ownStore } from './adapters/own_store.ts'
import { StoreRefusal } from './adapters/s3_store.ts'
import { redisRateStore } from './adapters/shared_rates.ts'
import { openTracing } from './adapters/tracing.ts'
import { createApp } from './app.ts'
import type { Config } from './settings/config.ts'
import { settings } from './settings/settings.ts'
import { ApiError } from './core/errors.ts'
import type { Log } from './core/log.ts'
import { withSecrets } from './settings/own_secrets.ts'
import { startRuntimeMetrics } from './core/telemetry/runtime_metrics.ts'
import { buildOf } from './db/builds.ts'
import { connect } from './db/connect.ts'
import { startEmbeddedPostgres } from './db/embedded.ts'
import { startHeartbeat } from './db/heartbeat.ts'
import { migrate } from './db/migrate.ts'
import { ensureFirstStaff } from './domain/administration/staff.ts'
import { migrations } from './generated/migrations.ts'
import { demoSubDomain, readDemo, seedDemo } from './demo/demo.ts'
import type { ServiceConfig } from './operation.ts'
import { connectionShortage } from './domain/upkeep/connection_shortage.ts'
import { openReplica } from './domain/upkeep/replica.ts'
import { getStoreStamp } from './queries/upkeep/stamps.ts'

/** A one-line reason why the service cannot start, which its operator can fix. */
export class StartError extends Error {}

export interface Prepared {
  config: ServiceConfig & { databaseUrl: string }
  stop: () => Promise<void>
}

/** Runs once for all processes: starts and migrates the database, and seeds it in development. */
export async function prepare(config: Config, log: Log): Promise<Prepared> {
  // Files of calls that a crash has ended.
  rmSync(join(config.dataDir, 'uploads'), { recursive: true, force: true })
  const embedded = config.databaseUrl
    ? undefined
    : await startEmbeddedPostgres({ dataDir: config.dataDir })
  const databaseUrl = embedded?.url ?? config.databaseUrl ?? ''
  const ready = { ...withSecrets(config), databaseUrl }
  const connection = connect(databaseUrl, { max: 1, patient: true, baseUrl: config.baseUrl })
  const processId = randomUUID()
  try {
    const { environment } = config
    const report = (line: string) => log.info(`Migrating, ${line}`)
    await migrate(connection.db as unknown as Kysely<unknown>, { environment, report, processId })
    const shortage = await connectionShortage(connection, config)
    if (shortage !== undefined) log.warn(shortage)
    await ensureFirstStaff(connection.db, config.adminEmails, new Date())
    if (config.environment === 'development' && config.seedDemo)
      await seedDemo(connection.db, ready, openMediaStore(config))
  } catch (error) {
    await connection.close()
    await embedded?.stop()
    throw error
  }
  await connection.close()
  const heartbeat = startHeartbeat(databaseUrl, processId)
  const stop = async () => {
    await heartbeat.stop()
    await embedded?.stop()
  }
  return { config: ready, stop }
}

/** Serves the origins; resolves when all are listening. */
export async function serve(
  prepared: Config & { databaseUrl: string },
  log: Log,
): Promise<{ stop: () => Promise<void> }> {
  const config = { ...withSecrets(prepared), databaseUrl: prepared.databaseUrl }
  const { baseUrl, databasePoolSize: max } = config
  const connection = connect(config.databaseUrl, { baseUrl, max })
  const { databaseReplicaUrl } = config
  const replica = databaseReplicaUrl
    ? openReplica(connection, { url: databaseReplicaUrl, log, baseUrl, max })
    : undefined
  startRuntimeMetrics(buildOf(migrations))
  const tracing = await openTracing(process.env)
  const { redisUrl: url, environment } = config
  const rateStore = url ? await redisRateStore({ url, environment }, log) : undefined
  const mailer = config.smtpUrl
    ? smtpMailer(config.smtpUrl, config.mailFrom)
    : outboxFolderMailer(outboxFolder(config))
  const mediaStore = ownStore(openMediaStore(config), async () => ({
    environment,
    stamp: await getStoreStamp(connection.db),
  }))
  const app = await createApp({
    config,
    connection,
    replica,
    mailer,
    mediaStore,
    log,
    handlers,
    tracing,
    rateStore,
  })
  const stop = async () => {
    await app.close()
    await mailer.close()
    await replica?.close()
    await connection.close()
    rateStore?.close()
    await tracing?.close()
  }
  try {
    await requireStore(mediaStore, config, log)
    await app.others.look()
    await listen(app.api.server, config.apiPort, 'API_PORT')
    await listen(app.dashboard.server, config.dashboardPort, 'DASHBOARD_PORT')
    await listen(app.admin.server, config.adminPort, 'ADMIN_PORT')
    if (app.site) await listenForSites(app.site.server, config, log)
    const { certificateAskPort: askPort } = config
    // Never on another address: a client that reaches it learns which shops there are.
    if (app.certificates && askPort !== undefined)
      await listen(app.certificates, askPort, 'CERTIFICATE_ASK_PORT', '127.0.0.1')
  } catch (error) {
    await stop()
    throw error
  }
  return { stop }
}

/**
 * Refuses a store that belongs to another database or does not let this service in. One that is away
 * is waited for while the rest is served.
 */
async function requireStore(store: OwnStore, { s3 }: Config, log: Log): Promise<void> {
  try {
    await store.verify()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { cause } = error
    if (cause instanceof StoreRefusal && cause.status < 500)
      throw new StartError(`${cause.message} Check S3_BUCKET, S3_REGION and the access key.`)
    const place = s3 ? `The media store at ${s3.endpoint}` : 'The folder of media'
    log.warn({ err: cause }, `${place} is not available. Until it is, pictures are answered 503.`)
  }
}

/**
 * The shops' pages are new to services that choose all their ports: if the default port is taken, a
 * development service starts without them.
 */
async function listenForSites(server: Server, config: Config, log: Log): Promise<void> {
  const { sitePort, environment } = config
  const isDefault = sitePort === settings.sitePort.schema.default && environment === 'development'
  try {
    await listen(server, sitePort, 'SITE_PORT')
  } catch (error) {
    if (!(error instanceof StartError) || !isDefault) throw error
    log.warn(`${error.message} Until then there are no pages of shops.`)
  }
}

function listen(server: Server, port: number, setting: string, host?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const inUse = `Port ${port} is taken. Set ${setting} to another.`
      const denied = `Port ${port} may not be used by this user. Set ${setting} to another.`
      if (error.code === 'EADDRINUSE') reject(new StartError(inUse))
      else if (error.code === 'EACCES') reject(new StartError(denied))
      else reject(error)
    })
    server.listen({ port, host }, () => resolve())
  })
}

function outboxFolder({ dataDir }: Config): string {
  return join(dataDir, 'outbox')
}

/** The first steps for a newcomer. */
export function welcome(config: ServiceConfig): string {
  const { environment, baseUrl, dashboardUrl, adminUrl, siteDomain } = config
  const demo = environment === 'development' ? readDemo(config) : undefined
  const lines = [
    '',
    `  Vitrine is ready (${environment}).`,
    '',
    ...(demo && siteDomain ? [`  Shop       http://${demoSubDomain}.${siteDomain}`] : []),
    `  API        ${baseUrl}   (guide: ${baseUrl}/docs)`,
    `  Dashboard  ${dashboardUrl}`,
    `  Admin      ${adminUrl}`,
    '',
  ]
  if (demo)
    lines.push(
      '  Try:',
      `    curl -H 'Authorization: Bearer ${demo.apiKey}' ${baseUrl}/v1/workspaces`,
      '',
      `  The demo account is ${demo.accountEmail}; its key is kept in ${displayPath(join(config.dataDir, 'demo.json'))}.`,
    )
  if (!config.smtpUrl)
    lines.push(`  Mails land in ${displayPath(outboxFolder(config))}; codes are in the log, too.`)
  return [...lines, ''].join('\n')
}

function displayPath(path: string): string {
  const near = relative(process.cwd(), path)
  return near.startsWith('..') ? path : near
}
