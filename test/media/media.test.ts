import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { diskMediaStore, type MediaStore } from '../../src/adapters/media_store.ts'
import { sweepMedia } from '../../src/domain/media/media.ts'
import type { components } from '../../src/generated/types.ts'
import { startService, type TestService, unique } from '../kit/service.ts'

type Media = components['schemas']['Media']

const hour = 3600_000
let service: TestService
let store: MediaStore
let folder: string
beforeAll(async () => {
  service = await startService()
  folder = join(service.config.dataDir, 'media')
  store = diskMediaStore(folder)
})
afterAll(() => service.close())

async function givenOwner() {
  const person = await service.givenPerson()
  const workspace = await service.givenWorkspace(person)
  const { key } = await service.givenKey(person)
  const api = service.api(key)
  const root = `/v1/workspaces/${workspace.id}`
  const path = `${root}/media`
  const bodyOf = (bytes: Buffer, given: object = {}) => ({
    fileName: 'rose.png',
    mimeType: 'image/png',
    base64: bytes.toString('base64'),
    ...given,
  })
  const upload = (bytes: Buffer, given?: object) => api.post(path).send(bodyOf(bytes, given))
  const given = async (fileName = 'rose.png'): Promise<Media> =>
    (await upload(await image(), { fileName })).body
  const replace = (id: string, bytes: Buffer, given?: object) =>
    api.put(`${path}/${id}`).send(bodyOf(bytes, given))
  return { workspace, key, api, root, path, upload, given, replace }
}

let shade = 0

/** A picture that no other test has. */
function image(format: 'png' | 'jpeg' | 'gif' = 'png'): Promise<Buffer> {
  const value = ++shade
  const background = { r: value & 0xff, g: (value >> 8) * 40, b: 90 }
  return sharp({ create: { width: 300, height: 4, channels: 3, background } })
    .toFormat(format)
    .toBuffer()
}

/** A PNG with a text of its own behind its head, which the service removes. */
function padded(png: Buffer, bytes: number): Buffer {
  const body = Buffer.alloc(bytes - png.length - 8, 'x')
  body.write('tEXt')
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length - 4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([png.subarray(0, 33), length, body, sum, png.subarray(33)])
}

/** The bytes at the address of a medium, through the origin that serves them. */
async function fetchBytes({ url }: Media, init: RequestInit = {}) {
  const response = await fetch(service.urls.api + new URL(url).pathname, init)
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

const fileOf = ({ key }: Media) => join(folder, key)

describe('upload_media', () => {
  test('stores the image and answers it with the address of its bytes', async () => {
    const { workspace, upload, api, path } = await givenOwner()
    const bytes = await image()
    const { status, body } = await upload(bytes)
    expect(status).toBe(200)
    const key = `${workspace.id}/${createHash('sha256').update(bytes).digest('hex')}.png`
    expect(body).toEqual({
      id: expect.stringMatching(/^med_[0-9a-z]{26}$/),
      fileName: 'rose.png',
      mimeType: 'image/png',
      size: bytes.length,
      kind: 'IMAGE',
      key,
      createdAt: service.now().toISOString(),
      usageCount: 0,
      url: `${service.config.baseUrl}/media/${key}`,
    })
    expect((await api.get(`${path}/${body.id}`)).body).toEqual(body)
    expect((await fetchBytes(body)).bytes.equals(bytes)).toBe(true)
  })

  test.each(['image/jpeg', 'image/webp', 'image/gif', 'image/avif'])(
    'takes %s and serves it as such',
    async (mimeType) => {
      const { upload } = await givenOwner()
      const bytes = await sharp(await image())
        .toFormat(mimeType.slice('image/'.length) as 'jpeg')
        .toBuffer()
      const { status, body } = await upload(bytes, { mimeType })
      expect([status, body.mimeType]).toEqual([200, mimeType])
      const { response } = await fetchBytes(body)
      expect(response.headers.get('content-type')).toBe(mimeType)
    },
  )

  test('stores the image without what its file tells beside it', async () => {
    const { upload } = await givenOwner()
    const bytes = await sharp(await image())
      .withExif({ IFD0: { Copyright: 'Somebody' }, IFD3: { GPSLatitudeRef: 'N' } })
      .jpeg()
      .toBuffer()
    const { body } = await upload(bytes, { mimeType: 'image/jpeg' })
    const { bytes: served } = await fetchBytes(body)
    expect((await sharp(served).metadata()).exif).toBeUndefined()
    expect(body.size).toBe(served.length)
    expect(served.length).toBeLessThan(bytes.length)
  })

  test('takes exactly 3 MiB and refuses one character more', async () => {
    const { upload, path, api } = await givenOwner()
    const full = padded(await image(), 3 * 1024 * 1024)
    expect(full.toString('base64').length).toBe(4_194_304)
    expect((await upload(full)).status).toBe(200)
    for (const base64 of [
      `${full.toString('base64')}A`,
      Buffer.concat([full, Buffer.from('x')]).toString('base64'),
    ]) {
      const { status, body } = await upload(full, { base64 })
      expect([status, body.code]).toEqual([413, 'payload_too_large'])
      expect(Object.keys(body.fieldErrors)).toEqual(['base64'])
    }
    expect((await api.get(path)).body.summary.total).toBe(1)
  })

  test('refuses what is not strictly base64', async () => {
    const { upload } = await givenOwner()
    const good = Buffer.from('0123456789').toString('base64')
    const bad = [
      good.replace('=', ''),
      good.replaceAll('=', ''),
      `${good}=`,
      ` ${good}`,
      `${good}\n`,
      'MDEy MzQ1',
      'MDEyMzQ1-_==',
      `data:image/png;base64,${good}`,
      'MDF=',
      'ab==',
    ]
    for (const base64 of bad) {
      const { status, body } = await upload(Buffer.alloc(0), { base64 })
      expect([base64, status, body.fieldErrors]).toEqual([
        base64,
        400,
        { base64: 'Not valid base64.' },
      ])
    }
  })

  test('refuses bytes that are not the image they claim to be, and stores nothing', async () => {
    const { upload, api, path } = await givenOwner()
    const png = await image()
    const cases: [Buffer, string, string][] = [
      [png, 'image/jpeg', 'Stated as image/jpeg, but it is image/png.'],
      [Buffer.from('<svg/>'), 'image/png', 'Not a JPEG, PNG, WebP, GIF or AVIF image.'],
      [png.subarray(0, -20), 'image/png', 'The file is damaged or incomplete.'],
      [
        Buffer.concat([png, Buffer.from('<script>')]),
        'image/png',
        'The file has other data after the image.',
      ],
    ]
    for (const [bytes, mimeType, sentence] of cases) {
      const { status, body } = await upload(bytes, { mimeType })
      expect([status, body.code]).toEqual([400, 'invalid_input'])
      expect(body.fieldErrors).toEqual({ base64: sentence })
    }
    expect((await api.get(path)).body.summary.total).toBe(0)
  })

  test('keeps file names of any script as they are', async () => {
    const { given, api, path } = await givenOwner()
    for (const fileName of ['ürün görseli.png', '商品.png', 'صورة.png', '🌹/rose".png']) {
      const { id } = await given(fileName)
      expect((await api.get(`${path}/${id}`)).body.fileName).toBe(fileName)
    }
  })

  test('makes two media of one content, with one file', async () => {
    const { upload } = await givenOwner()
    const bytes = await image()
    const [first, second] = await Promise.all([upload(bytes), upload(bytes)])
    expect(first.body.id).not.toBe(second.body.id)
    expect(first.body.key).toBe(second.body.key)
  })

  test('stores once what is sent twice under one Idempotency-Key', async () => {
    const { upload, api, path } = await givenOwner()
    const bytes = await image()
    const first = await upload(bytes).set('Idempotency-Key', 'once')
    const second = await upload(bytes).set('Idempotency-Key', 'once')
    expect(second.body).toEqual(first.body)
    expect((await api.get(path)).body.summary.total).toBe(1)
  })
})

describe('upload_media_files', () => {
  type File = { bytes: Buffer; name?: string; type?: string }

  async function send(
    { path, key }: { path: string; key: string },
    files: File[],
    headers: Record<string, string> = {},
  ) {
    const form = new FormData()
    for (const { bytes, name = 'rose.png', type = 'image/png' } of files)
      form.append('files', new Blob([new Uint8Array(bytes)], { type }), name)
    const response = await fetch(`${service.urls.api}${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, ...headers },
      body: form,
    })
    return { status: response.status, body: (await response.json()) as Record<string, never> }
  }

  test('stores twelve files in their order', async () => {
    const { path, key, api } = await givenOwner()
    const files = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => ({
        bytes: await image(),
        name: `görsel ${index}.png`,
      })),
    )
    const { status, body } = await send({ path: `${path}/upload`, key }, files)
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['media'])
    const media = body.media as unknown as Media[]
    expect(media.map(({ fileName, size }) => [fileName, size])).toEqual(
      files.map(({ name, bytes }) => [name, bytes.length]),
    )
    expect((await api.get(path)).body.summary.total).toBe(12)
    const { bytes } = await fetchBytes(media[11]!)
    expect(bytes.equals(files[11]!.bytes)).toBe(true)
  })

  test('is served at the flat path, too', async () => {
    const { workspace, key } = await givenOwner()
    const flat = `/v1/media/upload?workspaceId=${workspace.id}`
    const { status, body } = await send({ path: flat, key }, [{ bytes: await image() }])
    expect([status, (body.media as unknown as Media[]).length]).toEqual([200, 1])
  })

  test('takes a file of exactly 10 MiB and refuses one byte more', async () => {
    const { path, key } = await givenOwner()
    const full = padded(await image(), 10 * 1024 * 1024)
    const at = `${path}/upload`
    expect((await send({ path: at, key }, [{ bytes: full }])).status).toBe(200)
    const more = padded(await image(), 10 * 1024 * 1024 + 1)
    const { status, body } = await send({ path: at, key }, [
      { bytes: await image() },
      { bytes: more },
    ])
    expect([status, body.code]).toEqual([413, 'payload_too_large'])
    expect(body.fieldErrors).toEqual({ 'files.1': 'At most 10,485,760 bytes.' })
  })

  test('stores none when one of them is refused', async () => {
    const { path, key, api } = await givenOwner()
    const bytes = await image()
    const cases: [File[], object][] = [
      [[{ bytes }, { bytes: Buffer.from('no image') }], { 'files.1': expect.any(String) }],
      [[{ bytes }, { bytes, type: 'image/svg+xml' }], { 'files.1': expect.any(String) }],
      [Array.from({ length: 13 }, () => ({ bytes })), { files: 'At most 12 files.' }],
      [[], { files: 'Required.' }],
    ]
    for (const [files, fieldErrors] of cases) {
      const { status, body } = await send({ path: `${path}/upload`, key }, files)
      expect([status, body.fieldErrors]).toEqual([400, fieldErrors])
    }
    expect((await api.get(path)).body.summary.total).toBe(0)
  })

  test('refuses a body of another kind', async () => {
    const { path, api } = await givenOwner()
    const { status, body } = await api.post(`${path}/upload`).send({ files: [] })
    expect([status, body.code]).toEqual([415, 'unsupported_media_type'])
  })

  test('compares the files, not the boundary, of what is sent again', async () => {
    const { path, key, api } = await givenOwner()
    const at = { path: `${path}/upload`, key }
    const [one, other] = [{ bytes: await image() }, { bytes: await image() }]
    const again = { 'Idempotency-Key': 'once' }
    const first = await send(at, [one], again)
    expect(first.status).toBe(200)
    expect(await send(at, [one], again)).toEqual(first)
    const { status, body } = await send(at, [other], again)
    expect([status, body.code]).toEqual([409, 'idempotency_mismatch'])
    expect((await api.get(path)).body.summary.total).toBe(1)
  })
})

describe('list_media', () => {
  test('shows the newest first, page by page, none twice and none missed', async () => {
    const { api, path, given } = await givenOwner()
    const ids: string[] = []
    for (let index = 0; index < 7; index++) {
      if (index === 3) service.advance(1000)
      ids.unshift((await given()).id)
    }
    const seen: string[] = []
    for (const page of [1, 2, 3, 4]) {
      const { body } = await api.get(`${path}?page=${page}&pageSize=2`)
      seen.push(...(body.media as Media[]).map(({ id }) => id))
      expect(body.pagination).toEqual({
        page,
        limit: 2,
        total: 7,
        totalPages: 4,
        hasNextPage: page < 4,
        hasPreviousPage: page > 1,
      })
    }
    expect(seen).toEqual(ids)
    const { status, body } = await api.get(`${path}?page=5&pageSize=2`)
    expect([status, body.media, body.pagination.total]).toEqual([200, [], 7])
  })

  test('finds names in any case and script, and takes % and _ as they are', async () => {
    const { api, path, given } = await givenOwner()
    const names = ['Gül Suyu.png', '100%_pure.png', 'ΡΟΔΟ.png', '商品写真.png']
    for (const name of names) await given(name)
    const found = async (search: string) => {
      const { body } = await api.get(`${path}?search=${encodeURIComponent(search)}`)
      const media = body.media as Media[]
      expect(body.pagination.total).toBe(media.length)
      expect(body.summary.total).toBe(4)
      return media.map(({ fileName }) => fileName)
    }
    expect(await found('gÜL')).toEqual(['Gül Suyu.png'])
    expect(await found('%_p')).toEqual(['100%_pure.png'])
    expect(await found('ροδο')).toEqual(['ΡΟΔΟ.png'])
    expect(await found('写真')).toEqual(['商品写真.png'])
    expect(await found('.PNG')).toEqual(names.toReversed())
    expect(await found('%')).toEqual(['100%_pure.png'])
    expect(await found('nothing')).toEqual([])
  })

  test('filters by use, and counts the uses of products, collections and the logo', async () => {
    const { api, path, root, given } = await givenOwner()
    const [unused, once, thrice] = [await given(), await given(), await given()]
    await api
      .post(`${root}/products`)
      .send(product([once.id, thrice.id]))
      .expect(200)
    await api.post(`${root}/collections`).send({ name: 'Roses', imageId: thrice.id }).expect(200)
    await api.put(`${root}/website`).send({ logoImageId: thrice.id }).expect(200)
    const summary = { total: 3, unused: 1, linked: 2, multiLinked: 1 }
    const expected: [string, [string, number][]][] = [
      ['UNUSED', [[unused.id, 0]]],
      [
        'LINKED',
        [
          [thrice.id, 3],
          [once.id, 1],
        ],
      ],
      ['MULTI_LINKED', [[thrice.id, 3]]],
    ]
    for (const [usage, uses] of expected) {
      const { body } = await api.get(`${path}?usage=${usage}`)
      const media = body.media as Media[]
      expect(media.map(({ id, usageCount }) => [id, usageCount])).toEqual(uses)
      expect(body.pagination.total).toBe(uses.length)
      expect(body.summary).toEqual(summary)
      const searched = await api.get(`${path}?usage=${usage}&search=ROSE`)
      expect(searched.body.media).toEqual(body.media)
      expect(searched.body.pagination).toEqual(body.pagination)
    }
  })
})

function product(imageIds: string[]) {
  const name = unique('product')
  const filled = { brand: 'Gül', barcode: name, stock: 1, status: 'ACTIVE', information: 'Text' }
  return { name, sku: name, ...filled, description: '', imageIds, tagIds: [], sales: [] }
}

describe('get_media', () => {
  test('knows nothing of another workspace’s media', async () => {
    const [mine, other] = [await givenOwner(), await givenOwner()]
    const { id } = await mine.given()
    expect((await mine.api.get(`${mine.path}/${id}`)).status).toBe(200)
    for (const call of [
      other.api.get(`${other.path}/${id}`),
      other.api.delete(`${other.path}/${id}`),
      other.replace(id, await image()),
    ])
      expect((await call).status).toBe(404)
  })
})

describe('replace_media', () => {
  test('keeps id, age and uses, and changes everything else', async () => {
    const { api, root, given, replace } = await givenOwner()
    const before = await given()
    const created = await api.post(`${root}/products`).send(product([before.id]))
    service.advance(5000)
    const bytes = await image('gif')
    const given2 = { fileName: 'loop.gif', mimeType: 'image/gif' }
    const { status, body } = await replace(before.id, bytes, given2)
    expect(status).toBe(200)
    expect(body).toEqual({
      ...before,
      ...given2,
      size: bytes.length,
      usageCount: 1,
      key: expect.stringMatching(/\.gif$/),
      url: `${service.config.baseUrl}/media/${body.key}`,
    })
    expect((await fetchBytes(body)).bytes.equals(bytes)).toBe(true)
    expect((await fetchBytes(before)).response.status).toBe(404)
    const shown = await api.get(`${root}/products/${created.body.id}`)
    expect(shown.body.images).toEqual([body])
  })

  test('with the same content keeps the file', async () => {
    const { upload, replace } = await givenOwner()
    const bytes = await image()
    const { body: before } = await upload(bytes)
    const { body } = await replace(before.id, bytes, { fileName: 'other.png' })
    expect(body).toEqual({ ...before, fileName: 'other.png' })
    expect((await fetchBytes(body)).bytes.equals(bytes)).toBe(true)
  })

  test('is refused when the image has changed since it was read', async () => {
    const { api, path, given, replace } = await givenOwner()
    const { id } = await given()
    const { etag = '' } = (await api.get(`${path}/${id}`)).headers
    expect((await replace(id, await image()).set('If-Match', etag)).status).toBe(200)
    const { status, body } = await replace(id, await image()).set('If-Match', etag)
    expect([status, body.code]).toEqual([409, 'write_conflict'])
  })

  test('of one image by two callers at once leaves one content and one file', async () => {
    const { api, path, workspace, given, replace } = await givenOwner()
    const { id } = await given()
    const [one, other] = [await image(), await image()]
    const answers = await Promise.all([replace(id, one), replace(id, other)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const { body } = await api.get(`${path}/${id}`)
    const files: string[] = []
    for await (const { key } of store.list()) if (key.startsWith(workspace.id)) files.push(key)
    expect(files).toEqual([body.key])
  })
})

describe('delete_media', () => {
  test('removes the image, its bytes and every reference to it', async () => {
    const { api, path, root, given } = await givenOwner()
    const [gone, stays] = [await given(), await given()]
    const { body: item } = await api.post(`${root}/products`).send(product([gone.id, stays.id]))
    const { body: collection } = await api
      .post(`${root}/collections`)
      .send({ name: 'Roses', imageId: gone.id })
    await api.put(`${root}/website`).send({ logoImageId: gone.id }).expect(200)

    const { status, body } = await api.delete(`${path}/${gone.id}`)
    expect([status, body]).toEqual([200, { id: gone.id, deleted: true }])
    expect((await api.get(`${path}/${gone.id}`)).status).toBe(404)
    expect((await fetchBytes(gone)).response.status).toBe(404)
    expect(existsSync(fileOf(gone))).toBe(false)
    const images = (await api.get(`${root}/products/${item.id}`)).body.images as Media[]
    expect(images.map(({ id }) => id)).toEqual([stays.id])
    const shown = (await api.get(`${root}/collections/${collection.id}`)).body
    expect([shown.imageId, shown.image]).toEqual([null, null])
    expect((await api.get(`${root}/website`)).body.logoImageId).toBeNull()
    expect((await api.get(path)).body.summary).toEqual({
      total: 1,
      unused: 0,
      linked: 1,
      multiLinked: 0,
    })
  })

  test('leaves the bytes to another image of the same content', async () => {
    const { api, path, upload } = await givenOwner()
    const bytes = await image()
    const [first, second] = [(await upload(bytes)).body, (await upload(bytes)).body]
    await api.delete(`${path}/${first.id}`).expect(200)
    expect((await fetchBytes(second)).bytes.equals(bytes)).toBe(true)
    await api.delete(`${path}/${second.id}`).expect(200)
    expect((await fetchBytes(second)).response.status).toBe(404)
  })

  test('goes together with writes of the products and collections that show it', async () => {
    const { api, path, root, given } = await givenOwner()
    for (let round = 0; round < 12; round++) {
      const { id } = await given()
      const { body: item } = await api.post(`${root}/products`).send(product([id]))
      const fields = { description: '', tagIds: [], imageId: id }
      const create = () => api.post(`${root}/collections`).send({ ...fields, name: 'Roses' })
      const [kept, gone] = [(await create()).body, (await create()).body]
      const answers = await Promise.all([
        api
          .put(`${root}/collections/${kept.id}`)
          .send({ ...fields, name: 'Lilies', imageId: null }),
        api.delete(`${path}/${id}`),
        api.delete(`${root}/collections/${gone.id}`),
        api.delete(`${root}/products/${item.id}`),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    }
    expect((await api.get(path)).body.summary).toEqual({
      total: 0,
      unused: 0,
      linked: 0,
      multiLinked: 0,
    })
  })

  test('twice is not found the second time', async () => {
    const { api, path, given } = await givenOwner()
    const { id } = await given()
    expect((await api.delete(`${path}/${id}`)).status).toBe(200)
    expect((await api.delete(`${path}/${id}`)).status).toBe(404)
  })
})

describe('the address of an image', () => {
  test('is open to every page, cached for good and harmless when opened', async () => {
    const { given } = await givenOwner()
    const media = await given()
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
      etag: `"${media.key.split(/[/.]/)[1]}"`,
    })
  })

  test('answers HEAD with everything but the bytes', async () => {
    const { given } = await givenOwner()
    const media = await given()
    const { response, bytes } = await fetchBytes(media, { method: 'HEAD' })
    expect([response.status, bytes.length]).toEqual([200, 0])
    expect(response.headers.get('content-length')).toBe(String(media.size))
    expect(response.headers.get('content-type')).toBe('image/png')
  })

  test('answers a known tag with 304 and without bytes', async () => {
    const { given } = await givenOwner()
    const media = await given()
    const etag = (await fetchBytes(media)).response.headers.get('etag') ?? ''
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const { response, bytes } = await fetchBytes(media, { headers: { 'If-None-Match': known } })
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

  test('refuses a range beyond the bytes and tells their number', async () => {
    const { given } = await givenOwner()
    const media = await given()
    for (const range of [`bytes=${media.size}-`, 'bytes=9-5', 'bytes=-0']) {
      const { response } = await fetchBytes(media, { headers: { Range: range } })
      expect([range, response.status]).toEqual([range, 416])
      expect(response.headers.get('content-range')).toBe(`bytes */${media.size}`)
    }
  })

  test('serves everything when the range is of other bytes, several or none', async () => {
    const { given } = await givenOwner()
    const media = await given()
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

  test('is not found when malformed or unknown, and takes no other method', async () => {
    const { given, workspace } = await givenOwner()
    const media = await given()
    const hash = '0'.repeat(64)
    const paths = [
      `/media/${workspace.id}/${hash}.png`,
      `/media/${workspace.id}/${hash}.svg`,
      `/media/${workspace.id}/short.png`,
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

describe('the sweep of media files', () => {
  const sweep = (from: MediaStore = store) => sweepMedia(service.db, from, () => service.now())
  const orphan = (workspaceId: string, bytes: Buffer) =>
    `${workspaceId}/${createHash('sha256').update(bytes).digest('hex')}.png`

  test('removes a file that a crash has left without a row, once it is an hour old', async () => {
    const { workspace, upload, api, path } = await givenOwner()
    const bytes = await image()
    const key = orphan(workspace.id, bytes)
    // The row waits behind this lock, its file is stored, and then its connection is cut.
    const stop = await service.db.connection().execute(async (holder) => {
      await sql`begin`.execute(holder)
      await sql`lock table media in access exclusive mode`.execute(holder)
      const answer = upload(bytes).then(({ status }) => status)
      await expect.poll(() => waitingForMedia(), { timeout: 20_000 }).toBe(1)
      await sql`select pg_terminate_backend(pid) from pg_locks
        where relation = 'media'::regclass and not granted`.execute(holder)
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

  async function waitingForMedia(): Promise<number> {
    const { rows } = await sql<{ count: number }>`select count(*) from pg_locks
      where relation = 'media'::regclass and not granted`.execute(service.db)
    return rows[0]?.count ?? 0
  }

  test('leaves every file that a row refers to', async () => {
    const { given } = await givenOwner()
    const media = await given()
    service.advance(2 * hour)
    await sweep()
    expect((await fetchBytes(media)).response.status).toBe(200)
    expect(await sweep()).toBe(0)
  })

  test('never takes the file of an image that is uploaded meanwhile', async () => {
    const { workspace, upload } = await givenOwner()
    const bytes = await image()
    const key = orphan(workspace.id, bytes)
    await store.put(key, bytes, 'image/png')
    service.advance(2 * hour)
    // The sweep has found the orphan and is about to remove it when the same content comes in.
    let uploaded: Promise<Media> | undefined
    const slow: MediaStore = {
      ...store,
      delete: async (doomed) => {
        if (doomed === key) {
          uploaded = upload(bytes).then(({ body }) => body)
          await expect.poll(() => waitingForKey(), { timeout: 20_000 }).toBe(1)
        }
        await store.delete(doomed)
      },
    }
    await sweep(slow)
    const media = await uploaded
    expect(media?.key).toBe(key)
    expect((await fetchBytes(media!)).bytes.equals(bytes)).toBe(true)
  })

  async function waitingForKey(): Promise<number> {
    const { rows } = await sql<{ count: number }>`select count(*) from pg_locks
      where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`.execute(
      service.db,
    )
    return rows[0]?.count ?? 0
  }
})
