import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { ApiError } from '../core/errors.ts'
import { guestTokenExpiry, hashToken, requireToken } from '../core/secrets.ts'
import { day } from '../core/time.ts'
import { writeOnTheSide } from '../db/read_only.ts'
import type { Database } from '../db/schema.ts'
import { sessionEnd } from '../domain/site/customers.ts'
import { requireCatalogueOpen, requireSiteOpen } from '../domain/site/site_access.ts'
import type { OperationId, ServiceConfig, Visitor, VisitorCaller } from '../operation.ts'
import { extendDueSession } from '../queries/site/customers.ts'
import { findCustomerSession, findVisitAccess } from '../queries/site/visitors.ts'
import type { IntegrationAccess, Visit } from './access.ts'
import { inItsWorkspace, keyHashOf, requireLiveKey } from './keys.ts'

/** The headers that a backend, or a page by itself, sends for its visitor. */
export interface VisitorHeaders {
  authorization: string | undefined
  visitorToken: string | undefined
  deviceId: string | undefined
  guestToken: string | undefined
}

export interface Circumstances {
  config: Pick<ServiceConfig, 'environment' | 'secretKey'>
  now: Date
  workspaceId: string
  /** Bootstrap trusts the device id and renews expired tokens. */
  isBootstrap: boolean
}

/**
 * Authenticates key, site and visitor in one query. An invalid key is refused at once; a refusal of
 * the visitor's credential is kept for later, because the key's rights are checked first.
 */
export async function authenticateVisit(
  db: Kysely<Database>,
  circumstances: Circumstances,
  headers: VisitorHeaders,
): Promise<IntegrationAccess> {
  const { config, now, workspaceId, isBootstrap } = circumstances
  const keyHash = keyHashOf(headers.authorization, config.environment)
  const session = sessionOf(circumstances, headers)
  const named = { workspaceId, sessionHash: session.hash, isBootstrap }
  const row = await findVisitAccess(db, { keyHash, ...named })
  const access = inItsWorkspace(await requireLiveKey(db, row, now), workspaceId)
  const { workspaceName, isVisible, accessPolicy, front, isTrial } = access
  // Without a membership there is no site, and authorisation refuses the call.
  if (workspaceName === null || isVisible === null || accessPolicy === null) return access
  const site = { workspaceId, workspaceName, isVisible, accessPolicy, front }
  const visitor = judgeVisitor(circumstances, { headers, session, row: access }, isTrial)
  return { ...access, visit: { site, ...visitor } }
}

/** The session that a visitor's token stands for. */
export interface NamedSession {
  /** Its stored form; empty if there is no token, or its form is wrong. */
  hash: Buffer
  /** Why the token is refused by its form. */
  refusal: ApiError | undefined
}

const noHash = Buffer.alloc(0)

export function sessionOf(
  circumstances: Circumstances,
  { visitorToken }: VisitorHeaders,
): NamedSession {
  if (visitorToken === undefined) return { hash: noHash, refusal: undefined }
  const hash = sessionHashOf(visitorToken, circumstances)
  return hash instanceof ApiError ? { hash: noHash, refusal: hash } : { hash, refusal: undefined }
}

/** What is known of a visitor: what they sent, and the session found for it. */
interface KnownOfVisitor {
  headers: VisitorHeaders
  session: NamedSession
  row: SessionRow
}

/** Who the visitor is, or why their credential is refused. */
export function judgeVisitor(
  circumstances: Circumstances,
  known: KnownOfVisitor,
  isTrial: boolean,
): Pick<Visit, 'visitor' | 'refusal'> {
  const verdict = verdictOn(circumstances, known)
  if (verdict instanceof ApiError) return { visitor: null, refusal: verdict }
  return { visitor: verdict && { ...verdict, isTrial }, refusal: undefined }
}

function verdictOn(
  circumstances: Circumstances,
  { headers, session, row }: KnownOfVisitor,
): KnownVisitor | null | ApiError {
  const { visitorToken } = headers
  if (visitorToken === undefined) return judgeGuest(circumstances, headers)
  return session.refusal ?? judgeSession(row, visitorToken, circumstances.now)
}

/** The credentials that a shop's own pages gave a browser. */
export interface BrowserCredentials {
  /** A customer's session. */
  session: string | undefined
  guest: { deviceId: string; token: string } | undefined
}

/**
 * The visitor of a shop's own pages, which use no key. If the session has ended, the visitor is a guest:
 * unlike a backend with its token, a browser cannot drop the cookie by itself.
 */
export async function findShopVisitor(
  db: Kysely<Database>,
  circumstances: Omit<Circumstances, 'isBootstrap'>,
  { session, guest }: BrowserCredentials,
): Promise<Visitor | null> {
  const { workspaceId, now } = circumstances
  const hash = session === undefined ? undefined : sessionHashOf(session, circumstances)
  if (session !== undefined && hash instanceof Buffer) {
    const row = await findCustomerSession(db, { workspaceId, sessionHash: hash })
    const customer = row && judgeSession(row, session, now)
    if (customer && !(customer instanceof ApiError)) return { ...customer, isTrial: false }
  }
  if (!guest) return null
  const { deviceId, token } = guest
  const headers = { deviceId, guestToken: token }
  const known = judgeGuest({ ...circumstances, isBootstrap: false }, headers)
  return known === null || known instanceof ApiError ? null : { ...known, isTrial: false }
}

/** A guest's id in a workspace. A hash: the device id itself is never stored. */
export function guestIdOf(workspaceId: string, deviceId: string): string {
  const hash = createHash('sha256').update(JSON.stringify([workspaceId, deviceId]))
  return `gst_${hash.digest('base64url').slice(0, 32)}`
}

function sessionHashOf(
  token: string,
  { config }: Pick<Circumstances, 'config'>,
): Buffer | ApiError {
  const malformed = refusalOf(() => requireToken(token, 'customerSession', config.environment))
  return malformed ?? hashToken(token)
}

/** What a credential tells; whether it is a trial comes from the key. */
type KnownVisitor =
  | Omit<Extract<Visitor, { type: 'GUEST' }>, 'isTrial'>
  | Omit<Extract<Visitor, { type: 'CUSTOMER' }>, 'isTrial'>

interface SessionRow {
  sessionId: string | null
  customerId: string | null
  sessionExpiresAt: string | null
  sessionRevokedAt: string | null
}

function judgeSession(row: SessionRow, token: string, now: Date): KnownVisitor | ApiError {
  const { sessionId, customerId, sessionExpiresAt, sessionRevokedAt } = row
  if (sessionId === null || customerId === null || sessionExpiresAt === null)
    return new ApiError('unauthenticated', 'customerSessionUnknown')
  if (sessionRevokedAt !== null) return new ApiError('token_revoked', 'customerSignedOut')
  const expiresAt = new Date(sessionExpiresAt)
  if (expiresAt <= now) return new ApiError('token_expired', 'customerSessionExpired')
  return { type: 'CUSTOMER', id: customerId, sessionId, token, expiresAt }
}

function judgeGuest(
  { config, now, workspaceId, isBootstrap }: Circumstances,
  { deviceId, guestToken }: Pick<VisitorHeaders, 'deviceId' | 'guestToken'>,
): KnownVisitor | null | ApiError {
  if (guestToken === undefined && !isBootstrap) return null
  if (deviceId === undefined)
    return guestToken === undefined
      ? null
      : new ApiError('unauthenticated', 'guestTokenNeedsDevice')
  const guest: KnownVisitor = { type: 'GUEST', id: guestIdOf(workspaceId, deviceId), deviceId }
  if (guestToken === undefined) return guest
  const malformed = refusalOf(() => requireToken(guestToken, 'guest', config.environment))
  if (malformed) return malformed
  const expiresAt = guestTokenExpiry(config.secretKey, { workspaceId, deviceId }, guestToken)
  if (!expiresAt) return new ApiError('unauthenticated', 'guestTokenElsewhere')
  if (expiresAt <= now && !isBootstrap) return new ApiError('token_expired', 'guestTokenExpired')
  return guest
}

function refusalOf(judge: () => void): ApiError | undefined {
  try {
    judge()
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** Checks the site's policy first, then the visitor's credential. */
export function admitVisitor(operationId: OperationId, tag: string, visit: Visit): void {
  if (operationId !== 'get_bootstrap') requireSiteOpen(visit.site)
  if (visit.refusal) throw visit.refusal
  if (tag === 'storefront') requireCatalogueOpen(visit)
}

/** Extends the session of a customer whose call was admitted, at most once a day. */
export async function keepSignedIn(
  db: Kysely<Database>,
  { site, visitor }: { site: Pick<Visit['site'], 'workspaceId'>; visitor: Visitor | null },
  circumstances: Parameters<typeof sessionEnd>[0],
): Promise<void> {
  if (visitor?.type !== 'CUSTOMER') return
  const { now } = circumstances
  const until = sessionEnd(circumstances)
  // A session of a single day would otherwise end before its first extension.
  const step = Math.min(day, (until.getTime() - now.getTime()) / 2)
  const dueAt = new Date(until.getTime() - step)
  if (visitor.expiresAt > dueAt) return
  const { sessionId } = visitor
  const times = { now, until, dueAt }
  await writeOnTheSide(db, () => extendDueSession(db, site.workspaceId, sessionId, times))
}

/** The guest or customer of the call. The key's owner is neither. */
export function requireVisitor({ visitor }: Pick<VisitorCaller, 'visitor'>): Visitor {
  if (visitor) return visitor
  throw new ApiError('visitor_required', 'visitorRequired')
}

export function requireCustomer({
  visitor,
}: Pick<VisitorCaller, 'visitor'>): Extract<Visitor, { type: 'CUSTOMER' }> {
  if (visitor?.type === 'CUSTOMER') return visitor
  throw new ApiError(visitor ? 'sign_in_required' : 'visitor_required', 'customerRequired')
}
