import { type ChildProcess, spawn } from 'node:child_process'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** The bundle that is measured. */
export const serviceFile = join(import.meta.dirname, '..', '..', 'dist', 'main.js')

/** A server that is measured. */
export interface Side {
  origin: string
  pid: number
  stop: () => Promise<void>
}

/** Starts a server as a process of its own and waits until it answers. Its log goes nowhere. */
export async function startSide(
  port: number,
  args: string[],
  env: NodeJS.ProcessEnv,
): Promise<Side> {
  // Elsewhere than in the project, whose .env would add settings.
  const child = spawn(process.execPath, args, {
    cwd: tmpdir(),
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  // A bench that is interrupted leaves nothing running.
  process.once('exit', () => child.kill('SIGKILL'))
  await untilListening(child, port)
  const stop = () => {
    child.kill('SIGTERM')
    return ended
  }
  return { origin: `http://127.0.0.1:${port}`, pid: child.pid!, stop }
}

async function untilListening(child: ChildProcess, port: number): Promise<void> {
  while (child.exitCode === null) {
    const answered = await fetch(`http://127.0.0.1:${port}/`, { redirect: 'manual' }).then(
      () => true,
      () => false,
    )
    if (answered) return
    await delay(100)
  }
  throw new Error('A server that was to be measured did not start.')
}

export function freePort(): Promise<number> {
  return new Promise((found, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => found(port))
    })
  })
}
