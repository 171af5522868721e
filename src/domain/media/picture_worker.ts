import type { Kysely } from 'kysely'
import { type MediaStore, requireStamp } from '../../adapters/media_store.ts'
import { ApiError } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import { minute } from '../../core/time.ts'
import type { Database } from '../../db/schema.ts'
import { type Rounds, startRounds } from '../../fairness/rounds.ts'
import {
  claimPicture,
  findPending,
  finishPicture,
  giveUpPicture,
  type PendingPicture,
  type QueuedPicture,
  unclaimPicture,
  unqueuePicture,
} from '../../queries/media/picture_queue.ts'
import { makeFiles } from './picture_lane.ts'
import { shareKey, variantKey } from './picture_variants.ts'

interface WorkerParts {
  db: Kysely<Database>
  mediaStore: MediaStore
  log: Log
  clock: () => Date
}

const lookMilliseconds = 10_000
/** Longer than a picture may take. */
const leaseMilliseconds = 3 * minute
/**
 * A picture was whole when it came, so a decoder that refuses it, crashes or is too slow may only have met
 * a busy machine. But one that always ends so is not tried for ever.
 */
const maxAttempts = 5
/** While the store does not answer, or no decoder can be started, it is tried ever less often. */
const pauses = { first: 10_000, longest: minute }

/** What counts as an attempt at the picture: a failure of the store or the system does not. */
class AttemptFailed extends Error {}

/** Measures stored pictures and makes files of them, in a process one at a time. */
export function startPictureWorker({ db, mediaStore, log, clock }: WorkerParts): Rounds {
  const ending = new AbortController()
  let pause = 0
  let pausedUntil = 0

  async function make(picture: PendingPicture): Promise<void> {
    const { workspaceId, contentHash, extension } = picture
    const key = `${workspaceId}/${contentHash}.${extension}`
    const bytes = await readFile(key)
    const { size, variants, share } = await madeOf(bytes, picture)
    for (const { width, extension: type, bytes: small } of variants)
      await mediaStore.put(variantKey(key, width, type), Buffer.from(small), `image/${type}`)
    await mediaStore.put(shareKey(key), Buffer.from(share), 'image/jpeg')
    const { width, height } = size
    const state = picture.variants || (variants.length > 0 ? 1 : 2)
    await db
      .transaction()
      .execute((trx) => finishPicture(trx, picture, { width, height, variants: state }))
  }

  async function readFile(key: string): Promise<Buffer> {
    try {
      const file = await mediaStore.read(key)
      if (file) return Buffer.concat((await file.stream.toArray()) as Buffer[])
    } catch (cause) {
      // One bad file must not pause all pictures, as a store that is away does.
      await requireStamp(mediaStore)
      throw new AttemptFailed('The file of a picture cannot be read.', { cause })
    }
    await requireStamp(mediaStore)
    throw new AttemptFailed('The file of a picture is missing.')
  }

  async function madeOf(bytes: Buffer, { mimeType, variants }: PendingPicture) {
    try {
      const purpose = variants === 0 ? 'files' : 'share'
      return await makeFiles({ bytes, mimeType, purpose }, ending.signal)
    } catch (cause) {
      // There is no decoder now, or the service stops.
      if (cause instanceof ApiError) throw cause
      throw new AttemptFailed(cause instanceof Error ? cause.message : '', { cause })
    }
  }

  async function carryOn(queued: QueuedPicture & { attempts: number }): Promise<void> {
    const picture = await findPending(db, queued)
    if (!picture) await unqueuePicture(db, queued)
    else if (queued.attempts > maxAttempts)
      await db.transaction().execute((trx) => giveUpPicture(trx, queued))
    else await make(picture)
  }

  /** Whether to go on with the next picture at once. A failed one is tried again when its lease ends. */
  async function isToGoOn(
    queued: QueuedPicture & { attempts: number },
    until: Date,
  ): Promise<boolean> {
    try {
      await carryOn(queued)
      pause = 0
      return true
    } catch (err) {
      if (!ending.signal.aborted) log.warn({ err }, 'Files of a picture were not made.')
      if (err instanceof AttemptFailed) return true
      pause = Math.min(pause * 2 || pauses.first, pauses.longest)
      pausedUntil = clock().getTime() + pause
      await unclaimPicture(db, queued, until)
      return false
    }
  }

  const rounds = startRounds({
    everyMilliseconds: lookMilliseconds,
    onFailure: (err) => log.error({ err }, 'Pictures could not be looked for.'),
    async look() {
      const now = clock()
      if (now.getTime() < pausedUntil || ending.signal.aborted) return false
      const until = new Date(now.getTime() + leaseMilliseconds)
      const queued = await claimPicture(db, { now, until })
      return queued !== undefined && isToGoOn(queued, until)
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
