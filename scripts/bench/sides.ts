import { type ChildProcess, spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { FloorTask } from './floor.ts'
import { call, type CallRequest } from './load.ts'
import { productPath, publishedPath, visitorHeaders } from './scenarios.ts'
import type { Shop } from './seed.ts'
import { freePort } from '../../test/kit/free_ports.ts'

/** The bundle that is measured. */
export const serviceFile = join(import.meta.dirname, '..', '..', 'dist', 'main.js')
const floorFile = join(import.meta.dirname, 'floor.ts')

/** A server under measurement, in a separate process. */
export interface Side {
  origin: string
  pid: number
  stop: () => Promise<void>
}

/** The service, whose shops have an origin of their own. */
export interface ServiceSide extends Side {
  site: string
}

export async function startService(
  databaseUrl: string,
  dataDir: string,
  logFile?: string,
  settings: NodeJS.ProcessEnv = {},
): Promise<ServiceSide> {
  const port = await freePort()
  const sitePort = await freePort()
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    API_PORT: String(port),
    DASHBOARD_PORT: '0',
    ADMIN_PORT: '0',
    SITE_PORT: String(sitePort),
    SEED_DEMO: 'false',
    RATE_LIMIT_PER_MINUTE: '1000000',
    // Visitors come from many addresses: one alone is held back.
    TRUST_PROXY: 'loopback',
    ...settings,
  }
  const side = await startSide(port, [serviceFile], env, logFile)
  return { ...side, site: `http://127.0.0.1:${sitePort}` }
}

export async function startFloor(
  databaseUrl: string,
  service: Side,
  shop: Shop,
  products: number,
): Promise<Side> {
  const port = await freePort()
  const ignored = new Set(['date', 'connection', 'keep-alive', 'content-length'])
  const headersOf = async (request: Omit<CallRequest, 'method'>) => {
    const { headers } = await call(service.origin, shop.apiKey, { method: 'GET', ...request })
    const entries = Object.entries(headers).filter(([name]) => !ignored.has(name))
    return Object.fromEntries(entries) as Record<string, string>
  }
  const published = publishedPath(shop.workspaceId)
  const task: FloorTask = {
    databaseUrl,
    port,
    products,
    shop,
    baseUrl: service.origin.replace('127.0.0.1', 'localhost'),
    headers: await headersOf({ path: productPath(shop.workspaceId) }),
    visitHeaders: await headersOf({ path: published, headers: visitorHeaders(shop) }),
  }
  const env = { PATH: process.env.PATH, FLOOR_TASK: JSON.stringify(task) }
  return startSide(port, ['--import', import.meta.resolve('tsx'), floorFile], env)
}

/** Starts a server in a separate process and waits until it answers. Its log may be discarded. */
export async function startSide(
  port: number,
  args: string[],
  env: NodeJS.ProcessEnv,
  logFile?: string,
): Promise<Side> {
  // Outside the project, whose .env would add settings.
  const child = spawn(process.execPath, args, {
    cwd: tmpdir(),
    env,
    stdio: ['ignore', logFile === undefined ? 'ignore' : openSync(logFile, 'a'), 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  // Leave nothing running if the bench is interrupted.
  process.once('exit', () => child.kill('SIGKILL'))
  await waitUntilListening(child, port)
  const stop = () => {
    child.kill('SIGTERM')
    return ended
  }
  return { origin: `http://127.0.0.1:${port}`, pid: child.pid!, stop }
}

async function waitUntilListening(child: ChildProcess, port: number): Promise<void> {
  while (child.exitCode === null) {
    const isUp = await fetch(`http://127.0.0.1:${port}/`, { redirect: 'manual' }).then(
      () => true,
      () => false,
    )
    if (isUp) return
    await delay(100)
  }
  throw new Error('A server that was to be measured did not start.')
}
