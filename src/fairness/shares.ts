import { createHeld } from './held.ts'

/** Above this many waiting calls, an account's next call is refused at once: it would only time out. */
const usuallyWaiting = 500

/**
 * Lets each account hold only so many places at once, such as connections of a pool. Its further calls
 * queue here, not in the pool's own queue, where they would be ahead of other accounts' calls.
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
  /** Takes a place, at once where one is free; returns the function that gives it back. */
  take(account: string): (() => void) | Promise<() => void>
} {
  const taken = createHeld()
  const lines = new Map<string, Set<() => void>>()

  function giveBack(account: string): void {
    const [next] = lines.get(account) ?? []
    // A place that is passed on stays taken.
    if (next) next()
    else taken.add(account, -1)
  }

  function wait(account: string, line: Set<() => void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        line.delete(proceed)
        if (line.size === 0) lines.delete(account)
      }
      const proceed = () => {
        leave()
        resolve()
      }
      const timer = setTimeout(() => {
        leave()
        reject(new NoPlaceError())
      }, seconds * 1000)
      line.add(proceed)
    })
  }

  return {
    take(account) {
      const leave = () => giveBack(account)
      if (taken.of(account) < places) {
        taken.add(account, 1)
        return leave
      }
      const line = lines.get(account) ?? new Set()
      if (line.size >= maxWaiting) throw new NoPlaceError()
      lines.set(account, line)
      return wait(account, line).then(() => leave)
    },
  }
}

/** An account has used all its places for longer than a call can wait. */
export class NoPlaceError extends Error {}
