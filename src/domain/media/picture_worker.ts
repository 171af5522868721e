import type { Kysely } from 'kysely'
import type { MediaStore } from '../../adapters/media_store.ts'
import type { Log } from '../../core/log.ts'
import { minute } from '../../core/time.ts'
import type { Database } from '../../db/schema.ts'
import { type Rounds, startRounds } from '../../fairness/rounds.ts'
import {
  claimPicture,
  findPending,
  finishPicture,
  type PendingPicture,
  type QueuedPicture,
  unqueuePicture,
} from '../../queries/media/picture_queue.ts'
import { UnfitImage } from './image_containers.ts'
import { makeVariants } from './picture_lane.ts'
import { variantKey } from './picture_variants.ts'

interface WorkerParts {
  db: Kysely<Database>
  mediaStore: MediaStore
  log: Log
  clock: () => Date
}

const lookMilliseconds = 10_000
/** Longer than a picture may take. */
const leaseMilliseconds = 3 * minute
/** A picture that ends the decoder, or whose file cannot be read, is not tried for ever. */
const maxAttempts = 5

/** Measures stored pictures and makes their smaller files, in a process one at a time. */
export function startPictureWorker({ db, mediaStore, log, clock }: WorkerParts): Rounds {
  const ending = new AbortController()

  async function make(picture: PendingPicture): Promise<void> {
    const { workspaceId, contentHash, extension, mimeType } = picture
    const key = `${workspaceId}/${contentHash}.${extension}`
    const file = await mediaStore.read(key)
    const bytes = file && Buffer.concat((await file.stream.toArray()) as Buffer[])
    const made = bytes && (await madeOf(bytes, mimeType))
    for (const { width, extension: type, bytes: small } of made?.variants ?? [])
      await mediaStore.put(variantKey(key, width, type), Buffer.from(small), `image/${type}`)
    const { width, height } = made?.size ?? { width: 0, height: 0 }
    const variants = (made?.variants.length ?? 0) > 0 ? 1 : 2
    await db
      .transaction()
      .execute((trx) => finishPicture(trx, picture, { width, height, variants }))
  }

  /** Undefined for a picture that cannot be decoded, though it could when it came. */
  async function madeOf(bytes: Buffer, mimeType: PendingPicture['mimeType']) {
    try {
      return await makeVariants(bytes, mimeType, ending.signal)
    } catch (error) {
      if (error instanceof UnfitImage) return undefined
      throw error
    }
  }

  async function carryOn(queued: QueuedPicture & { attempts: number }): Promise<void> {
    try {
      const picture = await findPending(db, queued)
      if (!picture) await unqueuePicture(db, queued)
      else if (queued.attempts > maxAttempts)
        await db
          .transaction()
          .execute((trx) => finishPicture(trx, queued, { width: 0, height: 0, variants: 2 }))
      else await make(picture)
    } catch (err) {
      // The lease ends, and it is tried again.
      if (!ending.signal.aborted) log.warn({ err }, 'Files of a picture were not made.')
    }
  }

  const rounds = startRounds({
    everyMilliseconds: lookMilliseconds,
    onFailure: (err) => log.error({ err }, 'Pictures could not be looked for.'),
    async look() {
      const now = clock()
      const until = new Date(now.getTime() + leaseMilliseconds)
      const queued = await claimPicture(db, { now, until })
      if (!queued || ending.signal.aborted) return false
      await carryOn(queued)
      return true
    },
  })
  return {
    ...rounds,
    async stop() {
      ending.abort()
      await rounds.stop()
    },
  }
}
