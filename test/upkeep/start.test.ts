import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { createDatabase } from '../kit/database.ts'
import { freePorts } from '../kit/free_ports.ts'

const root = join(import.meta.dirname, '..', '..')
const cleanups: (() => unknown)[] = []

beforeAll(() => {
  execFileSync(process.execPath, [join(root, 'scripts', 'build.mjs')])
})
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

function folder(): string {
  const path = mkdtempSync(join(inject('scratchFolder'), 'start-'))
  chmodSync(path, 0o711)
  return path
}

interface Run {
  child: ChildProcess
  output: () => string
  ended: Promise<unknown>
}

function run(script: string, cwd: string, env: Record<string, string | undefined>): Run {
  const child = spawn(process.execPath, [join(root, script)], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = once(child, 'close').then(([code]) => code as unknown)
  cleanups.push(() => {
    child.kill('SIGTERM')
    return ended
  })
  return { child, output: () => output, ended }
}

function childrenOf(pid: number): string[] {
  return execFileSync('ps', ['-A', '-o', 'ppid=,stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([parent, state]) => Number(parent) === pid && !state?.startsWith('Z'))
    .map(([, , ...args]) => args.join(' '))
}

describe('npm start', () => {
  test('builds nothing if nothing has changed, and leaves one process that exits with 0', async () => {
    const database = await createDatabase()
    cleanups.push(() => database.drop())
    const [API_PORT, DASHBOARD_PORT, ADMIN_PORT, SITE_PORT] = await freePorts()
    const buildTimes = () =>
      ['main.js', 'service.js', 'pages.json', 'tools.json'].map(
        (name) => statSync(join(root, 'dist', name)).mtimeMs,
      )
    const before = buildTimes()
    const { child, output, ended } = run('scripts/start.mjs', folder(), {
      DATABASE_URL: database.url,
      DATA_DIR: folder(),
      SEED_DEMO: 'false',
      API_PORT,
      DASHBOARD_PORT,
      ADMIN_PORT,
      SITE_PORT,
    })
    await expect.poll(output).toContain('Vitrine is ready')
    expect(buildTimes()).toEqual(before)
    expect(childrenOf(child.pid ?? 0)).toEqual([])
    expect((await fetch(`http://127.0.0.1:${API_PORT}/readyz`)).status).toBe(200)

    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  })
})

describe('node dist/main.js', () => {
  test('reads settings from .env in its working directory; the environment wins', async () => {
    const cwd = folder()
    writeFileSync(join(cwd, '.env'), 'API_PORT=many\nLOG_LEVEL=loud\n')
    const { output, ended } = run('dist/main.js', cwd, { LOG_LEVEL: 'info' })
    expect(await ended).toBe(1)
    expect(output()).toMatch(/^The settings are not valid:\n {2}- API_PORT .*\n$/)
  })

  test('names settings that do not exist, and starts all the same', async () => {
    const database = await createDatabase()
    cleanups.push(() => database.drop())
    const cwd = folder()
    writeFileSync(join(cwd, '.env'), 'CACHE_SIZE=5\nSEED_DEMO=false\n')
    const [API_PORT, DASHBOARD_PORT, ADMIN_PORT, SITE_PORT] = await freePorts()
    const { output } = run('dist/main.js', cwd, {
      DATABASE_URL: database.url,
      DATABASE_MAX_CONNECTIONS: '5',
      SMTP_URLS: 'smtp://localhost',
      WEB_CONCURRENCY: '2',
      API_PORT,
      DASHBOARD_PORT,
      ADMIN_PORT,
      SITE_PORT,
    })
    await expect.poll(output).toContain('Vitrine is ready')
    const lines = output().split('\n')
    expect(lines.filter((line) => line.includes('is not a setting'))).toEqual([
      'CACHE_SIZE is not a setting and has no effect.',
      'DATABASE_MAX_CONNECTIONS is not a setting and has no effect. Similar ones: DATABASE_URL, DATABASE_REPLICA_URL, DATABASE_POOL_SIZE.',
      'SMTP_URLS is not a setting. Did you mean SMTP_URL?',
    ])
  })
})
