import type { QueueLine } from '../../db/schema/change_sets.ts'
import { type Rounds, startRounds } from '../../fairness/rounds.ts'
import type { SetKey } from '../../queries/change_sets/change_set_rows.ts'
import { claimSet, renewLease } from '../../queries/change_sets/queue.ts'
import {
  carryOn,
  leaseFrom,
  leaseMilliseconds,
  type SetWorker,
  takeBackFree,
  type WorkerParts,
} from './worker_steps.ts'

const lookMilliseconds = 5_000
/** Workspaces whose last turn is remembered. */
const mostRemembered = 100

/**
 * Carries on the steps of large sets: in a process one plan, one plan with pictures and one write at a
 * time, and workspaces take turns. Plans advance by some rows in a transaction, so that a killed process
 * loses no more than these; applying and undoing are one transaction each. The lease on a set keeps other
 * processes off it, and lets them take over. A step that takes too long again and again, or ends its process
 * or its connection, is given up; one that could not begin without the database, or that the end of the
 * process broke off, is not the worse for it.
 */
export function startChangeSetWorker(parts: WorkerParts): Rounds {
  const ending = new AbortController()
  const worker: SetWorker = { ...parts, ending: ending.signal, free: [] }
  const lines = (['plan', 'pictures', 'write'] as const).map((line) => startLine(worker, line))
  return {
    kick() {
      for (const line of lines) line.kick()
    },
    async flush() {
      await Promise.all(lines.map((line) => line.flush()))
    },
    async stop() {
      ending.abort()
      await Promise.all(lines.map((line) => line.stop()))
    },
  }
}

/** Carries on one set after the other, those of workspaces that had no turn lately first. */
function startLine(worker: SetWorker, line: QueueLine): Rounds {
  const { db, log, clock } = worker
  let lately: string[] = []
  return startRounds({
    everyMilliseconds: lookMilliseconds,
    onFailure: (err) => log.error({ err }, 'Change sets could not be read.'),
    async look() {
      await takeBackFree(worker)
      const now = clock()
      const claimed = await claimSet(db, line, { now, until: leaseFrom(now), lately })
      if (!claimed) return false
      const { workspaceId } = claimed
      lately = [...lately.filter((id) => id !== workspaceId), workspaceId].slice(-mostRemembered)
      await keepingLease(worker, claimed, () => carryOn(worker, claimed))
      return true
    },
  })
}

async function keepingLease(
  { db, clock }: SetWorker,
  key: SetKey,
  work: () => Promise<void>,
): Promise<void> {
  const renew = () => void renewLease(db, key, leaseFrom(clock())).catch(() => undefined)
  const renewing = setInterval(renew, leaseMilliseconds / 3)
  await work().finally(() => clearInterval(renewing))
}
