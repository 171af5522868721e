import { setTimeout as pause } from 'node:timers/promises'
import type { LoadOutcome } from '../../upgrade/load.ts'
import type { Damage, World } from '../parts/world.ts'

export interface Outcome extends Damage {
  calls: number
  /** Calls that were told to come back, or found nobody: what a fault may do to them. */
  refused: number
  /** Calls that failed in any other way. */
  failed: string[]
  /** From the end of the fault until a call succeeded again. */
  recoverySeconds: number
}

export interface Drill {
  name: string
  about: string
  /** Whether calls may be refused while the fault lasts. */
  mayRefuse: boolean
  /** Seconds. */
  recoversWithin?: number
  run(): Promise<Outcome>
}

/** A 503, or a connection that was refused or cut: nothing that was acknowledged. */
const isRefusal = (failure: string): boolean => /: 503 |fetch failed|terminated/.test(failure)

export async function outcomeOf(
  world: World,
  load: LoadOutcome,
  recoverySeconds = 0,
): Promise<Outcome> {
  const failed = load.failures.filter((failure) => !isRefusal(failure))
  return {
    ...(await world.verify(load)),
    calls: Object.values(load.calls).reduce((sum, count) => sum + count, 0),
    refused: load.failures.length - failed.length,
    failed,
    recoverySeconds,
  }
}

/** Seconds until a write succeeds. */
export async function recovery(api: string, { workspaces: [shop] }: World): Promise<number> {
  const startedAt = performance.now()
  for (let number = 0; ; number++) {
    const answer = await fetch(`${api}/v1/workspaces/${shop!.id}/tags`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${shop!.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: `Recovered ${startedAt} ${number}` }),
    }).catch(() => undefined)
    await answer?.body?.cancel()
    if (answer?.ok) return Math.round((performance.now() - startedAt) / 100) / 10
    await pause(100)
  }
}

/** Nothing acknowledged is lost, nothing is counted wrong, and no call fails that need not. */
export function isHeld({ mayRefuse, recoversWithin }: Drill, outcome: Outcome): boolean {
  const { failed, refused, lost, miscounted, wallets, recoverySeconds } = outcome
  if (recoversWithin !== undefined && recoverySeconds > recoversWithin) return false
  return failed.length + lost + miscounted + wallets + (mayRefuse ? 0 : refused) === 0
}
