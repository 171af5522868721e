import { createHash } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import { consentVersion } from '../access/tokens.ts'
import { ApiError } from '../core/errors.ts'
import { type Environment, hashToken, newToken, requireToken } from '../core/secrets.ts'
import { hour } from '../core/time.ts'
import type { Database } from '../db/schema.ts'
import type { Scope } from '../generated/operations.ts'
import { revokeGrant } from '../queries/agents/grants.ts'
import {
  consumeAuthorizationCode,
  consumeRefreshToken,
  findGrantOfSecret,
  findGrantOfToken,
  insertAccessToken,
  insertRefreshToken,
  lockAuthorizationCode,
  lockRefreshToken,
} from '../queries/agents/oauth_tokens.ts'
import { readScopes, requireResource } from './authorize.ts'
import type { Client } from './clients.ts'
import { accountSuspended, OAuthError, sourceBlocked } from './errors.ts'
import { type Parameters, requireParameter } from './parameters.ts'

const accessMilliseconds = hour

/** The successful response of RFC 6749, 5.1. */
export interface TokenAnswer {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  scope: string
  refresh_token?: string
}

export interface TokenParts {
  db: Kysely<Database>
  environment: Environment
  resource: string
  refreshGraceSeconds: number
  now: Date
}

/**
 * The outcome of a transaction. A refusal is returned, and thrown only after the commit: throwing
 * inside would roll back the revocation that comes with it.
 */
type Outcome = { tokens: TokenAnswer } | { refusal: OAuthError }

export function answerTokenRequest(
  parts: TokenParts,
  client: Client,
  form: Parameters,
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
  form: Parameters,
): Promise<TokenAnswer> {
  const codeHash = hashToken(requireParameter(form, 'code'))
  const redirectUri = requireParameter(form, 'redirect_uri')
  const verifier = requireParameter(form, 'code_verifier')
  return settle(parts, async (trx) => {
    const { now } = parts
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
    return { tokens: await issueTokens(trx, parts, client, code, code.scopes) }
  })
}

/**
 * Rotation. A refresh token used twice is in two hands, one of them possibly a thief's, and we
 * cannot tell which: the grant ends for both. Within the grace window, if one is set, it counts as
 * a retry by the same client and gets its own tokens.
 */
async function refreshTokens(
  parts: TokenParts,
  client: Client,
  form: Parameters,
): Promise<TokenAnswer> {
  const token = requireParameter(form, 'refresh_token')
  requireRefreshToken(token, parts.environment)
  const tokenHash = hashToken(token)
  const { scope } = form.values
  const requestedScopes = scope === undefined ? undefined : readScopes(scope)
  return settle(parts, async (trx) => {
    const { now } = parts
    const stored = await lockRefreshToken(trx, tokenHash)
    if (!stored || stored.clientId !== client.id)
      return refuse('The refresh token is not one of this client.')
    const endReason = endOf(stored, now)
    if (endReason !== undefined) return refuse(endReason)
    const refusal = blockOf(stored)
    if (refusal) return { refusal }
    if (stored.consumedAt !== null && !withinGrace(parts, stored.consumedAt)) {
      await revokeGrant(trx, stored.grantId, now)
      return refuse('The refresh token was used before. The connection is revoked.')
    }
    const scopes = requestedScopes ?? stored.scopes
    if (scopes.some((scope) => !stored.scopes.includes(scope))) {
      const reason = 'scope asks for more than was granted. Authorize again.'
      return { refusal: new OAuthError('invalid_scope', reason) }
    }
    await consumeRefreshToken(trx, tokenHash, now)
    return { tokens: await issueTokens(trx, parts, client, stored, scopes) }
  })
}

/** RFC 7009: revoking either token ends the grant; an unknown or foreign token is not an error. */
export async function revokeToken(
  { db, now }: Pick<TokenParts, 'db' | 'now'>,
  client: Client,
  form: Parameters,
): Promise<void> {
  const tokenHash = hashToken(requireParameter(form, 'token'))
  const grantId = await findGrantOfToken(db, { tokenHash, clientId: client.id })
  if (grantId !== undefined) await revokeGrant(db, grantId, now)
}

/** The connection of this client that the form refers to; undefined if there is none. */
export async function findConnection(
  db: Kysely<Database>,
  client: Client,
  { values }: Parameters,
): Promise<string | undefined> {
  const secret = values.code ?? values.refresh_token ?? values.token
  if (secret === undefined) return undefined
  return findGrantOfSecret(db, { secretHash: hashToken(secret), clientId: client.id })
}

async function settle(
  { db }: TokenParts,
  work: (trx: Transaction<Database>) => Promise<Outcome>,
): Promise<TokenAnswer> {
  const outcome = await db.transaction().execute(work)
  if ('refusal' in outcome) throw outcome.refusal
  return outcome.tokens
}

function refuse(reason: string): Outcome {
  return { refusal: new OAuthError('invalid_grant', reason) }
}

/** A refusal that an administrator can lift, so it must not consume or end anything. */
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

function withinGrace({ refreshGraceSeconds, now }: TokenParts, consumedAt: string): boolean {
  return now.getTime() < new Date(consumedAt).getTime() + refreshGraceSeconds * 1000
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

async function issueTokens(
  trx: Transaction<Database>,
  { environment, now }: TokenParts,
  { metadata }: Client,
  { grantId, grantExpiresAt }: { grantId: string; grantExpiresAt: string },
  scopes: Scope[],
): Promise<TokenAnswer> {
  const accessToken = newToken('accessToken', environment)
  const lastMoment = new Date(grantExpiresAt).getTime()
  const expiresAt = new Date(Math.min(now.getTime() + accessMilliseconds, lastMoment))
  await insertAccessToken(trx, { tokenHash: hashToken(accessToken), grantId, scopes, expiresAt })
  const answer: TokenAnswer = {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: Math.floor((expiresAt.getTime() - now.getTime()) / 1000),
    scope: scopes.join(' '),
  }
  if (!metadata.grant_types.includes('refresh_token')) return answer
  const refreshToken = newToken('refreshToken', environment)
  await insertRefreshToken(trx, { tokenHash: hashToken(refreshToken), grantId })
  return { ...answer, refresh_token: refreshToken }
}
