import { unavailable } from '../core/errors.ts'

/** What one exchange holds of a budget. */
export interface Holding {
  /** Takes so many bytes more; refuses with 503 if there are none left, or none for this holder. */
  take(bytes: number): void
  /** Gives everything back. */
  release(): void
}

export interface Budget {
  open(holder: string): Holding
}

/**
 * Bounds the bytes that a process holds at once, in all and for each account or address. A holder gets
 * at most half of what is left free: a third of it all, if it is alone, and less the more others hold.
 * So a few greedy ones never take the last of it from all others.
 */
export function createBudget(maxBytes: number): Budget {
  const held = new Map<string, number>()
  let total = 0
  return {
    open(holder) {
      let own = 0
      return {
        take(bytes) {
          const ofHolder = (held.get(holder) ?? 0) + bytes
          if (ofHolder > (maxBytes - total - bytes) / 2) throw unavailable()
          held.set(holder, ofHolder)
          total += bytes
          own += bytes
        },
        release() {
          const rest = (held.get(holder) ?? 0) - own
          if (rest > 0) held.set(holder, rest)
          else held.delete(holder)
          total -= own
          own = 0
        },
      }
    },
  }
}
