import type { Kysely } from 'kysely'
import { ApiError } from '../core/errors.ts'
import { type Environment, hashToken, requireToken } from '../core/secrets.ts'
import type { Database } from '../db/schema.ts'
import { findStaffAccess } from '../queries/administration/staff.ts'
import type { StaffAccess } from './access.ts'

const noAccount: Omit<StaffAccess, 'connectionId' | 'staffEmail'> = {
  accountId: undefined,
  accountStatus: 'ACTIVE',
  role: null,
  memberStatus: null,
  workspaceStatus: null,
}

/**
 * Authenticates a staff session token in one query; refuses with 401 unless the session is live.
 */
export async function authenticateStaff(
  db: Kysely<Database>,
  { environment, now }: { environment: Environment; now: Date },
  token: string | undefined,
): Promise<StaffAccess> {
  if (token === undefined) throw new ApiError('unauthenticated', 'staffSignInFirst')
  requireToken(token, 'staffSession', environment)
  const [session] = await findStaffAccess(db, { tokenHash: hashToken(token) })
  if (!session) throw new ApiError('unauthenticated', 'sessionEnded')
  const { connectionId, staffEmail, expiresAt } = session
  if (new Date(expiresAt) <= now) throw new ApiError('token_expired', 'sessionExpired')
  return { ...noAccount, connectionId, staffEmail }
}
