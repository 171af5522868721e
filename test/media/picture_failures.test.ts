import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { diskMediaStore } from '../../src/adapters/media_store.ts'
import { ownStore } from '../../src/adapters/own_store.ts'
import { minute } from '../../src/core/time.ts'
import { createDecoder } from '../../src/domain/media/picture_decoder.ts'
import { endDecoders } from '../../src/domain/media/picture_lane.ts'
import { queueForgotten } from '../../src/queries/media/picture_queue.ts'
import { startService, type TestService } from '../kit/service.ts'
import { givenMediaOwner, type Media } from './media_owners.ts'

const program = process.execPath
let service: TestService
let folder: string
/** Where the pictures are. */
let place: string
beforeAll(async () => {
  // With a stamp, as the service's own: the worker looks for it.
  place = join(mkdtempSync(join(inject('scratchFolder'), 'stamped-')), 'media')
  const identity = () => Promise.resolve({ environment: 'development', stamp: 'a stamp' })
  service = await startService({ mediaStore: ownStore(diskMediaStore(place), identity) })
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

/**
 * A picture whose smaller files are still to be made: at the next `lookAgain`, for the service also looks
 * of itself.
 */
async function givenPicture() {
  const { upload, workspace } = await givenMediaOwner(service)
  const media = (await upload(await photo(400, 300), asJpeg).expect(200)).body as Media
  await service.app.pictures.flush()
  const { content_hash: hash } = await service.db
    .updateTable('media')
    .set({ variants: 0, ready_hash: null })
    .where('id', '=', media.id)
    .returning('content_hash')
    .executeTakeFirstOrThrow()
  await queueForgotten(service.db, new Date(service.now().getTime() + minute))
  const file = join(place, workspace.id, `${hash}.jpg`)
  const row = () =>
    service.db
      .selectFrom('media')
      .select(['width', 'height', 'variants'])
      .where('id', '=', media.id)
      .executeTakeFirstOrThrow()
  const attempts = async () => {
    const rows = service.db.selectFrom('picture_queue').select('attempts')
    return (await rows.where('content_hash', '=', hash).execute()).map((one) => one.attempts)
  }
  return { file, row, attempts }
}

/** A file where the store's folder was: nothing in it can be opened. */
function takeStoreAway() {
  renameSync(place, `${place}.aside`)
  writeFileSync(place, '')
  return {
    bringBack() {
      rmSync(place)
      renameSync(`${place}.aside`, place)
    },
  }
}

/** An empty folder where the disk was mounted: nothing in it is found, and nothing fails. */
function unmountDisk() {
  renameSync(place, `${place}.aside`)
  mkdirSync(place)
  return {
    mountAgain() {
      rmSync(place, { recursive: true })
      renameSync(`${place}.aside`, place)
    },
  }
}

/** A folder can be opened, but not read. */
function makeUnreadable(file: string): void {
  rmSync(file)
  mkdirSync(file)
}

const waiting = { width: 400, height: 300, variants: 0 }
const made = { width: 400, height: 300, variants: 1 }
const givenUp = { width: 400, height: 300, variants: 2 }

/** Looks at what waits, once every lease and pause has ended. */
async function lookAgain(times = 1): Promise<void> {
  for (let count = 0; count < times; count++) {
    service.advance(4 * minute)
    await service.app.pictures.flush()
  }
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

  test.each(refusals)('is no attempt at a smaller file, $refusal', async ({ file }) => {
    const picture = await givenPicture()
    decodeWith(file())
    await lookAgain(7)
    expect([await picture.row(), await picture.attempts()]).toEqual([waiting, [0]])
    decodeWith(program)
    await lookAgain()
    expect([await picture.row(), await picture.attempts()]).toEqual([made, []])
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

describe('the smaller files of a picture', () => {
  test('are made when the store answers again, however long it did not', async () => {
    const picture = await givenPicture()
    const store = takeStoreAway()
    await lookAgain(7)
    expect([await picture.row(), await picture.attempts()]).toEqual([waiting, [0]])
    store.bringBack()
    await lookAgain()
    expect([await picture.row(), await picture.attempts()]).toEqual([made, []])
  })

  test('are made when the disk is mounted again, however long it was not', async () => {
    const picture = await givenPicture()
    const disk = unmountDisk()
    await lookAgain(7)
    expect([await picture.row(), await picture.attempts()]).toEqual([waiting, [0]])
    disk.mountAgain()
    await lookAgain()
    expect([await picture.row(), await picture.attempts()]).toEqual([made, []])
  })

  test('are not asked of a store that has just failed, whatever else waits', async () => {
    const [one, two] = [await givenPicture(), await givenPicture()]
    const store = takeStoreAway()
    const failures = () =>
      service.logged().filter(({ msg }) => msg === 'Files of a picture were not made.').length
    const before = failures()
    service.advance(4 * minute)
    for (let count = 0; count < 3; count++) await service.app.pictures.flush()
    expect(failures() - before).toBe(1)
    // The next is tried after ten seconds, and the first one's turn has not come again.
    service.advance(10_000)
    await service.app.pictures.flush()
    expect(failures() - before).toBe(2)
    service.advance(10_000)
    await service.app.pictures.flush()
    expect(failures() - before).toBe(2)
    store.bringBack()
    await lookAgain()
    expect([await one.row(), await two.row()]).toEqual([made, made])
  })

  test('are made at once while that of another cannot be read', async () => {
    const [unreadable, whole] = [await givenPicture(), await givenPicture()]
    makeUnreadable(unreadable.file)
    await lookAgain()
    expect([await unreadable.attempts(), await whole.row()]).toEqual([[1], made])
    await service.db.deleteFrom('picture_queue').execute()
  })

  test('are made when a decoder that crashed does so no more', async () => {
    const picture = await givenPicture()
    decodeWith(
      decoderThat(`
        process.on('message', () => process.exit(1))
        process.send('ready')`),
    )
    await lookAgain(4)
    expect([await picture.row(), await picture.attempts()]).toEqual([waiting, [4]])
    decodeWith(program)
    await lookAgain()
    expect([await picture.row(), await picture.attempts()]).toEqual([made, []])
  })

  test.each([
    { fault: 'damaged', harm: (file: string) => writeFileSync(file, 'no picture') },
    { fault: 'gone', harm: (file: string) => rmSync(file) },
    { fault: 'unreadable', harm: makeUnreadable },
  ])('are given up after five attempts at a file that is $fault', async ({ harm }) => {
    const picture = await givenPicture()
    harm(picture.file)
    await lookAgain(5)
    expect([await picture.row(), await picture.attempts()]).toEqual([waiting, [5]])
    await lookAgain()
    // The size is known since it came.
    expect([await picture.row(), await picture.attempts()]).toEqual([givenUp, []])
  })
})
