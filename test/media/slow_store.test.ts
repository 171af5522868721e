import { createServer, type Server, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { s3MediaStore } from '../../src/adapters/media_store.ts'
import { givenMediaRow, givenShop, productBody, type Shop } from '../kit/catalogue.ts'
import { start, tally } from '../kit/races.ts'
import { startService, type TestService } from '../kit/service.ts'

let store: Server
const sockets = new Set<Socket>()
let service: TestService
let attacker: Shop
let other: Shop
beforeAll(async () => {
  // Accepts every request, and never answers.
  store = createServer((socket) => {
    socket.on('error', () => undefined)
    sockets.add(socket)
  })
  await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve))
  const { port } = store.address() as AddressInfo
  const mediaStore = s3MediaStore({
    endpoint: `http://127.0.0.1:${port}`,
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
  store.close()
})

test('a media store that hangs is felt only by calls that need it', async () => {
  const rows = []
  for (let count = 0; count < 15; count++) rows.push(await givenMediaRow(attacker))
  const deletes = rows.map(({ id }) => start(attacker.api.delete(attacker.at(`media/${id}`))))
  const list = () => attacker.api.get(attacker.at('media'))
  await expect
    .poll(async () => ((await list()).body as { pagination: { total: number } }).pagination.total)
    .toBe(0)
  // All of them now wait for the store, and none holds a connection.
  await expect.poll(() => sockets.size).toBeGreaterThanOrEqual(15)
  expect(service.connection.pool.totalCount).toBe(service.connection.pool.idleCount)
  await other.api.post(other.at('products')).send(productBody()).expect(200)
  await service.api().get('/readyz').expect(200)
  store.close()
  for (const socket of sockets) socket.destroy()
  // The rows are gone; the files are left to the sweep.
  expect(tally(await Promise.all(deletes))).toEqual({ 200: 15 })
})
