import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { isDiskFault } from './disk_faults.ts'
import { ApiError } from '../core/errors.ts'

/** Stores the bytes of media. Keys are content hashes, so a stored file never changes. */
export interface MediaStore {
  /** Stores the bytes; an existing key already holds the same ones. */
  put(key: string, bytes: Buffer, mimeType: string): Promise<void>
  /** Size in bytes; undefined if absent. */
  size(key: string): Promise<number | undefined>
  /** The bytes, or the inclusive range `start` to `end`; `size` is the whole file's. */
  read(key: string, range?: ByteRange): Promise<{ stream: Readable; size: number } | undefined>
  /** Removes the bytes, if any. */
  delete(key: string): Promise<void>
  /** Every stored key, leftovers of interrupted writes included. */
  list(): AsyncIterable<{ key: string; modifiedAt: Date }>
}

/** The refusal of a call that needs the store, with the cause for the log. */
export function storeAway(cause: unknown): ApiError {
  return Object.assign(new ApiError('unavailable', 'storeAway', undefined, 5), { cause })
}

export interface ByteRange {
  start: number
  end: number
}

/** Beside the media: the name of the environment they belong to, and the stamp of their database. */
const environmentKey = 'environment'
const stampKey = 'stamp'
/** Where a file is written before it is renamed into place. */
const unfinishedFolder = 'unfinished'

const mediaKey = /^\w{1,160}\/[0-9a-f]{64}(?:-(?:\d{2,4}|share))?\.[a-z]{3,4}$/
const unfinishedKey = /^unfinished\/[0-9a-f-]{36}$/

/** Whether a key is one of media, or of a write that was interrupted. */
export function isListed(key: string): boolean {
  return mediaKey.test(key) || unfinishedKey.test(key)
}

/** Refuses keys that could escape the folder or bucket. */
export function requireKey(key: string): string {
  if (isListed(key) || key === environmentKey || key === stampKey) return key
  throw new Error('This is no key of a media store.')
}

export function diskMediaStore(folder: string): MediaStore {
  const pathOf = (key: string) => join(folder, requireKey(key))
  return {
    async put(key, bytes) {
      const path = pathOf(key)
      const unfinished = pathOf(`${unfinishedFolder}/${randomUUID()}`)
      try {
        await mkdir(dirname(unfinished), { recursive: true })
        await mkdir(dirname(path), { recursive: true })
        await writeWhole(unfinished, bytes)
        await rename(unfinished, path)
        await syncFolder(dirname(path))
      } catch (error) {
        if (!isDiskFault(error)) throw error
        // What cannot be removed either is left to the sweep.
        await rm(unfinished, { force: true }).catch(() => undefined)
        throw storeAway(error)
      }
    },
    size: async (key) => (await present(stat(pathOf(key))))?.size,
    async read(key, range) {
      const file = await present(open(pathOf(key)))
      if (!file) return undefined
      const { size } = await file.stat()
      return { stream: file.createReadStream({ ...range }), size }
    },
    delete: (key) => rm(pathOf(key), { force: true }),
    async *list() {
      const entries = await present(opendir(folder, { recursive: true }))
      if (!entries) return
      for await (const entry of entries) {
        const key = join(entry.parentPath, entry.name).slice(join(folder, '/').length)
        if (!entry.isFile() || !isListed(key)) continue
        // Deleted since it was listed.
        const stats = await present(stat(pathOf(key)))
        if (stats) yield { key, modifiedAt: stats.mtime }
      }
    },
  }
}

async function writeWhole(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'wx')
  try {
    await file.writeFile(bytes)
    // fsync, or a power cut can leave an empty file under the final name.
    await file.sync()
  } finally {
    await file.close()
  }
}

async function syncFolder(path: string): Promise<void> {
  let folder: FileHandle | undefined
  try {
    folder = await open(path)
    await folder.sync()
  } catch (error) {
    // Windows cannot open folders; the file's own fsync has to do.
    if (!['EISDIR', 'EPERM', 'EACCES'].includes(codeOf(error))) throw error
  } finally {
    await folder?.close()
  }
}

async function present<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? ''
}

/**
 * Stamps a new store with the environment and the stamp of its database, and refuses one with others.
 * A development service with production's settings must not show, sweep or overwrite its media, and
 * the sweep of another database would remove all files of the first.
 */
export async function requireOwnStore(
  store: MediaStore,
  { environment, stamp }: { environment: string; stamp: string },
): Promise<void> {
  const stamped = await readOrPut(store, environmentKey, environment)
  if (stamped !== environment)
    throw new Error(`The media store belongs to ${stamped}, and this service to ${environment}.`)
  if ((await readOrPut(store, stampKey, stamp)) !== stamp)
    throw new Error(
      'The media store belongs to another database: one of them is wrong, or this one is a copy of ' +
        'that. If this database takes its place for good, remove the file ' +
        `"${stampKey}" from the store.`,
    )
}

/**
 * Rejects if the store is away, and not one of its files alone: it does not answer, or is a disk that is not
 * mounted, which answers and has no file at all.
 */
export async function requireStamp(store: MediaStore): Promise<void> {
  if ((await store.size(stampKey)) === undefined)
    throw storeAway(new Error('The media store has lost its stamp. Is its disk mounted?'))
}

async function readOrPut(store: MediaStore, key: string, value: string): Promise<string> {
  const found = await store.read(key)
  if (found) return Buffer.concat((await found.stream.toArray()) as Buffer[]).toString()
  await store.put(key, Buffer.from(value), 'text/plain')
  return value
}
