import type { Log } from '../../core/log.ts'
import type { Connection } from '../../db/connect.ts'
import { listGrown, renewStatistics } from '../../db/statistics.ts'

const lookMilliseconds = 10_000

/** On a slow disk, looking at a large table takes seconds: no more than a twentieth of the time goes into it. */
const restPerWork = 20

export interface Statistics {
  look(): Promise<void>
  stop(): void
}

/**
 * Has PostgreSQL know a shop that grows fast. It looks by itself once a minute, where a tenth of a table has changed:
 * until then, in an installation of few shops, the pages of the new one would take seconds. Several services do not
 * look at a table twice: the first has it locked, and afterwards it has not grown. On a distributed database only
 * PostgreSQL looks at the shards.
 *
 * Without statistics of the workspaces (`set statistics 0`) the plans of all shops would change, and `n_distinct` does
 * nothing where the known workspaces make up the whole table.
 */
export function startStatistics({
  background,
  probe,
  log,
}: Pick<Connection, 'background' | 'probe'> & { log: Log }): Statistics {
  let busyUntil = 0
  async function look(): Promise<void> {
    const startedAt = performance.now()
    if (startedAt < busyUntil) return
    busyUntil = Infinity
    try {
      const grown = await listGrown(probe)
      if (grown.length > 0)
        await background.transaction().execute((trx) => renewStatistics(trx, grown))
    } catch (err) {
      log.debug({ err }, 'The statistics of tables that have grown were not renewed.')
    } finally {
      const endedAt = performance.now()
      busyUntil = endedAt + restPerWork * (endedAt - startedAt)
    }
  }
  const timer = setInterval(() => void look(), lookMilliseconds)
  timer.unref()
  return { look, stop: () => clearInterval(timer) }
}
