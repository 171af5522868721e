import { invalidInput } from '../../core/errors.ts'
import { createLane } from '../../fairness/lane.ts'
import { avifBrand } from './avif_container.ts'
import { UnfitImage } from './image_containers.ts'
import { type CheckedImage, imageExtensions, type ImageType } from './image_types.ts'
import { inTurn, type PictureTurn } from './picture_lane.ts'
import { priceOf } from './picture_price.ts'
import type { Purpose } from './picture_work.ts'

/** A picture, or what reads it when its turn has come. */
type Source = Buffer | (() => Promise<Buffer>)

function isImageType(type: string): type is ImageType {
  return Object.hasOwn(imageExtensions, type)
}

/**
 * Accepts an intact image of the claimed type, without its metadata. The bytes decide the type,
 * even if none is claimed. Pixels are unchanged, except that an AVIF with more than a picture is
 * re-encoded. A refusal names the given field.
 */
export function checkImage(
  source: Source,
  claimedType: string | undefined,
  field: string,
  turn?: PictureTurn,
): Promise<CheckedImage> {
  return check(source, claimedType, field, 'store', turn)
}

/** The same for a picture that is analysed but not kept. */
export function checkPicture(
  source: Source,
  claimedType: string | undefined,
  field: string,
  turn?: PictureTurn,
): Promise<CheckedImage> {
  return check(source, claimedType, field, 'show', turn)
}

/** Files are read one at a time to find out what they will cost. */
const weighing = createLane()

async function check(
  source: Source,
  claimedType: string | undefined,
  field: string,
  purpose: Purpose,
  turn: PictureTurn = { account: '' },
): Promise<CheckedImage> {
  const { account } = turn
  const read = () => (typeof source === 'function' ? source() : Promise.resolve(source))
  return refusingAt(field, async () => {
    // A file on disk is read once more when its turn has come: many wait, and only two are in memory.
    const { type, price } = await weighing.inTurn(account, async () => {
      const bytes = await read()
      const actual = requireType(bytes, claimedType)
      return { type: actual, price: priceOf(bytes, actual) }
    })
    return inTurn(turn, price, async (decode) => decode(await read(), type, purpose))
  })
}

/** Refuses what is no picture of the claimed type, before anything is decoded. */
export function requirePicture(
  bytes: Buffer,
  claimedType: string | undefined,
  field: string,
): Promise<ImageType> {
  return refusingAt(field, () => Promise.resolve().then(() => requireType(bytes, claimedType)))
}

async function refusingAt<T>(field: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof UnfitImage) throw invalidInput({ [field]: error.reason })
    throw error
  }
}

function requireType(bytes: Buffer, claimedType: string | undefined): ImageType {
  if (claimedType !== undefined && !isImageType(claimedType))
    throw new UnfitImage('imageTypeUnknown')
  const actual = typeOf(bytes)
  if (!actual) throw new UnfitImage('imageUnknown')
  if (claimedType !== undefined && actual !== claimedType)
    throw new UnfitImage(['imageTypeMismatch', { stated: claimedType, actual }])
  return actual
}

function typeOf(bytes: Buffer): ImageType | undefined {
  const head = bytes.toString('latin1', 0, 12)
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif'
  if (/^RIFF[^]{4}WEBP$/.test(head)) return 'image/webp'
  const brand = avifBrand(bytes)
  if (brand === 'sequence') throw new UnfitImage('imageAnimatedAvif')
  return brand && 'image/avif'
}
