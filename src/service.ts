import cluster, { type Worker } from 'node:cluster'
import { fileURLToPath } from 'node:url'
import { type Config, ConfigError, readConfig } from './settings/config.ts'
import { createLog, type Log } from './core/log.ts'
import { gatherMetrics, shareMetrics } from './core/metrics.ts'
import { warnOfUnknownSettings } from './settings/unknown_settings.ts'
import { prepare, serve, welcome } from './start.ts'
import { warmUpLater } from './warm_up.ts'

/** Cleanup to run on shutdown, newest first. */
const stops: (() => Promise<void>)[] = []

/** One process that does everything, or a primary that prepares and workers that serve. */
async function main(): Promise<void> {
  // Before the settings are checked: a misspelt name often explains why another is missing.
  if (cluster.isPrimary) warnOfUnknownSettings(process.env)
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  stopOnSignal(log)
  if (cluster.isWorker) return runWorker(config, log)
  const { config: ready, stop } = await prepare(config, log)
  stops.unshift(stop)
  const service =
    config.webConcurrency > 1 ? await runWorkers(ready, log) : await serveWarm(ready, log)
  stops.unshift(service.stop)
  console.log(welcome(ready))
}

/** The primary has prepared everything and passes the result in the environment. */
async function runWorker(config: Config, log: Log): Promise<void> {
  const { databaseUrl = '' } = config
  shareMetrics()
  const service = await serveWarm({ ...config, databaseUrl }, log)
  stops.unshift(service.stop)
  process.send?.('listening')
}

async function serveWarm(...[config, log]: Parameters<typeof serve>): ReturnType<typeof serve> {
  const service = await serve(config, log)
  warmUpLater(log)
  return service
}

/** Until a worker that the system refused is tried again. */
const refusedMilliseconds = 1000

interface WorkerSettings {
  databaseUrl: string
  secretKey: string
  webConcurrency: number
}

async function runWorkers(
  { databaseUrl, secretKey, webConcurrency }: WorkerSettings,
  log: Log,
): Promise<{ stop: () => Promise<void> }> {
  let stopping = false
  gatherMetrics()
  // Workers run the service itself, not the script that prepared and started it.
  cluster.setupPrimary({
    exec: fileURLToPath(import.meta.url).replace(/service(\.\w+)$/, 'main$1'),
  })
  const fork = () => cluster.fork({ DATABASE_URL: databaseUrl, SECRET_KEY: secretKey })
  /** Workers that the system refuses, for want of memory or files, are tried again until it does not. */
  function replace(): void {
    if (stopping) return
    const again = (err: unknown) => {
      log.error({ err }, 'A worker could not be started. It is tried again.')
      setTimeout(replace, refusedMilliseconds)
    }
    try {
      const worker = fork()
      worker.on('error', (err) => {
        // One that has lived is replaced when it ends, and one that was refused is replaced once.
        if (worker.process.pid !== undefined || !cluster.workers?.[worker.id]) return
        // It has no exit, which would take it off the list.
        delete cluster.workers?.[worker.id]
        again(err)
      })
    } catch (err) {
      again(err)
    }
  }
  // Start them one by one: if a setting is bad, only the first worker reports it.
  for (let started = 0; started < webConcurrency; started++) await waitUntilListening(fork())
  cluster.on('exit', (worker, code, signal) => {
    if (stopping) return
    log.error(
      { pid: worker.process.pid, exitCode: code, signal },
      'A worker ended and is replaced.',
    )
    replace()
  })
  return {
    async stop() {
      stopping = true
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
      await Promise.all(
        workers.map((worker) => {
          const ended = new Promise((resolve) => worker.once('exit', resolve))
          worker.process.kill('SIGTERM')
          return ended
        }),
      )
    },
  }
}

function waitUntilListening(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once('message', () => resolve())
    worker.once('exit', () => reject(new WorkerFailed()))
    worker.on('error', reject)
  })
}

/** The worker has already reported why it could not start. */
class WorkerFailed extends Error {}

/** Ends on the first SIGTERM or SIGINT, in order; a second one does not interrupt that. */
function stopOnSignal(log: Log): void {
  let stopping = false
  const end = (signal: NodeJS.Signals) => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'stopping')
    stopAll().then(
      () => process.exit(0),
      (err: unknown) => {
        log.error({ err }, 'The service did not stop cleanly.')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}

async function stopAll(): Promise<void> {
  for (const stop of stops) await stop()
}

function explain(error: unknown): void {
  if (error instanceof ConfigError) {
    console.error('The settings are not valid:')
    for (const problem of error.problems) console.error(`  - ${problem}`)
  } else if (!(error instanceof WorkerFailed))
    console.error(error instanceof Error ? error.message : error)
}

main().catch(async (error: unknown) => {
  explain(error)
  await stopAll().catch(explain)
  process.exit(1)
})
