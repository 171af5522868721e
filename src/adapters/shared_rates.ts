import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible'
import type { Log } from '../core/log.ts'
import type { Environment } from '../core/secrets.ts'
import { consumerOf, inLots, type RateStore } from './rate_store.ts'

/** What is used of the client, which is loaded by its name: most services have no Redis. */
interface RedisClient {
  on(event: 'error' | 'ready', listener: (error: Error) => void): void
  disconnect(): void
}
interface RedisPackage {
  Redis: new (url: string, options: object) => RedisClient
}

/** Counting must not hold a call up: a Redis that takes longer counts as away. */
const answerMilliseconds = 250
const longestPauseMilliseconds = 2000

export interface SharedRateStore extends RateStore {
  close(): void
}

/**
 * Counts in Redis, for all machines together. While it is away each process counts for itself, so that
 * callers notice nothing but a limit that is wider.
 */
export async function redisRateStore(
  { url, environment }: { url: string; environment: Environment },
  log: Log,
): Promise<SharedRateStore> {
  const name = 'ioredis'
  const { Redis } = (await import(name)) as RedisPackage
  const client = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: longestPauseMilliseconds,
    commandTimeout: answerMilliseconds,
    retryStrategy: (times: number) => Math.min(times * 100, longestPauseMilliseconds),
  })
  let isAway = false
  client.on('error', (err) => {
    if (!isAway) log.warn({ err }, 'Redis is away. Until it is back, each process counts alone.')
    isAway = true
  })
  client.on('ready', () => {
    if (isAway) log.info('Redis is back.')
    isAway = false
  })
  const consume = consumerOf(({ name: limit, points, seconds }) => {
    // Addresses are the same ones in both environments, whose limits have nothing to do with each other.
    const keyPrefix = `vitrine:${environment}:${limit}`
    return new RateLimiterRedis({
      storeClient: client,
      keyPrefix,
      points,
      duration: seconds,
      rejectIfRedisNotReady: true,
      inMemoryBlockOnConsumed: points,
      insuranceLimiter: new RateLimiterMemory({ keyPrefix, points, duration: seconds }),
    })
  })
  return { consume, consumeInLots: inLots(consume), close: () => client.disconnect() }
}

/** Uses one store until others have to be counted with, then the one that they share. */
export function sharedWhenSeveral(
  alone: RateStore,
  shared: RateStore,
  areSeveral: () => boolean,
): RateStore {
  const current = () => (areSeveral() ? shared : alone)
  return {
    consume: (...call) => current().consume(...call),
    consumeInLots: (...call) => current().consumeInLots(...call),
  }
}
