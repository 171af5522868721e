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
 * What parallel refreshes get in every process: derived from the token that they hold and we do not
 * store, and a seed that we store and they never see.
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

/** Stores a pair of tokens and answers it; the same pair again changes nothing. */
export async function issueTokens(
  trx: Transaction<Database>,
  clock: () => Date,
  { metadata }: Client,
  issue: { grant: { grantId: string; grantExpiresAt: string }; scopes: Scope[]; at: Date },
  { accessToken, refreshToken }: TokenPair,
): Promise<TokenAnswer> {
  const { grant, scopes, at } = issue
  const { grantId } = grant
  const lastMoment = new Date(grant.grantExpiresAt).getTime()
  const expiresAt = new Date(Math.min(at.getTime() + accessMilliseconds, lastMoment))
  await insertAccessToken(trx, { tokenHash: hashToken(accessToken), grantId, scopes, expiresAt })
  const answer: TokenAnswer = {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: Math.floor((expiresAt.getTime() - clock().getTime()) / 1000),
    scope: scopes.join(' '),
  }
  if (!metadata.grant_types.includes('refresh_token')) return answer
  await insertRefreshToken(trx, { tokenHash: hashToken(refreshToken), grantId })
  return { ...answer, refresh_token: refreshToken }
}
