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
  lockCollectionsOf,
  lockMedia,
  replaceMedia,
  type StoredMedia,
} from '../../queries/media/media.ts'
import { holdKey, isReferenced, listUnreferenced } from '../../queries/media/media_files.ts'
import { checkImage } from './images.ts'

type Media = components['schemas']['Media']

/** An upload whose bytes were checked and lie in the store; no row refers to them yet. */
interface Taken {
  key: string
  bytes: Buffer
  media: StoredMedia
}

/**
 * The file comes first, then its row. A crash between the two leaves a file that nobody knows,
 * which the sweep removes, and never a row without its file.
 */
export async function storeMedia(
  caller: Caller,
  workspaceId: string,
  upload: Upload,
  field: string,
): Promise<Media> {
  const { mediaStore, now } = caller
  const taken = await takeMedia(mediaStore, workspaceId, upload, field)
  return caller.transaction(async (trx) => {
    const id = await insertTaken(trx, mediaStore, workspaceId, taken, now)
    return getMedia(trx, workspaceId, id)
  })
}

/** Stores all of the files or, when one of them is refused, none. */
export async function storeMediaFiles(
  caller: Caller,
  workspaceId: string,
  uploads: Upload[],
): Promise<{ media: Media[] }> {
  const { mediaStore, now } = caller
  const taken: Taken[] = []
  for (const [index, upload] of uploads.entries())
    taken.push(await takeMedia(mediaStore, workspaceId, upload, `files.${index}`))
  return caller.transaction(async (trx) => {
    const media: Media[] = []
    for (const one of taken) {
      const id = await insertTaken(trx, mediaStore, workspaceId, one, now)
      media.push(await getMedia(trx, workspaceId, id))
    }
    return { media }
  })
}

/** Gives a medium another content. The old one goes after the commit. */
export async function replaceStoredMedia(
  caller: Caller,
  workspaceId: string,
  id: string,
  upload: Upload,
  field: string,
): Promise<Media> {
  const { mediaStore } = caller
  // Nothing is decoded for a medium that is not there.
  await getMedia(caller.db, workspaceId, id)
  const taken = await takeMedia(mediaStore, workspaceId, upload, field)
  let former = ''
  const media = await caller.transaction(async (trx) => {
    former = (await lockMedia(trx, workspaceId, id)).key
    caller.requireCurrent(await getMedia(trx, workspaceId, id))
    await requireFile(trx, mediaStore, taken)
    await replaceMedia(trx, workspaceId, id, taken.media)
    return getMedia(trx, workspaceId, id)
  })
  if (former !== taken.key) await discard(caller, former)
  return media
}

/** Deletes a medium and everything that refers to it; its file goes after the commit. */
export async function deleteStoredMedia(
  caller: Caller,
  workspaceId: string,
  id: string,
): Promise<{ id: string; deleted: true }> {
  let former = ''
  const answer = await caller.transaction(async (trx) => {
    await lockCollectionsOf(trx, id)
    former = (await lockMedia(trx, workspaceId, id)).key
    caller.requireCurrent(await getMedia(trx, workspaceId, id))
    await deleteMedia(trx, workspaceId, id)
    return { id, deleted: true as const }
  })
  await discard(caller, former)
  return answer
}

/** Checks the bytes of an upload and puts them into the store; `field` is named in a refusal. */
export async function takeMedia(
  store: MediaStore,
  workspaceId: string,
  { fileName, mimeType: claimed, bytes: sent }: Upload,
  field: string,
): Promise<Taken> {
  const { bytes, mimeType, extension } = await checkImage(sent, claimed, field)
  const contentHash = createHash('sha256').update(bytes).digest('hex')
  const key = `${workspaceId}/${contentHash}.${extension}`
  await store.put(key, bytes, mimeType)
  const media = { fileName, mimeType, sizeBytes: bytes.length, contentHash, extension }
  return { key, bytes, media }
}

/** Adds the row of bytes that lie in the store, and answers its id. */
export async function insertTaken(
  trx: Transaction<Database>,
  store: MediaStore,
  workspaceId: string,
  taken: Taken,
  now: Date,
): Promise<string> {
  await requireFile(trx, store, taken)
  return insertMedia(trx, workspaceId, taken.media, now)
}

/**
 * From here to the commit nobody removes the file. Until here somebody may have: the same content
 * may have been stored before, and its last row deleted, or the sweep may have come by.
 */
async function requireFile(
  trx: Transaction<Database>,
  store: MediaStore,
  { key, bytes, media }: Taken,
): Promise<void> {
  await holdKey(trx, key, 'to refer')
  if ((await store.size(key)) === undefined) await store.put(key, bytes, media.mimeType)
}

/** What the caller asked for has been done. A file that stays behind is the sweep's. */
async function discard({ db, mediaStore, log }: Caller, key: string): Promise<void> {
  try {
    await removeUnreferenced(db, mediaStore, key)
  } catch (err) {
    log.warn({ err }, 'A file of deleted media is left to the sweep.')
  }
}

/** Removes a file unless a row refers to it. Whoever is about to add such a row waits. */
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

/** A file younger than this may belong to an upload that is still under way. */
const restMilliseconds = hour
const batch = 500

/** Removes the files that no row refers to, and answers how many there were. */
export async function sweepMedia(
  db: Kysely<Database>,
  store: MediaStore,
  clock: () => Date,
): Promise<number> {
  const before = clock().getTime() - restMilliseconds
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
