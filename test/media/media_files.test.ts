import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { diskMediaStore, type MediaStore } from '../../src/adapters/media_store.ts'
import { sweepMedia } from '../../src/domain/media/media.ts'
import { startService, type TestService } from '../kit/service.ts'
import { failuresOf } from '../upkeep/refused_rows.ts'
import { fetchMedia, givenMediaOwner, type Media } from './media_owners.ts'
import { image } from './pictures.ts'

const hour = 3600_000
let service: TestService
let store: MediaStore
beforeAll(async () => {
  service = await startService()
  store = diskMediaStore(join(service.config.dataDir, 'media'))
})
afterAll(() => service.close())

const givenOwner = () => givenMediaOwner(service)
const fetchBytes = (media: Media, init?: RequestInit) => fetchMedia(service, media, init)

describe('the address of an image', () => {
  test('is public, cached forever and harmless when opened directly', async () => {
    const { givenMedia } = await givenOwner()
    const media = await givenMedia()
    const { response, bytes } = await fetchBytes(media)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(bytes.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
      etag: `"${createHash('sha256').update(bytes).digest('hex')}"`,
    })
  })

  test('has 22 characters, and the whole hash of earlier addresses still works', async () => {
    const { givenMedia, workspace } = await givenOwner()
    const media = await givenMedia()
    expect(media.url.split('/').at(-1)).toMatch(/^[\w-]{22}\.png$/)
    const { bytes } = await fetchBytes(media)
    const hash = createHash('sha256').update(bytes).digest('hex')
    const url = media.url.replace(/[\w-]{22}\.png$/, `${hash}.png`)
    expect((await fetchBytes({ ...media, url })).bytes.equals(bytes)).toBe(true)
    const other = await givenOwner()
    const elsewhere = media.url.replace(workspace.id, other.workspace.id)
    expect((await fetchBytes({ ...media, url: elsewhere })).response.status).toBe(404)
  })

  test('answers HEAD with the headers but not the bytes', async () => {
    const { givenMedia } = await givenOwner()
    const media = await givenMedia()
    const { response, bytes } = await fetchBytes(media, { method: 'HEAD' })
    expect([response.status, bytes.length]).toEqual([200, 0])
    expect(response.headers.get('content-length')).toBe(String(media.size))
    expect(response.headers.get('content-type')).toBe('image/png')
  })

  test('answers a matching ETag with 304 and no bytes', async () => {
    const { givenMedia } = await givenOwner()
    const media = await givenMedia()
    const etag = (await fetchBytes(media)).response.headers.get('etag') ?? ''
    for (const validator of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const { response, bytes } = await fetchBytes(media, {
        headers: { 'If-None-Match': validator },
      })
      expect([response.status, bytes.length]).toEqual([304, 0])
    }
    const { response } = await fetchBytes(media, { headers: { 'If-None-Match': '"other"' } })
    expect(response.status).toBe(200)
  })

  test('serves a range of the bytes', async () => {
    const { upload } = await givenOwner()
    const all = await image()
    const { body } = await upload(all)
    const last = all.length - 1
    const cases: [string, number, number][] = [
      ['bytes=0-0', 0, 0],
      ['bytes=5-9', 5, 9],
      ['bytes=5-', 5, last],
      ['bytes=-4', last - 3, last],
      [`bytes=5-${all.length + 50}`, 5, last],
      [`bytes=-${all.length + 50}`, 0, last],
    ]
    for (const [range, start, end] of cases) {
      const { response, bytes } = await fetchBytes(body, { headers: { Range: range } })
      expect([range, response.status]).toEqual([range, 206])
      expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end}/${all.length}`)
      expect(bytes.equals(all.subarray(start, end + 1))).toBe(true)
    }
  })

  test('refuses a range past the end and states the size', async () => {
    const { givenMedia } = await givenOwner()
    const media = await givenMedia()
    for (const range of [`bytes=${media.size}-`, 'bytes=9-5', 'bytes=-0']) {
      const { response } = await fetchBytes(media, { headers: { Range: range } })
      expect([range, response.status]).toEqual([range, 416])
      expect(response.headers.get('content-range')).toBe(`bytes */${media.size}`)
    }
  })

  test('serves everything if If-Range is stale or the range is multiple or invalid', async () => {
    const { givenMedia } = await givenOwner()
    const media = await givenMedia()
    for (const headers of [
      { Range: 'bytes=0-3', 'If-Range': '"other"' },
      { Range: 'bytes=0-3,5-6' },
      { Range: 'lines=0-3' },
      { Range: 'bytes=' },
    ] as Record<string, string>[]) {
      const { response, bytes } = await fetchBytes(media, { headers })
      expect([response.status, bytes.length]).toEqual([200, media.size])
    }
  })

  test('is 404 if malformed or unknown, and refuses other methods', async () => {
    const { givenMedia, workspace } = await givenOwner()
    const media = await givenMedia()
    const hash = '0'.repeat(64)
    const paths = [
      `/media/${workspace.id}/${hash}.png`,
      `/media/${workspace.id}/${hash}.svg`,
      `/media/${workspace.id}/short.png`,
      `/media/${workspace.id}/${'A'.repeat(22)}.png`,
      // The same bits, written in another way.
      `/media/${media.key.replace(/.\.png$/, 'Z.png')}`,
      `/media/${hash}.png`,
      '/media/',
      '/media/environment',
      `/media/${media.key.replace('.png', '.jpg')}`,
      `/media/%2e%2e/${hash}.png`,
      `/media/unfinished/${hash}`,
      `/media/..%2f${hash}.png/x`,
    ]
    for (const path of paths) {
      const response = await fetch(service.urls.api + path)
      const body = (await response.json()) as Record<string, unknown>
      expect([path, response.status, body.code]).toEqual([path, 404, 'not_found'])
    }
    const { response } = await fetchBytes(media, { method: 'DELETE' })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})

describe('media of a suspended workspace', () => {
  test('are not served until it is active again, at whatever address', async () => {
    const { workspace, givenMedia } = await givenOwner()
    const others = await (await givenOwner()).givenMedia()
    const media = await givenMedia()
    const etag = (await fetchBytes(media)).response.headers.get('etag') ?? ''
    const longUrl = media.url.replace(/[\w-]{22}\.png$/, `${etag.slice(1, -1)}.png`)
    const unknownUrl = media.url.replace(/[\w-]{22}\.png$/, `${'A'.repeat(22)}.png`)
    const staff = service.admin(await service.givenStaff())
    const setStatus = async (status: string) => {
      await staff.put(`/api/admin/workspaces/${workspace.id}/status`).send({ status }).expect(200)
      // What the service remembers of standings is older than this.
      service.advance(5000)
    }
    await setStatus('SUSPENDED')
    for (const url of [media.url, longUrl, unknownUrl])
      for (const init of [{}, { method: 'HEAD' }, { headers: { 'If-None-Match': etag } }]) {
        const { response } = await fetchBytes({ ...media, url }, init)
        expect([url, response.status]).toEqual([url, 403])
        // Or it would be missed after the suspension.
        expect(response.headers.get('cache-control')).toBe('no-store')
      }
    const { bytes } = await fetchBytes(media)
    expect(JSON.parse(bytes.toString())).toMatchObject({ code: 'workspace_inactive' })
    expect((await fetchBytes(others)).response.status).toBe(200)
    await setStatus('ACTIVE')
    expect((await fetchBytes(media)).response.status).toBe(200)
  })
})

describe('the sweep of media files', () => {
  const sweep = (from: MediaStore = store) => sweepMedia(service.db, from, () => service.now())
  const orphan = (workspaceId: string, bytes: Buffer) =>
    `${workspaceId}/${createHash('sha256').update(bytes).digest('hex')}.png`

  test('removes a file orphaned by a crash once it is an hour old', async () => {
    const { workspace, upload, api, path } = await givenOwner()
    const bytes = await image()
    const key = orphan(workspace.id, bytes)
    // The row waits for this lock, its file is stored, and then its connection is cut.
    const stop = await service.db.connection().execute(async (holder) => {
      await sql`begin`.execute(holder)
      await sql`lock table media in access exclusive mode`.execute(holder)
      const answer = upload(bytes).then(({ status }) => status)
      await expect.poll(() => waitersForMedia()).toBe(1)
      await sql`select pg_terminate_backend(pid) from pg_locks
        where relation = 'media'::regclass and not granted and database = (
          select oid from pg_database where datname = current_database())`.execute(holder)
      await sql`rollback`.execute(holder)
      return answer
    })
    expect(stop).toBe(503)
    expect((await api.get(path)).body.summary.total).toBe(0)
    expect(await store.size(key)).toBe(bytes.length)

    await sweep()
    expect(await store.size(key)).toBe(bytes.length)
    service.advance(2 * hour)
    await sweep()
    expect(await store.size(key)).toBeUndefined()
  })

  async function waitersForMedia(): Promise<number> {
    const { rows } = await sql<{ count: number }>`select count(*) from pg_locks
      where relation = 'media'::regclass and not granted`.execute(service.db)
    return rows[0]?.count ?? 0
  }

  test('keeps every file that a row refers to', async () => {
    const { givenMedia } = await givenOwner()
    const media = await givenMedia()
    service.advance(2 * hour)
    await sweep()
    expect((await fetchBytes(media)).response.status).toBe(200)
    expect(await sweep()).toBe(0)
  })

  test('removes the others where the store keeps one', async () => {
    const contents = await Promise.all([image(), image(), image()])
    const { workspace } = await givenOwner()
    const keys = contents.map((bytes) => orphan(workspace.id, bytes))
    for (const [index, key] of keys.entries()) await store.put(key, contents[index]!, 'image/png')
    service.advance(2 * hour)
    const present = async () => {
      const sizes = await Promise.all(keys.map((key) => store.size(key)))
      return keys.filter((_, index) => sizes[index] !== undefined)
    }
    const asked: string[] = []
    const stubborn: MediaStore = {
      ...store,
      delete: (key) => {
        asked.push(key)
        // Whichever comes first.
        if (key === asked[0]) return Promise.reject(new Error('The store keeps it.'))
        return store.delete(key)
      },
    }
    expect(await failuresOf(() => sweep(stubborn))).toEqual(['The store keeps it.'])
    expect(asked.toSorted()).toEqual(keys.toSorted())
    expect(await present()).toEqual([asked[0]])
    // A mark holds for two minutes of the database's time.
    await sql`delete from media_removals where finished_at is null`.execute(service.db)
    await sweep()
    expect(await present()).toEqual([])
  })

  test('never removes the file of an image that is being uploaded', async () => {
    const { workspace, upload } = await givenOwner()
    const bytes = await image()
    const key = orphan(workspace.id, bytes)
    await store.put(key, bytes, 'image/png')
    service.advance(2 * hour)
    const writtenAt = () => statSync(join(service.config.dataDir, 'media', key)).mtimeMs
    const before = writtenAt()
    // The sweep is about to remove the orphan when the same content is uploaded and written.
    let uploaded: Promise<Media> | undefined
    const slow: MediaStore = {
      ...store,
      delete: async (deletedKey) => {
        if (deletedKey === key) {
          uploaded = upload(bytes).then(({ body }) => body)
          await expect.poll(writtenAt).toBeGreaterThan(before)
        }
        await store.delete(deletedKey)
      },
    }
    await sweep(slow)
    const media = await uploaded
    expect(media?.size).toBe(bytes.length)
    expect((await fetchBytes(media!)).bytes.equals(bytes)).toBe(true)
  })
})
