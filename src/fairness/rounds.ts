/** Work that waits in the database, done in the background. */
export interface Rounds {
  /** Looks for work at once. Call it after the commit that made the work. */
  kick(): void
  /** Resolves when no work is left; rejects if it could not be looked for. */
  flush(): Promise<void>
  /** Resolves when the work in progress ends; no other begins. */
  stop(): Promise<void>
}

interface RoundsParts {
  /** Starts waiting work and tells whether there was any. Work that it does not await is handed over. */
  look: (handOver: (work: Promise<void>) => void) => Promise<boolean>
  /** How often to look without a kick. */
  everyMilliseconds: number
  onFailure: (error: unknown) => void
}

/** Looks for work now and then and when kicked, in one round at a time, until none is found. */
export function startRounds({ look, everyMilliseconds, onFailure }: RoundsParts): Rounds {
  const underway = new Set<Promise<void>>()
  let running: Promise<void> | undefined
  let kicked = false
  let stopped = false
  /** Ends the wait for a kick or for handed-over work. */
  let wake = () => undefined as void

  function handOver(work: Promise<void>): void {
    const done: Promise<void> = work.finally(() => {
      underway.delete(done)
      // A look that ran meanwhile skipped everything that this work had claimed, so look again.
      kicked = true
      wake()
    })
    underway.add(done)
  }

  async function run(): Promise<void> {
    try {
      while (!stopped) {
        kicked = false
        const changed = new Promise<void>((resolve) => (wake = resolve))
        const found = await look(handOver)
        if (kicked) continue
        if (underway.size > 0) await changed
        else if (!found) return
      }
    } finally {
      await Promise.all(underway)
    }
  }

  function kick(): void {
    if (stopped) return
    kicked = true
    wake()
    if (running) return
    running = run().finally(() => {
      running = undefined
      // The work behind the kick may have been committed after the last look.
      if (kicked) kick()
    })
    running.catch(onFailure)
  }

  const looking = setInterval(kick, everyMilliseconds)
  looking.unref()

  return {
    kick,
    async flush() {
      kick()
      while (running) await running
    },
    async stop() {
      stopped = true
      clearInterval(looking)
      wake()
      await running?.catch(() => undefined)
    },
  }
}
