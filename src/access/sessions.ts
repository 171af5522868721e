import type { Kysely } from 'kysely'
import { ApiError } from '../core/errors.ts'
import { type Environment, hashToken, requireToken } from '../core/secrets.ts'
import { day } from '../core/time.ts'
import type { Database } from '../db/schema.ts'
import { sessionMilliseconds } from '../domain/people/sessions.ts'
import { extendSession, findSessionAccess } from '../queries/people/dashboard_sessions.ts'
import type { Access } from './access.ts'

export interface SessionAccess extends Access {
  /** Set when the session has slid forward, so that its cookie must follow. */
  extendedUntil: Date | undefined
}

/** Who holds this session token, in one look-up; refuses with 401 what is no live session. */
export async function authenticateSession(
  db: Kysely<Database>,
  { environment, now }: { environment: Environment; now: Date },
  token: string | undefined,
  workspaceId: string,
): Promise<SessionAccess> {
  if (token === undefined) throw new ApiError('unauthenticated', 'Sign in first.')
  requireToken(token, 'dashboardSession', environment)
  const [access] = await findSessionAccess(db, { tokenHash: hashToken(token), workspaceId })
  if (!access) throw new ApiError('unauthenticated', 'This session has ended. Sign in again.')
  const left = new Date(access.expiresAt).getTime() - now.getTime()
  if (left <= 0) throw new ApiError('token_expired', 'This session has expired. Sign in again.')

  // A session slides once a day at most, so that reads stay reads.
  if (left > sessionMilliseconds - day) return { ...access, extendedUntil: undefined }
  const extendedUntil = new Date(now.getTime() + sessionMilliseconds)
  await extendSession(db, access.connectionId, extendedUntil)
  return { ...access, extendedUntil }
}
