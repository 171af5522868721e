import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { isRunning } from '../../src/db/processes.ts'
import { createDatabase, createEmptyDatabase, type TestDatabase } from '../kit/database.ts'
import { freePorts } from '../kit/free_ports.ts'
import { openConnection, requestText } from '../kit/raw_http.ts'
import { takePort } from '../kit/taken_port.ts'

const root = join(import.meta.dirname, '..', '..')
const cleanups: (() => unknown)[] = []

/** Where services find the demo that the first of them has drawn. */
let withDemo: { DATABASE_URL: string; DATA_DIR: string }
let demoDatabase: TestDatabase
/** Holds a database, once the first service has been started there. */
let folder: string
beforeAll(async () => {
  execFileSync(process.execPath, [join(root, 'scripts', 'build.mjs')])
  demoDatabase = await createEmptyDatabase()
  withDemo = { DATABASE_URL: demoDatabase.url, DATA_DIR: dataFolder() }
  folder = dataFolder()
})
afterAll(() => demoDatabase.drop())
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

function dataFolder(): string {
  const folder = mkdtempSync(join(inject('scratchFolder'), 'process-'))
  // As root, PostgreSQL runs under another user, who needs to traverse the folder.
  chmodSync(folder, 0o711)
  return folder
}

async function database(): Promise<string> {
  const created = await createDatabase()
  cleanups.push(() => created.drop())
  return created.url
}

async function takenPort(): Promise<string> {
  const { port, close } = await takePort()
  cleanups.push(close)
  return port
}

interface Run {
  child: ChildProcess
  pid: number
  api: string
  dashboard: string
  admin: string
  stdout(): string
  stderr(): string
  /** The exit code, or the signal that ended the process. */
  ended: Promise<number | string>
  /** Sends a signal; returns the exit code, or the signal that ended it. */
  end(signal: NodeJS.Signals): Promise<{ code: number | string }>
}

/** Starts the service from its bundle, like `npm start`, with only these settings. */
async function run(env: Record<string, string>): Promise<Run> {
  const [API_PORT, DASHBOARD_PORT, ADMIN_PORT, SITE_PORT] = await freePorts()
  const ports = { API_PORT, DASHBOARD_PORT, ADMIN_PORT, SITE_PORT }
  const settings: Record<string, string> = { DATA_DIR: dataFolder(), ...ports, ...env }
  const child = spawn(process.execPath, [join(root, 'dist', 'main.js')], {
    cwd: settings.DATA_DIR?.startsWith('/') ? '/' : root,
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const ended = new Promise<number | string>((resolve) =>
    child.once('close', (code, signal) => resolve(code ?? signal ?? '')),
  )
  cleanups.push(async () => {
    // Not SIGKILL, which would orphan an embedded database.
    child.kill('SIGTERM')
    await ended
  })
  const urlOf = (port: string | undefined) => `http://127.0.0.1:${port}`
  return {
    child,
    pid: child.pid ?? 0,
    ended,
    api: urlOf(settings.API_PORT),
    dashboard: urlOf(settings.DASHBOARD_PORT),
    admin: urlOf(settings.ADMIN_PORT),
    stdout: () => stdout,
    stderr: () => stderr,
    async end(signal) {
      child.kill(signal)
      return { code: await ended }
    },
  }
}

/** The same, once it has reported that it is ready. */
async function start(env: Record<string, string>): Promise<Run> {
  const service = await run(env)
  await Promise.race([
    expect.poll(() => service.stdout()).toContain('Vitrine is ready'),
    service.ended.then(() => Promise.reject(new Error(service.stderr()))),
  ])
  return service
}

const statusOf = async (url: string) => (await fetch(url)).status
const workspacesOf = async (api: string, key: string) => {
  const headers = { Authorization: `Bearer ${key}` }
  const response = await fetch(`${api}/v1/workspaces`, { headers })
  const body = (await response.json()) as { workspaces?: { id: string }[] }
  return { status: response.status, ids: body.workspaces?.map(({ id }) => id) }
}

/** For services whose shop no test looks at: drawing the demo takes longer than the start. */
const withoutDemo = { SEED_DEMO: 'false' }

interface Demo {
  apiKey: string
  workspaceId: string
  webhookSecret: string
}
const demoFile = (dataDir: string) => join(dataDir, 'demo.json')
const demoOf = (dataDir: string) => JSON.parse(readFileSync(demoFile(dataDir), 'utf8')) as Demo
const postmasterFile = (dataDir: string) => join(dataDir, 'postgres', 'postmaster.pid')
const postmasterOf = (dataDir: string) =>
  Number(readFileSync(postmasterFile(dataDir), 'utf8').split('\n')[0])

describe('a service on a fresh folder', () => {
  const dataDir = () => folder
  let key: string

  test('serves three origins, prints how to begin, and stops with everything it started', async () => {
    const service = await start({ DATA_DIR: dataDir() })
    for (const url of [service.api, service.dashboard, service.admin])
      expect(await statusOf(`${url}/readyz`)).toBe(200)
    const { apiKey, workspaceId, webhookSecret, ...rest } = demoOf(dataDir())
    key = apiKey
    const localhost = (url: string) => url.replace('127.0.0.1', 'localhost')
    expect(statSync(demoFile(dataDir())).mode & 0o777).toBe(0o600)
    expect(rest).toEqual({
      baseUrl: localhost(service.api),
      dashboardUrl: localhost(service.dashboard),
      adminUrl: localhost(service.admin),
      siteUrl: /^ *Shop +(http:\/\/gul-kozmetik\.localhost:\d+)$/m.exec(service.stdout())?.[1],
      accountEmail: 'demo@example.com',
    })
    expect(webhookSecret).toMatch(/^whsec_[\w-]{32,}$/)
    expect(await workspacesOf(service.api, key)).toEqual({ status: 200, ids: [workspaceId] })

    const line = service.stdout().match(/^ *(curl .*)$/m)?.[1] ?? ''
    expect(line).toBe(
      `curl -H 'Authorization: Bearer ${key}' ${localhost(service.api)}/v1/workspaces`,
    )
    const curl = spawnSync('sh', ['-c', line.replace('curl', 'curl -s')], { encoding: 'utf8' })
    // 127 on a machine without curl.
    if (curl.status !== 127) expect(curl.stdout).toContain(workspaceId)

    const postmaster = postmasterOf(dataDir())
    const idle = await openConnection(service.api)
    idle.send(requestText('GET', '/healthz'))
    expect((await idle.answer()).status).toBe(200)
    const silent = await openConnection(service.dashboard)
    const { code } = await service.end('SIGTERM')
    expect([code, service.stderr()]).toEqual([0, ''])
    expect(isRunning(postmaster)).toBe(false)
    await Promise.all([idle.ended, silent.ended])
  })

  test('keeps its demo key and adds nothing on a second start, and survives kill -9', async () => {
    const before = readFileSync(demoFile(dataDir()), 'utf8')
    const second = await start({ DATA_DIR: dataDir() })
    expect(readFileSync(demoFile(dataDir()), 'utf8')).toBe(before)
    const ids = [demoOf(dataDir()).workspaceId]
    expect(await workspacesOf(second.api, key)).toEqual({ status: 200, ids })
    expect(second.stdout()).toContain(`Bearer ${key}`)
    expect((await second.end('SIGKILL')).code).toBe('SIGKILL')

    const third = await start({ DATA_DIR: dataDir() })
    expect(await workspacesOf(third.api, key)).toEqual({ status: 200, ids })
    expect((await third.end('SIGINT')).code).toBe(0)
  })

  test('leaves no orphaned database when stopped before it is ready', async () => {
    const service = await run({ DATA_DIR: dataDir() })
    // The file exists shortly before it has content.
    const postmasterPid = () =>
      existsSync(postmasterFile(dataDir())) ? postmasterOf(dataDir()) : 0
    await expect.poll(postmasterPid, { interval: 5 }).toBeGreaterThan(0)
    const postmaster = postmasterPid()
    service.child.kill('SIGTERM')
    await service.ended
    await expect.poll(() => isRunning(postmaster)).toBe(false)
  })

  test('refuses to start while another service uses it', async () => {
    const service = await start({ DATA_DIR: dataDir() })
    const other = await run({ DATA_DIR: dataDir() })
    expect(await other.ended).toBe(1)
    expect(other.stderr()).toContain(`Another service, process ${service.pid}, is using`)
    expect(await statusOf(`${service.api}/readyz`)).toBe(200)
  })

  test('shares no data with one beside it, and they refuse each other’s keys', async () => {
    const other = dataFolder()
    const one = await start({ DATA_DIR: dataDir() })
    const two = await start({ DATA_DIR: other })
    const [first, second] = [demoOf(dataDir()), demoOf(other)]
    expect((await workspacesOf(one.api, first.apiKey)).ids).toEqual([first.workspaceId])
    expect((await workspacesOf(two.api, second.apiKey)).ids).toEqual([second.workspaceId])
    expect((await workspacesOf(two.api, first.apiKey)).status).toBe(401)
    expect((await workspacesOf(one.api, second.apiKey)).status).toBe(401)
    const ends = await Promise.all([one.end('SIGTERM'), two.end('SIGTERM')])
    expect(ends.map(({ code }) => code)).toEqual([0, 0])
  })
})

test('two services can start concurrently on one empty database', async () => {
  const { DATABASE_URL } = withDemo
  const folders = [dataFolder(), dataFolder()]
  const services = await Promise.all(folders.map((DATA_DIR) => start({ DATABASE_URL, DATA_DIR })))
  for (const { api } of services) expect(await statusOf(`${api}/readyz`)).toBe(200)
  // One of them has drawn the demo.
  const [DATA_DIR = '', ...others] = folders.filter((each) => existsSync(demoFile(each)))
  expect(others).toEqual([])
  withDemo = { DATABASE_URL, DATA_DIR }
})

describe('a service that cannot start', () => {
  test.each(['API_PORT', 'DASHBOARD_PORT', 'ADMIN_PORT', 'SITE_PORT'])(
    'because %s is in use says so in one line and leaves nothing running',
    async (setting) => {
      const port = await takenPort()
      const embedded = setting === 'API_PORT'
      const DATA_DIR = embedded ? folder : dataFolder()
      const service = await run({
        ...withoutDemo,
        DATA_DIR,
        [setting]: port,
        ...(embedded ? {} : { DATABASE_URL: await database() }),
      })
      expect(await service.ended).toBe(1)
      expect(service.stderr()).toBe(`Port ${port} is taken. Set ${setting} to another.\n`)
      expect(service.stdout()).not.toContain('ready')
      if (embedded) expect(existsSync(postmasterFile(DATA_DIR))).toBe(false)
    },
  )

  test('because of its settings lists every problem and touches nothing', async () => {
    const DATA_DIR = join(dataFolder(), 'new')
    const service = await run({ DATA_DIR, ENVIRONMENT: 'production', LOG_LEVEL: 'loud' })
    expect(await service.ended).toBe(1)
    expect(service.stdout()).toBe('')
    expect(service.stderr().split('\n')).toEqual([
      'The settings are not valid:',
      '  - LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent.',
      '  - SECRET_KEY must be set in production.',
      '  - DATABASE_URL must be set in production.',
      '  - SMTP_URL must be set in production.',
      '  - BASE_URL must be set in production.',
      '  - DASHBOARD_URL must be set in production.',
      '  - ADMIN_URL must be set in production.',
      '  - STRIPE_SECRET_KEY must be set in production.',
      '  - STRIPE_WEBHOOK_SECRET must be set in production.',
      '  - MAIL_FROM must be a real address in production.',
      '',
    ])
    expect(existsSync(DATA_DIR)).toBe(false)
  })

  test('because its database belongs to the other environment says so and writes nothing', async () => {
    const service = await run({
      ENVIRONMENT: 'production',
      SECRET_KEY: 's'.repeat(40),
      SMTP_URL: 'smtp://127.0.0.1:1',
      DATABASE_URL: await database(),
      MAIL_FROM: 'shop@example.com',
      BASE_URL: 'https://api.example',
      DASHBOARD_URL: 'https://example.com',
      ADMIN_URL: 'https://admin.example',
      STRIPE_SECRET_KEY: 'sk_live_x',
      STRIPE_WEBHOOK_SECRET: 'whsec_stated_here',
    })
    expect(await service.ended).toBe(1)
    expect(service.stderr()).toBe(
      'The database belongs to a development service and this one runs as production: ' +
        'set ENVIRONMENT or the database to match.\n',
    )
  })

  test('because its database does not answer says so without the password', async () => {
    const [port] = await freePorts()
    const DATABASE_URL = `postgres://user:hunter2@127.0.0.1:${port}/vitrine`
    const service = await run({ DATABASE_URL })
    expect(await service.ended).toBe(1)
    expect(service.stderr()).toContain(`127.0.0.1:${port}`)
    expect(service.stderr()).not.toContain('hunter2')
  })
})

describe('a request in progress at SIGTERM', () => {
  test('is answered before the process ends, and no new connection is accepted', async () => {
    const service = await start(withDemo)
    const { apiKey, workspaceId } = demoOf(withDemo.DATA_DIR)
    const operator = new pg.Client(withDemo.DATABASE_URL)
    await operator.connect()
    await operator.query('begin; lock table workspaces')
    const path = `/v1/workspaces/${workspaceId}/workspace`
    const connection = await openConnection(service.api)
    const headers = { Authorization: `Bearer ${apiKey}` }
    connection.send(requestText('GET', path, { headers }))
    const query = `select pg_stat_clear_snapshot(), 1 from pg_locks where not granted`
    await expect.poll(async () => (await operator.query(query)).rowCount).toBe(1)

    service.child.kill('SIGTERM')
    const isOpen = () =>
      openConnection(service.api).then(
        (another) => {
          another.close()
          return true
        },
        () => false,
      )
    await expect.poll(isOpen).toBe(false)
    await operator.query('commit')
    await operator.end()
    const { status, headers: answerHeaders, body } = await connection.answer()
    expect([status, answerHeaders.connection]).toEqual([200, 'close'])
    expect(JSON.parse(body)).toMatchObject({ id: workspaceId })
    expect(await service.ended).toBe(0)
  })
})

describe('several processes', () => {
  const childrenOf = (pid: number) =>
    execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number))
      .flatMap(([child, parent]) => (parent === pid && child ? [child] : []))
      .filter(isRunning)

  test('serve as one, replace one that dies, and stop together', async () => {
    const METRICS_TOKEN = 'a-token-of-the-tests'
    const service = await start({ ...withDemo, METRICS_TOKEN, WEB_CONCURRENCY: '2' })
    const { apiKey, workspaceId } = demoOf(withDemo.DATA_DIR)
    const first = childrenOf(service.pid)
    expect(first).toHaveLength(2)

    // One connection per call, so that both processes get some.
    const remaining: number[] = []
    for (let count = 0; count < 6; count++) {
      const connection = await openConnection(service.api)
      const headers = { Authorization: `Bearer ${apiKey}` }
      connection.send(requestText('GET', '/v1/workspaces', { headers }))
      const answer = await connection.answer()
      connection.close()
      remaining.push(Number(/;r=(\d+)/.exec(answer.headers.ratelimit ?? '')?.[1]))
    }
    expect(remaining).toEqual([119, 118, 117, 116, 115, 114])
    // Every process reports the counts of all.
    const callCount = async () => {
      const headers = { Authorization: `Bearer ${METRICS_TOKEN}` }
      const text = await (await fetch(`${service.admin}/metrics`, { headers })).text()
      return /operation="list_workspaces",status="200"\} (\d+)/.exec(text)?.[1]
    }
    await expect.poll(callCount).toBe('6')

    for (const worker of first) {
      const others = childrenOf(service.pid).filter((pid) => pid !== worker)
      process.kill(worker, 'SIGKILL')
      await expect
        .poll(() => childrenOf(service.pid).filter((pid) => !others.includes(pid)))
        .toSatisfy((fresh: number[]) => fresh.length === 1 && fresh[0] !== worker)
      // Briefly no process may listen, if the second dies before the first is replaced.
      const workspaces = () => workspacesOf(service.api, apiKey).catch(() => undefined)
      await expect.poll(workspaces).toEqual({ status: 200, ids: [workspaceId] })
    }
    expect(service.stdout().match(/A worker ended and is replaced\./g)).toHaveLength(2)

    const last = childrenOf(service.pid)
    const { code } = await service.end('SIGTERM')
    expect(code).toBe(0)
    expect(last.filter(isRunning)).toEqual([])
  })

  test('that find their port in use say so once and leave nothing running', async () => {
    const port = await takenPort()
    const DATABASE_URL = await database()
    const settings = { ...withoutDemo, DATABASE_URL, WEB_CONCURRENCY: '2', API_PORT: port }
    const service = await run(settings)
    expect(await service.ended).toBe(1)
    expect(service.stderr()).toBe(`Port ${port} is taken. Set API_PORT to another.\n`)
  })
})
