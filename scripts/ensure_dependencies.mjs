// Runs before anything is installed, so it imports nothing but Node itself.
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

/** What an installation depends on: the locked versions and what compiled packages run on. */
const wantedStamp = () => ({
  lock: createHash('sha256').update(readFileSync(lockFile)).digest('hex'),
  runtime: `${process.platform}-${process.arch}-${process.versions.modules}`,
})

const isForThisMachine = ({ os, cpu, libc }) =>
  os?.includes(process.platform) && cpu?.includes(process.arch) && libc === undefined

/** npm keeps its own record of what it put into node_modules: an `npm ci` by hand counts as well. */
function matchesLock() {
  const wanted = readJson(lockFile)?.packages ?? {}
  const installed = readJson(join(root, 'node_modules', '.package-lock.json'))?.packages
  if (installed === undefined) return false
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || (entry.optional && !isForThisMachine(entry))) return true
    return installed[path]?.version === entry.version
  })
}

function isInstalled() {
  const wanted = wantedStamp()
  const stamp = readJson(stampFile)
  if (stamp !== undefined && stamp.runtime !== wanted.runtime) return false
  if (stamp?.lock === wanted.lock) return true
  if (!matchesLock()) return false
  writeFileSync(stampFile, JSON.stringify(wanted))
  return true
}

/** The inner npm must not take itself for the outer script, nor leave anything out. */
function installEnvironment() {
  const outer =
    /^(npm_(lifecycle|package|command|node_execpath)|npm_config_(omit|only|include|production|local_prefix)$)/i
  const kept = Object.entries(process.env).filter(
    ([name]) => name !== 'NODE_ENV' && !outer.test(name),
  )
  return Object.fromEntries(kept)
}

function npmCi() {
  const own = process.env.npm_execpath
  const viaNode = own !== undefined && basename(own).startsWith('npm-cli')
  const [command, ...before] = viaNode ? [process.execPath, own] : ['npm']
  const flags = ['--include=dev', '--include=optional', '--no-audit', '--no-fund']
  return new Promise((done) => {
    spawn(command, [...before, 'ci', ...flags, '--loglevel=error'], {
      cwd: root,
      env: installEnvironment(),
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: !viaNode && process.platform === 'win32',
    })
      .once('error', (error) => done(error.message))
      .once('exit', (code, signal) => done(code === 0 ? undefined : (signal ?? `code ${code}`)))
  })
}

async function install() {
  const startedAt = Date.now()
  const seconds = () => `${Math.round((Date.now() - startedAt) / 1000)} s`
  console.error('Installing the packages Vitrine needs. This happens once and takes a minute …')
  const progress = setInterval(() => console.error(`… still installing (${seconds()})`), 15_000)
  const failure = await npmCi()
  clearInterval(progress)
  if (failure !== undefined) {
    console.error(`The packages could not be installed: npm ci ended with ${failure}.`)
    process.exit(1)
  }
  writeFileSync(stampFile, JSON.stringify(wantedStamp()))
  console.error(`Installed in ${seconds()}.`)
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** A lock whose process was interrupted is taken away; an age says so where the pid was reused. */
function clearStaleLock(lock) {
  const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
  const pid = readJson(lock)
  const wasInterrupted = pid === undefined ? age > 1_000 : !isRunning(pid)
  if (wasInterrupted || age > 15 * 60_000) rmSync(lock, { force: true })
}

/** npm ci begins by deleting node_modules: two at once in one checkout would ruin each other. */
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
    if (waits === 1) console.error('Waiting for another start that is installing packages …')
    await delay(200)
  }
  process.once('exit', () => rmSync(lock, { force: true }))
  await work()
  rmSync(lock, { force: true })
}

/** Installs exactly what package-lock.json says, unless that is what is there already. */
export async function ensureDependencies() {
  requireNode()
  if (isInstalled()) return
  await withInstallLock(async () => {
    if (!isInstalled()) await install()
  })
}
