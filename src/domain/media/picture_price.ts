import { avifHoldsMore, avifPixels } from './avif_container.ts'
import { gifPixels } from './gif_container.ts'
import { UnfitImage } from './image_containers.ts'
import type { ImageType } from './image_types.ts'
import { jpegPixels } from './jpeg_container.ts'
import { pngPixels } from './png_container.ts'
import { webpPixels } from './webp_container.ts'

/*
 * A price is what a picture costs a decoder, in pixels. It is read from the container before the
 * picture waits, because bytes say nothing: 40 megapixels of one colour are a file of 1,400 bytes.
 */

/** What any picture costs beside its pixels. */
export const leastPrice = 100_000
/** No picture of more pixels is decoded, so what states more is not dearer. */
export const highestPrice = 200_000_000
/** An AVIF with metadata is encoded anew, which takes so many times as long as to decode it. */
const timesToEncode = 20

const pixelsOf: Record<ImageType, (bytes: Buffer) => number> = {
  'image/jpeg': jpegPixels,
  'image/png': pngPixels,
  'image/webp': webpPixels,
  'image/gif': gifPixels,
  'image/avif': (bytes) => avifPixels(bytes) * (avifHoldsMore(bytes) ? timesToEncode : 1),
}

export function priceOf(bytes: Buffer, type: ImageType): number {
  try {
    return Math.min(leastPrice + pixelsOf[type](bytes), highestPrice)
  } catch (error) {
    // A damaged container is refused before anything is decoded, in words for its uploader.
    if (error instanceof UnfitImage || error instanceof RangeError) return leastPrice
    throw error
  }
}
