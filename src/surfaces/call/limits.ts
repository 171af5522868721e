import { rateLimitHeaders, type RateVerdict } from '../../adapters/rate_store.ts'
import type { Access } from '../../access/access.ts'
import { ApiError } from '../../core/errors.ts'
import { type RateLimit, rateLimits, scaledLimit } from '../../core/rate_limits.ts'
import { tooManyRequests } from './answers.ts'
import type { Call, Incoming, Service } from './call.ts'

/** Consumes a rate limit, scaled by the settings; refuses with 429 when it is used up. */
export async function consumeLimit(service: Service, limit: RateLimit, key: string): Promise<void> {
  requireAllowed((await consume(service, limit, key)).verdict)
}

/** Consumes a rate limit, scaled by the settings; false when it is used up. */
export async function isWithinLimit(
  service: Service,
  limit: RateLimit,
  key: string,
): Promise<boolean> {
  return (await consume(service, limit, key)).verdict.allowed
}

/** Consumes a rate limit and adds the remainder to the headers, after any limits already there. */
export async function consumeAndReport(
  { service, headers }: Pick<Call, 'service' | 'headers'>,
  limit: RateLimit,
  key: string,
): Promise<void> {
  const { scaled, verdict } = await consume(service, limit, key)
  report(headers, scaled, verdict)
  requireAllowed(verdict)
}

function report(headers: Call['headers'], limit: RateLimit, verdict: RateVerdict): void {
  for (const [name, value] of Object.entries(rateLimitHeaders(limit, verdict)))
    headers[name] = headers[name] === undefined ? value : `${String(headers[name])}, ${value}`
}

const limitsOfSurfaces = {
  management: [rateLimits.connection, rateLimits.connectionsOfAccount],
  experience: [rateLimits.experience, rateLimits.experienceOfAccount],
} as const

/**
 * Counts a call of a key or a grant, and against what all connections of its account have together.
 * The headers tell of the connection, and of the account once its limit is used up.
 */
export async function countConnection(
  call: Pick<Call, 'service' | 'headers'>,
  { connectionId, accountId }: Pick<Access, 'connectionId' | 'accountId'>,
  surface: string,
): Promise<void> {
  const { config, rateStore } = call.service
  const [own, shared] = limitsOfSurfaces[surface === 'experience' ? surface : 'management']
  await consumeAndReport(call, own, connectionId)
  const scaled = scaledLimit(shared, config.rateLimitPerMinute)
  const verdict = await rateStore.consumeInLots(scaled, accountId)
  if (!verdict.allowed) report(call.headers, scaled, verdict)
  requireAllowed(verdict)
}

const experiencePath = /^\/v1\/workspaces\/[^/]+\/experience(\/|$)/

/** What is known of a call that is refused before admission. */
export interface RefusedCall extends Pick<Call, 'service' | 'door' | 'headers' | 'access'> {
  incoming: Pick<Incoming, 'path' | 'headers'>
}

/**
 * Counts a call that is refused before admission, if its credential is valid: the caller learns
 * what is left, and bad calls are no way around the limit. One that is not valid is refused itself
 * only if the call requires it.
 */
export async function countRefused(
  call: RefusedCall,
  { requireCredential = false } = {},
): Promise<void> {
  const { service, door, incoming } = call
  const access = await door.authenticateAlone?.(service, incoming.headers).catch((error) => {
    if (requireCredential) throw error as Error
    return undefinedIfUnauthenticated(error)
  })
  if (!access) return
  call.access = access
  const isExperience = experiencePath.test(incoming.path)
  await countConnection(call, access, isExperience ? 'experience' : 'management')
}

function undefinedIfUnauthenticated(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.status !== 401) throw error
}

async function consume({ config, rateStore }: Service, limit: RateLimit, key: string) {
  const scaled = scaledLimit(limit, config.rateLimitPerMinute)
  return { scaled, verdict: await rateStore.consume(scaled, key) }
}

function requireAllowed({ allowed, resetSeconds }: RateVerdict): void {
  if (!allowed) throw tooManyRequests(resetSeconds)
}
