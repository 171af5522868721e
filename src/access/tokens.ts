import type { Kysely } from 'kysely'
import { ApiError } from '../core/errors.ts'
import { bearerOf, type Environment, hashToken, requireToken } from '../core/secrets.ts'
import type { Database } from '../db/schema.ts'
import { findTokenAccess, touchGrant } from '../queries/agents/grants.ts'
import type { IntegrationAccess } from './access.ts'
import { isTouchDue } from './last_use.ts'

/**
 * The version of what people agree to on the consent page. A grant given under an older one, which
 * said something else, no longer counts.
 */
export const consentVersion = 2

/** Who sends this `Authorization` header, in one look-up; refuses with 401 what is no live token. */
export async function authenticateToken(
  db: Kysely<Database>,
  { environment, now, resource }: { environment: Environment; now: Date; resource: string },
  authorization: string | undefined,
  workspaceId: string,
): Promise<IntegrationAccess> {
  const token = bearerOf(authorization)
  if (token === undefined)
    throw new ApiError('unauthenticated', 'Send an OAuth access token as a bearer token.')
  requireToken(token, 'accessToken', environment)
  const [access] = await findTokenAccess(db, { tokenHash: hashToken(token), workspaceId })
  if (!access || access.resource !== resource)
    throw new ApiError('unauthenticated', 'There is no such access token for this resource.')
  if (access.revokedAt !== null)
    throw new ApiError('token_revoked', 'This connection was revoked. Connect again.')
  if (new Date(access.expiresAt) <= now || new Date(access.grantExpiresAt) <= now)
    throw new ApiError('token_expired', 'This access token has expired. Refresh it.')
  if (access.consentVersion < consentVersion)
    throw new ApiError('token_expired', 'This connection is from an older consent. Connect again.')
  if (isTouchDue(access.lastUsedAt, now)) await touchGrant(db, access.connectionId, now)
  return access
}
