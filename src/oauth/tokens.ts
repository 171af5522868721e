import { createHash, randomBytes } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import { consentVersion } from '../access/tokens.ts'
import { ApiError } from '../core/errors.ts'
import { type Environment, hashToken, requireToken } from '../core/secrets.ts'
import type { Database } from '../db/schema.ts'
import type { Scope } from '../generated/operations.ts'
import { putAgentAddress } from '../queries/agents/agent_addresses.ts'
import { revokeGrant } from '../queries/agents/grants.ts'
import {
  consumeAuthorizationCode,
  consumeRefreshToken,
  findGrantOfSecret,
  findGrantOfToken,
  isUnused,
  holdAccountOfCode,
  lockAuthorizationCode,
  lockRefreshToken,
} from '../queries/agents/oauth_tokens.ts'
import { knownScopesIn, requireResource } from './authorize.ts'
import type { Client } from './clients.ts'
import { accountSuspended, OAuthError, sourceBlocked } from './errors.ts'
import { type OAuthParameters, requireParameter } from './parameters.ts'
import {
  issueTokens,
  newPair,
  successorPair,
  type TokenAnswer,
  type TokenPair,
} from './token_pairs.ts'

/**
 * How long a refresh waits before it consumes its token. An agent with parallel calls notices the expiry
 * several times at once and sends the same token each time.
 */
const gatherMilliseconds = 300

export interface TokenParts {
  db: Kysely<Database>
  environment: Environment
  resource: string
  refreshGraceSeconds: number
  clock: () => Date
  pause: (milliseconds: number) => Promise<void>
  /** Where the request comes from. */
  address: string
  /** Whether the request came before its refresh token was used. */
  cameFirst: boolean
  /** Whether the client has left. */
  isGone: () => boolean
}

/**
 * The outcome of a transaction. A refusal is returned, and thrown only after the commit: throwing
 * inside would roll back the revocation that comes with it.
 */
type TokenOutcome<T> = { value: T } | { refusal: OAuthError }

export function answerTokenRequest(
  parts: TokenParts,
  client: Client,
  form: OAuthParameters,
): Promise<TokenAnswer> {
  requireResource(form, parts.resource)
  const grantType = requireParameter(form, 'grant_type')
  if (grantType === 'authorization_code') return exchangeCode(parts, client, form)
  if (grantType === 'refresh_token') return refreshTokens(parts, client, form)
  const reason = 'grant_type must be authorization_code or refresh_token.'
  throw new OAuthError('unsupported_grant_type', reason)
}

async function exchangeCode(
  parts: TokenParts,
  client: Client,
  form: OAuthParameters,
): Promise<TokenAnswer> {
  const codeHash = hashToken(requireParameter(form, 'code'))
  const redirectUri = requireParameter(form, 'redirect_uri')
  const verifier = requireParameter(form, 'code_verifier')
  return committed(parts, async (trx) => {
    const now = parts.clock()
    // Lock the account first, as everywhere: the row of its agent's address refers to it.
    await holdAccountOfCode(trx, codeHash)
    const code = await lockAuthorizationCode(trx, codeHash)
    if (!code || code.clientId !== client.id) return refuse('The code is not one of this client.')
    const refusal = blockOf(code)
    if (refusal) return { refusal }
    if (code.consumedAt !== null) {
      await revokeGrant(trx, code.grantId, now)
      return refuse('The code was used before. What it gave is revoked.')
    }
    if (new Date(code.expiresAt) <= now) return refuse('The code has expired.')
    const endReason = endOf(code, now)
    if (endReason !== undefined) return refuse(endReason)
    if (code.redirectUri !== redirectUri)
      return refuse('redirect_uri is not the one that the code was asked for with.')
    if (!answersChallenge(verifier, code.codeChallenge))
      return refuse('code_verifier does not answer the code_challenge.')
    await consumeAuthorizationCode(trx, codeHash, now)
    await putAgentAddress(trx, { address: parts.address, accountId: code.accountId, now })
    const issue = { grant: code, scopes: code.scopes, at: now, now }
    return { value: await issueTokens(trx, client, issue, newPair(parts.environment)) }
  })
}

/** A refresh token as it was sent. */
interface Refresh {
  token: string
  tokenHash: Buffer
  /** What it asks for; undefined means everything granted. */
  scopes: Scope[] | undefined
}

/**
 * Rotation. If a refresh token is used twice, two parties hold it, one of them possibly a thief, and we
 * cannot tell which: the grant ends for both. Refreshes that arrive before the token is consumed are no
 * second use but the same agent in parallel, and all of them get the same successor. Within the grace
 * window, if one is set, a later use counts as a retry and gets its own tokens.
 */
async function refreshTokens(
  parts: TokenParts,
  client: Client,
  form: OAuthParameters,
): Promise<TokenAnswer> {
  const token = requireParameter(form, 'refresh_token')
  requireRefreshToken(token, parts.environment)
  const scopes = knownScopesIn(form.values.scope)
  const refresh = { token, tokenHash: hashToken(token), scopes }
  const arrival = await committed(parts, (trx) => admitRefresh(trx, parts, client, refresh))
  // Wait between the two transactions, so that no database connection is held meanwhile.
  await parts.pause(gatherMilliseconds)
  // A client that is gone would never learn the new token, and its retry would count as a second use.
  if (parts.isGone()) throw new OAuthError('invalid_request', 'The client left before the answer.')
  return committed(parts, (trx) => rotate(trx, parts, client, refresh, arrival))
}

type StoredRefresh = NonNullable<Awaited<ReturnType<typeof lockRefreshToken>>>

/** Whether a refresh came before its token was consumed, or repeats one within the grace window. */
type Arrival = 'first' | 'retry'

async function admitRefresh(
  trx: Transaction<Database>,
  parts: TokenParts,
  client: Client,
  refresh: Refresh,
): Promise<TokenOutcome<Arrival>> {
  const locked = await lockUsable(trx, parts, client, refresh)
  if ('refusal' in locked) return locked
  const { consumedAt } = locked.value
  if (consumedAt === null || parts.cameFirst) return { value: 'first' }
  if (withinGrace(parts, consumedAt)) return { value: 'retry' }
  return refuseReuse(trx, parts, locked.value)
}

/** Of parallel refreshes, the first to get here consumes the token; the others find its seed. */
async function rotate(
  trx: Transaction<Database>,
  parts: TokenParts,
  client: Client,
  refresh: Refresh,
  arrival: Arrival,
): Promise<TokenOutcome<TokenAnswer>> {
  const locked = await lockUsable(trx, parts, client, refresh)
  if ('refusal' in locked) return locked
  const stored = locked.value
  const { environment } = parts
  const now = parts.clock()
  const scopes = refresh.scopes ?? stored.scopes
  const issue = (at: Date, pair: TokenPair) =>
    issueTokens(trx, client, { grant: stored, scopes, at, now }, pair)
  if (stored.consumedAt === null) {
    const seed = randomBytes(32)
    await consumeRefreshToken(trx, refresh.tokenHash, { seed, now })
    return { value: await issue(now, successorPair(environment, refresh.token, seed, scopes)) }
  }
  if (arrival === 'retry') return { value: await issue(now, newPair(environment)) }
  // Consumed by an older build, which stores no seed.
  if (stored.seed === null) return refuseReuse(trx, parts, stored)
  const pair = successorPair(environment, refresh.token, stored.seed, scopes)
  return { value: await issue(new Date(stored.consumedAt), pair) }
}

/** Locks a refresh token of a live grant of this client that covers the requested scopes. */
async function lockUsable(
  trx: Transaction<Database>,
  { clock }: TokenParts,
  client: Client,
  { tokenHash, scopes = [] }: Refresh,
): Promise<TokenOutcome<StoredRefresh>> {
  const stored = await lockRefreshToken(trx, tokenHash)
  if (!stored || stored.clientId !== client.id)
    return refuse('The refresh token is not one of this client.')
  const endReason = endOf(stored, clock())
  if (endReason !== undefined) return refuse(endReason)
  const refusal = blockOf(stored)
  if (refusal) return { refusal }
  if (scopes.every((scope) => stored.scopes.includes(scope))) return { value: stored }
  const reason = 'scope asks for more than was granted. Authorize again.'
  return { refusal: new OAuthError('invalid_scope', reason) }
}

async function refuseReuse(
  trx: Transaction<Database>,
  { clock }: TokenParts,
  { grantId }: StoredRefresh,
): Promise<TokenOutcome<never>> {
  await revokeGrant(trx, grantId, clock())
  return refuse('The refresh token was used before. The connection is revoked.')
}

/** RFC 7009: revoking either token ends the grant; an unknown or foreign token is not an error. */
export async function revokeToken(
  { db, clock }: Pick<TokenParts, 'db' | 'clock'>,
  client: Client,
  form: OAuthParameters,
): Promise<void> {
  const tokenHash = hashToken(requireParameter(form, 'token'))
  const grantId = await findGrantOfToken(db, { tokenHash, clientId: client.id })
  if (grantId !== undefined) await revokeGrant(db, grantId, clock())
}

/**
 * Whether a refresh arrives before its token is used. Checked as soon as the form is read: finding and
 * authenticating the client may take seconds, in which a parallel refresh may use the token.
 */
export async function comesFirst(
  db: Kysely<Database>,
  { values: { refresh_token: token } }: OAuthParameters,
): Promise<boolean> {
  return token !== undefined && isUnused(db, hashToken(token))
}

/** The connection of this client that the form refers to; undefined if there is none. */
export async function findConnection(
  db: Kysely<Database>,
  client: Client,
  { values }: OAuthParameters,
): Promise<string | undefined> {
  const secret = values.code ?? values.refresh_token ?? values.token
  if (secret === undefined) return undefined
  return findGrantOfSecret(db, { secretHash: hashToken(secret), clientId: client.id })
}

/** Commits the work even if its outcome is a refusal: a revocation must survive the refusal. */
async function committed<T>(
  { db }: TokenParts,
  work: (trx: Transaction<Database>) => Promise<TokenOutcome<T>>,
): Promise<T> {
  const outcome = await db.transaction().execute(work)
  if ('refusal' in outcome) throw outcome.refusal
  return outcome.value
}

function refuse(reason: string): TokenOutcome<never> {
  return { refusal: new OAuthError('invalid_grant', reason) }
}

/** A refusal that staff can lift, so it must not consume or end anything. */
function blockOf(grant: { sourceStatus: string; accountStatus: string }): OAuthError | undefined {
  if (grant.sourceStatus === 'BLOCKED') return sourceBlocked()
  if (grant.accountStatus === 'ACTIVE') return undefined
  return accountSuspended()
}

function endOf(
  grant: { revokedAt: string | null; grantExpiresAt: string; consentVersion: number },
  now: Date,
): string | undefined {
  if (grant.revokedAt !== null) return 'This connection was revoked. Authorize again.'
  if (new Date(grant.grantExpiresAt) <= now) return 'This connection has expired. Authorize again.'
  if (grant.consentVersion < consentVersion)
    return 'This connection is from an older consent. Authorize again.'
  return undefined
}

function withinGrace({ refreshGraceSeconds, clock }: TokenParts, consumedAt: string): boolean {
  // Zero grace means no window, even if the clock of the process that consumed the token is ahead.
  if (refreshGraceSeconds === 0) return false
  return clock().getTime() < new Date(consumedAt).getTime() + refreshGraceSeconds * 1000
}

function answersChallenge(verifier: string, challenge: string): boolean {
  if (!/^[A-Za-z0-9\-._~]{43,128}$/.test(verifier)) return false
  return createHash('sha256').update(verifier).digest('base64url') === challenge
}

function requireRefreshToken(token: string, environment: Environment): void {
  try {
    requireToken(token, 'refreshToken', environment)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new OAuthError('invalid_grant', error.message)
  }
}
