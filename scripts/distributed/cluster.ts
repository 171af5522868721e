import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findUnprivilegedUser, type Identity } from '../../src/db/embedded_binaries.ts'
import { readPostmasterFile, serverEnvironment } from '../../src/db/embedded_cluster.ts'
import { HarnessError, type PostgresPrograms } from './extension.ts'
import { freePort } from '../../test/kit/free_ports.ts'

/** One PostgreSQL of the cluster. */
export interface Node {
  name: string
  url: string
  port: number
  /** Ends it as a power cut would. */
  kill(): Promise<void>
  /** Starts it again on the same port and data. */
  start(): Promise<void>
}

export interface Cluster {
  coordinator: Node
  workers: Node[]
  /** Another PostgreSQL, without the extension; only if asked for. */
  alone: Node | undefined
  stop(): Promise<void>
}

const user = 'vitrine'

const settings = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=300',
  'shared_buffers=128MB',
  // Survives the end of a process, though not that of the machine.
  'fsync=off',
  'full_page_writes=off',
]

const clusterSettings = [
  'shared_preload_libraries=citus',
  // Shards move by logical replication.
  'wal_level=logical',
  // A transaction on several nodes commits in two phases.
  'max_prepared_transactions=200',
  // Until then, the rows of a transaction that a dead worker left between the phases are locked.
  'citus.recover_2pc_interval=2s',
  // Every database has a daemon of the extension.
  'max_worker_processes=100',
  'citus.node_conninfo=sslmode=disable',
  // Few, because every test file has a database of its own.
  'citus.shard_count=4',
]

/** A coordinator and two workers on loopback, in a folder that goes when they stop. */
export async function startCluster(
  { bin }: PostgresPrograms,
  { withOneAlone = false } = {},
): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-distributed-'))
  const identity = process.getuid?.() === 0 ? findUnprivilegedUser() : undefined
  // As root: the servers' user may traverse the folder.
  chmodSync(folder, 0o711)
  const home = join(folder, 'nodes')
  mkdirSync(home, { mode: 0o700 })
  if (identity) chownSync(home, identity.uid, identity.gid)
  const place: Place = { bin, home, identity, password: randomBytes(24).toString('base64url') }
  writePasswords(place)
  const servers: Server[] = []
  const abandon = () => {
    for (const { child } of servers) child?.kill('SIGQUIT')
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
  }
  process.once('exit', abandon)
  const stop = async () => {
    await Promise.all(servers.map((server) => endServer(server, 'SIGINT')))
    process.off('exit', abandon)
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
  }
  try {
    for (const name of ['coordinator', 'worker_1', 'worker_2', ...(withOneAlone ? [alone] : [])])
      servers.push(await createServer(place, name))
    await Promise.all(servers.map(startServer))
  } catch (error) {
    await stop()
    throw error
  }
  const [coordinator, first, second, other] = servers.map((server) => nodeOf(place, server))
  return { coordinator: coordinator!, workers: [first!, second!], alone: other, stop }
}

const alone = 'alone'

interface Place {
  bin: string
  home: string
  identity: Identity
  password: string
}

interface Server {
  name: string
  place: Place
  port: number
  child?: ChildProcess
}

const passwordsOf = ({ home }: Place) => join(home, 'passwords')

/** For initdb, and for the connections between the nodes. */
function writePasswords(place: Place): void {
  const { identity, password } = place
  const files = {
    [`${passwordsOf(place)}.first`]: `${password}\n`,
    [passwordsOf(place)]: `*:*:*:*:${password}\n`,
  }
  for (const [file, text] of Object.entries(files)) {
    writeFileSync(file, text, { mode: 0o600 })
    if (identity) chownSync(file, identity.uid, identity.gid)
  }
}

async function createServer(place: Place, name: string): Promise<Server> {
  const flags = ['-U', user, '-A', 'scram-sha-256', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']
  const { status, stderr } = spawnSync(
    join(place.bin, 'initdb'),
    ['-D', join(place.home, name), ...flags, `--pwfile=${passwordsOf(place)}.first`],
    { ...place.identity, cwd: '/', env: serverEnvironment(), encoding: 'utf8' },
  )
  if (status !== 0) throw new HarnessError(`initdb failed: ${stderr}`)
  return { name, place, port: await freePort() }
}

async function startServer(server: Server): Promise<void> {
  const { name, place, port } = server
  const data = join(place.home, name)
  const logFile = `${data}.log`
  const log = openSync(logFile, 'a', 0o600)
  const own = name === alone ? settings : [...settings, ...clusterSettings]
  const flags = own.flatMap((setting) => ['-c', setting])
  const child = spawn(join(place.bin, 'postgres'), ['-D', data, '-p', `${port}`, ...flags], {
    ...place.identity,
    // Ctrl-C must reach the tests first, which still talk to it.
    detached: true,
    cwd: '/',
    env: { ...serverEnvironment(), PGPASSFILE: passwordsOf(place) },
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  server.child = child
  for (;;) {
    const file = readPostmasterFile(data)
    if (file?.ready && file.pid === child.pid) return
    if (child.exitCode !== null || child.signalCode !== null) break
    await delay(20)
  }
  const lines = readFileSync(logFile, 'utf8').trim().split('\n').slice(-8).join('\n')
  throw new HarnessError(`The ${name} did not start:\n${lines}`)
}

async function endServer({ child }: Server, signal: NodeJS.Signals): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

function nodeOf(place: Place, server: Server): Node {
  const { name, port } = server
  return {
    name,
    port,
    url: `postgres://${user}:${place.password}@127.0.0.1:${port}/postgres`,
    kill: () => endServer(server, 'SIGQUIT'),
    start: () => startServer(server),
  }
}
