import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import sharp from 'sharp'
import request, { type Response } from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashToken, newToken } from '../../src/core/secrets.ts'
import { deleteExpired } from '../../src/queries/upkeep/expiry.ts'
import { givenProduct, givenShop, mediaKeyOf, outcomeOf } from '../kit/catalogue.ts'
import { startService, type TestService } from '../kit/service.ts'
import { statementsOf } from '../kit/statements.ts'
import { image } from './pictures.ts'
import {
  filesOf,
  givenUploadPath,
  uploadNotFound,
  mediaOf,
  promiseOf,
  putBytes,
} from './upload_urls.ts'

const minute = 60_000
let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const put = (path: string, bytes: Buffer, headers?: Record<string, string>) =>
  putBytes(service, path, bytes, headers)

describe('create_media_upload', () => {
  test('returns a secret API URL that accepts a PUT for ten minutes', async () => {
    const shop = await givenShop(service)
    const target = shop.at('media/uploads')
    const { status, body } = await shop.api.post(target).send(promiseOf(await image()))
    expect([status, body]).toEqual([
      200,
      {
        url: expect.stringMatching(/^http:\/\/[^/]+\/v1\/uploads\/wsu_dev_[A-Za-z0-9_-]{49}$/),
        method: 'PUT',
        expiresAt: new Date(service.now().getTime() + 10 * minute).toISOString(),
      },
    ])
    expect(body.url).toContain(service.config.baseUrl)
  })

  test('stores only the hash of the secret', async () => {
    const shop = await givenShop(service)
    const headers = { 'Idempotency-Key': 'asked twice' }
    const ask = async () =>
      (
        await shop.api
          .post(shop.at('media/uploads'))
          .set(headers)
          .send(promiseOf(await image()))
      ).body.url as string
    const tokens = [await ask(), await ask()].map((url) => url.split('/').at(-1)!)
    expect(new Set(tokens).size).toBe(2)
    const uploads = await service.db
      .selectFrom('media_uploads')
      .select('token_hash')
      .where('workspace_id', '=', shop.workspaceId)
      .execute()
    const hex = (bytes: Buffer) => bytes.toString('hex')
    expect(uploads.map((row) => hex(row.token_hash)).sort()).toEqual(
      tokens.map((token) => hex(hashToken(token))).sort(),
    )
    for (const { name } of await service.db.introspection.getTables()) {
      const { rows } = await sql<{
        text: string
      }>`select t::text from ${sql.table(name)} t`.execute(service.db)
      for (const token of tokens) expect(JSON.stringify(rows)).not.toContain(token.slice(8))
    }
  })
})

describe('complete_media_upload', () => {
  test('stores the image and returns it like upload_media', async () => {
    const shop = await givenShop(service)
    const bytes = await image()
    const { status, body } = await put(await givenUploadPath(shop, bytes), bytes)
    const hash = createHash('sha256').update(bytes).digest('hex')
    const key = mediaKeyOf(shop.workspaceId, hash, 'png')
    expect([status, body]).toEqual([
      200,
      {
        id: expect.stringMatching(/^med_[0-9a-z]{26}$/),
        fileName: 'gül.png',
        mimeType: 'image/png',
        size: bytes.length,
        kind: 'IMAGE',
        key,
        createdAt: service.now().toISOString(),
        usageCount: 0,
        url: `${service.config.baseUrl}/media/${key}`,
      },
    ])
    expect(await mediaOf(shop)).toEqual({ media: [body], total: 1 })
    const file = await fetch(`${service.urls.api}/media/${key}`)
    expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true)
    const product = await givenProduct(shop, { imageIds: [body.id] })
    expect(product.images.map(({ id }) => id)).toEqual([body.id])
  })

  test('refuses a URL of the other environment as such, without a statement', async () => {
    for (const token of [newToken('mediaUpload', 'production'), 'wsu_live_damaged']) {
      const statements = await statementsOf(service, async () => {
        const { status, body } = await put(`/v1/uploads/${token}`, await image())
        expect([status, body.code]).toEqual([401, 'wrong_environment'])
      })
      expect(statements).toEqual([])
    }
  })

  test.each(['jpeg', 'webp', 'gif', 'avif'] as const)('accepts image/%s', async (format) => {
    const shop = await givenShop(service)
    const bytes = await sharp(await image())
      .toFormat(format)
      .toBuffer()
    const mimeType = `image/${format}`
    const path = await givenUploadPath(shop, bytes, mimeType)
    const { status, body } = await put(path, bytes, { 'Content-Type': mimeType })
    expect([status, body.mimeType]).toEqual([200, mimeType])
  })

  test('strips the metadata of the image', async () => {
    const shop = await givenShop(service)
    const bytes = await sharp(await image())
      .withExif({ IFD0: { Copyright: 'Somebody' } })
      .jpeg()
      .toBuffer()
    const path = await givenUploadPath(shop, bytes, 'image/jpeg')
    const { status, body } = await put(path, bytes, { 'Content-Type': 'IMAGE/JPEG; q=1' })
    expect(status).toBe(200)
    expect(body.size).toBeLessThan(bytes.length)
  })

  test('works once, and the URL is gone after its row is swept', async () => {
    const shop = await givenShop(service)
    const bytes = await image()
    const path = await givenUploadPath(shop, bytes)
    expect((await put(path, bytes)).status).toBe(200)
    const again = await put(path, bytes)
    expect(outcomeOf(again)).toEqual([409, 'upload_used', {}])
    expect((await mediaOf(shop)).total).toBe(1)
    const rows = async () =>
      service.db
        .selectFrom('media_uploads')
        .select('used_at')
        .where('workspace_id', '=', shop.workspaceId)
        .execute()
    await deleteExpired(service.db, service.now())
    expect(await rows()).toHaveLength(1)
    await deleteExpired(service.db, new Date(service.now().getTime() + 10 * minute + 1))
    expect(await rows()).toEqual([])
    expect((await put(path, bytes)).body).toEqual(uploadNotFound)
  })

  test('of ten concurrent calls stores one, and refuses the others as used', async () => {
    const shop = await givenShop(service)
    const bytes = await image()
    const path = await givenUploadPath(shop, bytes)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => put(path, bytes).then((answer) => answer)),
    )
    const [winner, ...others] = answers.toSorted((a, b) => a.status - b.status)
    expect(winner?.status).toBe(200)
    expect(others.map(outcomeOf)).toEqual(others.map(() => [409, 'upload_used', {}]))
    expect(await mediaOf(shop)).toEqual({ media: [winner?.body], total: 1 })
  })

  test('works until the last moment of the ten minutes', async () => {
    const own = await startService()
    const shop = await givenShop(own)
    const send = (path: string, bytes: Buffer) =>
      request(own.urls.api).put(path).set('Content-Type', 'image/png').send(bytes)
    const bytes = await image()
    const paths = [await givenUploadPath(shop, bytes), await givenUploadPath(shop, bytes)] as const
    own.advance(10 * minute - 1)
    expect((await send(paths[0], bytes)).status).toBe(200)
    own.advance(1)
    expect((await send(paths[1], bytes)).body).toEqual(uploadNotFound)
    await own.close()
  })

  test('answers an unknown and a malformed secret alike', async () => {
    const shop = await givenShop(service)
    const bytes = await image()
    const token = (await givenUploadPath(shop, bytes)).split('/').at(-1)!
    const last = token.endsWith('A') ? 'B' : 'A'
    const secrets = [
      newToken('mediaUpload', 'development'),
      newToken('key', 'development'),
      token.slice(0, -1) + last,
      `${token}A`,
      'x',
    ]
    for (const secret of secrets) {
      const { status, body } = await put(`/v1/uploads/${secret}`, bytes)
      expect([status, body]).toEqual([404, uploadNotFound])
    }
  })

  test('is served only at the API, and only for PUT', async () => {
    const shop = await givenShop(service)
    const bytes = await image()
    const path = await givenUploadPath(shop, bytes)
    const { status } = await request(service.urls.dashboard)
      .put(path)
      .set({ 'Content-Type': 'image/png', Origin: service.config.dashboardUrl })
      .send(bytes)
    expect(status).toBe(404)
    const answer = await request(service.urls.api).get(path)
    expect([answer.status, answer.headers.allow]).toEqual([405, 'PUT'])
  })
})

describe('bytes other than promised', () => {
  type RefusalCase = [
    title: string,
    answer: [number, string, Record<string, string>],
    send: (path: string, bytes: Buffer) => PromiseLike<Response>,
  ]
  const typeless = { 'Content-Type': '' }
  const wrongType: RefusalCase[1] = [415, 'unsupported_media_type', {}]
  const notAnImage = (sentence: string): RefusalCase[1] => [
    400,
    'invalid_input',
    { body: sentence },
  ]

  test.each<RefusalCase>([
    [
      'of another type',
      wrongType,
      (path, bytes) => put(path, bytes, { 'Content-Type': 'image/gif' }),
    ],
    ['without a type', wrongType, (path, bytes) => put(path, bytes, typeless)],
    [
      'as JSON',
      wrongType,
      (path) => put(path, Buffer.from('{}'), { 'Content-Type': 'application/json' }),
    ],
    ['encoded', wrongType, (path, bytes) => put(path, bytes, { 'Content-Encoding': 'gzip' })],
    [
      'one too few',
      notAnImage('{fewer} bytes arrived where {size} were announced.'),
      (path, bytes) => put(path, bytes.subarray(1)),
    ],
    [
      'none at all',
      notAnImage('0 bytes arrived where {size} were announced.'),
      (path) => put(path, Buffer.alloc(0)),
    ],
    [
      'one too many',
      [413, 'payload_too_large', {}],
      (path, bytes) => put(path, Buffer.concat([bytes, Buffer.alloc(1)])),
    ],
    [
      'that are not an image',
      notAnImage('Not a JPEG, PNG, WebP, GIF or AVIF image.'),
      (path, bytes) => put(path, Buffer.alloc(bytes.length, 'x')),
    ],
    [
      'that are an image cut short',
      notAnImage('The file is damaged or incomplete.'),
      (path, bytes) => put(path, Buffer.concat([bytes.subarray(0, -20), Buffer.alloc(20)])),
    ],
  ])('%s are refused, and the URL stays valid', async (_title, [status, code, errors], send) => {
    const shop = await givenShop(service)
    const bytes = await image()
    const path = await givenUploadPath(shop, bytes)
    const expected = JSON.stringify(errors)
      .replace('{fewer}', String(bytes.length - 1))
      .replace('{size}', String(bytes.length))
    expect(outcomeOf(await send(path, bytes))).toEqual([status, code, JSON.parse(expected)])
    expect((await mediaOf(shop)).total).toBe(0)
    expect(filesOf(shop)).toEqual([])
    expect((await put(path, bytes)).status).toBe(200)
  })
})

test('the log never holds the secret of a URL', async () => {
  const bytes = await image()
  const path = await givenUploadPath(await givenShop(service), bytes)
  const secret = path.slice('/v1/uploads/wsu_dev_'.length)
  for (const target of [path, path.replace('wsu', 'w%73u'), `${path}/`, `${path}/more`])
    await put(target, bytes)
  const lines = () => service.logged().filter((line) => String(line.path).includes('[redacted]'))
  await expect.poll(() => lines().map(({ status }) => status)).toContain(200)
  expect(JSON.stringify(service.logged())).not.toContain(secret)
})
