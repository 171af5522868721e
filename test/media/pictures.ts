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
