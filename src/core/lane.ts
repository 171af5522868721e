import { unavailable } from './errors.ts'

/** Work that is done one at a time, in which holders take turns. */
export interface Lane {
  /**
   * Does the work when its turn has come. Refuses with 503 if too many wait, or if the signal ends
   * the wait.
   */
  inTurn<T>(holder: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

type Job = () => Promise<void>

/** A holder with much work delays another by one piece of it at most. */
export function createLane({
  maxWaiting = Infinity,
  maxOfHolder = Infinity,
}: {
  maxWaiting?: number
  /** What waits and what is being done. */
  maxOfHolder?: number
} = {}): Lane {
  /** The holder that has waited longest since its last turn comes first. */
  const lines = new Map<string, Job[]>()
  let waiting = 0
  let current: string | undefined

  function next(): Job | undefined {
    for (const [holder, line] of lines) {
      // Behind the others, for its next turn.
      lines.delete(holder)
      const job = line.shift()
      if (line.length > 0) lines.set(holder, line)
      if (!job) continue
      current = holder
      waiting--
      return job
    }
    return undefined
  }

  async function runAll(): Promise<void> {
    for (let job = next(); job; job = next()) await job()
    current = undefined
  }

  return {
    inTurn(holder, work, signal) {
      const line = lines.get(holder) ?? []
      const own = line.length + (current === holder ? 1 : 0)
      if (own >= maxOfHolder || waiting >= maxWaiting || signal?.aborted)
        return Promise.reject(unavailable())
      return new Promise((resolve, reject) => {
        const job: Job = async () => {
          signal?.removeEventListener('abort', leave)
          await work().then(resolve, reject)
        }
        const leave = () => {
          line.splice(line.indexOf(job), 1)
          waiting--
          reject(unavailable())
        }
        signal?.addEventListener('abort', leave, { once: true })
        line.push(job)
        waiting++
        lines.set(holder, line)
        if (current === undefined) void runAll()
      })
    },
  }
}
