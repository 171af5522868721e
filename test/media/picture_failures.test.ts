import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { createDecoder } from '../../src/domain/media/picture_decoder.ts'
import { endDecoders } from '../../src/domain/media/picture_lane.ts'
import { startService, type TestService } from '../kit/service.ts'
import { givenMediaOwner } from './media_owners.ts'

const program = process.execPath
let service: TestService
let folder: string
beforeAll(async () => {
  service = await startService()
  folder = mkdtempSync(join(inject('scratchFolder'), 'decoders-'))
})
afterEach(() => {
  process.execPath = program
  endDecoders()
})
afterAll(() => service.close())

/** From now on, decoders are started with this program. */
function decodeWith(file: string): void {
  endDecoders()
  process.execPath = file
}

/** A decoder that does this. */
function decoderThat(script: string): string {
  const file = join(folder, 'decoder')
  writeFileSync(file, `#!${program}\n${script}\n`)
  chmodSync(file, 0o755)
  return file
}

const asJpeg = { fileName: 'photo.jpg', mimeType: 'image/jpeg' }

/** Noise that no encoder makes small; a large one is decoded apart from the small ones. */
function photo(width: number, height: number): Promise<Buffer> {
  const raw = { width, height, channels: 3 } as const
  return sharp(randomBytes(width * height * 3), { raw })
    .jpeg({ quality: 20 })
    .toBuffer()
}

describe('a decoder that cannot be started', () => {
  /** Node reports one refusal of the system as an event, and throws another. */
  const refusals = [
    { refusal: 'reported', file: () => join(folder, 'nothing') },
    { refusal: 'thrown', file: () => join(decoderThat(''), 'nothing') },
  ]
  const sizes = [
    { size: 'small', side: 10 },
    { size: 'large', side: 4500 },
  ]
  const cases = refusals.flatMap((refusal) => sizes.map((size) => ({ ...refusal, ...size })))

  test.each(cases)('refuses a $size picture, $refusal, and the next is decoded', async (one) => {
    const { upload } = await givenMediaOwner(service)
    const shape = { width: one.side, height: one.side, channels: 3, background: '#ace' } as const
    const bytes = await sharp({ create: shape }).jpeg().toBuffer()
    decodeWith(one.file())
    for (let count = 0; count < 2; count++) {
      const { body, headers } = await upload(bytes, asJpeg).expect(503)
      expect([body.code, headers['retry-after']]).toEqual(['unavailable', '5'])
    }
    decodeWith(program)
    await upload(bytes, asJpeg).expect(200)
  })

  test('is waited for no longer than the caller waits', async () => {
    decodeWith(decoderThat('setInterval(() => undefined, 60_000)'))
    const decoder = createDecoder(10)
    const leaving = new AbortController()
    const task = { bytes: await photo(10, 10), mimeType: 'image/jpeg', purpose: 'store' } as const
    const decoding = decoder.decode(task, { signal: leaving.signal, seconds: 60 })
    leaving.abort()
    await expect(decoding).rejects.toMatchObject({ code: 'unavailable' })
    decoder.end()
    process.execPath = program
    const { outcome } = await decoder.decode(task, { signal: undefined, seconds: 60 })
    expect(outcome).toMatchObject({ image: { width: 10, height: 10 } })
    decoder.end()
  })
})
