import { hashToken, newToken } from '../../core/secrets.ts'
import { minute } from '../../core/time.ts'
import type { components } from '../../generated/types.ts'
import type { AccountCaller, Caller } from '../../operation.ts'
import {
  consumeMediaUpload,
  insertMediaUpload,
  type PendingUpload,
} from '../../queries/media/media_uploads.ts'
import { getMedia } from '../../queries/media/media.ts'
import { insertMediaRow, storeFile } from './media.ts'

type Schemas = components['schemas']

const uploadMilliseconds = 10 * minute

/** Opens a URL that accepts one image. Its token is returned once; only its hash is stored. */
export async function openMediaUpload(
  { db, config, now, accountId, connectionId }: AccountCaller,
  workspaceId: string,
  { fileName, mimeType, size }: Schemas['MediaUploadCreate'],
): Promise<Schemas['MediaUploadUrl']> {
  const token = newToken('mediaUpload', config.environment)
  const expiresAt = new Date(now.getTime() + uploadMilliseconds)
  await insertMediaUpload(db, {
    tokenHash: hashToken(token),
    workspaceId,
    accountId,
    connectionId,
    expiresAt,
    fileName,
    mimeType,
    sizeBytes: size,
  })
  const url = `${config.baseUrl}/v1/uploads/${token}`
  return { url, method: 'PUT', expiresAt: expiresAt.toISOString() }
}

/** Stores the announced image. The URL is used up with the row, so a refusal leaves it open. */
export async function storePendingUpload(
  caller: Caller,
  upload: PendingUpload,
  bytes: Buffer,
): Promise<Schemas['Media']> {
  const { workspaceId, fileName, mimeType } = upload
  const { mediaStore, now } = caller
  const file = await storeFile(
    mediaStore,
    workspaceId,
    { fileName, mimeType, read: () => Promise.resolve(bytes) },
    'body',
  )
  return caller.transaction(async (trx) => {
    await consumeMediaUpload(trx, upload, now)
    const id = await insertMediaRow(trx, mediaStore, workspaceId, file, now)
    return getMedia(trx, workspaceId, id)
  })
}
