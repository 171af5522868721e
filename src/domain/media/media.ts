import { createHash } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import type { MediaStore } from '../../adapters/media_store.ts'
import { hour } from '../../core/time.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import type { Caller, Upload } from '../../operation.ts'
import {
  deleteMedia,
  getMedia,
  insertMedia,
  lockMedia,
  lockUsersOf,
  replaceMedia,
  type StoredMedia,
} from '../../queries/media/media.ts'
import { holdKey, isReferenced, listUnreferenced } from '../../queries/media/media_files.ts'
import { checkImage } from './images.ts'

type Media = components['schemas']['Media']

/** A checked upload, written to the store; no row refers to it yet. */
interface StoredFile {
  key: string
  bytes: Buffer
  media: StoredMedia
}

/**
 * Writes the file first, then its row. A crash in between leaves an orphan file, which the sweep
 * removes, and never a row without its file.
 */
export async function storeMedia(
  caller: Caller,
  workspaceId: string,
  upload: Upload,
  field: string,
): Promise<Media> {
  const { mediaStore, now } = caller
  const file = await storeFile(mediaStore, workspaceId, upload, field)
  return caller.transaction(async (trx) => {
    const id = await insertMediaRow(trx, mediaStore, workspaceId, file, now)
    return getMedia(trx, workspaceId, id)
  })
}

/** Stores all of the files, or none if any is refused. */
export async function storeMediaFiles(
  caller: Caller,
  workspaceId: string,
  uploads: Upload[],
): Promise<{ media: Media[] }> {
  const { mediaStore, now } = caller
  const files: StoredFile[] = []
  for (const [index, upload] of uploads.entries())
    files.push(await storeFile(mediaStore, workspaceId, upload, `files.${index}`))
  return caller.transaction(async (trx) => {
    const media: Media[] = []
    // The store may be slow: it is asked before the first row, which locks a counter.
    for (const file of files) await requireFile(trx, mediaStore, file)
    for (const file of files) {
      const id = await insertMedia(trx, workspaceId, file.media, now)
      media.push(await getMedia(trx, workspaceId, id))
    }
    return { media }
  })
}

/** Replaces the content of a media item. The old file is deleted after the commit. */
export async function replaceStoredMedia(
  caller: Caller,
  workspaceId: string,
  id: string,
  upload: Upload,
  field: string,
): Promise<Media> {
  const { mediaStore } = caller
  // Check that the item exists before decoding anything.
  await getMedia(caller.db, workspaceId, id)
  const file = await storeFile(mediaStore, workspaceId, upload, field)
  let oldKey = ''
  const media = await caller.transaction(async (trx) => {
    oldKey = (await lockMedia(trx, workspaceId, id)).key
    caller.requireCurrent(await getMedia(trx, workspaceId, id))
    await requireFile(trx, mediaStore, file)
    await replaceMedia(trx, workspaceId, id, file.media)
    return getMedia(trx, workspaceId, id)
  })
  if (oldKey !== file.key) await discard(caller, oldKey)
  return media
}

/** Deletes a media item and its references; its file is deleted after the commit. */
export async function deleteStoredMedia(
  caller: Caller,
  workspaceId: string,
  id: string,
): Promise<{ id: string; deleted: true }> {
  let oldKey = ''
  const answer = await caller.transaction(async (trx) => {
    await lockUsersOf(trx, workspaceId, id)
    oldKey = (await lockMedia(trx, workspaceId, id)).key
    caller.requireCurrent(await getMedia(trx, workspaceId, id))
    await deleteMedia(trx, workspaceId, id)
    return { id, deleted: true as const }
  })
  await discard(caller, oldKey)
  return answer
}

/** Checks an upload and writes it to the store; `field` is named in a refusal. */
export async function storeFile(
  store: MediaStore,
  workspaceId: string,
  { fileName, mimeType: claimedType, read }: Upload,
  field: string,
): Promise<StoredFile> {
  const { bytes, mimeType, extension } = await checkImage(await read(), claimedType, field)
  const contentHash = createHash('sha256').update(bytes).digest('hex')
  const key = `${workspaceId}/${contentHash}.${extension}`
  await store.put(key, bytes, mimeType)
  const media = { fileName, mimeType, sizeBytes: bytes.length, contentHash, extension }
  return { key, bytes, media }
}

/** Inserts the row for bytes already in the store, and returns its id. */
export async function insertMediaRow(
  trx: Transaction<Database>,
  store: MediaStore,
  workspaceId: string,
  file: StoredFile,
  now: Date,
): Promise<string> {
  await requireFile(trx, store, file)
  return insertMedia(trx, workspaceId, file.media, now)
}

/**
 * Locks the file against removal until the commit. It may be gone already: the same content may
 * have been stored before and its last row deleted, or the sweep may have removed it.
 */
async function requireFile(
  trx: Transaction<Database>,
  store: MediaStore,
  { key, bytes, media }: StoredFile,
): Promise<void> {
  await holdKey(trx, key, 'to refer')
  if ((await store.size(key)) === undefined) await store.put(key, bytes, media.mimeType)
}

/** The call has already succeeded. If the delete fails, the sweep removes the file. */
async function discard({ db, mediaStore, log }: Caller, key: string): Promise<void> {
  try {
    await removeUnreferenced(db, mediaStore, key)
  } catch (err) {
    log.warn({ err }, 'A file of deleted media is left to the sweep.')
  }
}

/** Removes a file unless a row refers to it. A call that is about to add such a row waits. */
async function removeUnreferenced(
  db: Kysely<Database>,
  store: MediaStore,
  key: string,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    await holdKey(trx, key, 'to remove')
    if (await isReferenced(trx, key)) return false
    await store.delete(key)
    return true
  })
}

/** A younger file may belong to an upload in progress. */
const minAgeMilliseconds = hour
const batch = 500

/** Removes orphan files; returns how many there were. */
export async function sweepMedia(
  db: Kysely<Database>,
  store: MediaStore,
  clock: () => Date,
): Promise<number> {
  const before = clock().getTime() - minAgeMilliseconds
  let removed = 0
  let keys: string[] = []
  const removeOrphans = async () => {
    for (const key of await listUnreferenced(db, keys))
      if (await removeUnreferenced(db, store, key)) removed++
    keys = []
  }
  for await (const { key, modifiedAt } of store.list()) {
    if (modifiedAt.getTime() < before) keys.push(key)
    if (keys.length === batch) await removeOrphans()
  }
  await removeOrphans()
  return removed
}
