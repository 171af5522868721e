/** Places of one account or address: those taken, and the calls that wait for one. */
interface Share {
  taken: number
  /** Made when the first one waits, as few do. */
  waiting?: Set<() => void>
}

/** More calls of one account than this do not wait: each would only time out. */
const usuallyWaiting = 500

/**
 * Lets each account hold only so many places at once, such as connections of a pool. Its further calls
 * wait for one another here, outside the queue of the pool, where they would stand before the calls of
 * others.
 */
export function createShares({
  places,
  seconds,
  maxWaiting = usuallyWaiting,
}: {
  places: number
  seconds: number
  maxWaiting?: number
}): {
  /** Takes a place, at once where one is free, and answers what gives it back. */
  take(account: string): (() => void) | Promise<() => void>
} {
  const shares = new Map<string, Share>()

  function giveBack(account: string, share: Share): void {
    const [next] = share.waiting ?? []
    // A place that is passed on stays taken.
    if (next) return next()
    share.taken--
    if (share.taken === 0) shares.delete(account)
  }

  function wait(waiting: Set<() => void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const proceed = () => {
        clearTimeout(timer)
        waiting.delete(proceed)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.delete(proceed)
        reject(new NoPlaceError())
      }, seconds * 1000)
      waiting.add(proceed)
    })
  }

  return {
    take(account) {
      const share = shares.get(account) ?? { taken: 0 }
      shares.set(account, share)
      const leave = () => giveBack(account, share)
      if (share.taken < places) {
        share.taken++
        return leave
      }
      const waiting = (share.waiting ??= new Set())
      if (waiting.size >= maxWaiting) throw new NoPlaceError()
      return wait(waiting).then(() => leave)
    },
  }
}

/** An account has used its connections for longer than a call can wait. */
export class NoPlaceError extends Error {}
