import { unavailable } from '../core/errors.ts'

/** Work that is done one at a time, in which holders take turns. */
export interface Lane {
  /**
   * Does the work when its turn has come. Refuses with 503 if too many wait, or if the signal ends
   * the wait.
   */
  inTurn<T>(holder: string, work: () => Promise<T>, terms?: Terms): Promise<T>
}

interface Terms {
  /** The cost of the work relative to that of others, in any unit. */
  cost?: number
  signal?: AbortSignal | undefined
}

interface Job {
  cost: number
  run: () => Promise<void>
  /** Refuses the job before its turn. */
  refuse: () => void
}

interface Line {
  jobs: Job[]
  /** The cost of the holder's jobs so far, starting from the lane's position when the holder arrived. */
  position: number
}

/**
 * Fair queueing: the next job is the one after which its holder would have had the least. So holders get
 * equal shares of the cost, and a cheap job of a holder that has had little waits only for the job in
 * progress, however many expensive jobs of others are waiting.
 *
 * When all places are taken, the holder whose waiting jobs cost most loses its newest job: a newcomer is
 * refused only if that holder is itself.
 */
export function createLane({
  maxWaiting = Infinity,
  maxOfHolder = Infinity,
}: {
  maxWaiting?: number
  /** Counts waiting jobs and the one in progress. */
  maxOfHolder?: number
} = {}): Lane {
  const lines = new Map<string, Line>()
  let waiting = 0
  let current: string | undefined
  /** The position of the holder whose job is in progress, before that job. */
  let position = 0

  function next(): Job | undefined {
    let first: { holder: string; line: Line; end: number } | undefined
    for (const [holder, line] of lines) {
      const [job] = line.jobs
      const end = line.position + (job?.cost ?? 0)
      if (job && (!first || end < first.end)) first = { holder, line, end }
      // It has had no more than a newcomer, so it can be forgotten.
      if (!job && line.position <= position) lines.delete(holder)
    }
    if (!first) return undefined
    const { holder, line, end } = first
    position = Math.max(position, line.position)
    line.position = end
    // Moved to the end: behind other holders that have had as much.
    lines.delete(holder)
    lines.set(holder, line)
    current = holder
    waiting--
    return line.jobs.shift()
  }

  async function runAll(): Promise<void> {
    for (let job = next(); job; job = next()) await job.run()
    current = undefined
    lines.clear()
    position = 0
  }

  function remove(line: Line, job: Job): void {
    line.jobs.splice(line.jobs.indexOf(job), 1)
    waiting--
  }

  /** Frees a place for the newcomer's job; false if the newcomer itself would have most waiting. */
  function makeRoom(newcomer: Line, cost: number): boolean {
    let [greatest, most] = [newcomer, costOf(newcomer) + cost]
    for (const line of lines.values()) {
      const own = line === newcomer ? 0 : costOf(line)
      if (own > most) [greatest, most] = [line, own]
    }
    const newest = greatest.jobs.at(-1)
    if (greatest === newcomer || !newest) return false
    remove(greatest, newest)
    newest.refuse()
    return true
  }

  return {
    inTurn(holder, work, { cost = 1, signal } = {}) {
      const line = lines.get(holder) ?? { jobs: [], position }
      const own = line.jobs.length + (current === holder ? 1 : 0)
      const isFull = waiting >= maxWaiting
      if (own >= maxOfHolder || signal?.aborted || (isFull && !makeRoom(line, cost)))
        return Promise.reject(unavailable())
      return new Promise((resolve, reject) => {
        const refuse = () => {
          signal?.removeEventListener('abort', leave)
          reject(unavailable())
        }
        const run = async () => {
          signal?.removeEventListener('abort', leave)
          await work().then(resolve, reject)
        }
        const job = { cost, run, refuse }
        const leave = () => {
          remove(line, job)
          refuse()
        }
        signal?.addEventListener('abort', leave, { once: true })
        if (line.jobs.length === 0) line.position = Math.max(line.position, position)
        line.jobs.push(job)
        waiting++
        lines.set(holder, line)
        if (current === undefined) void runAll()
      })
    },
  }
}

function costOf({ jobs }: Line): number {
  return jobs.reduce((sum, { cost }) => sum + cost, 0)
}
