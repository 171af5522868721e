import { hash } from 'node:crypto'
import { createShares } from './shares.ts'

/** The requests of a process whose callers are not known yet, by client address. */
export interface Turns {
  /**
   * Takes a place of the address, or of a credential that has worked before, at once where one is free;
   * rejects if there is none.
   */
  take(address: string, credential?: string): Place | Promise<Place>
}

export interface Place {
  /** The caller is known: from here on, accounts take turns. */
  identified(): void
  /** The client has left before its turn. */
  leave(): void
  /** The answer has begun, or there will be none, and the caller was never identified. */
  end(): void
}

/** For a request whose turn has not come yet. */
export const noPlace: Place = {
  identified: () => undefined,
  leave: () => undefined,
  end: () => undefined,
}

const places = 32
const waitSeconds = 10
const maxKnown = 10_000
/** Between two requests of one address that uses all of its places: 125 a second. */
const pauseMilliseconds = 8

/**
 * If the event loop answered everything that one address asks at once, it would have no time for others,
 * however short each answer is. So places of unidentified callers become free again one by one. A shop's
 * backend is not held back: its places are free as soon as its key is known.
 */
export function createTurns(maxWaiting: number): Turns {
  const shares = createShares({ places, seconds: waitSeconds, maxWaiting })
  /** For each address, when its last place will be free. */
  const lastFreeAt = new Map<string, number>()
  /** Credentials that have worked: shops that share a host's address do not queue with strangers there. */
  const known = new Set<string>()

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

  function remember(name: string | undefined): void {
    if (name === undefined || known.has(name)) return
    known.add(name)
    if (known.size > maxKnown) known.delete(known.keys().next().value!)
  }

  /** A class, because it is made for every request. */
  class TakenPlace implements Place {
    private isTaken = true
    private readonly address: string
    private readonly name: string | undefined
    private readonly giveBack: () => void

    constructor(address: string, name: string | undefined, giveBack: () => void) {
      this.address = address
      this.name = name
      this.giveBack = giveBack
    }

    identified() {
      remember(this.name)
      this.leave()
    }

    leave() {
      if (!this.isTaken) return
      this.isTaken = false
      this.giveBack()
    }

    end() {
      if (!this.isTaken) return
      this.isTaken = false
      giveBackInTurn(this.address, this.giveBack)
    }
  }

  return {
    take(address, credential) {
      const name = credential && hash('sha256', credential)
      const holder = name && known.has(name) ? name : address
      const taken = shares.take(holder)
      if (typeof taken === 'function') return new TakenPlace(holder, name, taken)
      return taken.then((giveBack) => new TakenPlace(holder, name, giveBack))
    },
  }
}
