import type { Kysely } from 'kysely'
import { ApiError } from '../core/errors.ts'
import { type Environment, hashToken, requireToken } from '../core/secrets.ts'
import { day } from '../core/time.ts'
import { writeOnTheSide } from '../db/read_only.ts'
import type { Database } from '../db/schema.ts'
import { sessionMilliseconds } from '../domain/people/sessions.ts'
import { extendSession, findSessionAccess } from '../queries/people/dashboard_sessions.ts'
import type { PersonAccess } from './access.ts'

export interface SessionAccess extends PersonAccess {
  /** The new expiry if the session was extended: the cookie must be renewed too. */
  extendedUntil: Date | undefined
}

/** Authenticates a session token in one query; refuses with 401 unless the session is live. */
export async function authenticateSession(
  db: Kysely<Database>,
  { environment, now }: { environment: Environment; now: Date },
  token: string | undefined,
  workspaceId: string,
): Promise<SessionAccess> {
  if (token === undefined) throw new ApiError('unauthenticated', 'signInFirst')
  requireToken(token, 'dashboardSession', environment)
  const access = await findSessionAccess(db, { tokenHash: hashToken(token), workspaceId })
  if (!access) throw new ApiError('unauthenticated', 'sessionEnded')
  const remaining = new Date(access.expiresAt).getTime() - now.getTime()
  if (remaining <= 0) throw new ApiError('token_expired', 'sessionExpired')

  // Extend at most once a day, so that most reads do not write.
  if (remaining > sessionMilliseconds - day) return { ...access, extendedUntil: undefined }
  const until = new Date(now.getTime() + sessionMilliseconds)
  const extended = await writeOnTheSide(db, () => extendSession(db, access.connectionId, until))
  return { ...access, extendedUntil: extended ? until : undefined }
}
