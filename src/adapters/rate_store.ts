import type { Pool } from 'pg'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible'
import { countRateLimitRefusal } from '../core/metrics.ts'
import type { RateLimit } from '../core/rate_limits.ts'

export interface RateVerdict {
  allowed: boolean
  limit: number
  remaining: number
  resetSeconds: number
}

/**
 * Windows follow `Date.now`, because the underlying limiters accept no other clock. A store that
 * cannot answer rejects; it neither admits the call nor counts it as too many.
 */
export interface RateStore {
  consume(limit: RateLimit, key: string): Promise<RateVerdict>
}

/** For a single process. Keys are dropped when their window ends. */
export function memoryRateStore(): RateStore {
  return storeOf(
    ({ name, points, seconds }) =>
      new RateLimiterMemory({ keyPrefix: name, points, duration: seconds }),
  )
}

/** For several processes, in the table `rate_limits`. */
export function postgresRateStore(pool: Pool): RateStore {
  let clearsExpired = true
  return storeOf(({ name, points, seconds }) => {
    const limiter = new RateLimiterPostgres({
      storeClient: pool,
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
}

function storeOf(createLimiter: (limit: RateLimit) => RateLimiterAbstract): RateStore {
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

  return {
    async consume(limit, key) {
      return limiterFor(limit)
        .consume(key)
        .then(
          (result) => verdict(limit, true, result),
          (reason: unknown) => {
            if (!(reason instanceof RateLimiterRes)) throw reason
            countRateLimitRefusal(limit.name)
            return verdict(limit, false, reason)
          },
        )
    },
  }
}

function verdict(limit: RateLimit, allowed: boolean, result: RateLimiterRes): RateVerdict {
  return {
    allowed,
    limit: limit.points,
    remaining: allowed ? result.remainingPoints : 0,
    resetSeconds: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
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
