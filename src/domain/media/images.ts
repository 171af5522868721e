import type sharpModule from 'sharp'
import { invalidInput, unavailable } from '../../core/errors.ts'
import { avifBrand, avifHoldsMore } from './avif_container.ts'
import { strippedGif } from './gif_container.ts'
import { UnfitImage } from './image_containers.ts'
import { strippedJpeg } from './jpeg_container.ts'
import { pngFrames, strippedPng } from './png_container.ts'
import { strippedWebp } from './webp_container.ts'

/** The five accepted formats and their file extensions. */
export const imageExtensions = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'avif',
} as const

export type ImageType = keyof typeof imageExtensions

interface CheckedImage {
  bytes: Buffer
  mimeType: ImageType
  extension: (typeof imageExtensions)[ImageType]
}

const megapixel = 1_000_000
/** Across all frames of an animation: a decoder has to hold them all. */
const maxPixels = 40 * megapixel
/** More than a phone camera produces. Anyone may upload them, and decoding is serialized. */
const maxPixelsToShow = 16 * megapixel
const maxPixelsToEncode = 8 * megapixel
/** No sane picture has thousands of frames, and each costs decoder time however small it is. */
const maxFrames = 2000

function isImageType(type: string): type is ImageType {
  return Object.hasOwn(imageExtensions, type)
}

/**
 * Accepts an intact image of the claimed type, without its metadata. The bytes decide the type,
 * even if none is claimed. Pixels are unchanged, except that an AVIF with more than a picture is
 * re-encoded. A refusal names the given field.
 */
export function checkImage(
  bytes: Buffer,
  claimedType: string | undefined,
  field: string,
): Promise<CheckedImage> {
  return check(bytes, claimedType, field, clean)
}

/**
 * The same for a picture that is analysed but not kept. Not every model accepts every format: of a
 * GIF or an AVIF the first frame is sent as a JPEG, which takes a fraction of the time of a clean
 * AVIF.
 */
export function checkPicture(
  bytes: Buffer,
  claimedType: string | undefined,
  field: string,
): Promise<CheckedImage> {
  return check(bytes, claimedType, field, (original, mimeType) =>
    mimeType === 'image/gif' || mimeType === 'image/avif'
      ? encodeAsJpeg(original, mimeType)
      : clean(original, mimeType, maxPixelsToShow),
  )
}

async function check(
  bytes: Buffer,
  claimedType: string | undefined,
  field: string,
  work: (bytes: Buffer, mimeType: ImageType) => Promise<CheckedImage>,
): Promise<CheckedImage> {
  try {
    const mimeType = requireType(bytes, claimedType)
    return await oneAtATime(() => work(bytes, mimeType))
  } catch (error) {
    if (error instanceof UnfitImage) throw invalidInput({ [field]: error.reason })
    throw error
  }
}

async function clean(
  bytes: Buffer,
  mimeType: ImageType,
  pixelLimit = maxPixels,
): Promise<CheckedImage> {
  const stripped = await strip(bytes, mimeType)
  await decode(stripped, mimeType, pixelLimit)
  return { bytes: stripped, mimeType, extension: imageExtensions[mimeType] }
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

async function strip(bytes: Buffer, type: ImageType): Promise<Buffer> {
  switch (type) {
    case 'image/jpeg':
      return strippedJpeg(bytes)
    case 'image/png':
      return strippedPng(bytes)
    case 'image/webp':
      return strippedWebp(bytes)
    case 'image/gif':
      return strippedGif(bytes)
    case 'image/avif':
      return holdsMore(bytes) ? encodeAnew(bytes) : bytes
  }
}

function holdsMore(bytes: Buffer): boolean {
  try {
    return avifHoldsMore(bytes)
  } catch (error) {
    // A box points outside the file.
    if (error instanceof RangeError) throw new UnfitImage('imageDamaged')
    throw error
  }
}

/** An AVIF container interleaves metadata and picture, so only a re-encoded one is surely clean. */
async function encodeAnew(bytes: Buffer): Promise<Buffer> {
  const { width, height } = await measure(bytes, 'image/avif')
  if (width * height > maxPixelsToEncode)
    throw new UnfitImage(['imageMetadata', { megapixels: maxPixelsToEncode / megapixel }])
  const sharp = await loadSharp()
  const encode = () =>
    sharp(bytes, reading).keepIccProfile().avif({ quality: 80, effort: 2 }).toBuffer()
  return refusingDamage(encode)
}

/** More than any model uses. */
const maxModelSide = 2048

async function encodeAsJpeg(bytes: Buffer, type: ImageType): Promise<CheckedImage> {
  await requireSize(bytes, type, maxPixelsToShow)
  const sharp = await loadSharp()
  const size = { width: maxModelSide, height: maxModelSide, fit: 'inside' } as const
  const encode = () =>
    sharp(bytes, { ...reading, animated: false })
      .resize({ ...size, withoutEnlargement: true })
      .flatten({ background: '#fff' })
      .jpeg({ quality: 90 })
      .toBuffer()
  return { bytes: await refusingDamage(encode), mimeType: 'image/jpeg', extension: 'jpg' }
}

const reading = { failOn: 'error', limitInputPixels: maxPixels, animated: true } as const

async function measure(
  bytes: Buffer,
  type: ImageType,
): Promise<{ width: number; height: number; frames: number }> {
  const sharp = await loadSharp()
  // Read the header without the limit, so that the refusal can say what is wrong.
  const unlimited = { ...reading, limitInputPixels: false }
  const metadata = await refusingDamage(() => sharp(bytes, unlimited).metadata())
  const { format, compression, width, height, pages = 1, pageHeight = height } = metadata
  const expected = type === 'image/avif' ? 'heif' : type.slice('image/'.length)
  if (format !== expected || (type === 'image/avif' && compression !== 'av1'))
    throw new UnfitImage('imageHeader')
  const frames = type === 'image/png' ? pngFrames(bytes) : pages
  return { width, height: pageHeight, frames }
}

async function requireSize(bytes: Buffer, type: ImageType, pixelLimit: number): Promise<void> {
  const { width, height, frames } = await measure(bytes, type)
  if (width * height * frames > pixelLimit)
    throw new UnfitImage(['imagePixels', { limit: pixelLimit / megapixel }])
  if (frames > maxFrames) throw new UnfitImage(['imageFrames', { limit: maxFrames }])
}

/** Decodes every pixel of every frame: the header proves nothing about the rest. */
async function decode(bytes: Buffer, type: ImageType, pixelLimit: number): Promise<void> {
  await requireSize(bytes, type, pixelLimit)
  const sharp = await loadSharp()
  // Shrinking reads every pixel but keeps almost none in memory.
  const shrunk = { width: 8, height: 8, fit: 'fill' } as const
  await refusingDamage(() => sharp(bytes, reading).resize(shrunk).raw().toBuffer())
}

async function refusingDamage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // Do not show the decoder's message to the uploader.
    throw new UnfitImage('imageDamaged', { cause: error })
  }
}

type Sharp = typeof sharpModule
let decoder: Promise<Sharp> | undefined

/**
 * Load lazily: the decoder costs more than the rest of the start, and a process may never need it.
 */
function loadSharp(): Promise<Sharp> {
  decoder ??= import('sharp').then(({ default: sharp }) => {
    // Nothing is decoded twice, and one core stays free for other requests.
    sharp.cache(false)
    sharp.concurrency(1)
    return sharp
  })
  return decoder
}

/** Beyond this many the wait is too long, and every waiting call holds its bytes in memory. */
const maxWaiting = 32
let waiting = 0
let last: Promise<unknown> = Promise.resolve()

/** A decoded image is many times the size of its file, so a process decodes one at a time. */
async function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  if (waiting >= maxWaiting) throw unavailable()
  waiting++
  const turn = last.then(work)
  last = turn.catch(() => undefined)
  try {
    return await turn
  } finally {
    waiting--
  }
}
