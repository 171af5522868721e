import type { Pool, QueryConfig, QueryResult } from 'pg'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible'
import { countRateLimitRefusal } from '../core/metrics.ts'
import type { RateLimit } from '../core/rate_limits.ts'
import { isReadOnly } from '../db/read_only.ts'
import { keepsNamesOf } from '../db/sessions/session.ts'

export interface RateVerdict {
  allowed: boolean
  limit: number
  remaining: number
  resetSeconds: number
  /** When the window ends, by `Date.now`. */
  resetsAt: number
}

/**
 * Windows follow `Date.now`, because the underlying limiters accept no other clock. A store that
 * cannot answer rejects; it neither admits the call nor counts it as too many.
 */
export interface RateStore {
  /** Consumes one point, or several of a call that counts as so many. */
  consume(limit: RateLimit, key: string, points?: number): Promise<RateVerdict>
  /**
   * For limits that are wide and consumed with every call: processes that share a store take points
   * in lots, so that most calls need no statement. A process may leave part of its last lot unused.
   */
  consumeInLots(limit: RateLimit, key: string): Promise<RateVerdict>
}

/** Points of a window that this process has taken and not yet used. */
interface Lot {
  points: number
  verdict: RateVerdict
  until: number
}

/** A window is at most this many lots. */
const lotsOfWindow = 60
const heldLots = 10_000

/** For a single process. Keys are dropped when their window ends. */
export function memoryRateStore(): RateStore {
  const consume = inMemory()
  return { consume, consumeInLots: consume }
}

function inMemory(): Consume {
  return consumerOf(
    ({ name, points, seconds }) =>
      new RateLimiterMemory({ keyPrefix: name, points, duration: seconds }),
  )
}

/**
 * The pool as the limiter uses it. Behind a pooler that does not keep the names of statements, it must
 * not give them any.
 */
function withoutNames(pool: Pool) {
  return {
    async query(statement: QueryConfig): Promise<QueryResult> {
      const client = await pool.connect()
      let fault: Error | undefined
      try {
        const { text, values = [] } = statement
        return await client.query(keepsNamesOf(client) ? statement : { text, values })
      } catch (error) {
        fault = error as Error
        throw error
      } finally {
        client.release(fault)
      }
    },
  }
}

/** For several processes, in the table `rate_limits`. */
export function postgresRateStore(pool: Pool): RateStore {
  const storeClient = withoutNames(pool)
  let clearsExpired = true
  const consume = consumerOf(({ name, points, seconds }) => {
    const limiter = new RateLimiterPostgres({
      storeClient,
      storeType: 'pool',
      tableName: 'rate_limits',
      tableCreated: true,
      keyPrefix: name,
      points,
      duration: seconds,
      // An exhausted key is refused without a query until its window ends.
      inMemoryBlockOnConsumed: points,
      // The table is shared, so one limiter's cleanup clears the rows of all.
      clearExpiredByTimeout: clearsExpired,
    })
    clearsExpired = false
    return limiter
  })
  // While the database takes no writes, each process counts for itself.
  const alone = inMemory()
  const insured: Consume = (limit, key, points) =>
    consume(limit, key, points).catch((error: unknown) => {
      if (!isReadOnly(error)) throw error
      return alone(limit, key, points)
    })
  return { consume: insured, consumeInLots: inLots(insured) }
}

type Consume = (limit: RateLimit, key: string, points?: number) => Promise<RateVerdict>

/**
 * Calls that find no points wait for one purchase together: each buying a lot of its own, 60 parallel
 * calls would use up the window.
 */
export function inLots(consume: Consume): RateStore['consumeInLots'] {
  const lots = new Map<string, Lot>()
  const purchases = new Map<string, Promise<RateVerdict>>()

  async function buy(limit: RateLimit, key: string, name: string): Promise<RateVerdict> {
    try {
      const points = Math.max(1, Math.floor(limit.points / lotsOfWindow))
      const verdict = await consume(limit, key, points)
      // Bounds the memory; what is forgotten counts as used.
      if (lots.size >= heldLots) lots.clear()
      const until = Date.now() + verdict.resetSeconds * 1000
      if (verdict.allowed) lots.set(name, { points, verdict, until })
      return verdict
    } finally {
      purchases.delete(name)
    }
  }

  return async (limit, key) => {
    const name = `${limit.name}:${key}`
    for (;;) {
      const held = lots.get(name)
      if (held && held.points > 0 && Date.now() < held.until) {
        held.points--
        return held.verdict
      }
      const purchase = purchases.get(name) ?? buy(limit, key, name)
      purchases.set(name, purchase)
      const verdict = await purchase
      if (!verdict.allowed) return verdict
    }
  }
}

export function consumerOf(createLimiter: (limit: RateLimit) => RateLimiterAbstract): Consume {
  const limiters = new Map<string, RateLimiterAbstract>()

  function limiterFor(limit: RateLimit): RateLimiterAbstract {
    const existing = limiters.get(limit.name)
    if (!existing) {
      const limiter = createLimiter(limit)
      limiters.set(limit.name, limiter)
      return limiter
    }
    if (existing.points !== limit.points || existing.duration !== limit.seconds) {
      throw new Error(`The rate limit "${limit.name}" is defined twice, with other numbers.`)
    }
    return existing
  }

  return async (limit, key, points = 1) => {
    const limiter = limiterFor(limit)
    let answer = await answerOf(limiter.consume(key, points))
    // A clock that ran ahead wrote this window: kept, it would refuse the caller for hours.
    if (answer.result.msBeforeNext > limit.seconds * 1000 + clockSlackMilliseconds) {
      await limiter.delete(key)
      answer = await answerOf(limiter.consume(key, points))
    }
    if (!answer.allowed) countRateLimitRefusal(limit.name)
    return verdict(limit, answer.allowed, answer.result)
  }
}

/** How far the clocks of two processes may differ. */
const clockSlackMilliseconds = 60_000

async function answerOf(
  consumed: Promise<RateLimiterRes>,
): Promise<{ allowed: boolean; result: RateLimiterRes }> {
  return consumed.then(
    (result) => ({ allowed: true, result }),
    (reason: unknown) => {
      if (!(reason instanceof RateLimiterRes)) throw reason
      return { allowed: false, result: reason }
    },
  )
}

function verdict(limit: RateLimit, allowed: boolean, result: RateLimiterRes): RateVerdict {
  return {
    allowed,
    limit: limit.points,
    remaining: allowed ? result.remainingPoints : 0,
    resetSeconds: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
    resetsAt: Date.now() + result.msBeforeNext,
  }
}

/** Headers of draft-ietf-httpapi-ratelimit-headers, and `Retry-After` on refusal. */
export function rateLimitHeaders(limit: RateLimit, verdict: RateVerdict): Record<string, string> {
  const headers: Record<string, string> = {
    RateLimit: `"${limit.name}";r=${verdict.remaining};t=${verdict.resetSeconds}`,
    'RateLimit-Policy': `"${limit.name}";q=${limit.points};w=${limit.seconds}`,
  }
  if (!verdict.allowed) headers['Retry-After'] = String(verdict.resetSeconds)
  return headers
}
