import { rateLimitHeaders, type RateVerdict } from '../../adapters/rate_store.ts'
import { type RateLimit, scaledLimit } from '../../core/rate_limits.ts'
import { tooManyRequests } from './answers.ts'
import type { Call, Service } from './call.ts'

/** Consumes a rate limit, scaled by the settings; refuses with 429 when it is used up. */
export async function consumeLimit(service: Service, limit: RateLimit, key: string): Promise<void> {
  requireAllowed((await consume(service, limit, key)).verdict)
}

/** Consumes a rate limit and adds the remainder to the headers, after any limits already there. */
export async function consumeAndReport(
  { service, headers }: Pick<Call, 'service' | 'headers'>,
  limit: RateLimit,
  key: string,
): Promise<void> {
  const { scaled, verdict } = await consume(service, limit, key)
  for (const [name, value] of Object.entries(rateLimitHeaders(scaled, verdict)))
    headers[name] = headers[name] === undefined ? value : `${String(headers[name])}, ${value}`
  requireAllowed(verdict)
}

async function consume({ config, rateStore }: Service, limit: RateLimit, key: string) {
  const scaled = scaledLimit(limit, config.rateLimitPerMinute)
  return { scaled, verdict: await rateStore.consume(scaled, key) }
}

function requireAllowed({ allowed, resetSeconds }: RateVerdict): void {
  if (!allowed) throw tooManyRequests(resetSeconds)
}
