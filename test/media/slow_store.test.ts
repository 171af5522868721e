import { afterAll, beforeAll, expect, test } from 'vitest'
import { s3MediaStore } from '../../src/adapters/s3_store.ts'
import { givenMediaRow, givenShop, productBody, type Shop } from '../kit/catalogue.ts'
import { http, type StallingServer, startStallingServer } from '../kit/peers/stalling_server.ts'
import { start, tally } from '../kit/races.ts'
import { startService, type TestService } from '../kit/service.ts'
import { fetchMedia } from './media_owners.ts'
import { image } from './pictures.ts'

let store: StallingServer
let service: TestService
let attacker: Shop
let other: Shop
beforeAll(async () => {
  store = await startStallingServer(http)
  const mediaStore = s3MediaStore({
    endpoint: `http://127.0.0.1:${store.port}`,
    bucket: 'media',
    accessKeyId: 'key',
    secretAccessKey: 'secret',
    region: 'here',
  })
  service = await startService({ mediaStore })
  attacker = await givenShop(service)
  other = await givenShop(service)
})
afterAll(async () => {
  await service.close()
  await store.close()
})

test('while the media store hangs, a deletion succeeds, and what needs it is to be tried again', async () => {
  const { api } = other
  const at = (path: string) => other.at(path)
  const [kept, deleted] = [await givenMediaRow(other), await givenMediaRow(other)]
  const base64 = (await image()).toString('base64')
  const body = { fileName: 'a.png', mimeType: 'image/png', base64 }
  const [uploaded, replaced, removed, read] = await Promise.all([
    start(api.post(at('media')).send(body)),
    start(api.put(at(`media/${kept.id}`)).send(body)),
    start(api.delete(at(`media/${deleted.id}`))),
    fetchMedia(service, kept),
  ])
  const refused = { status: 503, code: 'unavailable' }
  for (const answer of [uploaded, replaced]) {
    expect(answer.body).toMatchObject(refused)
    expect(answer.headers['retry-after']).toBe('5')
  }
  expect(JSON.parse(read.bytes.toString())).toMatchObject(refused)
  expect(read.response.headers.get('retry-after')).toBe('5')
  expect(read.response.headers.get('cache-control')).toBe('no-store')
  expect(removed.status).toBe(200)
  // Nothing of the upload and the replacement was written, and the deleted image has no address.
  const list = await api.get(at('media')).expect(200)
  expect([list.body.media, list.body.summary.total]).toEqual([[kept], 1])
  expect((await fetchMedia(service, deleted)).response.status).toBe(404)
})

test('a media store that hangs is felt only by calls that need it', async () => {
  const before = store.accepted()
  const rows = []
  for (let count = 0; count < 15; count++) rows.push(await givenMediaRow(attacker))
  const deletes = rows.map(({ id }) => start(attacker.api.delete(attacker.at(`media/${id}`))))
  const list = () => attacker.api.get(attacker.at('media'))
  await expect
    .poll(async () => ((await list()).body as { pagination: { total: number } }).pagination.total)
    .toBe(0)
  // All of them now wait for the store, and none holds a connection.
  await expect.poll(() => store.accepted() - before).toBeGreaterThanOrEqual(15)
  const { pool } = service.connection
  await expect.poll(() => pool.totalCount - pool.idleCount).toBe(0)
  await other.api.post(other.at('products')).send(productBody()).expect(200)
  await service.api().get('/readyz').expect(200)
  store.release()
  // The rows are gone; the files are left to the sweep.
  expect(tally(await Promise.all(deletes))).toEqual({ 200: 15 })
})
