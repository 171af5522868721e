import type { Config } from '../../settings/config.ts'
import { createLane } from '../../fairness/lane.ts'
import { createRecentUse } from '../../fairness/recent_use.ts'
import { minute } from '../../core/time.ts'
import { UnfitImage } from './image_containers.ts'
import type { CheckedImage, ImageType } from './image_types.ts'
import { createDecoder, type PictureAnswer } from './picture_decoder.ts'
import type { MadeFiles, Purpose } from './picture_work.ts'

/** Whose turn it is, and what ends it early. */
export interface PictureTurn {
  account: string
  /** How long the decoder may take. */
  seconds?: number
  /** Aborted when the client has left, and the picture is not needed any more. */
  signal?: AbortSignal
  /** Refuses a caller who has lost access while waiting. */
  begin?: () => Promise<void>
}

/** The turn of a call. It ends with the call's client, and with `until`. */
export function turnOf(
  caller: {
    accountId?: string
    config: Pick<Config, 'pictureSeconds'>
    signal: AbortSignal
    reauthorise: () => Promise<void>
  },
  until?: AbortSignal,
): PictureTurn {
  const { accountId = '', config } = caller
  const signal = until ? AbortSignal.any([until, caller.signal]) : caller.signal
  return {
    account: accountId,
    seconds: config.pictureSeconds,
    signal,
    begin: () => caller.reauthorise(),
  }
}

export type Decode = (bytes: Buffer, mimeType: ImageType, purpose: Purpose) => Promise<CheckedImage>

/** A lane with a decoder of its own. Every waiting call holds its bytes, in memory or on disk. */
const createPlace = (niceness: number) => ({
  lane: createLane({ maxOfHolder: 32, maxWaiting: 256 }),
  decoder: createDecoder(niceness),
})
/** For every picture. */
const general = createPlace(10)
/**
 * For small pictures of accounts that used little: they never wait for a large one, and
 * little for the processor.
 */
const quick = createPlace(5)

/** A picture of a phone. To decode it takes a third of the memory of the largest at most. */
export const quickPrice = 12_500_000
/** What an account may have used in the last minute or two. */
export const quickUse = 64_000_000
const used = createRecentUse(minute)
/** What a decoder does of the dearest format. What takes longer costs more than its pixels. */
const pixelsAMillisecond = 18_000
/** Without an answer the decoder was ended, and the next picture waits for another one. */
const restartMilliseconds = 500
/** For the service's own pictures. */
const defaultSeconds = 60

/** For files that are made of stored pictures, which no call waits for: all other pictures come first. */
const background = createDecoder(19)

/** Ends the idle processes; the next picture starts another. */
export function endDecoders(): void {
  for (const decoder of [general.decoder, quick.decoder, background]) decoder.end()
}

/** Makes files of a stored picture, one picture at a time. */
export async function makeFiles(
  task: { bytes: Buffer; mimeType: ImageType; purpose: 'files' | 'share' },
  signal: AbortSignal,
): Promise<MadeFiles> {
  const limits = { signal, seconds: defaultSeconds }
  const { outcome } = await background.decode(task, limits)
  if ('made' in outcome) return outcome.made
  if ('unfit' in outcome) throw new UnfitImage(outcome.unfit)
  throw new Error(`A picture was not decoded: ${'failure' in outcome ? outcome.failure : ''}`)
}

/**
 * A decoded image is many times the size of its file, so a process decodes one at a time, and one
 * small one beside it. Accounts share the decoders by what their pictures cost.
 */
export function inTurn<T>(
  turn: PictureTurn,
  price: number,
  work: (decode: Decode) => Promise<T>,
): Promise<T> {
  const { account, signal } = turn
  const isQuick = price <= quickPrice && used.of(account) + price <= quickUse
  const { lane, decoder } = isQuick ? quick : general
  // Counted when it comes, or many would be quick at once.
  used.add(account, price)

  const decode: Decode = async (bytes, mimeType, purpose) => {
    const { seconds = defaultSeconds } = turn
    const startedAt = performance.now()
    let milliseconds: number | undefined
    try {
      const answer = await decoder.decode({ bytes, mimeType, purpose }, { signal, seconds })
      milliseconds = answer.milliseconds
      return imageOf(answer.outcome)
    } finally {
      milliseconds ??= performance.now() - startedAt + restartMilliseconds
      used.add(account, Math.max(0, milliseconds * pixelsAMillisecond - price))
    }
  }
  const begun = async () => {
    await turn.begin?.()
    return work(decode)
  }
  return lane.inTurn(account, begun, { cost: price, signal })
}

function imageOf(outcome: PictureAnswer['outcome']): CheckedImage {
  if ('unfit' in outcome) throw new UnfitImage(outcome.unfit)
  if ('image' in outcome) return { ...outcome.image, bytes: Buffer.from(outcome.image.bytes) }
  throw new Error(`A picture was not decoded: ${'failure' in outcome ? outcome.failure : ''}`)
}
