import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { median, processCpu, processMemory } from './cpu.ts'
import { makeDataFolder } from './data_folder.ts'
import { load, type CallRequest } from './load.ts'
import { serviceFile } from './sides.ts'
import { freePort } from '../../test/kit/free_ports.ts'

export interface StartFigures {
  /** CPU milliseconds from start to ready, on an existing database. */
  cpu: number
  /** Megabytes of the process: when ready, and after some thousand calls. */
  idle: number
  loaded: number
}

/** Starts the service as in production. Its database is a separate process and not counted. */
export async function benchStart(): Promise<StartFigures> {
  const dataDir = await makeDataFolder()
  try {
    await startOnce(dataDir)
    const runs = [await startOnce(dataDir), await startOnce(dataDir), await startOnce(dataDir)]
    const loaded = await startOnce(dataDir, (origin) => callEverything(origin, dataDir))
    return {
      cpu: median(runs.map(({ cpu }) => cpu)),
      idle: median(runs.map(({ memory }) => memory)),
      loaded: loaded.memory,
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function startOnce(
  dataDir: string,
  use: (origin: string) => Promise<void> = () => Promise.resolve(),
): Promise<{ cpu: number; memory: number }> {
  const port = await freePort()
  const child = spawn(process.execPath, [serviceFile], {
    // A folder without settings.
    cwd: dataDir,
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      API_PORT: String(port),
      DASHBOARD_PORT: '0',
      ADMIN_PORT: '0',
      SITE_PORT: '0',
      RATE_LIMIT_PER_MINUTE: '1000000',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  try {
    await waitForOutput(child, 'is ready')
    const cpu = processCpu(child.pid!)
    await use(`http://127.0.0.1:${port}`)
    return { cpu, memory: processMemory(child.pid!) }
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

/** Calls of every weight: product lists, one product, a search, writes, documents and files. */
async function callEverything(origin: string, dataDir: string): Promise<void> {
  const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Demo
  const workspace = `/v1/workspaces/${demo.workspaceId}`
  const get = (path: string, calls: number) => ({
    calls,
    next: (): CallRequest => ({ method: 'GET', path }),
  })
  let created = 0
  const create = (): CallRequest => {
    const name = `Measured ${++created}`
    return { method: 'POST', path: `${workspace}/tags`, body: JSON.stringify({ name }) }
  }
  for (const { next, calls } of [
    get(`${workspace}/products?pageSize=50`, 4000),
    get(`${workspace}/products?search=cream`, 2000),
    get(`${workspace}/collections`, 2000),
    get(`${workspace}/media`, 1000),
    get('/v1/workspaces', 1000),
    get('/v1/openapi.json', 200),
    get('/docs/reference', 100),
    { calls: 90, next: create },
  ])
    await load(origin, demo.apiKey, next, { seconds: 60, calls })
}

interface Demo {
  apiKey: string
  workspaceId: string
}

function waitForOutput(child: ChildProcess, text: string): Promise<void> {
  let output = ''
  return new Promise((resolve, reject) => {
    child.stdout!.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes(text)) resolve()
    })
    child.once('exit', () => reject(new Error(`The service ended before it was ready.\n${output}`)))
  })
}
