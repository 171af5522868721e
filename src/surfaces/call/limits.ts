import { rateLimitHeaders, type RateVerdict } from '../../adapters/rate_store.ts'
import { type Access, accountOf } from '../../access/access.ts'
import { ApiError } from '../../core/errors.ts'
import { countRateLimitRefusal } from '../../core/metrics.ts'
import { type RateLimit, rateLimits, scaledLimit } from '../../core/rate_limits.ts'
import { operations } from '../../generated/operations.ts'
import type { OperationId } from '../../operation.ts'
import { tooManyRequests } from './answers.ts'
import type { Call, Door, Incoming, Service } from './call.ts'
import { headerOf } from './request_parts.ts'

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
async function consumeAndReport(
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

/** The limits that a connection's calls count against: its own, and that of its account. */
const limitsOfKinds = {
  management: [rateLimits.connection, rateLimits.connectionsOfAccount],
  experience: [rateLimits.experience, rateLimits.experienceOfAccount],
  published: [rateLimits.published, rateLimits.publishedOfAccount],
} as const

type CountedKind = keyof typeof limitsOfKinds

/** The kind of calls that an operation is counted among. */
export function countedKind(operationId: OperationId): CountedKind {
  const { surface, tag } = operations[operationId]
  if (tag === 'storefront') return 'published'
  return surface === 'experience' ? surface : 'management'
}

/** A call that is counted by its `Authorization` header. */
interface CountedCall extends Pick<Call, 'service' | 'headers' | 'access'> {
  incoming: Pick<Incoming, 'headers'>
}

/** A call that may come from a page, which is counted by its address. */
interface AddressedCall extends CountedCall {
  incoming: Pick<Incoming, 'headers' | 'clientIp'>
}

const credentialOf = ({ incoming }: CountedCall, { name }: RateLimit) => ({
  authorization: headerOf(incoming, 'authorization'),
  limit: name,
})

/** Refuses a call whose credential is known to have used up its limit, before any query. */
export function refuseExhausted(call: CountedCall, kind: CountedKind): void {
  const { config, exhausted } = call.service
  const [own] = limitsOfKinds[kind]
  const found = exhausted.find(credentialOf(call, own))
  if (!found) return
  call.access = found.access
  countRateLimitRefusal(own.name)
  report(call.headers, scaledLimit(own, config.rateLimitPerMinute), found.verdict)
  requireAllowed(found.verdict)
}

/**
 * Counts a call of a page against its address, because visitors share the page's key; any other call
 * against its connection.
 */
export function countCall(call: AddressedCall, access: Access, kind: CountedKind): Promise<void> {
  if (!access.page) return countConnection(call, access, kind)
  return consumeAndReport(call, rateLimits.pagesOfClient, addressOf(call, access))
}

/** The address of a caller, for one publishable key. */
function addressOf({ incoming }: AddressedCall, { connectionId }: Access): string {
  return `${connectionId}/${incoming.clientIp}`
}

/**
 * Counts a call of a key or a grant, also against the shared limit of its account's connections. The
 * headers report the connection's limit, and the account's once that is used up.
 */
export async function countConnection(
  call: CountedCall,
  access: Access,
  kind: CountedKind,
): Promise<void> {
  const { config, rateStore, exhausted } = call.service
  const { connectionId } = access
  const [own, shared] = limitsOfKinds[kind]
  const counted = await consume(call.service, own, connectionId)
  report(call.headers, counted.scaled, counted.verdict)
  if (!counted.verdict.allowed) exhausted.remember(credentialOf(call, own), access, counted.verdict)
  requireAllowed(counted.verdict)
  const scaled = scaledLimit(shared, config.rateLimitPerMinute)
  const verdict = await rateStore.consumeInLots(scaled, accountOf(access))
  if (!verdict.allowed) report(call.headers, scaled, verdict)
  requireAllowed(verdict)
}

/** Counts a call again, as more than the one that was counted when it arrived. */
export async function countMore(call: Call, points: number): Promise<void> {
  const { access, door, service, headers } = call
  if (points <= 0 || !access || door.counts === undefined) return
  const { own, key } =
    door.counts === 'sessions'
      ? { own: rateLimits.sessionsOfAccount, key: accountOf(access) }
      : { own: rateLimits.connection, key: access.connectionId }
  const { scaled, verdict } = await consume(service, own, key, points)
  if (door.counts === 'connections')
    for (const [name, value] of Object.entries(rateLimitHeaders(scaled, verdict)))
      headers[name] = value
  requireAllowed(verdict)
}

const experiencePath = /^\/v1\/workspaces\/[^/]+\/experience(\/|$)/

const kindOfPath = (path: string): CountedKind =>
  experiencePath.test(path) ? 'experience' : 'management'

/** What is known of a call that is refused before admission. */
export interface RefusedCall extends AddressedCall {
  door: Door
  incoming: Pick<Incoming, 'path' | 'headers' | 'clientIp'>
  /** Undefined if the call reached no operation. */
  operationId?: OperationId
}

/**
 * Counts a call that is refused before admission, if its credential is valid: the caller learns what is
 * left, and bad calls cannot bypass the limit. An invalid credential is itself a refusal only if the call
 * requires one.
 */
export async function countRefused(
  call: RefusedCall,
  { requireCredential = false } = {},
): Promise<void> {
  const { service, door, incoming } = call
  const kind = call.operationId ? countedKind(call.operationId) : kindOfPath(incoming.path)
  if (door.authenticateAlone) refuseExhausted(call, kind)
  const access = await door.authenticateAlone?.(service, incoming.headers).catch((error) => {
    if (requireCredential) throw error as Error
    return undefinedIfUnauthenticated(error)
  })
  if (!access) return
  call.access = access
  await countCall(call, access, kind)
}

function undefinedIfUnauthenticated(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.status !== 401) throw error
}

async function consume(
  { config, rateStore }: Service,
  limit: RateLimit,
  key: string,
  points?: number,
) {
  const scaled = scaledLimit(limit, config.rateLimitPerMinute)
  return { scaled, verdict: await rateStore.consume(scaled, key, points) }
}

function requireAllowed({ allowed, resetSeconds }: RateVerdict): void {
  if (!allowed) throw tooManyRequests(resetSeconds)
}

/** Visitors have their own limits, counted per workspace. */
export async function limitVisitor(call: Call, access: Access): Promise<void> {
  const { visit, page } = access
  if (!visit?.visitor) return
  const key = `${visit.site.workspaceId}/${visit.visitor.id}`
  await consumeAndReport(call, rateLimits.visitor, key)
  if (operations[call.operationId].scope !== 'ai:write') return
  await consumeAndReport(call, rateLimits.aiOfVisitor, key)
  // A page can invent any number of guests.
  if (page) await consumeAndReport(call, rateLimits.pageChatsOfClient, addressOf(call, access))
}
