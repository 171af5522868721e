import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createPublicDownload } from '../../src/adapters/public_download.ts'
import { bearer } from '../every_operation/fixtures.ts'
import { message, post, resultOf } from '../kit/agents.ts'
import {
  type HostAnswer,
  type MetadataHost,
  startMetadataHost,
} from '../kit/peers/metadata_host.ts'
import { start, tally } from '../kit/races.ts'
import { startService, type TestService } from '../kit/service.ts'
import { fetchMedia, givenMediaOwner, type Media } from './media_owners.ts'
import { image, padded } from './pictures.ts'

const maxBytes = 10_485_760

let host: MetadataHost
let service: TestService
let owner: Awaited<ReturnType<typeof givenMediaOwner>>
beforeAll(async () => {
  host = await startMetadataHost(['images.example.com', 'inside.example.com'])
  // One of the names leads into the service's own network.
  const resolve = async (hostname: string) =>
    hostname === 'inside.example.com' ? ['10.0.0.7'] : host.fetchParts.resolve(hostname)
  const publicDownload = createPublicDownload({ ...host.fetchParts, resolve })
  service = await startService({ publicDownload })
})
beforeEach(async () => {
  owner = await givenMediaOwner(service)
})
afterAll(async () => {
  await service.close()
  await host.close()
})

let count = 0
/** The URL of a new path with this answer. */
function served(answer: HostAnswer): string {
  const path = `/pictures/${++count}.png`
  host.serve(path, answer)
  return host.url(path)
}

const importFrom = (url: string, more: object = {}) =>
  owner.api.post(`${owner.path}/import`).send({ sourceUrl: url, ...more })

/** The outcome of an import that is refused, and the number of images that it left behind. */
async function refusalOf(url: string): Promise<unknown> {
  const { status, body } = await importFrom(url)
  const { pagination } = (await owner.api.get(owner.path)).body as { pagination: { total: number } }
  expect(pagination.total).toBe(0)
  return [status, body.code, body.fieldErrors]
}

const unreachable =
  'No picture could be fetched from there. Check the address, or upload the picture.'
const unresolved = 'The host cannot be resolved to a public address. Check its name.'
const notPublic = 'Must be a public https address, without a port of its own.'

describe('import_media', () => {
  test('stores the image at a URL as an upload would, under the last part of its path', async () => {
    const bytes = await image()
    host.serve('/shop/G%C3%BCl%20suyu.png', { body: bytes })
    const { status, body } = await importFrom(host.url('/shop/G%C3%BCl%20suyu.png?size=large'))
    expect([status, body.fieldErrors]).toEqual([
      400,
      { sourceUrl: 'The address answered 404 instead of a picture.' },
    ])
    const stored = await importFrom(host.url('/shop/G%C3%BCl%20suyu.png'))
    expect(stored.status).toBe(200)
    expect(stored.body).toMatchObject({
      fileName: 'Gül suyu.png',
      mimeType: 'image/png',
      size: bytes.length,
      usageCount: 0,
    })
    expect((await owner.api.get(`${owner.path}/${stored.body.id}`)).body).toEqual(stored.body)
    expect((await fetchMedia(service, stored.body as Media)).bytes.equals(bytes)).toBe(true)
  })

  test('takes a name of the caller, and calls a picture without one an image', async () => {
    host.serve('/', { body: await image() })
    expect((await importFrom(host.url('/'), { fileName: 'Rose.png' })).body.fileName).toBe(
      'Rose.png',
    )
    expect((await importFrom(host.url('/'))).body.fileName).toBe('image')
  })

  test('knows the type by the bytes, whatever the host says', async () => {
    const headers = { 'Content-Type': 'text/html' }
    const { body } = await importFrom(served({ body: await image('gif'), headers }))
    expect(body.mimeType).toBe('image/gif')
    const page = served({ body: '<!doctype html>', headers: { 'Content-Type': 'image/png' } })
    const { status, body: refusal } = await importFrom(page)
    const fieldErrors = { sourceUrl: 'Not a JPEG, PNG, WebP, GIF or AVIF image.' }
    expect([status, refusal.fieldErrors]).toEqual([400, fieldErrors])
  })

  test('is a tool that reaches into the open world', async () => {
    const person = await service.givenPerson()
    const { id: workspaceId } = await service.givenWorkspace(person)
    const { token } = await service.givenAgent(person)
    const data = { sourceUrl: served({ body: await image() }), fileName: 'rose.png' }
    const params = { name: 'import_media', arguments: { workspaceId, data } }
    const answer = await post(service, message('tools/call', params), bearer(token))
    expect(resultOf(answer).structuredContent).toMatchObject({ fileName: 'rose.png' })
  })

  test('with an idempotency key fetches and stores once', async () => {
    const url = served({ body: await image() })
    const call = () => importFrom(url).set('Idempotency-Key', 'import-1')
    const first = await call()
    expect(first.status).toBe(200)
    expect((await call()).body).toEqual(first.body)
    expect(host.requests(new URL(url).pathname)).toBe(1)
  })
})

describe('what import_media fetches', () => {
  test.each([
    'http://images.example.com/a.png',
    'https://images.example.com:8443/a.png',
    'https://127.0.0.1/a.png',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/a.png',
    'https://user@images.example.com/a.png',
  ])('is never %s, to which nothing is sent', async (url) => {
    const before = host.connections().length
    expect(await refusalOf(url)).toEqual([400, 'invalid_input', { sourceUrl: notPublic }])
    expect(host.connections().length).toBe(before)
  })

  test('is https by the contract, too', async () => {
    const { body } = await service.api().get('/v1/openapi.json')
    const { properties } = body.components.schemas.MediaImport
    expect(properties.sourceUrl.pattern).toBe('^https://[^\\s]+$')
  })

  test('is never at a name of a private address, nor is an unknown name told from it', async () => {
    const before = host.connections().length
    const names = ['inside.example.com', 'unknown.example.com', 'shop.invalid']
    for (const name of [...names, 'localhost', 'metadata.google.internal'])
      expect(await refusalOf(`https://${name}/a.png`)).toEqual([
        400,
        'invalid_input',
        { sourceUrl: unresolved },
      ])
    expect(host.connections().length).toBe(before)
  })

  test('is found through three redirects, and not through four', async () => {
    let url = served({ body: await image() })
    const moved = (to: string) => served({ status: 302, headers: { Location: to } })
    for (let redirects = 0; redirects < 3; redirects++) url = moved(url)
    expect(await refusalOf(moved(url))).toEqual([400, 'invalid_input', { sourceUrl: unreachable }])
    expect((await importFrom(url)).status).toBe(200)
  })

  test.each([
    ['http://images.example.com/a.png', notPublic],
    ['https://10.0.0.7/a.png', notPublic],
    ['https://inside.example.com/a.png', unresolved],
    ['file:///etc/passwd', notPublic],
    ['https://', unreachable],
  ])('is never behind a redirect to %s', async (location, reason) => {
    const before = host.connections().length
    const url = served({ status: 307, headers: { Location: location } })
    expect(await refusalOf(url)).toEqual([400, 'invalid_input', { sourceUrl: reason }])
    expect(host.connections().length).toBe(before + 1)
  })

  test('may have 10 MiB and is given up beyond, by what the host announces and by what it sends', async () => {
    const whole = padded(await image(), maxBytes)
    expect((await importFrom(served({ body: whole }))).status).toBe(200)
    owner = await givenMediaOwner(service)
    const refusal = [413, 'payload_too_large', { sourceUrl: 'At most 10,485,760 bytes.' }]
    const announced = { 'Content-Length': String(maxBytes + 1) }
    expect(await refusalOf(served({ body: 'x', drips: true, headers: announced }))).toEqual(refusal)
    const flood = Buffer.alloc(maxBytes + 1)
    expect(await refusalOf(served({ body: flood, drips: true }))).toEqual(refusal)
  })

  test('is not compressed', async () => {
    const url = served({ body: await image(), headers: { 'Content-Encoding': 'gzip' } })
    expect(await refusalOf(url)).toEqual([400, 'invalid_input', { sourceUrl: unreachable }])
  })
})

describe('a slow host', () => {
  test('holds no connection of the database, and an account has a third of the memory at most', async () => {
    let answer = () => {}
    const after = new Promise<void>((resolve) => (answer = resolve))
    const url = served({ body: await image(), after })
    const path = new URL(url).pathname
    const held = Array.from({ length: 4 }, () => start(importFrom(url)))
    await expect.poll(() => host.requests(path)).toBe(4)
    const { pool } = service.connection
    await expect.poll(() => pool.totalCount - pool.idleCount).toBe(0)
    const { status, body, headers } = await importFrom(url)
    expect([status, body.code, headers['retry-after']]).toEqual([503, 'unavailable', '5'])
    answer()
    expect(tally(await Promise.all(held))).toEqual({ 200: 4 })
  })

  test('is given up at the deadline', async () => {
    const publicDownload = createPublicDownload({ ...host.fetchParts, timeLimitMilliseconds: 150 })
    const hasty = await startService({ publicDownload })
    const { api, path } = await givenMediaOwner(hasty)
    const url = served({ body: 'x', drips: true })
    const { status, body } = await api.post(`${path}/import`).send({ sourceUrl: url })
    expect([status, body.fieldErrors]).toEqual([400, { sourceUrl: unreachable }])
    await hasty.close()
  })

  test('stores nothing for a caller who has lost access meanwhile', async () => {
    let answer = () => {}
    const after = new Promise<void>((resolve) => (answer = resolve))
    const url = served({ body: await image(), after })
    const person = await service.givenPerson()
    const workspace = await service.givenWorkspace(person)
    const { key, id } = await service.givenKey(person)
    const sent = start(
      service.api(key).post(`/v1/workspaces/${workspace.id}/media/import`).send({ sourceUrl: url }),
    )
    await expect.poll(() => host.requests(new URL(url).pathname)).toBe(1)
    await service.dashboard(person).delete(`/api/keys/${id}`).expect(200)
    answer()
    const { status, body } = await sent
    expect([status, body.code]).toEqual([401, 'token_revoked'])
  })
})
