import sharp from 'sharp'
import { expect, test } from 'vitest'
import { highestPrice, leastPrice, priceOf } from '../../src/domain/media/picture_price.ts'
import { refinedIn } from './pictures.ts'

type Format = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif'
const flat = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#ace' } })
const pixelsOf = (bytes: Buffer, format: Format) => priceOf(bytes, `image/${format}`) - leastPrice

test.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)(
  'a %s costs its pixels, whatever the size of its file',
  async (format) => {
    const bytes = await flat(1200, 700).toFormat(format).toBuffer()
    expect(pixelsOf(bytes, format)).toBe(1200 * 700)
  },
)

test('a lossless WebP costs its pixels, too', async () => {
  expect(pixelsOf(await flat(1200, 700).webp({ lossless: true }).toBuffer(), 'webp')).toBe(840_000)
})

test.each(['webp', 'gif'] as const)(
  'an animated %s costs the pixels of all frames',
  async (format) => {
    const frames = await Promise.all(
      ['#f00', '#0f0', '#00f'].map((background) =>
        sharp({ create: { width: 50, height: 40, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    )
    const bytes = await sharp(frames, { join: { animated: true } })
      .toFormat(format)
      .toBuffer()
    expect(pixelsOf(bytes, format)).toBe(50 * 40 * 3)
  },
)

test('an AVIF that is encoded anew, and a JPEG of many passes, cost a multiple', async () => {
  const avif = await flat(120, 70)
    .withExif({ IFD0: { Copyright: 'Mine' } })
    .avif()
    .toBuffer()
  expect(pixelsOf(avif, 'avif')).toBe(120 * 70 * 20)
  expect(pixelsOf(await refinedIn(50), 'jpeg')).toBe(64 * 64 * 5)
})

test('what is damaged or states more than is decoded has a bounded price', async () => {
  const png = await flat(10, 10).png().toBuffer()
  for (const format of ['jpeg', 'png', 'webp', 'gif', 'avif'] as const) {
    expect(pixelsOf(png.subarray(0, 20), format)).toBe(0)
    expect(pixelsOf(Buffer.alloc(0), format)).toBe(0)
  }
  png.writeUInt32BE(0xffffffff, 16)
  expect(priceOf(png, 'image/png')).toBe(highestPrice)
})
