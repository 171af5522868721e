import type { Log } from '../../core/log.ts'
import { setReplicaUp } from '../../core/telemetry/replica_metrics.ts'

/** Knows whether the replica can be asked. */
export interface ReplicaWatch {
  isUp(): boolean
  /** Notes a fault: no call asks the replica until it has been examined successfully. */
  fail(error: unknown): void
  /** The result of a query to the replica; rejects as soon as another query has met a fault. */
  whileUp<T>(work: Promise<T>): Promise<T>
  stop(): void
}

/** How often the replica is examined while it is away. No caller waits for that. */
const lookMilliseconds = 1000

/** Examines the replica until `examine` finds nothing wrong with it. */
export function watchReplica(examine: () => Promise<string | undefined>, log: Log): ReplicaWatch {
  let isUp = false
  let isKnown = false
  let isLooking = false
  let isStopped = false
  /** Rejects each query in progress. */
  const asking = new Set<() => void>()

  function note(reason: string | undefined): void {
    if (isStopped) return
    const isWell = reason === undefined
    if (isKnown && isWell === isUp) return
    isKnown = true
    isUp = isWell
    setReplicaUp(isWell)
    if (isWell) log.info('Catalogues are read from the replica.')
    else log.warn({ reason }, 'The replica cannot be used: all reads go to the primary.')
  }

  async function look(): Promise<void> {
    if (isUp || isLooking) return
    isLooking = true
    note(await examine().catch(textOf))
    isLooking = false
  }

  const timer = setInterval(() => void look(), lookMilliseconds).unref()
  void look()

  return {
    isUp: () => isUp,
    fail(error) {
      note(textOf(error))
      for (const leave of asking) leave()
    },
    whileUp: (work) =>
      new Promise((resolve, reject) => {
        const leave = () => reject(new Error('The replica has failed.'))
        asking.add(leave)
        work.then(resolve, reject).finally(() => asking.delete(leave))
      }),
    stop() {
      isStopped = true
      isUp = false
      clearInterval(timer)
    },
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
