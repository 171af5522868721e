import { crc32 } from 'node:zlib'
import sharp from 'sharp'

let shade = 0

/** A unique picture. */
export function image(format: 'png' | 'jpeg' | 'gif' = 'png'): Promise<Buffer> {
  const value = ++shade
  const background = { r: value & 0xff, g: (value >> 8) * 40, b: 90 }
  return sharp({ create: { width: 300, height: 4, channels: 3, background } })
    .toFormat(format)
    .toBuffer()
}

/** A PNG with a unique text chunk after its header, which the service removes. */
export function padded(png: Buffer, bytes: number): Buffer {
  const body = Buffer.alloc(bytes - png.length - 8, 'x')
  body.write('tEXt')
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length - 4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([png.subarray(0, 33), length, body, sum, png.subarray(33)])
}

/** The parts of a progressive JPEG: everything up to its first scan's end, and its last scan. */
function partsOf(jpeg: Buffer): { opening: Buffer; table: Buffer; scan: Buffer } {
  const none: Buffer = Buffer.alloc(0)
  let [opening, table, scan] = [none, none, none]
  for (let at = 2; jpeg[at + 1] !== 0xd9;) {
    let end = at + 2 + jpeg.readUInt16BE(at + 2)
    if (jpeg[at + 1] === 0xc4) table = jpeg.subarray(at, end)
    if (jpeg[at + 1] === 0xda) {
      while (jpeg[end] !== 0xff || jpeg[end + 1] === 0) end++
      scan = jpeg.subarray(at, end)
      if (opening.length === 0) opening = jpeg.subarray(0, end)
    }
    at = end
  }
  return { opening, table, scan }
}

/** A JPEG that refines coefficients bit by bit: valid, but slow to decode. */
export async function refinedIn(scans: number, width = 64, height = width): Promise<Buffer> {
  const flat = sharp({ create: { width, height, channels: 3, background: '#808080' } })
  const { opening, table, scan } = partsOf(await flat.jpeg({ progressive: true }).toBuffer())
  const bits = 14
  const further = Array.from({ length: scans - 1 }, (_, index) => {
    const [coefficient, low] = [1 + Math.floor(index / bits), bits - 1 - (index % bits)]
    const high = low === bits - 1 ? 0 : low + 1
    const refined = Buffer.from(scan)
    refined.set([coefficient, coefficient, (high << 4) | low], 7)
    return refined
  })
  return Buffer.concat([opening, table, ...further, Buffer.from([0xff, 0xd9])])
}
