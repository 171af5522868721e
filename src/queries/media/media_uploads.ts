import type { Kysely, Transaction } from 'kysely'
import { ApiError } from '../../core/errors.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { standingColumns } from '../people/access_columns.ts'

/** An image that was announced; its bytes have not arrived yet. */
export interface PendingUpload {
  tokenHash: Buffer
  workspaceId: string
  accountId: string
  fileName: string
  mimeType: components['schemas']['MimeType']
  sizeBytes: number
}

export async function insertMediaUpload(
  db: Kysely<Database>,
  upload: PendingUpload & { connectionId: string; expiresAt: Date },
): Promise<void> {
  await db
    .insertInto('media_uploads')
    .values({
      token_hash: upload.tokenHash,
      workspace_id: upload.workspaceId,
      account_id: upload.accountId,
      connection_id: upload.connectionId,
      file_name: upload.fileName,
      mime_type: upload.mimeType,
      size_bytes: upload.sizeBytes,
      expires_at: upload.expiresAt,
    })
    .execute()
}

/**
 * An upload and, in the same statement, everything that admits its creator, as for any call: the
 * key or grant with its source, or the session; the account, its membership and the workspace.
 */
export function findMediaUpload(db: Kysely<Database>, tokenHash: Buffer) {
  return db
    .selectFrom('media_uploads')
    .innerJoin('accounts', 'accounts.id', 'media_uploads.account_id')
    .leftJoin('members', (join) =>
      join
        .onRef('members.account_id', '=', 'accounts.id')
        .onRef('members.workspace_id', '=', 'media_uploads.workspace_id'),
    )
    .leftJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .leftJoin('dashboard_sessions', 'dashboard_sessions.id', 'media_uploads.connection_id')
    .leftJoin('api_keys', 'api_keys.id', 'media_uploads.connection_id')
    .leftJoin('grants', 'grants.id', 'media_uploads.connection_id')
    .leftJoin('integration_sources', (join) =>
      join.on((eb) =>
        eb('integration_sources.id', '=', eb.fn.coalesce('api_keys.source_id', 'grants.source_id')),
      ),
    )
    .select(({ fn }) => [
      'media_uploads.token_hash as tokenHash',
      'media_uploads.workspace_id as workspaceId',
      'media_uploads.file_name as fileName',
      'media_uploads.mime_type as mimeType',
      'media_uploads.size_bytes as sizeBytes',
      'media_uploads.expires_at as expiresAt',
      'media_uploads.used_at as usedAt',
      'media_uploads.connection_id as connectionId',
      ...standingColumns,
      'dashboard_sessions.expires_at as sessionExpiresAt',
      // The connection is a key or a grant, never both.
      fn.coalesce('api_keys.expires_at', 'grants.expires_at').as('connectionExpiresAt'),
      fn.coalesce('api_keys.revoked_at', 'grants.revoked_at').as('revokedAt'),
      fn.coalesce('api_keys.scopes', 'grants.scopes').as('scopes'),
      'grants.consent_version as consentVersion',
      'integration_sources.status as sourceStatus',
    ])
    .where('media_uploads.token_hash', '=', tokenHash)
    .executeTakeFirst()
}

/**
 * Consumes the upload. Of parallel attempts, the first to commit succeeds; the others wait, then
 * refuse.
 */
export async function consumeMediaUpload(
  trx: Transaction<Database>,
  { workspaceId, tokenHash }: Pick<PendingUpload, 'workspaceId' | 'tokenHash'>,
  now: Date,
): Promise<void> {
  const result = await trx
    .updateTable('media_uploads')
    .set({ used_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  if (result.numUpdatedRows === 0n) throw uploadUsed()
}

export function uploadUsed(): ApiError {
  return new ApiError('upload_used', 'uploadUsed')
}
