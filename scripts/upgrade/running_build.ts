import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../test/kit/free_ports.ts'

/** A build of the service as a process of its own. */
export interface RunningBuild {
  pid: number
  api: string
  /** Resolves once it answers; rejects if it ends first. */
  ready: Promise<void>
  /** Resolves once it has logged so many steps of migrations, or is ready. */
  migrated(steps: number): Promise<void>
  /** Lines about migrations so far. */
  steps(): string[]
  /** The lines it has logged of faults. */
  faults(): string[]
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
}

/** Starts the build in a folder, which has been built. */
export async function startBuild(
  folder: string,
  settings: Record<string, string>,
): Promise<RunningBuild> {
  const [apiPort, dashboardPort, adminPort] = [await freePort(), await freePort(), await freePort()]
  const child = spawn(process.execPath, ['dist/main.js'], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      API_PORT: String(apiPort),
      DASHBOARD_PORT: String(dashboardPort),
      ADMIN_PORT: String(adminPort),
      SITE_PORT: '0',
      RATE_LIMIT_PER_MINUTE: '1000000',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  const listen = (chunk: Buffer) => lines.push(...chunk.toString().split('\n'))
  for (const stream of [child.stdout, child.stderr]) stream.on('data', listen)
  const api = `http://127.0.0.1:${settings['API_PORT'] ?? apiPort}`
  let isReady = false
  const ready = waitUntilReady(child, api, lines).then(() => void (isReady = true))
  ready.catch(() => undefined)
  const steps = () => lines.filter((line) => line.includes('Migrating, '))
  return {
    pid: child.pid!,
    api,
    ready,
    steps,
    faults: () => lines.filter((line) => /"level":(50|60)/.test(line)),
    async migrated(count) {
      while (!isReady && isAlive(child) && steps().length < count) await pause(5)
    },
    async stop(signal) {
      if (!isAlive(child)) return child.exitCode
      const ended = once(child, 'exit')
      child.kill(signal)
      const [code] = (await ended) as [number | null]
      return code
    },
  }
}

const isAlive = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null

async function waitUntilReady(child: ChildProcess, api: string, lines: string[]): Promise<void> {
  for (;;) {
    if (!isAlive(child)) throw new Error(`It did not start: ${lines.slice(-5).join('\n')}`)
    const answer = await fetch(`${api}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    await pause(100)
  }
}
