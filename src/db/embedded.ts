import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type Cluster,
  findRunningServer,
  openCluster,
  readPostmasterFile,
  requestShutdown,
  serverEnvironment,
  serverUrl,
  socketFolderOf,
} from './embedded_cluster.ts'

interface EmbeddedPostgres {
  url: string
  /** Shuts the server down; resolves once everything is flushed and the process has exited. */
  stop(): Promise<void>
}

interface Server {
  child: ChildProcess
  /** Resolves when the server has exited, with the reason for people. */
  ended: Promise<string>
}

/** How a cluster is served, and its current process. */
interface Service {
  cluster: Cluster
  durable: boolean
  logFile: string
  server?: Server | undefined
  stopping: AbortController
}

/**
 * A run of tests creates and drops hundreds of databases, none of which lives long enough to be vacuumed.
 */
const forTestsOnly = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'autovacuum=off',
  'checkpoint_timeout=1h',
  'max_wal_size=4GB',
]

function freePort(): Promise<number> {
  return new Promise((resolvePort, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolvePort(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

function spawnServer({ cluster, durable, logFile }: Service, port: number): Server {
  const socketFolder = socketFolderOf(cluster.folder)
  const settings = [
    'listen_addresses=127.0.0.1',
    // Quoted: it is a list.
    `unix_socket_directories=${socketFolder === undefined ? '' : `"${socketFolder}"`}`,
    // Failed statements would log user input; the service logs its own errors without it.
    'log_min_messages=log',
    'log_checkpoints=off',
    ...(durable ? [] : forTestsOnly),
  ]
  const flags = settings.flatMap((setting) => ['-c', setting])
  const log = openSync(logFile, 'a', 0o600)
  try {
    const child = spawn(
      join(cluster.binaries, 'bin', 'postgres'),
      ['-D', cluster.folder, '-p', `${port}`, ...flags],
      {
        ...cluster.identity,
        // Its own process group: Ctrl-C must reach only the service, which finishes its requests
        // before it stops the database.
        detached: true,
        cwd: '/',
        env: serverEnvironment(),
        stdio: ['ignore', log, log],
        windowsHide: true,
      },
    )
    child.unref()
    const ended = new Promise<string>((tell) => {
      child.once('exit', (code, signal) => tell(`it ended with ${signal ?? `code ${code}`}`))
      child.once('error', (error) => tell(error.message))
    })
    return { child, ended }
  } finally {
    closeSync(log)
  }
}

/** Crash recovery can take long: keep waiting while the process lives. */
async function waitUntilReady({ cluster, logFile }: Service, server: Server): Promise<void> {
  let end: string | undefined
  while (end === undefined) {
    const file = readPostmasterFile(cluster.folder)
    if (file?.ready && file.pid === server.child.pid) return
    end = await Promise.race([server.ended, delay(10, undefined)])
  }
  const log = readFileSync(logFile, 'utf8').trim().split('\n').slice(-8).join('\n')
  throw new Error(
    `The bundled PostgreSQL did not start (set DATABASE_URL to use another one): ${end}\n${log}`,
  )
}

/** Errors that pass: the port was taken, or sessions of a killed server are still shutting down. */
const passes = (error: unknown) =>
  error instanceof Error &&
  /could not create any TCP\/IP sockets|shared memory block .* still in use/.test(error.message)

async function startOnFreePort(service: Service): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    rmSync(service.logFile, { force: true })
    service.server = spawnServer(service, port)
    try {
      await waitUntilReady(service, service.server)
      return port
    } catch (error) {
      if (attempt === 10 || !passes(error)) throw error
      await delay(200)
    }
  }
}

/**
 * Restarts the server on the same port if it exits unexpectedly. Meanwhile the service answers 503,
 * and it recovers as it does when a remote database comes back.
 */
async function keepRunning(service: Service, port: number): Promise<void> {
  const { signal } = service.stopping
  for (let pauseMs = 100; ;) {
    const startedAt = Date.now()
    await service.server?.ended
    if (signal.aborted) return
    pauseMs = Date.now() - startedAt > 10_000 ? 100 : Math.min(pauseMs * 2, 5_000)
    await delay(pauseMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    try {
      service.server = spawnServer(service, port)
    } catch {
      // The system is short of memory or files right now.
      service.server = undefined
    }
  }
}

async function shutDown(service: Service, supervisor: Promise<void>): Promise<void> {
  service.stopping.abort()
  const child = service.server?.child
  if (child?.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    child.ref()
    requestShutdown(child.pid, service.cluster)
    // Immediate shutdown: committed data is in the WAL and the next start recovers it.
    const impatience = setTimeout(() => child.kill('SIGQUIT'), 30_000)
    await service.server?.ended
    clearTimeout(impatience)
  }
  await supervisor
}

/**
 * A real PostgreSQL in the data folder, for a service without DATABASE_URL. It listens on loopback
 * with a random password and belongs to this process until stop().
 */
export async function startEmbeddedPostgres({
  dataDir,
  durable = true,
}: {
  dataDir: string
  durable?: boolean
}): Promise<EmbeddedPostgres> {
  const cluster = await openCluster(dataDir, durable)
  const logFile = resolve(dataDir, 'postgres.log')
  const service: Service = { cluster, durable, logFile, stopping: new AbortController() }
  // For process.exit() and uncaught errors, where nothing can be awaited.
  const abandon = () => {
    service.stopping.abort()
    service.server?.child.kill('SIGINT')
    cluster.release()
  }
  process.once('exit', abandon)
  try {
    const port = await startOnFreePort(service)
    const supervisor = keepRunning(service, port)
    let stopped: Promise<void> | undefined
    const stop = () =>
      (stopped ??= shutDown(service, supervisor).finally(() => {
        process.off('exit', abandon)
        cluster.release()
      }))
    return { url: serverUrl(cluster.folder, cluster.password, port), stop }
  } catch (error) {
    process.off('exit', abandon)
    cluster.release()
    throw error
  }
}

/** For scripts: the PostgreSQL of a running service, or a private one until stop(). */
export function reachEmbeddedPostgres({ dataDir }: { dataDir: string }): Promise<EmbeddedPostgres> {
  const url = findRunningServer(dataDir)
  if (url === undefined) return startEmbeddedPostgres({ dataDir })
  return Promise.resolve({ url, stop: () => Promise.resolve() })
}
