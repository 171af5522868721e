// Runs before any package is installed, so it imports only Node's own modules.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/**
 * What can be installed: a folder with a lock file, and whether packages for development are part of
 * it. npm start needs none of those, and none of the clients that tests run.
 */
const installations = {
  service: { folder: root, withDev: false },
  development: { folder: root, withDev: true },
  testClients: { folder: join(root, 'test', 'clients'), withDev: true },
}

const lockFileOf = ({ folder }) => join(folder, 'package-lock.json')
const stampFileOf = ({ folder }) => join(folder, 'node_modules', '.installed.json')

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if ((major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22) return
  console.error(`Vitrine needs Node 20.19, 22.12 or newer; this is ${process.version}.`)
  process.exit(1)
}

/** Identifies an installation: the locked versions, and the runtime of compiled packages. */
const currentStamp = (installation) => ({
  lock: createHash('sha256')
    .update(readFileSync(lockFileOf(installation)))
    .digest('hex'),
  withDev: installation.withDev,
  runtime: `${process.platform}-${process.arch}-${process.versions.modules}`,
})

const isForThisMachine = ({ os, cpu, libc }) =>
  os?.includes(process.platform) && cpu?.includes(process.arch) && libc === undefined

/** Compares with npm's record of node_modules, so that an `npm ci` by hand counts, too. */
function matchesLock(installation) {
  const { folder, withDev } = installation
  const locked = readJson(lockFileOf(installation))?.packages ?? {}
  const installed = readJson(join(folder, 'node_modules', '.package-lock.json'))?.packages
  if (installed === undefined) return false
  return Object.entries(locked).every(([path, entry]) => {
    if (path === '' || (entry.optional && !isForThisMachine(entry))) return true
    if (entry.dev && !withDev) return true
    return installed[path]?.version === entry.version
  })
}

function isInstalled(installation) {
  const expected = currentStamp(installation)
  const stamp = readJson(stampFileOf(installation))
  if (stamp !== undefined && stamp.runtime !== expected.runtime) return false
  if (stamp?.lock === expected.lock && (stamp.withDev || !expected.withDev)) return true
  if (!matchesLock(installation)) return false
  writeFileSync(stampFileOf(installation), JSON.stringify(expected))
  return true
}

/** Hides the outer npm script from the inner npm, and any setting that omits packages. */
function installEnvironment() {
  const outer =
    /^(npm_(lifecycle|package|command|node_execpath)|npm_config_(omit|only|include|production|local_prefix)$)/i
  const entries = Object.entries(process.env).filter(
    ([name]) => name !== 'NODE_ENV' && !outer.test(name),
  )
  return Object.fromEntries(entries)
}

function npmCi({ folder, withDev }) {
  const own = process.env.npm_execpath
  const viaNode = own !== undefined && basename(own).startsWith('npm-cli')
  const [command, ...before] = viaNode ? [process.execPath, own] : ['npm']
  const groups = [withDev ? '--include=dev' : '--omit=dev', '--include=optional']
  const flags = [...groups, '--no-audit', '--no-fund', '--loglevel=error']
  return new Promise((resolve) => {
    spawn(command, [...before, 'ci', ...flags], {
      cwd: folder,
      env: installEnvironment(),
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: !viaNode && process.platform === 'win32',
    })
      .once('error', (error) => resolve(error.message))
      .once('exit', (code, signal) => resolve(code === 0 ? undefined : (signal ?? `code ${code}`)))
  })
}

async function install(installation, what) {
  const startedAt = Date.now()
  const seconds = () => `${Math.round((Date.now() - startedAt) / 1000)} s`
  console.error(`Installing ${what}. This happens once …`)
  const progress = setInterval(
    () => console.error(`… still installing ${what} (${seconds()})`),
    15_000,
  )
  const failure = await npmCi(installation)
  clearInterval(progress)
  if (failure !== undefined) {
    console.error(`Could not install ${what}: npm ci ended with ${failure}.`)
    process.exit(1)
  }
  writeFileSync(stampFileOf(installation), JSON.stringify(currentStamp(installation)))
  console.error(`Installed in ${seconds()}: ${what}.`)
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Removes a lock whose process is gone; the age limit covers reused pids. */
function clearStaleLock(lock) {
  const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
  const pid = readJson(lock)
  const wasInterrupted = pid === undefined ? age > 1_000 : !isRunning(pid)
  if (wasInterrupted || age > 15 * 60_000) rmSync(lock, { force: true })
}

/** npm ci starts by deleting node_modules: two at once in one folder would break each other. */
async function withInstallLock({ folder }, work) {
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16)
  const lock = join(tmpdir(), `vitrine-install-${name}`)
  for (let waits = 0; ; waits++) {
    try {
      writeFileSync(lock, `${process.pid}`, { flag: 'wx' })
      break
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    clearStaleLock(lock)
    if (waits === 1) console.error('Waiting for another process that is installing packages …')
    await delay(200)
  }
  process.once('exit', () => rmSync(lock, { force: true }))
  await work()
  rmSync(lock, { force: true })
}

/** Installs exactly what the lock file states, unless it is already installed. */
async function ensure(installation, what) {
  requireNode()
  if (isInstalled(installation)) return
  await withInstallLock(installation, async () => {
    if (!isInstalled(installation)) await install(installation, what)
  })
}

/** What the service needs to be built and to run. */
export const ensureDependencies = () => ensure(installations.service, 'packages')

/** The same, and the tools to test and check it. */
export const ensureDevelopment = () =>
  ensure(installations.development, 'packages for development, too')

/** The programs of others that tests run against the service: test/clients. */
export const ensureTestClients = () => ensure(installations.testClients, 'the clients of the tests')

// node scripts/ensure_dependencies.mjs: for a script that needs these tools, where only npm start has run.
if (process.argv[1] === import.meta.filename) await ensureDevelopment()
