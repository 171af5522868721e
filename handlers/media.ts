import { authoriseMediaUpload } from '../src/access/media_uploads.ts'
import { decodeBase64 } from '../src/core/base64.ts'
import { invalidInput } from '../src/core/errors.ts'
import { paginationOf } from '../src/core/paging.ts'
import { requireEnvironment } from '../src/core/secrets.ts'
import {
  deleteStoredMedia,
  replaceStoredMedia,
  storeMedia,
  storeMediaFiles,
} from '../src/domain/media/media.ts'
import { importMedia } from '../src/domain/media/media_import.ts'
import { openMediaUpload, storePendingUpload } from '../src/domain/media/media_uploads.ts'
import { rateLimits } from '../src/core/rate_limits.ts'
import type { Handler, Upload } from '../src/operation.ts'
import { getMedia, getMediaUses } from '../src/queries/media/media.ts'
import { listMedia } from '../src/queries/media/media_lists.ts'

export const list_media: Handler<'list_media'> = async ({ path, query }, { db }) => {
  const { page, pageSize, search, usage } = query
  const request = { page, pageSize, search, usage }
  const { media, total, summary } = await listMedia(db, path.workspaceId, request)
  return { media, pagination: paginationOf(page, pageSize, total), summary }
}

export const get_media: Handler<'get_media'> = ({ path }, { db }) =>
  getMedia(db, path.workspaceId, path.id)

export const get_media_uses: Handler<'get_media_uses'> = async ({ path }, { db }) => {
  await getMedia(db, path.workspaceId, path.id)
  return getMediaUses(db, path.workspaceId, path.id)
}

export const upload_media: Handler<'upload_media'> = ({ path, body }, caller) =>
  storeMedia(caller, path.workspaceId, uploadOf(body), 'base64')

export const import_media: Handler<'import_media'> = ({ path, body }, caller) =>
  importMedia(caller, path.workspaceId, body)

export const upload_media_files: Handler<'upload_media_files'> = async ({ path }, caller) =>
  storeMediaFiles(caller, path.workspaceId, await caller.files())

export const create_media_upload: Handler<'create_media_upload'> = ({ path, body }, caller) =>
  openMediaUpload(caller, path.workspaceId, body)

export const complete_media_upload: Handler<'complete_media_upload'> = async ({ path }, caller) => {
  const { db, config } = caller
  const { environment } = config
  requireEnvironment(path.token, 'mediaUpload', environment)
  await caller.consume(rateLimits.uploadsOfClient, caller.clientIp)
  const pending = await authoriseMediaUpload(db, { environment, now: caller.now }, path.token)
  const bytes = await caller.bytes({ mimeType: pending.mimeType, size: pending.sizeBytes })
  // Re-authorise: access may be revoked while the body trickles in.
  const reauthorise = () =>
    authoriseMediaUpload(db, { environment, now: caller.clock() }, path.token)
  return storePendingUpload(caller, await reauthorise(), bytes, reauthorise)
}

export const replace_media: Handler<'replace_media'> = ({ path, body }, caller) =>
  replaceStoredMedia(caller, path.workspaceId, path.id, uploadOf(body), 'base64')

export const delete_media: Handler<'delete_media'> = ({ path }, caller) =>
  deleteStoredMedia(caller, path.workspaceId, path.id)

/** The contract limits the text to the length of 3 MiB in base64. */
function uploadOf(body: { fileName: string; mimeType: string; base64: string }): Upload {
  const { fileName, mimeType, base64 } = body
  const bytes = decodeBase64(base64)
  if (bytes === undefined) throw invalidInput({ base64: 'base64Invalid' })
  return { fileName, mimeType, read: () => Promise.resolve(bytes) }
}
