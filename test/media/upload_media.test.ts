import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mediaKeyOf } from '../kit/catalogue.ts'
import { startService, type TestService } from '../kit/service.ts'
import { fetchMedia, givenMediaOwner, type Media } from './media_owners.ts'
import { image, padded } from './pictures.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const givenOwner = () => givenMediaOwner(service)
const fetchBytes = (media: Media, init?: RequestInit) => fetchMedia(service, media, init)

describe('upload_media', () => {
  test('stores the image and returns it with the URL of its bytes', async () => {
    const { workspace, upload, api, path } = await givenOwner()
    const bytes = await image()
    const { status, body } = await upload(bytes)
    expect(status).toBe(200)
    const hash = createHash('sha256').update(bytes).digest('hex')
    const key = mediaKeyOf(workspace.id, hash, 'png')
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
    'accepts %s and serves it as such',
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

  test('strips the metadata of the image', async () => {
    const { upload } = await givenOwner()
    const bytes = await sharp(await image())
      .withExif({ IFD0: { Copyright: 'Somebody' }, IFD3: { GPSLatitudeRef: 'N' } })
      .jpeg()
      .toBuffer()
    const { body } = await upload(bytes, { mimeType: 'image/jpeg' })
    const { bytes: servedBytes } = await fetchBytes(body)
    expect((await sharp(servedBytes).metadata()).exif).toBeUndefined()
    expect(body.size).toBe(servedBytes.length)
    expect(servedBytes.length).toBeLessThan(bytes.length)
  })

  test('accepts exactly 3 MiB and refuses one character more', async () => {
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

  test('refuses anything but strict base64', async () => {
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

  test('refuses bytes that do not match their type, and stores nothing', async () => {
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

  test('keeps file names in any script unchanged', async () => {
    const { givenMedia, api, path } = await givenOwner()
    for (const fileName of ['ürün görseli.png', '商品.png', 'صورة.png', '🌹/rose".png']) {
      const { id } = await givenMedia(fileName)
      expect((await api.get(`${path}/${id}`)).body.fileName).toBe(fileName)
    }
  })

  test('makes two media with the same content share one file', async () => {
    const { upload } = await givenOwner()
    const bytes = await image()
    const [first, second] = await Promise.all([upload(bytes), upload(bytes)])
    expect(first.body.id).not.toBe(second.body.id)
    expect(first.body.key).toBe(second.body.key)
  })

  test('stores an image sent twice under one Idempotency-Key once', async () => {
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

  test('stores twelve files in order', async () => {
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

  test('is served at the flat path too', async () => {
    const { workspace, key } = await givenOwner()
    const flat = `/v1/media/upload?workspaceId=${workspace.id}`
    const { status, body } = await send({ path: flat, key }, [{ bytes: await image() }])
    expect([status, (body.media as unknown as Media[]).length]).toEqual([200, 1])
  })

  test('accepts a file of exactly 10 MiB and refuses one byte more', async () => {
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

  test('stores none if one is refused', async () => {
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

  test('refuses another content type', async () => {
    const { path, api } = await givenOwner()
    const { status, body } = await api.post(`${path}/upload`).send({ files: [] })
    expect([status, body.code]).toEqual([415, 'unsupported_media_type'])
  })

  test('compares files, not the boundary, when a call is repeated', async () => {
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
