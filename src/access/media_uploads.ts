import type { Kysely } from 'kysely'
import { notFound } from '../core/errors.ts'
import { type Environment, hashToken, isToken } from '../core/secrets.ts'
import type { Database } from '../db/schema.ts'
import { operations } from '../generated/operations.ts'
import { findMediaUpload, type PendingUpload, uploadUsed } from '../queries/media/media_uploads.ts'
import { authoriseIntegration, authoriseMember } from './access.ts'
import { consentVersion } from './tokens.ts'

const { scope, tag } = operations.create_media_upload
const demand = { scope, tag, inWorkspace: true }

/**
 * Finds the upload behind its URL and re-authorises its creator: a URL must not outlive its
 * key, grant or session, nor their rights.
 */
export async function authoriseMediaUpload(
  db: Kysely<Database>,
  { environment, now }: { environment: Environment; now: Date },
  token: string,
): Promise<PendingUpload> {
  const lasts = (until: string | null) => until !== null && new Date(until) > now
  const upload = isToken(token, 'mediaUpload', environment)
    ? await findMediaUpload(db, hashToken(token))
    : undefined
  if (!upload || !lasts(upload.expiresAt)) throw notFound('upload')

  const { scopes, sourceStatus, connectionExpiresAt, sessionExpiresAt } = upload
  const current = (upload.consentVersion ?? consentVersion) >= consentVersion
  const live = upload.revokedAt === null && lasts(connectionExpiresAt) && current
  if (scopes && sourceStatus && live)
    authoriseIntegration({ ...upload, scopes, sourceStatus }, demand)
  else if (lasts(sessionExpiresAt)) authoriseMember(upload, demand)
  else throw notFound('upload')

  if (upload.usedAt !== null) throw uploadUsed()
  return upload
}
