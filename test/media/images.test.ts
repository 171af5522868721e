import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { ApiError, fieldsInWords } from '../../src/core/errors.ts'
import { checkImage } from '../../src/domain/media/images.ts'
import type { ImageType } from '../../src/domain/media/image_types.ts'

type Format = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif'
const formats: Format[] = ['jpeg', 'png', 'webp', 'gif', 'avif']
const typeOf = (format: Format): ImageType => `image/${format}`

function canvas(width = 64, height = 48) {
  const background = { r: 200, g: 120, b: 60 }
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
  return sharp({ create: { width, height, channels: 3, background, noise } })
}

/** A flat picture: a large one with noise takes seconds to make and encode. */
const flat = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#123456' } })

const plain = (format: Format) => canvas().toFormat(format).toBuffer()

const secret = 'Somebody at 41.0082'
const xmp = `<?xpacket begin="" id="x"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description about="${secret}"/></rdf:RDF></x:xmpmeta>`

const withMetadata = (format: Format, picture = canvas()) =>
  picture
    .withExif({ IFD0: { Copyright: secret }, IFD3: { GPSLatitudeRef: 'N' } })
    .withXmp(xmp)
    .withIccProfile('p3', { attach: true })
    .toFormat(format, format === 'avif' ? { effort: 0 } : {})
    .toBuffer()

/** An animation of three single-colour frames. */
async function animation(format: 'gif' | 'webp'): Promise<Buffer> {
  const frames = ['#ff0000', '#00ff00', '#0000ff'].map((background) =>
    sharp({ create: { width: 20, height: 20, channels: 3, background } })
      .png()
      .toBuffer(),
  )
  return sharp(await Promise.all(frames), { join: { animated: true } })
    .toFormat(format, { delay: [100, 100, 100], loop: 3 })
    .toBuffer()
}

/** A GIF that loops a single frame. */
async function repeated(width: number, height: number, frames: number): Promise<Buffer> {
  const still = await flat(width, height).gif().toBuffer()
  const flags = still.readUInt8(10)
  const head = 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  const frame = still.subarray(head, -1)
  const all = Array.from({ length: frames }, () => frame)
  return Buffer.concat([still.subarray(0, head), ...all, Buffer.from([0x3b])])
}

async function refusal(bytes: Buffer, mimeType: string): Promise<Record<string, string>> {
  const outcome: unknown = await checkImage(bytes, mimeType, 'files.3').catch((error) => error)
  if (!(outcome instanceof ApiError)) throw new Error('It was not refused.', { cause: outcome })
  expect(outcome.code).toBe('invalid_input')
  return fieldsInWords(outcome.fieldErrors ?? {}, 'en')
}

const pixels = (bytes: Buffer) => sharp(bytes, { animated: true }).raw().toBuffer()

function insert(bytes: Buffer, at: number, insertion: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), insertion, bytes.subarray(at)])
}

function jpegSegment(marker: number, payload: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(payload.length + 2, 2)
  return Buffer.concat([head, payload])
}

function pngChunk(type: string, payload: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), payload])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(payload.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

describe('an image of each format', () => {
  test.each(formats)('%s without metadata is stored byte for byte', async (format) => {
    const bytes = await plain(format)
    const checked = await checkImage(bytes, typeOf(format), 'base64')
    expect(checked.mimeType).toBe(typeOf(format))
    expect(checked.extension).toBe(format === 'jpeg' ? 'jpg' : format)
    expect(await pixels(checked.bytes)).toEqual(await pixels(bytes))
    expect(checked.bytes.equals(bytes)).toBe(true)
  })

  test.each(formats)('%s is refused under each other name', async (format) => {
    const bytes = await plain(format)
    for (const other of formats.filter((name) => name !== format))
      expect(await refusal(bytes, typeOf(other))).toEqual({
        'files.3': `Stated as image/${other}, but it is image/${format}.`,
      })
  })

  test.each(formats)('%s truncated anywhere is refused', async (format) => {
    const bytes = await plain(format)
    for (const share of [0.2, 0.5, 0.9]) {
      const cut = bytes.subarray(0, Math.floor(bytes.length * share))
      expect(await refusal(cut, typeOf(format))).toEqual({
        'files.3': 'The file is damaged or incomplete.',
      })
    }
    expect(await refusal(bytes.subarray(0, -1), typeOf(format))).toEqual({
      'files.3': 'The file is damaged or incomplete.',
    })
  })

  test('in another format is refused, whatever it is called', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    const others = [
      svg,
      Buffer.from('<!doctype html><script>alert(1)</script>'),
      Buffer.from(''),
      await canvas().tiff().toBuffer(),
      Buffer.from('%PDF-1.4'),
      Buffer.from('BM'),
    ]
    for (const bytes of others)
      expect(await refusal(bytes, 'image/png')).toEqual({
        'files.3': 'Not a JPEG, PNG, WebP, GIF or AVIF image.',
      })
    expect(await refusal(svg, 'image/svg+xml')).toEqual({
      'files.3': 'The stated type is not JPEG, PNG, WebP, GIF or AVIF.',
    })
  })
})

describe('metadata', () => {
  test.each(formats.filter((format) => format !== 'gif' && format !== 'avif'))(
    'of %s goes, while colour profile and pixels stay',
    async (format) => {
      const bytes = await withMetadata(format)
      expect(bytes.includes(secret)).toBe(true)
      const { bytes: output } = await checkImage(bytes, typeOf(format), 'base64')
      const { exif, xmp: outputXmp, icc } = await sharp(output).metadata()
      expect([exif, outputXmp]).toEqual([undefined, undefined])
      expect(icc).toBeDefined()
      expect(output.includes('41.0082')).toBe(false)
      expect(await pixels(output)).toEqual(await pixels(bytes))
    },
  )

  test('of AVIF goes by re-encoding, which keeps size and colour profile', async () => {
    const bytes = await withMetadata('avif')
    const { bytes: output } = await checkImage(bytes, 'image/avif', 'base64')
    const { exif, xmp: outputXmp, icc, width, height, compression } = await sharp(output).metadata()
    expect([exif, outputXmp, compression, width, height]).toEqual([
      undefined,
      undefined,
      'av1',
      64,
      48,
    ])
    expect(icc).toBeDefined()
    expect(output.includes('41.0082')).toBe(false)
  })

  test('in an AVIF above eight megapixels is refused', async () => {
    const bytes = await withMetadata('avif', flat(3000, 2700))
    expect(await refusal(bytes, 'image/avif')).toEqual({
      'files.3': 'Remove the metadata: AVIF images above 8 megapixels are not re-encoded.',
    })
  }, 60_000)

  test('in comments, text and unknown parts is removed', async () => {
    const hidden = Buffer.from('<script>alert(1)</script>')
    const jpeg = await plain('jpeg')
    const png = await plain('png')
    const gif = await plain('gif')
    const webp = await withMetadata('webp')
    const comment = Buffer.concat([Buffer.from([0x21, 0xfe, 25]), hidden, Buffer.from([0])])
    const withJunk = Buffer.concat([webp, Buffer.from('JUNK'), Buffer.from([25, 0, 0, 0]), hidden])
    const padded = Buffer.concat([withJunk, Buffer.from([0])])
    padded.writeUInt32LE(padded.length - 8, 4)
    const cases: [Buffer, Format][] = [
      [insert(jpeg, 2, jpegSegment(0xfe, hidden)), 'jpeg'],
      [insert(jpeg, 2, jpegSegment(0xec, hidden)), 'jpeg'],
      [insert(jpeg, 2, jpegSegment(0xed, hidden)), 'jpeg'],
      [insert(png, 33, pngChunk('tEXt', hidden)), 'png'],
      [insert(png, 33, pngChunk('vpAg', hidden)), 'png'],
      [insert(gif, gif.length - 1, comment), 'gif'],
      [padded, 'webp'],
    ]
    for (const [bytes, format] of cases) {
      expect(bytes.includes('<script>')).toBe(true)
      const { bytes: output } = await checkImage(bytes, typeOf(format), 'base64')
      expect(output.includes('<script>')).toBe(false)
      expect(await pixels(output)).toEqual(await pixels(bytes))
    }
  })

  test.each(['jpeg', 'png', 'webp'] as const)(
    'of %s keeps the orientation and nothing else',
    async (format) => {
      const image = canvas().withExif({ IFD0: { Copyright: secret, Orientation: '6' } })
      const bytes = await image.withMetadata({ orientation: 6 }).toFormat(format).toBuffer()
      expect((await sharp(bytes).metadata()).orientation).toBe(6)
      const { bytes: output } = await checkImage(bytes, typeOf(format), 'base64')
      const { orientation, exif } = await sharp(output).metadata()
      expect(orientation).toBe(6)
      expect(exif?.subarray(exif.indexOf('II*')).length).toBe(26)
      const again = await checkImage(output, typeOf(format), 'base64')
      expect(again.bytes.equals(output)).toBe(true)
    },
  )
})

describe('an image that is also something else', () => {
  const page = Buffer.from('<html><script>alert(1)</script></html>')
  const archive = Buffer.from('PK\x05\x06' + '\0'.repeat(18), 'latin1')

  test.each(['jpeg', 'png', 'webp', 'gif'] as const)(
    '%s followed by a page, an archive or another image is refused',
    async (format) => {
      const bytes = await plain(format)
      for (const tail of [page, archive, await plain('png')])
        expect(await refusal(Buffer.concat([bytes, tail]), typeOf(format))).toEqual({
          'files.3': 'The file has other data after the image.',
        })
    },
  )

  test('AVIF loses a page hidden in a box or in unreferenced data', async () => {
    const bytes = await plain('avif')
    const box = (type: string) => {
      const head = Buffer.alloc(8)
      head.writeUInt32BE(page.length + 8)
      head.write(type, 4)
      return Buffer.concat([bytes, head, page])
    }
    for (const type of ['free', 'uuid', 'mdat']) {
      const { bytes: output } = await checkImage(box(type), 'image/avif', 'base64')
      expect(output.includes('<script>')).toBe(false)
    }
    expect(await refusal(Buffer.concat([bytes, page]), 'image/avif')).toEqual({
      'files.3': 'The file is damaged or incomplete.',
    })
  })

  test('padding after an image is cut off, as are the extra pictures a camera appends', async () => {
    for (const format of ['jpeg', 'png', 'webp', 'gif'] as const) {
      const bytes = await plain(format)
      const padded = Buffer.concat([bytes, Buffer.alloc(7), Buffer.from('\r\n')])
      const { bytes: output } = await checkImage(padded, typeOf(format), 'base64')
      expect(output.equals(bytes)).toBe(true)
    }
    const jpeg = await plain('jpeg')
    const announced = insert(jpeg, 2, jpegSegment(0xe2, Buffer.from('MPF\0 and where')))
    const { bytes: output } = await checkImage(
      Buffer.concat([announced, jpeg]),
      'image/jpeg',
      'base64',
    )
    expect(output.equals(jpeg)).toBe(true)
  })

  test('the thumbnail in the first segment of a JPEG is removed', async () => {
    const jpeg = await plain('jpeg')
    const head = Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01', 'latin1')
    const segment = (rest: Buffer) => jpegSegment(0xe0, Buffer.concat([head, rest]))
    const thumbnail = Buffer.concat([Buffer.from([2, 3]), page.subarray(0, 18)])
    const bytes = insert(jpeg, 2, segment(thumbnail))
    const { bytes: output } = await checkImage(bytes, 'image/jpeg', 'base64')
    expect(output.equals(insert(jpeg, 2, segment(Buffer.from([0, 0]))))).toBe(true)
  })
})

describe('damage', () => {
  test('to the checksum of a PNG is detected', async () => {
    const bytes = await plain('png')
    bytes[bytes.length - 20]! ^= 1
    expect(await refusal(bytes, 'image/png')).toEqual({
      'files.3': 'The file is damaged or incomplete.',
    })
  })

  test('to pixels in an intact container is detected', async () => {
    const header = (await plain('png')).subarray(0, 33)
    const end = pngChunk('IEND', Buffer.alloc(0))
    const noise = pngChunk('IDAT', Buffer.from('no compressed pixels at all'))
    const bytes = Buffer.concat([header, noise, end])
    expect(await refusal(bytes, 'image/png')).toEqual({
      'files.3': 'The file is damaged or incomplete.',
    })
  })

  test('anywhere in any format gives an image or a refusal', async () => {
    for (const format of formats) {
      const sound = await withMetadata(format)
      for (let at = 0; at < sound.length; at += Math.ceil(sound.length / 60)) {
        const bytes = Buffer.from(sound)
        bytes[at] = (bytes[at] ?? 0) ^ 0xff
        const outcome: unknown = await checkImage(bytes, typeOf(format), 'base64').then(
          ({ mimeType }) => mimeType,
          (error: unknown) => (error instanceof ApiError ? error.status : error),
        )
        expect([typeOf(format), 400]).toContain(outcome)
      }
    }
  }, 60_000)
})

describe('size', () => {
  test('of 40 megapixels is accepted, and one row more refused', async () => {
    const make = (height: number) => flat(8000, height).png().toBuffer()
    const { mimeType } = await checkImage(await make(5000), 'image/png', 'base64')
    expect(mimeType).toBe('image/png')
    expect(await refusal(await make(5001), 'image/png')).toEqual({
      'files.3': 'At most 40 megapixels, all frames counted.',
    })
  }, 60_000)

  test('is checked before decoding, so a small file cannot claim an enormous picture', async () => {
    const bytes = Buffer.from(await plain('png'))
    bytes.writeUInt32BE(60_000, 16)
    bytes.writeUInt32BE(60_000, 20)
    bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29)
    expect(await refusal(bytes, 'image/png')).toEqual({
      'files.3': 'At most 40 megapixels, all frames counted.',
    })
  })

  test('counts every frame of an animation', async () => {
    const bytes = await repeated(2000, 2000, 11)
    expect(await refusal(bytes, 'image/gif')).toEqual({
      'files.3': 'At most 40 megapixels, all frames counted.',
    })
    expect(await refusal(await repeated(1, 1, 2001), 'image/gif')).toEqual({
      'files.3': 'At most 2,000 frames.',
    })
  })
})

describe('an animation', () => {
  test.each(['gif', 'webp'] as const)('in %s keeps frames, timing and loops', async (format) => {
    const bytes = await animation(format)
    const { bytes: output } = await checkImage(bytes, typeOf(format), 'base64')
    const { pages, delay, loop } = await sharp(output, { animated: true }).metadata()
    expect({ pages, delay, loop }).toEqual({ pages: 3, delay: [100, 100, 100], loop: 3 })
    expect(await pixels(output)).toEqual(await pixels(bytes))
  })

  test('in PNG keeps its frames, which count towards its size', async () => {
    const still = await flat(2000, 2000).png().toBuffer()
    const frames = (count: number) => {
      const control = Buffer.alloc(8)
      control.writeUInt32BE(count)
      return insert(still, 33, pngChunk('acTL', control))
    }
    const few = frames(10)
    const { bytes: output } = await checkImage(few, 'image/png', 'base64')
    expect(output.equals(few)).toBe(true)
    expect(await refusal(frames(11), 'image/png')).toEqual({
      'files.3': 'At most 40 megapixels, all frames counted.',
    })
  })

  test('in AVIF is refused rather than flattened', async () => {
    const bytes = await plain('avif')
    bytes.write('avis', 8)
    expect(await refusal(bytes, 'image/avif')).toEqual({
      'files.3': 'Animated AVIF is not accepted. Send the animation as WebP or GIF.',
    })
  })
})

describe('concurrent images', () => {
  test('are decoded one at a time, and a bad one does not block the rest', async () => {
    const large = await flat(5000, 4000).png().toBuffer()
    const small = await plain('png')
    const ended: string[] = []
    const check = async (name: string, bytes: Buffer) => {
      const outcome = await Promise.allSettled([checkImage(bytes, 'image/png', 'base64')])
      ended.push(`${name} ${outcome[0].status}`)
    }
    // In parallel, the small ones would finish long before the large one.
    await Promise.all([
      check('large', large),
      check('cut', small.subarray(0, -9)),
      check('small', small),
    ])
    expect(ended).toEqual(['large fulfilled', 'cut rejected', 'small fulfilled'])
  })
})
