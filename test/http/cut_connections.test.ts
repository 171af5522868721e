import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { givenProduct, givenShop, type Shop } from '../kit/catalogue.ts'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import { exchange, openConnection, requestText } from '../kit/raw_http.ts'
import { startService, type TestService } from '../kit/service.ts'

let database: TestDatabase
/** Waits for its clients as long as others do. */
let service: TestService
/** Gives up at once. Only clients that hang are sent to it. */
let hasty: TestService
let shop: Shop
let authorization: string
beforeAll(async () => {
  database = await createDatabase()
  service = await startService({
    databaseUrl: database.url,
    env: { MAX_CONNECTIONS: '30', MAX_CONNECTIONS_PER_ADDRESS: '20' },
  })
  hasty = await startService({
    databaseUrl: database.url,
    env: { RECEIVE_SECONDS: '1', SEND_SECONDS: '1' },
  })
  shop = await givenShop(service)
  const { key } = await service.givenKey(shop.person)
  authorization = `Bearer ${key}`
})
afterAll(async () => {
  await hasty.close()
  await service.close()
  await database.drop()
})

const openAt = ({ app }: TestService) =>
  new Promise<number>((resolve, reject) =>
    app.api.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )
const untilOpen = (count: number, at = service) => expect.poll(() => openAt(at)).toBe(count)

/** A client that keeps its own half of the connection open, whatever the service does. */
function stubborn({ urls }: TestService, localAddress?: string): Socket {
  const { hostname, port } = new URL(urls.api)
  const from = localAddress ? { localAddress } : {}
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true, ...from })
  return socket.on('error', () => undefined)
}

describe('a client that sends nothing, or half a request', () => {
  test.each(['', 'GET /healthz HTTP/1.1\r\nHost: local'])(
    'is told and cut off: %j',
    async (bytes) => {
      const socket = stubborn(hasty)
      const ended = once(socket, 'end')
      const received: Buffer[] = []
      socket.on('data', (chunk) => received.push(chunk))
      socket.write(bytes)
      await ended
      await untilOpen(0, hasty)
      const text = Buffer.concat(received).toString()
      expect(text).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
      expect(JSON.parse(text.split('\r\n\r\n')[1]!)).toEqual({
        status: 408,
        code: 'request_timeout',
        message: 'The request did not arrive in time.',
      })
      socket.destroy()
    },
  )

  test('does not keep its files either', async () => {
    const { server } = hasty.app.api
    const { requestTimeout } = server
    // The time is up when the file is there, however long that takes.
    server.requestTimeout = 100_000
    const connection = await openConnection(hasty.urls.api)
    const head = 'Content-Disposition: form-data; name="files"; filename="a.png"'
    const headers = {
      Authorization: authorization,
      'Content-Type': 'multipart/form-data; boundary=edge',
      'Content-Length': '3000000',
    }
    connection.send(requestText('POST', shop.at('media/upload'), { headers }))
    connection.send(`--edge\r\n${head}\r\nContent-Type: image/png\r\n\r\n`)
    connection.send(Buffer.alloc(2_000_000, 1))
    const folder = join(hasty.config.dataDir, 'uploads')
    await expect.poll(() => existsSync(folder) && readdirSync(folder).length).toBe(1)
    server.requestTimeout = requestTimeout
    expect((await connection.answer()).status).toBe(408)
    await untilOpen(0, hasty)
    await expect.poll(() => readdirSync(folder)).toEqual([])
    connection.close()
  })
})

describe('a client that does not read', () => {
  test('is cut off', async () => {
    for (let count = 0; count < 20; count++) await givenProduct(shop)
    await sql`update products set information = repeat('€', 500000)
      where workspace_id = ${shop.workspaceId}`.execute(service.db)
    const arrived = once(hasty.app.api.server, 'request')
    const socket = stubborn(hasty)
    socket.pause()
    const headers = { Authorization: authorization }
    socket.write(requestText('GET', shop.at('products?pageSize=20'), { headers }))
    await arrived
    await untilOpen(0, hasty)
    socket.destroy()
  })
})

describe('connections', () => {
  test('of one address have a limit', async () => {
    const before = await openAt(service)
    const sockets = Array.from({ length: 25 }, () => stubborn(service))
    await untilOpen(20)
    for (const socket of sockets) socket.destroy()
    await untilOpen(before)
    expect((await exchange(service.urls.api, requestText('GET', '/healthz'))).status).toBe(200)
  })
})

/** Every address of the loopback network is this machine, where the system says so. */
describe.runIf(process.platform === 'linux')('connections of many addresses', () => {
  test('have a limit in all, and those idle longest make room', async () => {
    const addresses = Array.from({ length: 40 }, (_, index) => `127.0.0.${2 + (index % 4)}`)
    const idle = addresses.map((address) => stubborn(service, address))
    await untilOpen(30)
    const busy = await Promise.all(
      Array.from({ length: 5 }, () => exchange(service.urls.api, requestText('GET', '/healthz'))),
    )
    expect(busy.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(await openAt(service)).toBeLessThanOrEqual(30)
    for (const socket of idle) socket.destroy()
  })
})

describe('requests on one connection', () => {
  test('take turns with those on others', async () => {
    const [many, other] = [
      await openConnection(service.urls.api),
      await openConnection(service.urls.api),
    ]
    let answered = 0
    const all = 400
    many.send(requestText('GET', '/healthz').repeat(all))
    const counting = (async () => {
      for (; answered < all; answered++) expect((await many.answer()).status).toBe(200)
    })()
    // Sent when the first is being answered.
    while (answered === 0) await new Promise((resolve) => setImmediate(resolve))
    other.send(requestText('GET', '/healthz'))
    expect((await other.answer()).status).toBe(200)
    expect(answered).toBeLessThan(all)
    await counting
    many.close()
    other.close()
  })

  test('end the connection if too many wait', async () => {
    const connection = await openConnection(service.urls.api)
    connection.send(requestText('GET', '/healthz').repeat(5000))
    await connection.ended
    connection.close()
  })
})
