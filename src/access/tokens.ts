import type { Kysely } from 'kysely'
import { ApiError } from '../core/errors.ts'
import { bearerOf, type Environment, hashToken, requireToken } from '../core/secrets.ts'
import { writeOnTheSide } from '../db/read_only.ts'
import type { Database } from '../db/schema.ts'
import { findTokenAccess, touchGrant } from '../queries/agents/grants.ts'
import type { IntegrationAccess } from './access.ts'
import { isTouchDue } from './last_use.ts'

/**
 * The version of the consent page's terms. Grants made under an older version are no longer valid,
 * because they agreed to something else.
 */
export const consentVersion = 2

/** Authenticates the `Authorization` header in one query; refuses with 401 without a live token. */
export async function authenticateToken(
  db: Kysely<Database>,
  { environment, now, resource }: { environment: Environment; now: Date; resource: string },
  authorization: string | undefined,
  workspaceId: string,
): Promise<IntegrationAccess> {
  const token = bearerOf(authorization)
  if (token === undefined) throw new ApiError('unauthenticated', 'tokenMissing')
  requireToken(token, 'accessToken', environment)
  const access = await findTokenAccess(db, { tokenHash: hashToken(token), workspaceId })
  if (!access || access.resource !== resource) throw new ApiError('unauthenticated', 'tokenUnknown')
  if (access.revokedAt !== null) throw new ApiError('token_revoked', 'connectionRevoked')
  if (new Date(access.expiresAt) <= now || new Date(access.grantExpiresAt) <= now)
    throw new ApiError('token_expired', 'tokenExpired')
  if (access.consentVersion < consentVersion) throw new ApiError('token_expired', 'consentOutdated')
  if (isTouchDue(access.lastUsedAt, now))
    await writeOnTheSide(db, () => touchGrant(db, access.connectionId, now))
  const { onlyWorkspaceId } = access
  return { ...access, isElsewhere: onlyWorkspaceId !== null && onlyWorkspaceId !== workspaceId }
}
