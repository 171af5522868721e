import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { ApiError, fieldsInWords } from '../../src/core/errors.ts'
import { checkImage } from '../../src/domain/media/images.ts'
import { pictureOf, readPicture } from '../../src/domain/assistant/pictures.ts'
import { refinedIn } from './pictures.ts'

const picture = (width = 64, height = 48) =>
  sharp({ create: { width, height, channels: 3, background: '#808080' } })

async function refusalOf(work: Promise<unknown>): Promise<unknown> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ApiError)) return error
  return error.fieldErrors ? fieldsInWords(error.fieldErrors, 'en') : error.code
}

describe('a JPEG', () => {
  test('of 50 scans is accepted, and of 51 refused', async () => {
    const jpeg = await refinedIn(50)
    expect((await checkImage(jpeg, 'image/jpeg', 'image')).bytes.equals(jpeg)).toBe(true)
    expect(await refusalOf(checkImage(await refinedIn(51), 'image/jpeg', 'image'))).toEqual({
      image: 'At most 50 scans.',
    })
  })
})

function box(type: string, ...parts: Buffer[]): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + Buffer.concat(parts).length)
  head.write(type, 4)
  return Buffer.concat([head, ...parts])
}

const u16 = (...values: number[]) =>
  Buffer.concat(values.map((value) => Buffer.from([value >> 8, value & 255])))
const u32 = (...values: number[]) =>
  u16(...values.flatMap((value) => [value >>> 16, value & 0xffff]))

/** An AVIF that is a grid of the same tile again and again. */
function avifOfTiles(count: number, side: number): Buffer {
  const item = (id: number, type: string) =>
    box('infe', u32(0x02000000), u16(id, 0), Buffer.from(`${type}\0`))
  const items = box('iinf', u32(0), u16(2), item(1, 'grid'), item(2, 'av01'))
  const tiles = Array.from({ length: count }, () => 2)
  const references = box('iref', u32(0), box('dimg', u16(1, count, ...tiles)))
  const sizes = box('ipco', box('ispe', u32(0, side, side)))
  const owners = box('ipma', u32(0, 1), u16(2), Buffer.from([1, 1]))
  const properties = box('iprp', sizes, owners)
  const meta = box('meta', u32(0), items, references, properties)
  return Buffer.concat([box('ftyp', Buffer.from('avif\0\0\0\0avif')), meta])
}

/** An AVIF whose items each claim the given number of extents, which take up no bytes. */
function avifOfStretches(items: number, each: number): Buffer {
  const entries = Array.from({ length: items }, (_, id) => u16(id, 0, each))
  const places = box('iloc', u16(0, 0, 0, items), ...entries)
  const meta = box('meta', Buffer.alloc(4), box('iinf', Buffer.alloc(6)), places)
  return Buffer.concat([box('ftyp', Buffer.from('avif\0\0\0\0avif')), meta, box('mdat', u16(1))])
}

describe('a container', () => {
  const tooMany = { image: 'At most 20,000 parts.' }
  const withParts = async (format: 'jpeg' | 'png' | 'webp' | 'gif', part: Buffer, at: number) => {
    const bytes = await picture().toFormat(format).toBuffer()
    const parts = Array.from({ length: 20_000 }, () => part)
    const file = Buffer.concat([bytes.subarray(0, at), ...parts, bytes.subarray(at)])
    if (format === 'webp') file.writeUInt32LE(file.length - 8, 4)
    return refusalOf(checkImage(file, `image/${format}`, 'image'))
  }

  test('of too many parts is refused, however small', async () => {
    expect(await withParts('jpeg', Buffer.from([0xff, 0xfe, 0, 2]), 2)).toEqual(tooMany)
    const chunk = Buffer.from('\0\0\0\0teXt\0\0\0\0', 'latin1')
    chunk.writeUInt32BE(crc32('teXt'), 8)
    expect(await withParts('png', chunk, 33)).toEqual(tooMany)
    expect(await withParts('webp', Buffer.from('JUNK\0\0\0\0'), 12)).toEqual(tooMany)
    expect(await withParts('gif', Buffer.from([0x21, 0xfe, 0]), 13 + 6)).toEqual(tooMany)
  })

  test('of AVIF that claims endless extents is refused before they are read', async () => {
    const refusalFor = (file: Buffer) => refusalOf(checkImage(file, 'image/avif', 'image'))
    expect(await refusalFor(avifOfStretches(1, 20_000))).toEqual({
      image: 'The file is damaged or incomplete.',
    })
    expect(await refusalFor(avifOfStretches(1, 20_001))).toEqual(tooMany)
    expect(await refusalFor(avifOfStretches(60_000, 65_535))).toEqual(tooMany)
  })
})

describe('an AVIF whose container states too much work', () => {
  const refusalFor = async (change: (file: Buffer) => unknown) => {
    const file = await picture().avif().toBuffer()
    change(file)
    return refusalOf(checkImage(file, 'image/avif', 'image'))
  }

  test('is refused if it is made of layers', async () => {
    const overlay = (file: Buffer) => file.write('iovl', file.indexOf('av01', file.indexOf('infe')))
    expect(await refusalFor(overlay)).toEqual({
      image: 'A picture of several layers is not accepted. Merge them into one.',
    })
  })

  test('is refused if a small tile fills a huge grid', async () => {
    const refusal = await refusalOf(checkImage(avifOfTiles(6, 4000), 'image/avif', 'image'))
    expect(refusal).toEqual({ image: 'At most 40 megapixels, all frames counted.' })
  })

  test('is refused if its parts are too large', async () => {
    const huge = (file: Buffer) => {
      const size = file.indexOf('ispe') + 8
      file.writeUInt32BE(20_000, size)
      file.writeUInt32BE(20_000, size + 4)
    }
    expect(await refusalFor(huge)).toEqual({ image: 'At most 40 megapixels, all frames counted.' })
  })
})

describe('concurrent pictures', () => {
  test('queue up to 32, and the rest are refused', async () => {
    const bytes = await picture().png().toBuffer()
    const turn = { account: 'acc_many' }
    const all = Array.from({ length: 40 }, () =>
      refusalOf(checkImage(bytes, undefined, 'image', turn)),
    )
    const outcomes = await Promise.all(all)
    expect(outcomes).toEqual([
      ...Array.from({ length: 32 }, () => undefined),
      ...Array.from({ length: 8 }, () => 'unavailable'),
    ])
    expect(await refusalOf(checkImage(bytes, undefined, 'image'))).toBeUndefined()
  })
})

describe('a picture in a chat', () => {
  const shown = async (bytes: Buffer, field: string) =>
    pictureOf(await readPicture(bytes.toString('base64'), field))
  const metadataOf = async (bytes: Buffer) => {
    const { bytes: result, mimeType } = await shown(bytes, 'image')
    const { format, width, height, exif } = await sharp(result).metadata()
    return { mimeType, format, width, height, hasExif: exif !== undefined }
  }
  const asJpeg = { mimeType: 'image/jpeg', format: 'jpeg', hasExif: false }

  test.each(['gif', 'avif'] as const)(
    'that is a %s is shown to a model as a JPEG',
    async (name) => {
      const bytes = await picture()
        .withExif({ IFD0: { Copyright: 'Mine' } })
        .toFormat(name)
        .toBuffer()
      expect(await metadataOf(bytes)).toEqual({ ...asJpeg, width: 64, height: 48 })
    },
  )

  test('is scaled down to the largest size a model uses', async () => {
    const bytes = await picture(4096, 16).gif().toBuffer()
    expect(await metadataOf(bytes)).toEqual({ ...asJpeg, width: 2048, height: 8 })
  })

  test.each(['jpeg', 'png', 'webp'] as const)('that is a %s stays one', async (format) => {
    const bytes = await picture().toFormat(format).toBuffer()
    expect(await metadataOf(bytes)).toEqual({
      mimeType: `image/${format}`,
      format,
      width: 64,
      height: 48,
      hasExif: false,
    })
  })

  test('that has too many pixels or is truncated is refused, in any format', async () => {
    const still = await picture(2000, 2000).gif().toBuffer()
    const head = 13 + 3 * 2 ** ((still.readUInt8(10) & 7) + 1)
    const frames = Array.from({ length: 5 }, () => still.subarray(head, -1))
    const large = Buffer.concat([still.subarray(0, head), ...frames, Buffer.from([0x3b])])
    const flat = await picture(4001, 4000).png().toBuffer()
    const cut = (await picture().avif().toBuffer()).subarray(0, -20)
    const refusalFor = (bytes: Buffer) => refusalOf(shown(bytes, 'images.1'))
    const tooLarge = { 'images.1': 'At most 16 megapixels, all frames counted.' }
    expect(await refusalFor(large)).toEqual(tooLarge)
    expect(await refusalFor(flat)).toEqual(tooLarge)
    expect(await refusalFor(cut)).toEqual({ 'images.1': 'The file is damaged or incomplete.' })
  })
})
