import type { Kysely } from 'kysely'
import { ApiError } from '../core/errors.ts'
import { bearerOf, type Environment, hashToken, requireToken } from '../core/secrets.ts'
import { writeOnTheSide } from '../db/read_only.ts'
import type { Database } from '../db/schema.ts'
import { findKeyAccess, touchKey } from '../queries/agents/keys.ts'
import type { IntegrationAccess } from './access.ts'
import { isTouchDue } from './last_use.ts'

/**
 * Authenticates the `Authorization` header in one query; refuses with 401 unless it is a live key.
 */
export async function authenticateKey(
  db: Kysely<Database>,
  { environment, now }: { environment: Environment; now: Date },
  authorization: string | undefined,
  workspaceId: string,
): Promise<IntegrationAccess> {
  const keyHash = keyHashOf(authorization, environment)
  const access = await requireLiveKey(db, await findKeyAccess(db, { keyHash, workspaceId }), now)
  return inItsWorkspace(access, workspaceId)
}

/** Marks a call with a trial's key to a workspace other than its own, which authorisation refuses. */
export function inItsWorkspace<Row extends { onlyWorkspaceId: string | null }>(
  access: Row,
  workspaceId: string,
): Row & { isElsewhere?: boolean } {
  const { onlyWorkspaceId } = access
  return onlyWorkspaceId === null
    ? access
    : { ...access, isElsewhere: onlyWorkspaceId !== workspaceId }
}

/** The hash of the key in an `Authorization` header; refuses malformed ones. */
export function keyHashOf(authorization: string | undefined, environment: Environment): Buffer {
  const token = bearerOf(authorization)
  if (token === undefined) throw new ApiError('unauthenticated', 'keyMissing')
  requireToken(token, 'key', environment)
  return hashToken(token)
}

interface KeyTimes {
  connectionId: string
  expiresAt: string
  revokedAt: string | null
  lastUsedAt: string | null
}

/** Returns the key's row if it is still valid, and refuses it otherwise. */
export async function requireLiveKey<Row extends KeyTimes>(
  db: Kysely<Database>,
  access: Row | undefined,
  now: Date,
): Promise<Row> {
  if (!access) throw new ApiError('unauthenticated', 'noSuchKey')
  if (access.revokedAt !== null) throw new ApiError('token_revoked', 'keyRevoked')
  if (new Date(access.expiresAt) <= now) throw new ApiError('token_expired', 'keyExpired')
  if (isTouchDue(access.lastUsedAt, now))
    await writeOnTheSide(db, () => touchKey(db, access.connectionId, now))
  return access
}
