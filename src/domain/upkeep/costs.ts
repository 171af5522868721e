import type { Kysely } from 'kysely'
import type { Log } from '../../core/log.ts'
import { minute } from '../../core/time.ts'
import type { Database } from '../../db/schema.ts'
import { addCosts, deleteOldCosts, type WorkspaceCost } from '../../queries/upkeep/costs.ts'

/** What one call has cost. */
interface CallCost {
  milliseconds: number
  databaseMilliseconds: number
  waitMilliseconds: number
  bytes: number
}

/** What the workspaces cost of this service, for `npm run top`. */
export interface Costs {
  add(workspaceId: string, cost: CallCost): void
  /** Writes what has come together. */
  flush(): Promise<void>
  stop(): Promise<void>
}

/** More workspaces than these are not told apart within a minute. */
const maxWorkspaces = 10_000

/** Adds up in memory, and writes once a minute: a row for each workspace that was called. */
export function startCosts({
  db,
  log,
  clock,
}: {
  db: Kysely<Database>
  log: Log
  clock: () => Date
}): Costs {
  let sums = new Map<string, WorkspaceCost>()

  async function flush(): Promise<void> {
    if (sums.size === 0) return
    const costs = [...sums.values()]
    sums = new Map()
    try {
      await addCosts(db, clock(), costs)
      await deleteOldCosts(db, clock())
    } catch (err) {
      log.debug({ err }, 'Costs of workspaces were not noted.')
    }
  }

  const timer = setInterval(() => void flush(), minute)
  timer.unref()
  return {
    add(workspaceId, { milliseconds, databaseMilliseconds, waitMilliseconds, bytes }) {
      let sum = sums.get(workspaceId)
      if (!sum) {
        if (sums.size >= maxWorkspaces) return
        sum = {
          workspaceId,
          calls: 0,
          milliseconds: 0,
          databaseMilliseconds: 0,
          waitMilliseconds: 0,
          bytes: 0,
        }
        sums.set(workspaceId, sum)
      }
      sum.calls++
      sum.milliseconds += milliseconds
      sum.databaseMilliseconds += databaseMilliseconds
      sum.waitMilliseconds += waitMilliseconds
      sum.bytes += bytes
    },
    flush,
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}
