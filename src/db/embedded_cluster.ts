import { execFileSync, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  canReach,
  findBinaries,
  findUnprivilegedUser,
  type Identity,
  makeOutsideFolder,
  outsideFolder,
} from './embedded_binaries.ts'
import { isRunning } from './processes.ts'
import { lockFolder } from './service_lock.ts'

/** A database cluster that exists, is locked for this process and has no server yet. */
export interface Cluster {
  folder: string
  binaries: string
  identity: Identity
  password: string
  release(): void
}

/** The superuser of the embedded cluster; the service connects as it. */
const embeddedUser = 'vitrine'

const isRoot = () => process.getuid?.() === 0

/** Keeps our secrets out of the environment of a process that another user may own. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const variables = ['PATH', 'SystemRoot', 'TEMP'].map((name) => [name, process.env[name]] as const)
  return {
    ...Object.fromEntries(variables.filter(([, value]) => value !== undefined)),
    LC_ALL: 'C',
  }
}

function makeDataDir(dataDir: string): string {
  // As root: PostgreSQL's user may traverse the folder but not list it.
  const mode = isRoot() ? 0o711 : 0o700
  const created = mkdirSync(dataDir, { recursive: true, mode })
  if (created !== undefined) chmodSync(dataDir, mode)
  return realpathSync(dataDir)
}

/** Where an earlier start put the cluster: in DATA_DIR or outside it. */
function findHome(dataDir: string): string | undefined {
  if (existsSync(join(dataDir, 'postgres'))) return dataDir
  const pointer = join(dataDir, 'postgres.location')
  if (!existsSync(pointer)) return undefined
  const home = readFileSync(pointer, 'utf8').trim()
  if (existsSync(home)) return home
  throw new Error(
    `The database of ${dataDir} was in ${home}, which is missing: put it back, or remove ` +
      `${pointer} to begin with an empty database.`,
  )
}

/**
 * As root, the cluster moves outside when PostgreSQL's user cannot enter DATA_DIR. The random part
 * of the name keeps a deleted and recreated DATA_DIR from finding old data.
 */
function makeHome(dataDir: string, identity: Identity): string {
  if (canReach(identity, [dataDir])) return dataDir
  makeOutsideFolder()
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 12)
  const home = mkdtempSync(join(outsideFolder, `${hash}-`))
  chmodSync(home, 0o711)
  const pointer = join(dataDir, 'postgres.location')
  writeFileSync(`${pointer}.new`, `${home}\n`)
  renameSync(`${pointer}.new`, pointer)
  return home
}

/** An existing cluster keeps its owner, even if a better user becomes available. */
function chooseIdentity(folder: string | undefined): Identity {
  const owner = folder !== undefined && existsSync(folder) ? statSync(folder) : undefined
  if (isRoot()) {
    const ownedByUser = owner !== undefined && owner.uid !== 0
    return ownedByUser ? { uid: owner.uid, gid: owner.gid } : findUnprivilegedUser()
  }
  const user = process.getuid?.()
  if (owner !== undefined && user !== undefined && owner.uid !== user) {
    throw new Error(
      `The database in ${folder} belongs to user ${owner.uid} and this service runs as user ` +
        `${user}: start it as that user or as root, or set DATA_DIR to another folder.`,
    )
  }
  return undefined
}

function providePassword(home: string, identity: Identity): string {
  const path = join(home, 'postgres.password')
  if (!existsSync(path)) {
    if (existsSync(join(home, 'postgres'))) {
      throw new Error(`The password of the database in ${home} is missing: restore ${path}.`)
    }
    writeFileSync(`${path}.new`, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 })
    if (identity !== undefined) chownSync(`${path}.new`, identity.uid, identity.gid)
    renameSync(`${path}.new`, path)
  }
  return readFileSync(path, 'utf8').trim()
}

function runInitdb(folder: string, cluster: Omit<Cluster, 'release'>, flags: string[]) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { mode: 0o700 })
  const { identity, binaries } = cluster
  if (identity !== undefined) chownSync(folder, identity.uid, identity.gid)
  const fixed = ['-D', folder, '-U', embeddedUser, '-A', 'scram-sha-256', '-E', 'UTF8']
  return spawnSync(join(binaries, 'bin', 'initdb'), [...fixed, ...flags], {
    ...identity,
    cwd: '/',
    env: serverEnvironment(),
    encoding: 'utf8',
    windowsHide: true,
  })
}

/** Created under another name and renamed, so an interrupted start leaves no partial cluster. */
function createCluster(cluster: Omit<Cluster, 'release'>, durable: boolean): void {
  const draft = `${cluster.folder}.new`
  const flags = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  flags.push(`--pwfile=${cluster.folder}.password`, ...(durable ? [] : ['--no-sync']))
  let failure = ''
  // Trigrams of non-Latin scripts need a UTF-8 ctype, and not every system names it C.UTF-8.
  for (const characterType of ['C.UTF-8', 'en_US.UTF-8']) {
    const run = runInitdb(draft, cluster, [...flags, `--lc-ctype=${characterType}`])
    if (run.status === 0) {
      renameSync(draft, cluster.folder)
      return
    }
    failure ||= (run.error?.message ?? run.stderr).trim()
  }
  rmSync(draft, { recursive: true, force: true })
  throw new Error(
    `The bundled PostgreSQL could not create its database in ${cluster.folder} ` +
      `(set DATABASE_URL to use another PostgreSQL): ${failure}`,
  )
}

/** Parses postmaster.pid: one item per line. */
export function readPostmasterFile(
  folder: string,
): { pid: number; port: number; ready: boolean } | undefined {
  const path = join(folder, 'postmaster.pid')
  if (!existsSync(path)) return undefined
  const lines = readFileSync(path, 'utf8').split('\n')
  return { pid: Number(lines[0]), port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' }
}

/** A pid file can outlive its process, and the pid may have been reused. */
function servesFolder(pid: number, folder: string): boolean {
  if (!isRunning(pid)) return false
  try {
    // A postmaster works inside its data folder.
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === folder
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', `${pid}`], {
      encoding: 'utf8',
    }).includes(`-D ${folder} `)
  } catch {
    return false
  }
}

/** The address of the server that a running service keeps for this data folder. */
export function findRunningServer(dataDir: string): string | undefined {
  const home = existsSync(dataDir) ? findHome(realpathSync(dataDir)) : undefined
  if (home === undefined) return undefined
  const folder = join(home, 'postgres')
  const file = readPostmasterFile(folder)
  if (!file?.ready || !servesFolder(file.pid, folder)) return undefined
  return serverUrl(folder, readFileSync(`${folder}.password`, 'utf8').trim(), file.port)
}

/** The longest path of a socket that every system takes, less the name of the file. */
const longestSocketFolder = 80

/**
 * Where the server has a socket for this machine alone, if it can: a statement through it costs a fifth
 * less than over loopback. In the cluster's folder, which is closed to other people.
 */
export function socketFolderOf(folder: string): string | undefined {
  const fits = Buffer.byteLength(folder) <= longestSocketFolder && !folder.includes('"')
  return process.platform !== 'win32' && fits ? folder : undefined
}

export function serverUrl(folder: string, password: string, port: number): string {
  const url = new URL(`postgres://${embeddedUser}:${password}@127.0.0.1:${port}/postgres`)
  const socketFolder = socketFolderOf(folder)
  if (socketFolder) url.searchParams.set('host', socketFolder)
  return url.href
}

/** Fast shutdown: ends sessions, rolls back transactions, flushes everything. */
export function requestShutdown(pid: number, { binaries, folder }: Cluster): void {
  if (process.platform === 'win32') {
    const command = ['stop', '-D', folder, '-m', 'fast', '-W']
    spawnSync(join(binaries, 'bin', 'pg_ctl'), command, { stdio: 'ignore', windowsHide: true })
    return
  }
  process.kill(pid, 'SIGINT')
}

async function hasEnded(pid: number, withinMs: number): Promise<boolean> {
  for (const end = Date.now() + withinMs; Date.now() < end; await delay(20)) {
    if (!isRunning(pid)) return true
  }
  return false
}

/** Ends a PostgreSQL that a killed service left behind, so that a new one can take the folder. */
async function stopOrphan(cluster: Cluster): Promise<void> {
  const pid = readPostmasterFile(cluster.folder)?.pid
  if (pid === undefined || !Number.isInteger(pid) || pid <= 0) return
  if (servesFolder(pid, cluster.folder)) {
    requestShutdown(pid, cluster)
    if (await hasEnded(pid, 60_000)) return
    process.kill(pid, 'SIGQUIT')
    if (await hasEnded(pid, 10_000)) return
    throw new Error(
      `PostgreSQL of an earlier service, process ${pid}, serves ${cluster.folder} and does not ` +
        'stop: end it and start again.',
    )
  }
  // PostgreSQL only checks whether any process has this pid, and would refuse to start on a reused
  // one. If the process is gone, keep the file: PostgreSQL uses it to detect surviving sessions.
  if (isPidTaken(pid)) rmSync(join(cluster.folder, 'postmaster.pid'), { force: true })
}

function isPidTaken(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Opens the cluster of a data folder, creating it if missing. Throws if it is in use. */
export async function openCluster(dataDir: string, durable: boolean): Promise<Cluster> {
  const root = makeDataDir(dataDir)
  const releases = [lockFolder(root)]
  const release = () => releases.splice(0).forEach((unlock) => unlock())
  try {
    const existing = findHome(root)
    const identity = chooseIdentity(existing && join(existing, 'postgres'))
    const home = existing ?? makeHome(root, identity)
    // A copied DATA_DIR points at the same outside folder as its original.
    if (home !== root) releases.push(lockFolder(home))
    const cluster = {
      folder: join(home, 'postgres'),
      binaries: findBinaries(identity),
      identity,
      password: providePassword(home, identity),
      release,
    }
    if (existsSync(cluster.folder)) await stopOrphan(cluster)
    else createCluster(cluster, durable)
    return cluster
  } catch (error) {
    release()
    throw error
  }
}
