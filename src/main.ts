import cluster from 'node:cluster'
import { type Config, ConfigError, readConfig } from './core/config.ts'
import { createLog, type Log } from './core/log.ts'
import { prepare, serve, StartError, welcome } from './start.ts'

/** One process that does everything, or a primary that prepares and workers that serve. */
async function main(): Promise<void> {
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  if (cluster.isWorker) return runWorker(config, log)
  const { config: ready, stop: stopDatabase } = await prepare(config)
  try {
    const service =
      config.webConcurrency > 1 ? await runWorkers(ready, log) : await serve(ready, log)
    onSignal(log, async () => {
      await service.stop()
      await stopDatabase()
    })
  } catch (error) {
    await stopDatabase()
    throw error
  }
  console.log(welcome(ready))
}

/** A worker's primary has prepared everything and says so in the environment. */
async function runWorker(config: Config, log: Log): Promise<void> {
  const { databaseUrl = '', secretKey = '' } = config
  const { stop } = await serve({ ...config, databaseUrl, secretKey }, log)
  onSignal(log, stop)
  process.send?.('listening')
}

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
  const fork = () => cluster.fork({ DATABASE_URL: databaseUrl, SECRET_KEY: secretKey })
  const first = Array.from({ length: webConcurrency }, fork)
  await Promise.all(
    first.map(
      (worker) =>
        new Promise<void>((resolve, reject) => {
          worker.once('message', () => resolve())
          worker.once('exit', () => reject(new StartError('A worker could not start.')))
        }),
    ),
  )
  cluster.on('exit', (worker, code, signal) => {
    if (stopping) return
    log.error(
      { pid: worker.process.pid, exitCode: code, signal },
      'A worker ended and is replaced.',
    )
    fork()
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

/** Ends on the first SIGTERM or SIGINT, in order; a second one does not interrupt that. */
function onSignal(log: Log, stop: () => Promise<void>): void {
  let stopping = false
  const end = (signal: NodeJS.Signals) => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'stopping')
    stop().then(
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

main().catch((error: unknown) => {
  if (error instanceof ConfigError) {
    console.error('The settings are not valid:')
    for (const problem of error.problems) console.error(`  - ${problem}`)
  } else if (error instanceof StartError) console.error(error.message)
  else console.error(error instanceof Error ? error.message : error)
  process.exit(1)
})
