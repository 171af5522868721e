/**
 * Rewrites the containers of images without touching their pixels. What shows the picture is
 * copied by name; everything else, which is where places, names and foreign code hide, is left out.
 */

/** An image whose container is not as its format has it; the message is for the uploader. */
export class UnfitImage extends Error {}

export const damaged = () => new UnfitImage('Is damaged or cut off.')

/** Each part costs something, however small it is. No camera and no encoder comes near this. */
const maxParts = 20_000

export function partCounter(): () => void {
  let parts = 0
  return () => {
    if (++parts > maxParts) throw new UnfitImage(`Has more than ${maxParts} parts.`)
  }
}

/**
 * Whatever follows the end of a picture is another file to somebody: a page, an archive, a script.
 * Padding, and the further pictures that a camera has announced in the first, are cut off.
 */
export function requireNoTail(tail: Buffer, isAnnounced = false): void {
  const fromCamera = isAnnounced || tail.subarray(-4).toString('latin1') === 'SEFT'
  const isPadding = tail.every((byte) => byte === 0 || byte === 0x0a || byte === 0x0d)
  if (!fromCamera && !isPadding) throw new UnfitImage('Has other data behind the image.')
}

/** The orientation that EXIF states, 1 to 8; anything unreadable counts as upright. */
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

/** EXIF that states the orientation and nothing else. */
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
