import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import type { MediaStore } from '../../adapters/media_store.ts'
import { unavailable } from '../../core/errors.ts'
import { day, hour } from '../../core/time.ts'
import type { Database } from '../../db/schema.ts'
import { eachAlone } from '../../fairness/alone.ts'
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
import {
  deleteKeptFiles,
  deleteOldRemovals,
  finishRemoval,
  getDatabaseTime,
  holdKey,
  isBeingRemoved,
  isReferenced,
  isRemovedSince,
  keepFile,
  listUnreferenced,
  markRemoval,
} from '../../queries/media/media_files.ts'
import {
  deleteHeldFile,
  deleteOldBackups,
  isHeld,
  listNotHeld,
} from '../../queries/media/held_files.ts'
import { checkImage } from './images.ts'
import { type PictureTurn, turnOf } from './picture_lane.ts'
import { hasVariants, shareKey, variantKeys } from './picture_variants.ts'

type Media = components['schemas']['Media']

/** A checked upload, written to the store; no row refers to it yet. */
interface StoredFile {
  key: string
  media: StoredMedia
}

/** The file of an upload was removed while its row was about to be written. */
class RemovedMeanwhile extends Error {}

/** Each attempt decodes and writes the files again. */
const maxAttempts = 3

/** Who stores files: a call, or what goes on after it. */
export type Storing = Pick<
  Caller,
  'db' | 'mediaStore' | 'transaction' | 'config' | 'signal' | 'reauthorise'
> & { accountId?: string }

/**
 * Writes the files first, then their rows. A crash in between leaves an orphan file, which the sweep
 * removes, and never a row without its file. The same content may have been stored before and be
 * removed at this moment: then everything is done again.
 */
export async function storeAndRefer<T>(
  caller: Storing,
  workspaceId: string,
  uploads: { upload: Upload; field: string }[],
  refer: (trx: Transaction<Database>, files: StoredFile[]) => Promise<T>,
  turn = turnOf(caller),
): Promise<T> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const since = await getDatabaseTime(caller.db)
    const files: StoredFile[] = []
    for (const { upload, field } of uploads)
      files.push(await storeFile(caller.mediaStore, workspaceId, upload, field, turn))
    // Decoding takes its turn: access may have been revoked by now.
    await turn.begin?.()
    try {
      return await caller.transaction(async (trx) => {
        for (const { key } of files) await requireFile(trx, key, since)
        return refer(trx, files)
      })
    } catch (error) {
      if (!(error instanceof RemovedMeanwhile)) throw error
    }
    for (const { key } of files) await waitForRemoval(caller.db, key)
  }
  throw unavailable()
}

/** Short: the call must be answered even if the store hangs while it removes the file. */
const removalSteps = { milliseconds: 100, most: 20 }

/** Waits until a removal has ended, without a connection in between. */
async function waitForRemoval(db: Kysely<Database>, key: string): Promise<void> {
  for (let step = 0; step < removalSteps.most; step++) {
    if (!(await isBeingRemoved(db, key))) return
    await delay(removalSteps.milliseconds)
  }
  throw unavailable()
}

export async function storeMedia(
  caller: Caller,
  workspaceId: string,
  upload: Upload,
  field: string,
): Promise<Media> {
  return storeAndRefer(caller, workspaceId, [{ upload, field }], async (trx, [file]) => {
    const id = await insertMedia(trx, workspaceId, file!.media, caller.now)
    return getMedia(trx, workspaceId, id)
  })
}

/** Stores all of the files, or none if any is refused. */
export async function storeMediaFiles(
  caller: Caller,
  workspaceId: string,
  uploads: Upload[],
): Promise<{ media: Media[] }> {
  const named = uploads.map((upload, index) => ({ upload, field: `files.${index}` }))
  return storeAndRefer(caller, workspaceId, named, async (trx, files) => {
    const media: Media[] = []
    for (const file of files) {
      const id = await insertMedia(trx, workspaceId, file.media, caller.now)
      media.push(await getMedia(trx, workspaceId, id))
    }
    return { media }
  })
}

/** How long the content that was replaced stays at its address: pages and feeds still show it. */
const keptDays = 30

/** Replaces the content of a media item. The old file is kept for a time. */
export async function replaceStoredMedia(
  caller: Caller,
  workspaceId: string,
  id: string,
  upload: Upload,
  field: string,
): Promise<Media> {
  // Check that the item exists before decoding anything.
  await getMedia(caller.db, workspaceId, id)
  return storeAndRefer(caller, workspaceId, [{ upload, field }], async (trx, [file]) => {
    const { key } = await lockMedia(trx, workspaceId, id)
    caller.requireCurrent(await getMedia(trx, workspaceId, id))
    const until = new Date(caller.now.getTime() + keptDays * day)
    if (key !== file!.key) await keepFile(trx, { key, mediaId: id }, until)
    await replaceMedia(trx, workspaceId, id, file!.media, caller.now)
    return getMedia(trx, workspaceId, id)
  })
}

/** Deletes a media item, its references and what is kept of it; its files go after the commit. */
export async function deleteStoredMedia(
  caller: Caller,
  workspaceId: string,
  id: string,
): Promise<{ id: string; deleted: true }> {
  let keys: string[] = []
  const answer = await caller.transaction(async (trx) => {
    await lockUsersOf(trx, workspaceId, id)
    const { key, variants } = await lockMedia(trx, workspaceId, id)
    caller.requireCurrent(await getMedia(trx, workspaceId, id))
    const smaller = variants === 1 ? variantKeys(key) : []
    // Files that were made of what was replaced are left to the sweep.
    keys = [key, shareKey(key), ...smaller, ...(await deleteKeptFiles(trx, workspaceId, id))]
    await deleteMedia(trx, workspaceId, id, caller.now)
    return { id, deleted: true as const }
  })
  await discard(caller, keys)
  return answer
}

/** Checks an upload and writes it to the store; `field` is named in a refusal. */
export async function storeFile(
  store: MediaStore,
  workspaceId: string,
  { fileName, mimeType: claimedType, read }: Upload,
  field: string,
  turn?: PictureTurn,
): Promise<StoredFile> {
  const image = await checkImage(read, claimedType, field, turn)
  const { bytes, mimeType, extension, width, height } = image
  const contentHash = createHash('sha256').update(bytes).digest('hex')
  const key = `${workspaceId}/${contentHash}.${extension}`
  await store.put(key, bytes, mimeType)
  const media: StoredMedia = {
    fileName,
    mimeType,
    sizeBytes: bytes.length,
    contentHash,
    extension,
    width,
    height,
    variants: hasVariants(image, bytes) ? 0 : 2,
    readyHash: null,
  }
  return { key, media }
}

/** Locks the file against removal until the commit. */
async function requireFile(trx: Transaction<Database>, key: string, since: string): Promise<void> {
  await holdKey(trx, key, 'to refer')
  await deleteHeldFile(trx, key)
  if (await isRemovedSince(trx, key, since)) throw new RemovedMeanwhile()
}

/** What a deletion waits for the store at most, before the last file. */
const discardMilliseconds = 1000

/**
 * The call has already succeeded, and no address leads to the files any more. What cannot be removed
 * in time is left to the sweep.
 */
async function discard({ db, mediaStore, log }: Caller, keys: string[]): Promise<void> {
  const until = performance.now() + discardMilliseconds
  try {
    for (const key of keys)
      if (performance.now() < until) await removeUnreferenced(db, mediaStore, key)
  } catch (err) {
    log.warn({ err }, 'Files of deleted media are left to the sweep.')
  }
}

/**
 * Removes a file unless a row refers to it, a backup needs it, or another call is removing it, which a
 * new file of the same content waits for. The store may be slow: no connection waits for it.
 */
async function removeUnreferenced(
  db: Kysely<Database>,
  store: MediaStore,
  key: string,
): Promise<boolean> {
  const isOrphan = await db.transaction().execute(async (trx) => {
    await holdKey(trx, key, 'to remove')
    if ((await isReferenced(trx, key)) || (await isBeingRemoved(trx, key))) return false
    if (await isHeld(trx, key)) return false
    await markRemoval(trx, key)
    return true
  })
  if (!isOrphan) return false
  await store.delete(key)
  await finishRemoval(db, key)
  await deleteHeldFile(db, key)
  return true
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
  const removeOrphan = async (key: string) => {
    if (await removeUnreferenced(db, store, key)) removed++
  }
  const removeOrphans = async (keys: string[]) => {
    const orphans = await listNotHeld(db, await listUnreferenced(db, keys))
    await eachAlone(orphans, removeOrphan, left)
  }
  const steps = [
    () => eachAlone(olderFiles(store, before), removeOrphans, left),
    () => deleteOldRemovals(db),
    () => deleteOldBackups(db),
  ]
  await eachAlone(steps, (step) => step(), left)
  return removed
}

const left = 'Some files are left to the next sweep.'

/** Batches of the keys of files stored before a time. */
async function* olderFiles(store: MediaStore, before: number): AsyncGenerator<string[]> {
  let keys: string[] = []
  for await (const { key, modifiedAt } of store.list()) {
    if (modifiedAt.getTime() < before) keys.push(key)
    if (keys.length < batch) continue
    yield keys
    keys = []
  }
  yield keys
}
