/** How much holders have used lately. */
export interface RecentUse {
  add(holder: string, amount: number): void
  /** In the previous span and the current one. */
  of(holder: string): number
}

/** Sums by spans of time, so that old use is forgotten without visiting each holder. */
export function createRecentUse(
  spanMilliseconds: number,
  clock: () => number = () => performance.now(),
): RecentUse {
  let [ended, running] = [new Map<string, number>(), new Map<string, number>()]
  let endsAt = clock() + spanMilliseconds

  function turnOver(): void {
    const now = clock()
    if (now < endsAt) return
    ended = now < endsAt + spanMilliseconds ? running : new Map<string, number>()
    running = new Map()
    endsAt = now + spanMilliseconds
  }

  return {
    add(holder, amount) {
      turnOver()
      running.set(holder, (running.get(holder) ?? 0) + amount)
    },
    of(holder) {
      turnOver()
      return (ended.get(holder) ?? 0) + (running.get(holder) ?? 0)
    },
  }
}
