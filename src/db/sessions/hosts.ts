import type pg from 'pg'

/** The servers of a database, of which one takes writes. */
export interface Hosts {
  /** The address of the database at each of them. */
  readonly addresses: readonly string[]
  /** The index of the address to connect to. */
  readonly current: number
  moveTo(place: number): void
  /** A connection of the pool to the server that takes writes. */
  connect(pool: pg.Pool): Promise<pg.PoolClient>
}

/** A server that does not take writes, where another may. */
export class NotPrimary extends Error {
  /** The SQLSTATE of a read-only server: a call that finds no other is told to come back later. */
  readonly code = '25006'
}

const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s

/** The address of a database at each of its hosts: `postgres://user@one:5432,two:5432/name`. */
export function addressesOf(url: string): string[] {
  const [, before = '', hosts = '', after = ''] = parts.exec(url) ?? []
  return hosts.includes(',') ? hosts.split(',').map((host) => before + host + after) : [url]
}

const faults = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  // It is starting, or shutting down.
  '57P01',
  '57P03',
])

function isFaultOfHost(error: unknown): boolean {
  if (error instanceof NotPrimary) return true
  const { code, message } = error as { code?: string; message?: string }
  // Ended by a timeout of ours, by the server, or because another has become the primary meanwhile.
  return faults.has(code ?? '') || (message?.startsWith('Connection terminated') ?? false)
}

/**
 * Stays with one host until connecting fails or it stops taking writes, then tries the next. If a server is
 * replaced, its open sessions end with the first write it refuses; see primary_watch.ts for a server that
 * does not answer.
 */
export function createHosts(url: string): Hosts {
  const addresses = addressesOf(url)
  let current = 0

  /** Callers that fail at the same time move on by one host together, not by one each. */
  function leave(failed: number): void {
    if (current === failed) current = (current + 1) % addresses.length
  }

  return {
    addresses,
    get current() {
      return current
    },
    moveTo(place) {
      current = place
    },
    async connect(pool) {
      for (let tried = 1; ; tried++) {
        const used = current
        // The pool reads it for each new connection.
        pool.options.connectionString = addresses[used]!
        try {
          return await pool.connect()
        } catch (error) {
          if (!isFaultOfHost(error)) throw error
          leave(used)
          if (tried >= addresses.length) throw error
        }
      }
    },
  }
}
