// Runs before any package is installed, so it imports only Node's own modules.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const lockFile = join(root, 'package-lock.json')
const stampFile = join(root, 'node_modules', '.installed.json')

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
const currentStamp = () => ({
  lock: createHash('sha256').update(readFileSync(lockFile)).digest('hex'),
  runtime: `${process.platform}-${process.arch}-${process.versions.modules}`,
})

const isForThisMachine = ({ os, cpu, libc }) =>
  os?.includes(process.platform) && cpu?.includes(process.arch) && libc === undefined

/** Compares with npm's record of node_modules, so that an `npm ci` by hand counts, too. */
function matchesLock() {
  const locked = readJson(lockFile)?.packages ?? {}
  const installed = readJson(join(root, 'node_modules', '.package-lock.json'))?.packages
  if (installed === undefined) return false
  return Object.entries(locked).every(([path, entry]) => {
    if (path === '' || (entry.optional && !isForThisMachine(entry))) return true
    return installed[path]?.version === entry.version
  })
}

function isInstalled() {
  const expected = currentStamp()
  const stamp = readJson(stampFile)
  if (stamp !== undefined && stamp.runtime !== expected.runtime) return false
  if (stamp?.lock === expected.lock) return true
  if (!matchesLock()) return false
  writeFileSync(stampFile, JSON.stringify(expected))
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

function npmCi() {
  const own = process.env.npm_execpath
  const viaNode = own !== undefined && basename(own).startsWith('npm-cli')
  const [command, ...before] = viaNode ? [process.execPath, own] : ['npm']
  const flags = ['--include=dev', '--include=optional', '--no-audit', '--no-fund']
  return new Promise((resolve) => {
    spawn(command, [...before, 'ci', ...flags, '--loglevel=error'], {
      cwd: root,
      env: installEnvironment(),
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: !viaNode && process.platform === 'win32',
    })
      .once('error', (error) => resolve(error.message))
      .once('exit', (code, signal) => resolve(code === 0 ? undefined : (signal ?? `code ${code}`)))
  })
}

async function install() {
  const startedAt = Date.now()
  const seconds = () => `${Math.round((Date.now() - startedAt) / 1000)} s`
  console.error('Installing packages. This happens once and takes about a minute …')
  const progress = setInterval(() => console.error(`… still installing (${seconds()})`), 15_000)
  const failure = await npmCi()
  clearInterval(progress)
  if (failure !== undefined) {
    console.error(`Packages could not be installed: npm ci ended with ${failure}.`)
    process.exit(1)
  }
  writeFileSync(stampFile, JSON.stringify(currentStamp()))
  console.error(`Installed in ${seconds()}.`)
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

/** npm ci starts by deleting node_modules: two at once in one checkout would break each other. */
async function withInstallLock(work) {
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16)
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

/** Installs exactly what package-lock.json states, unless it is already installed. */
export async function ensureDependencies() {
  requireNode()
  if (isInstalled()) return
  await withInstallLock(async () => {
    if (!isInstalled()) await install()
  })
}
