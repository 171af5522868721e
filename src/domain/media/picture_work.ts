import type sharpModule from 'sharp'
import type { Sharp } from 'sharp'
import { avifHoldsMore, avifWithReducedProfiles, requireModestAvif } from './avif_container.ts'
import { strippedGif } from './gif_container.ts'
import { UnfitImage } from './image_containers.ts'
import {
  type CheckedImage,
  imageExtensions,
  type ImageType,
  type PictureSize,
} from './image_types.ts'
import { strippedJpeg } from './jpeg_container.ts'
import {
  avifWidths,
  hasVariants,
  shareSize,
  type Variant,
  webpWidths,
  widthsBelow,
} from './picture_variants.ts'
import { pngFrames, strippedPng } from './png_container.ts'
import { strippedWebp } from './webp_container.ts'

const megapixel = 1_000_000
/** Across all frames of an animation: a decoder has to hold them all. */
const maxPixels = 40 * megapixel
/** More than a phone camera produces. Anyone may upload them, and decoding is serialized. */
const maxPixelsToShow = 16 * megapixel
const maxPixelsToEncode = 8 * megapixel
/** No sane picture has thousands of frames, and each costs decoder time however small it is. */
const maxFrames = 2000

/** What a picture is decoded for: to be stored as it is, or to be shown to a model. */
export type Purpose = 'store' | 'show'

/**
 * The work on one picture, in a process of its own. Not every model accepts every format: to show a
 * GIF or an AVIF, its first frame becomes a JPEG, which takes a fraction of the time of a clean AVIF.
 */
export function workOn(
  bytes: Buffer,
  mimeType: ImageType,
  purpose: Purpose,
): Promise<CheckedImage> {
  if (purpose === 'store') return clean(bytes, mimeType)
  if (mimeType === 'image/gif' || mimeType === 'image/avif') return encodeAsJpeg(bytes, mimeType)
  return clean(bytes, mimeType, maxPixelsToShow)
}

async function clean(
  bytes: Buffer,
  mimeType: ImageType,
  pixelLimit = maxPixels,
): Promise<CheckedImage> {
  const stripped = await strip(bytes, mimeType)
  const size = await decode(stripped, mimeType, pixelLimit)
  return { bytes: stripped, mimeType, extension: imageExtensions[mimeType], ...size }
}

/** A stored picture's size, and what was made of it. */
export interface MadeFiles {
  size: PictureSize
  variants: Variant[]
  share: Buffer
}

/** Makes files of a stored picture, whose bytes were checked when it came: all, or the one for messengers. */
export async function filesOf(
  bytes: Buffer,
  mimeType: ImageType,
  which: 'files' | 'share',
): Promise<MadeFiles> {
  const size = await measure(bytes, mimeType)
  const variants = which === 'files' ? await variantsOf(bytes, size) : []
  return { size, variants, share: await refusingDamage(() => shareOf(bytes)) }
}

/** The whole picture on white, as large as it is at most: one that is cut would hide what is for sale. */
async function shareOf(bytes: Buffer): Promise<Buffer> {
  const sharp = await loadSharp()
  const background = '#fff'
  const { data: input, info: raw } = await sharp(bytes, { ...reading, animated: false })
    .rotate()
    .flatten({ background })
    .resize({ ...shareSize, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return sharp({ create: { ...shareSize, channels: 3, background } })
    .composite([{ input, raw }])
    .jpeg({ quality: 80 })
    .toBuffer()
}

async function variantsOf(bytes: Buffer, size: PictureSize): Promise<Variant[]> {
  if (!hasVariants(size, bytes)) return []
  const sharp = await loadSharp()
  const resized = (width: number) =>
    sharp(bytes, { ...reading, animated: false })
      .rotate()
      .resize({ width })
  const variants: Variant[] = []
  for (const width of widthsBelow(size.width, webpWidths)) {
    const encode = () => resized(width).webp({ quality: 78 }).toBuffer()
    variants.push({ width, extension: 'webp', bytes: await refusingDamage(encode) })
  }
  for (const width of widthsBelow(size.width, avifWidths)) {
    const encode = () => resized(width).avif({ quality: 50, effort: 2 }).toBuffer()
    variants.push({ width, extension: 'avif', bytes: await refusingDamage(encode) })
  }
  return variants
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
      return isMoreThanPicture(bytes) ? encodeAnew(bytes) : reducedAvif(bytes)
  }
}

/** Refuses an AVIF whose container states too much work. */
function isMoreThanPicture(bytes: Buffer): boolean {
  try {
    requireModestAvif(bytes, maxPixels)
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
  const encoded = (picture: Sharp) =>
    refusingDamage(() => picture.avif({ quality: 80, effort: 2 }).toBuffer())
  const output = avifWithReducedProfiles(await encoded(sharp(bytes, reading).keepIccProfile()))
  // Without a profile, colours are converted.
  return output ?? encoded(sharp(bytes, reading))
}

async function reducedAvif(bytes: Buffer): Promise<Buffer> {
  return avifWithReducedProfiles(bytes) ?? encodeAnew(bytes)
}

/** More than any model uses. */
const maxModelSide = 2048

async function encodeAsJpeg(bytes: Buffer, type: ImageType): Promise<CheckedImage> {
  if (type === 'image/avif') isMoreThanPicture(bytes)
  await requireSize(bytes, type, maxPixelsToShow)
  const sharp = await loadSharp()
  const size = { width: maxModelSide, height: maxModelSide, fit: 'inside' } as const
  const encode = () =>
    sharp(bytes, { ...reading, animated: false })
      .resize({ ...size, withoutEnlargement: true })
      .flatten({ background: '#fff' })
      .jpeg({ quality: 90 })
      .toBuffer({ resolveWithObject: true })
  const { data, info } = await refusingDamage(encode)
  const { width, height } = info
  return { bytes: data, mimeType: 'image/jpeg', extension: 'jpg', width, height, frames: 1 }
}

const reading = { failOn: 'error', limitInputPixels: maxPixels, animated: true } as const

async function measure(bytes: Buffer, type: ImageType): Promise<PictureSize> {
  const sharp = await loadSharp()
  // Read the header without the limit, so that the refusal can say what is wrong.
  const unlimited = { ...reading, limitInputPixels: false }
  const metadata = await refusingDamage(() => sharp(bytes, unlimited).metadata())
  const { format, compression, width, height, pages = 1, pageHeight = height } = metadata
  const isTurned = (metadata.orientation ?? 1) >= 5
  const expected = type === 'image/avif' ? 'heif' : type.slice('image/'.length)
  if (format !== expected || (type === 'image/avif' && compression !== 'av1'))
    throw new UnfitImage('imageHeader')
  const frames = type === 'image/png' ? pngFrames(bytes) : pages
  return isTurned
    ? { width: pageHeight, height: width, frames }
    : { width, height: pageHeight, frames }
}

async function requireSize(
  bytes: Buffer,
  type: ImageType,
  pixelLimit: number,
): Promise<PictureSize> {
  const size = await measure(bytes, type)
  const { width, height, frames } = size
  if (width * height * frames > pixelLimit)
    throw new UnfitImage(['imagePixels', { limit: pixelLimit / megapixel }])
  if (frames > maxFrames) throw new UnfitImage(['imageFrames', { limit: maxFrames }])
  return size
}

/** Decodes every pixel of every frame: the header proves nothing about the rest. */
async function decode(bytes: Buffer, type: ImageType, pixelLimit: number): Promise<PictureSize> {
  const size = await requireSize(bytes, type, pixelLimit)
  const sharp = await loadSharp()
  // Shrinking reads every pixel but keeps almost none in memory.
  const shrunk = { width: 8, height: 8, fit: 'fill' } as const
  await refusingDamage(() => sharp(bytes, reading).resize(shrunk).raw().toBuffer())
  return size
}

async function refusingDamage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // Do not show the decoder's message to the uploader.
    throw new UnfitImage('imageDamaged', { cause: error })
  }
}

let decoder: Promise<typeof sharpModule> | undefined

/**
 * Load lazily: the decoder costs more than the rest of the start, and a process may never need it.
 */
export function loadSharp(): Promise<typeof sharpModule> {
  decoder ??= import('sharp').then(({ default: sharp }) => {
    // Nothing is decoded twice, and one core stays free for other requests.
    sharp.cache(false)
    sharp.concurrency(1)
    return sharp
  })
  return decoder
}
