import type { Kysely } from 'kysely'
import { ApiError } from '../core/errors.ts'
import { type Environment, hashToken, requireToken } from '../core/secrets.ts'
import type { Database } from '../db/schema.ts'
import { findStaffAccess } from '../queries/administration/staff.ts'
import type { Access } from './access.ts'

/** Staff have no account and no part in a workspace. */
const noAccount: Omit<Access, 'connectionId'> = {
  accountId: '',
  accountStatus: 'ACTIVE',
  role: null,
  memberStatus: null,
  workspaceStatus: null,
}

/** Which member of staff holds this token, in one look-up; refuses with 401 what is no live session. */
export async function authenticateStaff(
  db: Kysely<Database>,
  { environment, now }: { environment: Environment; now: Date },
  token: string | undefined,
): Promise<Access> {
  if (token === undefined) throw new ApiError('unauthenticated', 'staffSignInFirst')
  requireToken(token, 'staffSession', environment)
  const [session] = await findStaffAccess(db, { tokenHash: hashToken(token) })
  if (!session) throw new ApiError('unauthenticated', 'sessionEnded')
  const { connectionId, staffEmail, expiresAt } = session
  if (new Date(expiresAt) <= now) throw new ApiError('token_expired', 'sessionExpired')
  return { ...noAccount, connectionId, staffEmail }
}
