import { unavailable } from './errors.ts'

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

/** No holder gets more than this part of a budget. */
const share = 1 / 3

/** Bounds the bytes that a process holds at once, in all and for each account or address. */
export function createBudget(maxBytes: number): Budget {
  const held = new Map<string, number>()
  let total = 0
  return {
    open(holder) {
      let own = 0
      return {
        take(bytes) {
          const ofHolder = (held.get(holder) ?? 0) + bytes
          if (total + bytes > maxBytes || ofHolder > maxBytes * share) throw unavailable()
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
