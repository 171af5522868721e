import type { Transaction } from 'kysely'
import { derivedToken, type Environment, hashToken, newToken } from '../core/secrets.ts'
import { hour } from '../core/time.ts'
import type { Database } from '../db/schema.ts'
import type { Scope } from '../generated/operations.ts'
import { insertAccessToken, insertRefreshToken } from '../queries/agents/oauth_tokens.ts'
import type { Client } from './clients.ts'

const accessMilliseconds = hour

/** The successful response of RFC 6749, 5.1. */
export interface TokenAnswer {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  scope: string
  refresh_token?: string
}

export interface TokenPair {
  accessToken: string
  refreshToken: string
}

export function newPair(environment: Environment): TokenPair {
  return {
    accessToken: newToken('accessToken', environment),
    refreshToken: newToken('refreshToken', environment),
  }
}

/**
 * The pair that parallel refreshes get in every process. It is derived from the token, which they hold and
 * we do not store, and a seed, which we store and they never see.
 */
export function successorPair(
  environment: Environment,
  token: string,
  seed: Buffer,
  scopes: Scope[],
): TokenPair {
  const seedText = seed.toString('base64url')
  return {
    accessToken: derivedToken('accessToken', environment, token, [seedText, ...scopes]),
    refreshToken: derivedToken('refreshToken', environment, token, [seedText]),
  }
}

/** A pair of tokens to issue. */
interface Issue {
  grant: { grantId: string; grantExpiresAt: string }
  scopes: Scope[]
  /** When the pair was made: parallel refreshes get one that is slightly older. */
  at: Date
  /** The time of the request, by which `expires_in` is stated: an hour is 3600, not 3599. */
  now: Date
}

/** Stores a pair of tokens and answers it; storing the same pair again changes nothing. */
export async function issueTokens(
  trx: Transaction<Database>,
  { metadata }: Client,
  { grant, scopes, at, now }: Issue,
  { accessToken, refreshToken }: TokenPair,
): Promise<TokenAnswer> {
  const { grantId } = grant
  const lastMoment = new Date(grant.grantExpiresAt).getTime()
  const expiresAt = new Date(Math.min(at.getTime() + accessMilliseconds, lastMoment))
  await insertAccessToken(trx, { tokenHash: hashToken(accessToken), grantId, scopes, expiresAt })
  const answer: TokenAnswer = {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: Math.ceil((expiresAt.getTime() - now.getTime()) / 1000),
    scope: scopes.join(' '),
  }
  if (!metadata.grant_types.includes('refresh_token')) return answer
  await insertRefreshToken(trx, { tokenHash: hashToken(refreshToken), grantId })
  return { ...answer, refresh_token: refreshToken }
}
