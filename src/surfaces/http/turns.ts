import { createShares } from '../../db/shares.ts'

/** The requests of a process whose callers are not known yet, by client address. */
export interface Turns {
  /** Takes a place among those of the address, at once where one is free; rejects if there is none. */
  take(address: string): Place | Promise<Place>
}

export interface Place {
  /** The caller is known: from here on, accounts take turns. */
  identified: () => void
  /** The answer has begun, or there will be none, and the caller has stayed unknown. */
  end: () => void
}

/** Before the turn of a request. */
export const noPlace: Place = { identified: () => undefined, end: () => undefined }

const places = 32
const waitSeconds = 10
/** Between two requests of one address, while it uses all of its places: 125 a second. */
const pauseMilliseconds = 8

/**
 * An event loop that answers everything at once that one address asks has no time for others, however
 * short each answer is. So the places of callers who stay unknown are free again one after the other.
 * A shop's backend at one address is not held back: its places are free when its key is known.
 */
export function createTurns(maxWaiting: number): Turns {
  const shares = createShares({ places, seconds: waitSeconds, maxWaiting })
  /** When the last of an address's places will be free. */
  const lastFreeAt = new Map<string, number>()

  function giveBackInTurn(address: string, giveBack: () => void): void {
    const now = performance.now()
    const freeAt = Math.max(now, lastFreeAt.get(address) ?? 0) + pauseMilliseconds
    lastFreeAt.set(address, freeAt)
    const free = () => {
      if (lastFreeAt.get(address) === freeAt) lastFreeAt.delete(address)
      giveBack()
    }
    setTimeout(free, freeAt - now).unref()
  }

  function placeOf(address: string, giveBack: () => void): Place {
    let isTaken = true
    const leave = (how: () => void) => {
      if (!isTaken) return
      isTaken = false
      how()
    }
    return {
      identified: () => leave(giveBack),
      end: () => leave(() => giveBackInTurn(address, giveBack)),
    }
  }

  return {
    take(address) {
      const taken = shares.take(address)
      if (typeof taken === 'function') return placeOf(address, taken)
      return taken.then((giveBack) => placeOf(address, giveBack))
    },
  }
}
