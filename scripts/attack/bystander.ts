import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** Another account that uses the service while it is attacked. */
export interface Bystander {
  origin: string
  workspaceId: string
  /** Used in turns, because each has its limit. */
  apiKeys: string[]
}

/** What another account noticed of an attack. */
export interface Noticed {
  calls: number
  failed: number
  p50: number
  p90: number
  p99: number
  worst: number
}

const callsFile = join(import.meta.dirname, 'bystander_calls.mjs')

/**
 * Calls the service as another account while the work runs, in a process of its own: the attack
 * must not slow down who measures it.
 */
export async function standBy(
  bystander: Bystander,
  work: () => Promise<unknown>,
): Promise<Noticed> {
  const child = spawn(process.execPath, [callsFile, JSON.stringify(bystander)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  // It says so when it has made its first call.
  await lines.next()
  try {
    await work()
  } finally {
    child.stdin.end()
  }
  return JSON.parse((await lines.next()).value as string) as Noticed
}
