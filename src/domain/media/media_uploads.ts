import { hashToken, newToken } from '../../core/secrets.ts'
import { minute } from '../../core/time.ts'
import type { components } from '../../generated/types.ts'
import type { AccountCaller, Caller } from '../../operation.ts'
import {
  consumeMediaUpload,
  insertMediaUpload,
  type PendingUpload,
} from '../../queries/media/media_uploads.ts'
import { getMedia, insertMedia } from '../../queries/media/media.ts'
import { storeAndRefer } from './media.ts'
import type { PictureTurn } from './picture_lane.ts'

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

/**
 * Stores the announced image. The URL is used up with the row, so a refusal leaves it open.
 * `reauthorise` refuses an upload whose creator has lost access meanwhile.
 */
export async function storePendingUpload(
  caller: Caller,
  pending: PendingUpload,
  bytes: Buffer,
  reauthorise: () => Promise<unknown>,
): Promise<Schemas['Media']> {
  const { workspaceId, accountId, fileName, mimeType } = pending
  const upload = { fileName, mimeType, read: () => Promise.resolve(bytes) }
  const turn: PictureTurn = {
    account: accountId,
    seconds: caller.config.pictureSeconds,
    signal: caller.signal,
    begin: async () => void (await reauthorise()),
  }
  return storeAndRefer(
    caller,
    workspaceId,
    [{ upload, field: 'body' }],
    async (trx, [file]) => {
      await consumeMediaUpload(trx, pending, caller.now)
      const id = await insertMedia(trx, workspaceId, file!.media, caller.now)
      return getMedia(trx, workspaceId, id)
    },
    turn,
  )
}
