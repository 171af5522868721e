import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { diskMediaStore, type MediaStore } from '../../src/adapters/media_store.ts'
import { minute } from '../../src/core/time.ts'
import { sweepMedia } from '../../src/domain/media/media.ts'
import {
  claimPicture,
  queueForgotten,
  queuePicture,
} from '../../src/queries/media/picture_queue.ts'
import { startService, type TestService } from '../kit/service.ts'
import { fetchMedia, givenMediaOwner, type Media } from './media_owners.ts'

let service: TestService
let store: MediaStore
beforeAll(async () => {
  service = await startService()
  store = diskMediaStore(join(service.config.dataDir, 'media'))
})
afterAll(() => service.close())

/** A photograph: noise that no encoder makes small. */
function photo(width: number, height: number): Promise<Buffer> {
  const raw = { width, height, channels: 3 } as const
  return sharp(randomBytes(width * height * 3), { raw })
    .jpeg({ quality: 60 })
    .toBuffer()
}

const asJpeg = { fileName: 'photo.jpg', mimeType: 'image/jpeg' }

const at = ({ url }: Media, width: number) => ({
  url: url.replace(/\.\w+$/, `-${width}.webp`),
})

async function served(media: Media, width: number, headers: Record<string, string> = {}) {
  const file = { ...media, ...at(media, width) }
  const { response, bytes } = await fetchMedia(service, file, { headers })
  const type = response.headers.get('content-type')
  const cached = response.headers.get('cache-control')
  return { status: response.status, type, cached, bytes }
}

const distance = (one: number[], other: number[]) =>
  Math.max(...one.map((value, index) => Math.abs(value - other[index]!)))

/** The file for messengers. */
async function shared(media: Media) {
  const file = { ...media, url: media.url.replace(/\.\w+$/, '-share.jpg') }
  const { response, bytes } = await fetchMedia(service, file)
  const type = response.headers.get('content-type')
  const cached = response.headers.get('cache-control')
  return { status: response.status, type, cached, bytes }
}

const rowOf = ({ id }: Media) =>
  service.db
    .selectFrom('media')
    .select(['width', 'height', 'variants'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

async function stored(): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of store.list()) keys.push(key)
  return keys
}

const forever = 'public, max-age=31536000, immutable'

describe('a stored picture', () => {
  test('is measured when it comes, upright', async () => {
    const { upload } = await givenMediaOwner(service)
    const turned = await sharp(await photo(40, 30))
      .withMetadata({ orientation: 6 })
      .toBuffer()
    const { body } = await upload(turned, asJpeg).expect(200)
    expect(await rowOf(body as Media)).toMatchObject({ width: 30, height: 40, variants: 2 })
  })

  test('gets smaller files, of which a client is sent the best', async () => {
    const { upload } = await givenMediaOwner(service)
    const bytes = await photo(800, 600)
    const media = (await upload(bytes, asJpeg).expect(200)).body as Media
    expect(await rowOf(media)).toEqual({ width: 800, height: 600, variants: 0 })
    const early = await served(media, 320)
    expect(early).toMatchObject({ status: 200, type: 'image/jpeg', cached: 'public, max-age=60' })
    expect((await shared(media)).cached).toBe('public, max-age=60')
    expect(early.bytes.equals((await fetchMedia(service, media)).bytes)).toBe(true)

    await service.app.pictures.flush()
    expect(await rowOf(media)).toEqual({ width: 800, height: 600, variants: 1 })
    for (const width of [96, 320, 640]) {
      const { status, type, cached, bytes: small } = await served(media, width)
      expect([status, type, cached]).toEqual([200, 'image/webp', forever])
      expect((await sharp(small).metadata()).width).toBe(width)
      expect(small.length).toBeLessThan(bytes.length)
    }
    const avif = await served(media, 320, { Accept: 'image/avif,image/webp,*/*' })
    expect(avif.type).toBe('image/avif')
    const { response } = await fetchMedia(service, { ...media, ...at(media, 320) })
    expect(response.headers.get('vary')).toContain('Accept')
    // It is no wider than this, and has no such file.
    expect(await served(media, 960)).toMatchObject({ type: 'image/jpeg', cached: forever })
    expect((await served(media, 321)).status).toBe(404)
    expect(await service.db.selectFrom('picture_queue').selectAll().execute()).toEqual([])
  })

  test('has none if it is small or moves', async () => {
    const { upload } = await givenMediaOwner(service)
    const frame = await photo(300, 300)
    const moving = await sharp([frame, await photo(300, 300)], { join: { animated: true } })
      .webp()
      .toBuffer()
    const asWebp = { fileName: 'moving.webp', mimeType: 'image/webp' }
    const media = (await upload(moving, asWebp).expect(200)).body as Media
    expect(await rowOf(media)).toEqual({ width: 300, height: 300, variants: 2 })
    expect(await served(media, 96)).toMatchObject({ type: 'image/webp', cached: forever })
  })

  test('of an earlier build is measured in the background', async () => {
    const { upload } = await givenMediaOwner(service)
    const media = (await upload(await photo(400, 300), asJpeg).expect(200)).body as Media
    await service.db
      .updateTable('media')
      .set({ width: null, height: null, variants: 0, ready_hash: null })
      .where('id', '=', media.id)
      .execute()
    await service.db.deleteFrom('picture_queue').execute()
    await queueForgotten(service.db, service.now())
    await service.app.pictures.flush()
    expect(await rowOf(media)).toEqual({ width: 400, height: 300, variants: 1 })
  })

  test.each([
    { shape: 'wide', width: 1800, height: 300, corner: [255, 255, 255] },
    { shape: 'tall', width: 300, height: 1800, corner: [255, 255, 255] },
    { shape: 'small', width: 40, height: 30, corner: [255, 255, 255] },
    { shape: 'fitting', width: 2400, height: 1260, corner: [10, 120, 200] },
  ])('gets a file for messengers, whole on white ($shape)', async ({ corner, ...size }) => {
    const { upload } = await givenMediaOwner(service)
    const create = {
      ...size,
      channels: 4,
      background: { r: 10, g: 120, b: 200, alpha: 1 },
    } as const
    const bytes = await sharp({ create }).avif().toBuffer()
    const asAvif = { fileName: 'photo.avif', mimeType: 'image/avif' }
    const media = (await upload(bytes, asAvif).expect(200)).body as Media
    await service.app.pictures.flush()
    const share = await shared(media)
    expect(share).toMatchObject({ status: 200, type: 'image/jpeg', cached: forever })
    expect(await sharp(share.bytes).metadata()).toMatchObject({
      format: 'jpeg',
      width: 1200,
      height: 630,
    })
    const pixels = await sharp(share.bytes).raw().toBuffer()
    const at = (x: number, y: number) => [...pixels.subarray((y * 1200 + x) * 3).subarray(0, 3)]
    expect(distance(at(0, 0), corner)).toBeLessThan(12)
    expect(distance(at(600, 315), [10, 120, 200])).toBeLessThan(12)
  })

  test('gets its files before those of earlier builds, also at a second attempt', async () => {
    const { upload, workspace } = await givenMediaOwner(service)
    const workspaceId = workspace.id
    for (const shade of [10, 20, 30]) await upload(await photo(100 + shade, 40), asJpeg).expect(200)
    await service.app.pictures.flush()
    const { db } = service
    const old = db.updateTable('media').set({ ready_hash: null })
    const rows = await old
      .where('workspace_id', '=', workspaceId)
      .returning('content_hash')
      .execute()
    const [again = '', ...rest] = rows.map((row) => row.content_hash)
    // In times to come: the service also looks of itself.
    const at = (minutes: number) => new Date(service.now().getTime() + minutes * minute)
    const put = (contentHash: string, time: Date) =>
      db.transaction().execute((trx) => queuePicture(trx, { workspaceId, contentHash }, time))
    const claimed = async (now: Date, until: Date) =>
      (await claimPicture(db, { now, until }))?.contentHash
    await queueForgotten(db, at(1))
    await put('new', at(2))
    expect(await claimed(at(3), at(5))).toBe('new')
    // Uploaded once more while it waits.
    await put(again, at(4))
    expect(await claimed(at(4), at(9))).toBe(again)
    expect(await claimed(at(5), at(9))).toBe('new')
    const left = [await claimed(at(5), at(9)), await claimed(at(5), at(9))]
    expect(left.sort()).toEqual(rest.sort())
    expect(await claimed(at(5), at(9))).toBeUndefined()
    await db.deleteFrom('picture_queue').execute()
  })

  test('of an earlier build gets its file for messengers, and keeps the others', async () => {
    const { upload, workspace } = await givenMediaOwner(service)
    const media = (await upload(await photo(400, 300), asJpeg).expect(200)).body as Media
    await service.app.pictures.flush()
    const share = (await stored()).find(
      (key) => key.startsWith(workspace.id) && key.endsWith('-share.jpg'),
    )!
    await store.delete(share)
    await service.db
      .updateTable('media')
      .set({ ready_hash: null })
      .where('id', '=', media.id)
      .execute()
    const before = await stored()
    await queueForgotten(service.db, service.now())
    await service.app.pictures.flush()
    expect(await rowOf(media)).toEqual({ width: 400, height: 300, variants: 1 })
    expect((await stored()).sort()).toEqual([...before, share].sort())
    expect((await shared(media)).cached).toBe(forever)
  })

  test('takes its smaller files along when it is deleted or swept', async () => {
    const owner = await givenMediaOwner(service)
    const ofWorkspace = async () =>
      (await stored()).filter((key) => key.startsWith(`${owner.workspace.id}/`))
    const media = (await owner.upload(await photo(400, 300), asJpeg).expect(200)).body as Media
    await service.app.pictures.flush()
    expect(await ofWorkspace()).toHaveLength(5)
    await owner.api.delete(`${owner.path}/${media.id}`).expect(200)
    expect(await ofWorkspace()).toEqual([])
    expect((await served(media, 96)).status).toBe(404)

    const other = (await owner.upload(await photo(400, 300), asJpeg).expect(200)).body as Media
    await service.app.pictures.flush()
    await service.db.deleteFrom('media').where('id', '=', other.id).execute()
    const later = () => new Date(Date.now() + 2 * 3600_000)
    await sweepMedia(service.db, store, later)
    expect(await ofWorkspace()).toEqual([])
  })

  test('is made once by two services that look at once', async () => {
    const { upload, workspace } = await givenMediaOwner(service)
    for (let number = 0; number < 4; number++)
      await upload(await photo(300, 200), asJpeg).expect(200)
    await Promise.all([service.app.pictures.flush(), service.app.pictures.flush()])
    const rows = await service.db
      .selectFrom('media')
      .select('variants')
      .where('workspace_id', '=', workspace.id)
      .execute()
    expect(rows.map(({ variants }) => variants)).toEqual([1, 1, 1, 1])
  })
})
