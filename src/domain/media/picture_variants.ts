import type { PictureSize } from './image_types.ts'

/*
 * Smaller files of a picture, for pages that show it at other sizes, and one for messengers. They lie beside the original, under
 * its hash, and go with it. They are made after the upload, one picture at a time, by a process of the
 * lowest priority; a page that asks for one before gets the original. No request encodes.
 */

/** Widths of WebP files, and those that are AVIF as well, which takes several times as long to encode. */
export const webpWidths = [96, 320, 640, 960, 1280] as const
export const avifWidths = [320, 640] as const

/** What messengers and networks show of a page that is shared: in this shape, and JPEG, which all of them read. */
export const shareSize = { width: 1200, height: 630 } as const

export interface Variant {
  width: number
  extension: 'webp' | 'avif'
  bytes: Buffer
}

/** A file of no more bytes is sent as it is: another would save less than its request costs. */
const smallBytes = 8_000

/** Whether a picture gets smaller files: an animation would lose its frames. */
export function hasVariants({ width, frames }: PictureSize, bytes: Buffer): boolean {
  return frames === 1 && width > webpWidths[0] && bytes.length > smallBytes
}

/** The widths that are smaller than the picture's own. */
export function widthsBelow(width: number, widths: readonly number[]): number[] {
  return widths.filter((each) => each < width)
}

const withoutExtension = (key: string) => key.slice(0, key.lastIndexOf('.'))

/** The store's key of a smaller file; `original` is that of the picture. */
export function variantKey(original: string, width: number, extension: string): string {
  return `${withoutExtension(original)}-${width}.${extension}`
}

/** The store's key of the file for messengers. */
export function shareKey(original: string): string {
  return `${withoutExtension(original)}-share.jpg`
}

/** The keys of all smaller files that a picture may have. */
export function variantKeys(original: string): string[] {
  return [
    ...webpWidths.map((width) => variantKey(original, width, 'webp')),
    ...avifWidths.map((width) => variantKey(original, width, 'avif')),
  ]
}
