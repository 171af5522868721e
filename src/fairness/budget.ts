import { unavailable } from '../core/errors.ts'
import { createHeld } from './held.ts'

/** What one exchange holds of a budget. */
export interface Holding {
  /** Takes this many bytes more; refuses with 503 if too few are left, in all or for this holder. */
  take(bytes: number): void
  /** Gives everything back. */
  release(): void
}

export interface Budget {
  open(holder: string): Holding
}

/**
 * Bounds the bytes that a process holds at once, in all and for each account or address. A holder gets at
 * most half of what is free: a third of everything if it is alone, and less the more the others hold. So a
 * few greedy holders cannot take the last bytes from all others.
 */
export function createBudget(maxBytes: number): Budget {
  const held = createHeld()
  return {
    open(holder) {
      let own = 0
      return {
        take(bytes) {
          const free = maxBytes - held.all() - bytes
          if (held.of(holder) + bytes > free / 2) throw unavailable()
          held.add(holder, bytes)
          own += bytes
        },
        release() {
          held.add(holder, -own)
          own = 0
        },
      }
    },
  }
}
