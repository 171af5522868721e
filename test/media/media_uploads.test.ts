import { createHash } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import request, { type Response } from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { handlers } from '../../handlers/index.ts'
import { consentVersion } from '../../src/access/tokens.ts'
import { hashToken, newToken } from '../../src/core/secrets.ts'
import type { components } from '../../src/generated/types.ts'
import type { Handler } from '../../src/operation.ts'
import { deleteExpired } from '../../src/queries/upkeep/expiry.ts'
import { givenProduct, givenShop, outcomeOf, type Shop } from '../kit/catalogue.ts'
import { givenMember } from '../every_operation/fixtures.ts'
import { openConnection, type RawConnection, requestText } from '../kit/raw_http.ts'
import { type Person, startService, type TestService } from '../kit/service.ts'

type Media = components['schemas']['Media']
type Target = components['schemas']['MediaUploadUrl']

const minute = 60_000
let service: TestService
beforeAll(async () => {
  service = await startService({ handlers: { complete_media_upload } })
})
afterAll(() => service.close())

/** Says when a sender has been let in and their bytes are waited for. */
const door = new EventEmitter()
const complete_media_upload: Handler<'complete_media_upload'> = (input, caller) => {
  const bytes: typeof caller.bytes = (promised) => {
    door.emit('open')
    return caller.bytes(promised)
  }
  return handlers.complete_media_upload(
    input,
    Object.create(caller, { bytes: { value: bytes } }) as typeof caller,
  )
}

let shade = 0

/** A picture that no other test has. */
function image(): Promise<Buffer> {
  const background = { r: ++shade & 0xff, g: (shade >> 8) * 40, b: 30 }
  return sharp({ create: { width: 300, height: 4, channels: 3, background } })
    .png()
    .toBuffer()
}

const promiseOf = (bytes: Buffer, mimeType = 'image/png') => ({
  fileName: 'gül.png',
  mimeType,
  size: bytes.length,
})

/** An upload URL for these bytes, as its path. */
async function given(shop: Pick<Shop, 'api' | 'at'>, bytes: Buffer, mimeType?: string) {
  const { status, body } = await shop.api
    .post(shop.at('media/uploads'))
    .send(promiseOf(bytes, mimeType))
  expect(status).toBe(200)
  return new URL((body as Target).url).pathname
}

/** Sends bytes to an upload URL, with no credential. */
function put(path: string, bytes: Buffer, headers: Record<string, string> = {}) {
  const sent = request(service.urls.api).put(path)
  return sent.set({ 'Content-Type': 'image/png', ...headers }).send(bytes)
}

const mediaOf = async (shop: Shop): Promise<{ media: Media[]; total: number }> => {
  const { body } = await shop.api.get(shop.at('media'))
  return { media: body.media, total: body.summary.total }
}

/** The files in the store of a workspace. */
function filesOf({ workspaceId }: Shop): string[] {
  const folder = join(service.config.dataDir, 'media', workspaceId)
  return existsSync(folder) ? readdirSync(folder) : []
}

const gone = { status: 404, code: 'not_found', message: 'There is no such upload.' }

describe('create_media_upload', () => {
  test('answers a secret address of the API that takes a PUT for ten minutes', async () => {
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

  test('keeps the hash of the secret and nothing else of it', async () => {
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
    const kept = await service.db
      .selectFrom('media_uploads')
      .select('token_hash')
      .where('workspace_id', '=', shop.workspaceId)
      .execute()
    const hex = (bytes: Buffer) => bytes.toString('hex')
    expect(kept.map((row) => hex(row.token_hash)).sort()).toEqual(
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
  test('stores the image and answers it as upload_media does', async () => {
    const shop = await givenShop(service)
    const bytes = await image()
    const { status, body } = await put(await given(shop, bytes), bytes)
    const key = `${shop.workspaceId}/${createHash('sha256').update(bytes).digest('hex')}.png`
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
    const served = await fetch(`${service.urls.api}/media/${key}`)
    expect(Buffer.from(await served.arrayBuffer()).equals(bytes)).toBe(true)
    const product = await givenProduct(shop, { imageIds: [body.id] })
    expect(product.images.map(({ id }) => id)).toEqual([body.id])
  })

  test.each(['jpeg', 'webp', 'gif', 'avif'] as const)('takes image/%s', async (format) => {
    const shop = await givenShop(service)
    const bytes = await sharp(await image())
      .toFormat(format)
      .toBuffer()
    const mimeType = `image/${format}`
    const path = await given(shop, bytes, mimeType)
    const { status, body } = await put(path, bytes, { 'Content-Type': mimeType })
    expect([status, body.mimeType]).toEqual([200, mimeType])
  })

  test('stores the image without what its file tells beside it', async () => {
    const shop = await givenShop(service)
    const bytes = await sharp(await image())
      .withExif({ IFD0: { Copyright: 'Somebody' } })
      .jpeg()
      .toBuffer()
    const path = await given(shop, bytes, 'image/jpeg')
    const { status, body } = await put(path, bytes, { 'Content-Type': 'IMAGE/JPEG; q=1' })
    expect(status).toBe(200)
    expect(body.size).toBeLessThan(bytes.length)
  })

  test('is used once, and gone when its row is swept', async () => {
    const shop = await givenShop(service)
    const bytes = await image()
    const path = await given(shop, bytes)
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
    expect((await put(path, bytes)).body).toEqual(gone)
  })

  test('of ten at once stores one, and the others are refused as used', async () => {
    const shop = await givenShop(service)
    const bytes = await image()
    const path = await given(shop, bytes)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => put(path, bytes).then((answer) => answer)),
    )
    const [winner, ...others] = answers.toSorted((a, b) => a.status - b.status)
    expect(winner?.status).toBe(200)
    expect(others.map(outcomeOf)).toEqual(others.map(() => [409, 'upload_used', {}]))
    expect(await mediaOf(shop)).toEqual({ media: [winner?.body], total: 1 })
  })

  test('is good until the last moment of ten minutes', async () => {
    const own = await startService()
    const shop = await givenShop(own)
    const send = (path: string, bytes: Buffer) =>
      request(own.urls.api).put(path).set('Content-Type', 'image/png').send(bytes)
    const bytes = await image()
    const paths = [await given(shop, bytes), await given(shop, bytes)] as const
    own.advance(10 * minute - 1)
    expect((await send(paths[0], bytes)).status).toBe(200)
    own.advance(1)
    expect((await send(paths[1], bytes)).body).toEqual(gone)
    await own.close()
  })

  test('does not tell an unknown secret from one that cannot be one', async () => {
    const shop = await givenShop(service)
    const bytes = await image()
    const token = (await given(shop, bytes)).split('/').at(-1)!
    const last = token.endsWith('A') ? 'B' : 'A'
    const secrets = [
      newToken('mediaUpload', 'development'),
      newToken('mediaUpload', 'production'),
      newToken('key', 'development'),
      token.slice(0, -1) + last,
      `${token}A`,
      'x',
    ]
    for (const secret of secrets) {
      const { status, body } = await put(`/v1/uploads/${secret}`, bytes)
      expect([status, body]).toEqual([404, gone])
    }
  })

  test('is served at the API alone, and takes a PUT alone', async () => {
    const shop = await givenShop(service)
    const bytes = await image()
    const path = await given(shop, bytes)
    const { status } = await request(service.urls.dashboard)
      .put(path)
      .set({ 'Content-Type': 'image/png', Origin: service.config.dashboardUrl })
      .send(bytes)
    expect(status).toBe(404)
    const read = await request(service.urls.api).get(path)
    expect([read.status, read.headers.allow]).toEqual([405, 'PUT'])
  })
})

describe('whoever asked for an upload URL', () => {
  interface UploadGrant {
    shop: Shop
    keyId: string
    path: string
    bytes: Buffer
  }

  async function asked(): Promise<UploadGrant> {
    const shop = await givenShop(service)
    const { id: keyId, key } = await service.givenKey(shop.person, { expiresInDays: 365 })
    const bytes = await image()
    return { shop, keyId, bytes, path: await given({ ...shop, api: service.api(key) }, bytes) }
  }

  const set = (table: string, change: object, where: string, value: string) => {
    const pairs = Object.entries(change).map(([name, to]) => sql`${sql.ref(name)} = ${to}`)
    return sql`update ${sql.table(table)} set ${sql.join(pairs)} where ${sql.ref(where)} = ${value}`
      .execute(service.db)
      .then(() => undefined)
  }

  const sourceOf = async ({ keyId }: UploadGrant) =>
    (
      await service.db
        .selectFrom('api_keys')
        .select('source_id')
        .where('id', '=', keyId)
        .executeTakeFirstOrThrow()
    ).source_id

  test.each<[string, string, (given: UploadGrant, back: boolean) => Promise<void>]>([
    [
      'must have an active account',
      'account_inactive',
      ({ shop }, back) => set('accounts', status(back), 'id', shop.person.accountId),
    ],
    [
      'must have an active workspace',
      'workspace_inactive',
      ({ shop }, back) => set('workspaces', status(back), 'id', shop.workspaceId),
    ],
    [
      'must be its owner',
      'not_owner',
      ({ shop }, back) =>
        set('members', { role: back ? 'owner' : 'staff' }, 'workspace_id', shop.workspaceId),
    ],
    [
      'must be its active owner',
      'not_owner',
      ({ shop }, back) => set('members', status(back), 'workspace_id', shop.workspaceId),
    ],
    [
      'must not be a blocked integration',
      'source_blocked',
      async (it, back) =>
        set(
          'integration_sources',
          { status: back ? 'APPROVED' : 'BLOCKED' },
          'id',
          await sourceOf(it),
        ),
    ],
  ])('%s when the bytes come', async (_title, code, change) => {
    const it = await asked()
    await change(it, false)
    expect(outcomeOf(await put(it.path, it.bytes))).toEqual([403, code, {}])
    expect(filesOf(it.shop)).toEqual([])
    await change(it, true)
    expect((await put(it.path, it.bytes)).status).toBe(200)
  })

  test('ends it with the key', async () => {
    const it = await asked()
    await service.dashboard(it.shop.person).delete(`/api/keys/${it.keyId}`).expect(200)
    expect((await put(it.path, it.bytes)).body).toEqual(gone)
    expect((await mediaOf(it.shop)).total).toBe(0)
  })

  test('ends it when the key expires', async () => {
    const it = await asked()
    await set('api_keys', { expires_at: service.now() }, 'id', it.keyId)
    expect((await put(it.path, it.bytes)).body).toEqual(gone)
  })

  test('may be an agent, as long as its grant is good', async () => {
    const it = await asked()
    const { grantId, sourceId } = await service.givenAgent(it.shop.person)
    const { workspaceId } = it.shop
    await set('media_uploads', { connection_id: grantId }, 'workspace_id', workspaceId)
    const attempt = async (table: string, id: string, change: object, back: object) => {
      await set(table, change, 'id', id)
      const answer = await put(it.path, it.bytes)
      await set(table, back, 'id', id)
      return answer
    }
    const later = new Date(service.now().getTime() + minute)
    const lost = [
      await attempt('grants', grantId, { revoked_at: service.now() }, { revoked_at: null }),
      await attempt('grants', grantId, { expires_at: service.now() }, { expires_at: later }),
      await attempt('grants', grantId, { consent_version: 1 }, { consent_version: consentVersion }),
    ]
    expect(lost.map(({ body }) => body)).toEqual([gone, gone, gone])
    const [blocked, approved] = [{ status: 'BLOCKED' }, { status: 'APPROVED' }]
    const refused = await attempt('integration_sources', sourceId, blocked, approved)
    expect(outcomeOf(refused)).toEqual([403, 'source_blocked', {}])
    expect((await put(it.path, it.bytes)).status).toBe(200)
  })

  /** An upload URL that somebody asked for at the dashboard. */
  async function askedAtDashboard(person: Person, shop: Shop, bytes: Buffer): Promise<string> {
    return given({ ...shop, api: service.dashboard(person) }, bytes)
  }

  test('may be staff at the dashboard, as long as they are and stay signed in', async () => {
    const shop = await givenShop(service)
    const person = await service.givenPerson()
    const workspace = { id: shop.workspaceId } as components['schemas']['Workspace']
    const memberId = await givenMember({ service, workspace }, person, 'staff')
    const bytes = await image()
    const paths = [
      await askedAtDashboard(person, shop, bytes),
      await askedAtDashboard(person, shop, bytes),
      await askedAtDashboard(person, shop, bytes),
    ] as const
    expect((await put(paths[0], bytes)).status).toBe(200)
    await set('members', { role: 'billing' }, 'id', memberId)
    expect(outcomeOf(await put(paths[1], bytes))).toEqual([403, 'role_insufficient', {}])
    await set('members', { role: 'staff' }, 'id', memberId)
    expect((await put(paths[1], bytes)).status).toBe(200)
    await service.dashboard(person).delete('/api/session').expect(200)
    expect((await put(paths[2], bytes)).body).toEqual(gone)
  })

  test('ends it when the session expires', async () => {
    const shop = await givenShop(service)
    const bytes = await image()
    const path = await askedAtDashboard(shop.person, shop, bytes)
    const { accountId } = shop.person
    await set('dashboard_sessions', { expires_at: service.now() }, 'account_id', accountId)
    expect((await put(path, bytes)).body).toEqual(gone)
  })

  function status(back: boolean): { status: string } {
    return { status: back ? 'ACTIVE' : 'SUSPENDED' }
  }
})

describe('bytes other than those promised', () => {
  type Refused = [
    title: string,
    answer: [number, string, Record<string, string>],
    send: (path: string, bytes: Buffer) => PromiseLike<Response>,
  ]
  const typeless = { 'Content-Type': '' }
  const wrongType: Refused[1] = [415, 'unsupported_media_type', {}]
  const notAnImage = (sentence: string): Refused[1] => [400, 'invalid_input', { body: sentence }]

  test.each<Refused>([
    [
      'of another type',
      wrongType,
      (path, bytes) => put(path, bytes, { 'Content-Type': 'image/gif' }),
    ],
    ['of no type', wrongType, (path, bytes) => put(path, bytes, typeless)],
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
      'that are no image',
      notAnImage('Not a JPEG, PNG, WebP, GIF or AVIF image.'),
      (path, bytes) => put(path, Buffer.alloc(bytes.length, 'x')),
    ],
    [
      'that are an image cut short',
      notAnImage('The file is damaged or incomplete.'),
      (path, bytes) => put(path, Buffer.concat([bytes.subarray(0, -20), Buffer.alloc(20)])),
    ],
  ])('%s are refused, and the URL stays good', async (_title, [status, code, errors], send) => {
    const shop = await givenShop(service)
    const bytes = await image()
    const path = await given(shop, bytes)
    const named = JSON.stringify(errors)
      .replace('{fewer}', String(bytes.length - 1))
      .replace('{size}', String(bytes.length))
    expect(outcomeOf(await send(path, bytes))).toEqual([status, code, JSON.parse(named)])
    expect((await mediaOf(shop)).total).toBe(0)
    expect(filesOf(shop)).toEqual([])
    expect((await put(path, bytes)).status).toBe(200)
  })
})

describe('bytes on the wire', () => {
  const headOf = (path: string, headers: Record<string, string>) =>
    requestText('PUT', path, { headers: { 'Content-Type': 'image/png', ...headers } })

  async function begin(path: string, headers: Record<string, string>): Promise<RawConnection> {
    const connection = await openConnection(service.urls.api)
    connection.send(headOf(path, headers))
    return connection
  }

  const chunk = (bytes: Buffer) =>
    Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
  const chunked = { 'Transfer-Encoding': 'chunked' }

  async function codeOf(connection: RawConnection): Promise<[number, string]> {
    const { status, body } = await connection.answer()
    return [status, JSON.parse(body).code]
  }

  test('that are announced as too many are refused before any of them is sent', async () => {
    const bytes = await image()
    const path = await given(await givenShop(service), bytes)
    const connection = await begin(path, { 'Content-Length': String(bytes.length + 1) })
    expect(await codeOf(connection)).toEqual([413, 'payload_too_large'])
    await connection.ended
  })

  test('that are announced as too few are refused before any of them is sent', async () => {
    const bytes = await image()
    const path = await given(await givenShop(service), bytes)
    const connection = await begin(path, { 'Content-Length': String(bytes.length - 1) })
    expect(await codeOf(connection)).toEqual([400, 'invalid_input'])
    connection.close()
  })

  test('that go on after one too many are refused at that one', async () => {
    const bytes = await image()
    const path = await given(await givenShop(service), bytes)
    const connection = await begin(path, chunked)
    connection.send(chunk(bytes))
    connection.send(chunk(Buffer.alloc(1)))
    expect(await codeOf(connection)).toEqual([413, 'payload_too_large'])
    await connection.ended
  })

  test('of no known length are taken when they are as many as promised', async () => {
    const shop = await givenShop(service)
    const bytes = await image()
    const connection = await begin(await given(shop, bytes), chunked)
    connection.send(chunk(bytes.subarray(0, 10)))
    connection.send(chunk(bytes.subarray(10)))
    connection.send('0\r\n\r\n')
    const { status, body } = await connection.answer()
    connection.close()
    expect(status).toBe(200)
    expect((await mediaOf(shop)).media).toEqual([JSON.parse(body)])
  })

  test('of no known length that end too soon are refused', async () => {
    const bytes = await image()
    const connection = await begin(await given(await givenShop(service), bytes), chunked)
    connection.send(chunk(bytes.subarray(1)))
    connection.send('0\r\n\r\n')
    expect(await codeOf(connection)).toEqual([400, 'invalid_input'])
    connection.close()
  })

  test('that break off leave nothing, and the URL stays good', async () => {
    const shop = await givenShop(service)
    const bytes = await image()
    const path = await given(shop, bytes)
    const known = service.logged().length
    const letIn = once(door, 'open')
    const connection = await begin(path, { 'Content-Length': String(bytes.length) })
    connection.send(bytes.subarray(0, -1))
    await letIn
    connection.socket.end()
    await connection.ended
    const lines = () => service.logged().slice(known)
    const over = () => lines().some((line) => line.operation === 'complete_media_upload')
    await expect.poll(over).toBe(true)
    expect(await mediaOf(shop)).toEqual({ media: [], total: 0 })
    expect(filesOf(shop)).toEqual([])
    expect((await put(path, bytes)).status).toBe(200)
  })

  test.each<[string, (shop: Shop, keyId: string) => Promise<unknown>]>([
    ['the key is revoked', (shop, id) => service.dashboard(shop.person).delete(`/api/keys/${id}`)],
    ['the URL expires', () => Promise.resolve(service.advance(10 * minute))],
  ])('that are held back until %s are refused', async (_title, happen) => {
    const shop = await givenShop(service)
    const { id, key } = await service.givenKey(shop.person)
    const bytes = await image()
    const path = await given({ ...shop, api: service.api(key) }, bytes)
    const letIn = once(door, 'open')
    const connection = await begin(path, { 'Content-Length': String(bytes.length) })
    await letIn
    await happen(shop, id)
    connection.send(bytes)
    const { status, body } = await connection.answer()
    connection.close()
    expect([status, JSON.parse(body)]).toEqual([404, gone])
    expect((await mediaOf(shop)).total).toBe(0)
  })
})

test('no line of the log holds the secret of a URL', async () => {
  const bytes = await image()
  const path = await given(await givenShop(service), bytes)
  const secret = path.slice('/v1/uploads/wsu_dev_'.length)
  for (const sent of [path, path.replace('wsu', 'w%73u'), `${path}/`, `${path}/more`])
    await put(sent, bytes)
  const lines = () => service.logged().filter((line) => String(line.path).includes('[redacted]'))
  await expect.poll(() => lines().map(({ status }) => status)).toContain(200)
  expect(JSON.stringify(service.logged())).not.toContain(secret)
})
