import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { reducedProfile } from '../../src/domain/media/icc_profile.ts'
import { checkImage } from '../../src/domain/media/images.ts'

const formats = ['jpeg', 'png', 'webp', 'avif'] as const
type Format = (typeof formats)[number]
const secret = Buffer.from('<script>Somebody at 41.0082</script>')

/** A picture of many colours with a profile of more colours than sRGB. */
function picture(format: Format): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
  return sharp({ create: { width: 64, height: 48, channels: 3, background: '#c86', noise } })
    .withIccProfile('p3', { attach: true })
    .toFormat(format, format === 'avif' ? { effort: 0 } : {})
    .toBuffer()
}

const profileIn = async (bytes: Buffer) => (await sharp(bytes).metadata()).icc
/** In sRGB, through the profile. */
const pixels = (bytes: Buffer) => sharp(bytes).raw().toBuffer()

/** The profile with a text of its own: a value that no decoder reads, of so many bytes. */
function withText(profile: Buffer, bytes: number): Buffer {
  const count = profile.readUInt32BE(128)
  const table = 132 + count * 12
  const moved = Buffer.from(profile.subarray(132, table))
  for (let entry = 0; entry < count; entry++)
    moved.writeUInt32BE(moved.readUInt32BE(entry * 12 + 4) + 12, entry * 12 + 4)
  const own = Buffer.alloc(12)
  own.write('priv')
  own.writeUInt32BE(profile.length + 12, 4)
  own.writeUInt32BE(bytes, 8)
  const text = Buffer.alloc(bytes, secret)
  const parts = [profile.subarray(0, 132), moved, own, profile.subarray(table), text]
  const output = Buffer.concat(parts)
  output.writeUInt32BE(output.length)
  output.writeUInt32BE(count + 1, 128)
  return output
}

function segments(profile: Buffer): Buffer {
  const count = Math.ceil(profile.length / 65_000)
  return Buffer.concat(
    Array.from({ length: count }, (_, index) => {
      const piece = profile.subarray(index * 65_000, (index + 1) * 65_000)
      const name = Buffer.from(`ICC_PROFILE\0${String.fromCharCode(index + 1, count)}`, 'latin1')
      const head = Buffer.from([0xff, 0xe2, 0, 0])
      head.writeUInt16BE(2 + name.length + piece.length, 2)
      return Buffer.concat([head, name, piece])
    }),
  )
}

function pngChunk(type: string, payload: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), payload])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(payload.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** A picture whose profile holds a secret of so many bytes. */
async function withSecret(format: 'jpeg' | 'png' | 'webp', bytes: number): Promise<Buffer> {
  const plain = await sharp(await picture(format))
    .toFormat(format)
    .toBuffer()
  const profile = withText((await profileIn(await picture(format)))!, bytes)
  if (format === 'jpeg')
    return Buffer.concat([plain.subarray(0, 2), segments(profile), plain.subarray(2)])
  if (format === 'png') {
    const chunk = pngChunk('iCCP', Buffer.concat([Buffer.from('p3\0\0'), deflateSync(profile)]))
    return Buffer.concat([plain.subarray(0, 33), chunk, plain.subarray(33)])
  }
  const original = await picture('webp')
  const [at, length] = [
    original.indexOf('ICCP'),
    original.readUInt32LE(original.indexOf('ICCP') + 4),
  ]
  const head = Buffer.from('ICCP\0\0\0\0')
  head.writeUInt32LE(profile.length, 4)
  const rest = original.subarray(at + 8 + length + (length % 2))
  const padding = Buffer.alloc(profile.length % 2)
  const output = Buffer.concat([original.subarray(0, at), head, profile, padding, rest])
  output.writeUInt32LE(output.length - 8, 4)
  return output
}

describe('a colour profile', () => {
  test.each(formats)('in %s keeps its colours and loses everything else', async (format) => {
    const bytes = await picture(format)
    const { bytes: output } = await checkImage(bytes, `image/${format}`, 'file')
    const [before, after] = [(await profileIn(bytes))!, (await profileIn(output))!]
    expect(before.includes('desc')).toBe(true)
    expect(after.includes('desc')).toBe(false)
    expect(after.includes('rTRC')).toBe(true)
    expect(await pixels(output)).toEqual(await pixels(bytes))
    const again = await checkImage(output, `image/${format}`, 'file')
    expect(again.bytes.equals(output)).toBe(true)
  })

  test.each([
    ['jpeg', 1000],
    ['jpeg', 3_000_000],
    ['png', 1000],
    ['png', 3_000_000],
    ['webp', 1000],
    ['webp', 3_000_000],
  ] as const)('in %s with a secret of %i bytes loses it', async (format, size) => {
    const bytes = await withSecret(format, size)
    expect((await profileIn(bytes))!.includes(secret)).toBe(true)
    const { bytes: output } = await checkImage(bytes, `image/${format}`, 'file')
    const profile = (await profileIn(output))!
    expect(profile.includes('41.0082')).toBe(false)
    expect(profile.length).toBeLessThan(2000)
    expect(output.length).toBeLessThan(20_000)
    expect(await pixels(output)).toEqual(await pixels(bytes))
  })

  test('of AVIF with a secret of its own is overwritten in place', async () => {
    const bytes = await picture('avif')
    const profile = (await profileIn(bytes))!
    const text = profile.readUInt32BE(profile.indexOf('cprt') + 4)
    bytes.write('41.0082', bytes.indexOf(profile) + text + 28)
    expect((await profileIn(bytes))!.includes('41.0082')).toBe(true)
    const { bytes: output } = await checkImage(bytes, 'image/avif', 'file')
    expect(output.includes('41.0082')).toBe(false)
    expect(output.length).toBe(bytes.length)
    expect(await pixels(output)).toEqual(await pixels(bytes))
  })

  test('of inks keeps its table', async () => {
    const bytes = await sharp(await picture('jpeg'))
      .toColourspace('cmyk')
      .withIccProfile('cmyk', { attach: true })
      .jpeg()
      .toBuffer()
    const { bytes: output } = await checkImage(bytes, 'image/jpeg', 'file')
    expect((await sharp(output).metadata()).space).toBe('cmyk')
    expect((await profileIn(output))!.includes('A2B0')).toBe(true)
    expect(await pixels(output)).toEqual(await pixels(bytes))
  })

  test('that is none is dropped', async () => {
    const bytes = await sharp(await picture('jpeg'))
      .jpeg()
      .toBuffer()
    const fake = Buffer.concat([bytes.subarray(0, 2), segments(secret), bytes.subarray(2)])
    const { bytes: output } = await checkImage(fake, 'image/jpeg', 'file')
    expect(output.equals(bytes)).toBe(true)
  })

  test('that claims values outside itself has none', () => {
    const profile = Buffer.alloc(144)
    profile.write('acsp', 36)
    profile.writeUInt32BE(1, 128)
    profile.write('kTRC', 132)
    profile.writeUInt32BE(0xfffffff0, 136)
    profile.writeUInt32BE(0xffffffff, 140)
    expect(reducedProfile(profile)).toBeUndefined()
    expect(reducedProfile(Buffer.alloc(20))).toBeUndefined()
  })
})
