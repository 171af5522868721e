import { defaultLanguage } from '../../texts/languages.ts'
import { inWords, type Reason } from '../../texts/refusals.ts'

/**
 * Rewrites image containers without touching pixels. Only known parts that the picture needs are
 * copied; everything else, where locations, names and foreign code hide, is dropped.
 */

/** An image that violates its format; the reason is shown to the uploader. */
export class UnfitImage extends Error {
  readonly reason: Reason

  constructor(reason: Reason, options?: ErrorOptions) {
    super(inWords(defaultLanguage, reason), options)
    this.reason = reason
  }
}

export const damaged = () => new UnfitImage('imageDamaged')

/** Each part has a cost, however small it is. No camera or encoder comes near this limit. */
const maxParts = 20_000

export function partCounter(): () => void {
  let parts = 0
  return () => {
    if (++parts > maxParts) throw new UnfitImage(['imageParts', { limit: maxParts }])
  }
}

/**
 * Data after the end of a picture may be another file: a page, an archive, a script. Padding, and
 * further pictures that a camera announced in the first, are cut off.
 */
export function requireNoTail(tail: Buffer, isAnnounced = false): void {
  const fromCamera = isAnnounced || tail.subarray(-4).toString('latin1') === 'SEFT'
  const isPadding = tail.every((byte) => byte === 0 || byte === 0x0a || byte === 0x0d)
  if (!fromCamera && !isPadding) throw new UnfitImage('imageTrailingData')
}

/** The EXIF orientation, 1 to 8; anything unreadable counts as upright. */
export function orientationOf(tiff: Buffer): number {
  const order = tiff.toString('latin1', 0, 2)
  if (tiff.length < 14 || (order !== 'II' && order !== 'MM')) return 1
  const little = order === 'II'
  const u16 = (at: number) =>
    at + 2 > tiff.length ? 0 : little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)
  const first = little ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  for (let entry = 0; entry < u16(first); entry++) {
    const at = first + 2 + entry * 12
    if (at + 12 > tiff.length) return 1
    if (u16(at) !== 0x0112) continue
    const value = u16(at + 8)
    return value >= 1 && value <= 8 ? value : 1
  }
  return 1
}

/** EXIF data with only the orientation. */
export function exifOf(orientation: number): Buffer {
  const tiff = Buffer.alloc(26)
  tiff.write('II*\0', 'latin1')
  tiff.writeUInt32LE(8, 4)
  tiff.writeUInt16LE(1, 8)
  tiff.writeUInt16LE(0x0112, 10)
  tiff.writeUInt16LE(3, 12)
  tiff.writeUInt32LE(1, 14)
  tiff.writeUInt16LE(orientation, 18)
  return tiff
}

export function startsWith(bytes: Buffer, text: string): boolean {
  return bytes.toString('latin1', 0, text.length) === text
}

export function readable(bytes: Buffer, at: number, length: number): Buffer {
  if (at + length > bytes.length) throw damaged()
  return bytes
}

export function slice(bytes: Buffer, at: number, length: number): Buffer {
  if (length < 0 || at + length > bytes.length) throw damaged()
  return bytes.subarray(at, at + length)
}
