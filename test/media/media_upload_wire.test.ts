import { EventEmitter, once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { handlers } from '../../handlers/index.ts'
import type { Handler } from '../../src/operation.ts'
import { givenShop, type Shop } from '../kit/catalogue.ts'
import { openConnection, type RawConnection, requestText } from '../kit/raw_http.ts'
import { startService, type TestService } from '../kit/service.ts'
import { image } from './pictures.ts'
import { filesOf, givenUploadPath, uploadNotFound, mediaOf, putBytes } from './upload_urls.ts'

const minute = 60_000
let service: TestService
beforeAll(async () => {
  service = await startService({ handlers: { complete_media_upload } })
})
afterAll(() => service.close())

/** Signals that a sender was authorized and the service awaits the bytes. */
const door = new EventEmitter()
const complete_media_upload: Handler<'complete_media_upload'> = (input, caller) => {
  const bytes: typeof caller.bytes = (announcement) => {
    door.emit('open')
    return caller.bytes(announcement)
  }
  return handlers.complete_media_upload(
    input,
    Object.create(caller, { bytes: { value: bytes } }) as typeof caller,
  )
}

const put = (path: string, bytes: Buffer, headers?: Record<string, string>) =>
  putBytes(service, path, bytes, headers)

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

  test('announced as too many are refused before any is sent', async () => {
    const bytes = await image()
    const path = await givenUploadPath(await givenShop(service), bytes)
    const connection = await begin(path, { 'Content-Length': String(bytes.length + 1) })
    expect(await codeOf(connection)).toEqual([413, 'payload_too_large'])
    await connection.ended
  })

  test('announced as too few are refused before any is sent', async () => {
    const bytes = await image()
    const path = await givenUploadPath(await givenShop(service), bytes)
    const connection = await begin(path, { 'Content-Length': String(bytes.length - 1) })
    expect(await codeOf(connection)).toEqual([400, 'invalid_input'])
    connection.close()
  })

  test('that exceed the size are refused at the first byte too many', async () => {
    const bytes = await image()
    const path = await givenUploadPath(await givenShop(service), bytes)
    const connection = await begin(path, chunked)
    connection.send(chunk(bytes))
    connection.send(chunk(Buffer.alloc(1)))
    expect(await codeOf(connection)).toEqual([413, 'payload_too_large'])
    await connection.ended
  })

  test('of unknown length are accepted if they match the promised size', async () => {
    const shop = await givenShop(service)
    const bytes = await image()
    const connection = await begin(await givenUploadPath(shop, bytes), chunked)
    connection.send(chunk(bytes.subarray(0, 10)))
    connection.send(chunk(bytes.subarray(10)))
    connection.send('0\r\n\r\n')
    const { status, body } = await connection.answer()
    connection.close()
    expect(status).toBe(200)
    expect((await mediaOf(shop)).media).toEqual([JSON.parse(body)])
  })

  test('of unknown length that end too soon are refused', async () => {
    const bytes = await image()
    const connection = await begin(await givenUploadPath(await givenShop(service), bytes), chunked)
    connection.send(chunk(bytes.subarray(1)))
    connection.send('0\r\n\r\n')
    expect(await codeOf(connection)).toEqual([400, 'invalid_input'])
    connection.close()
  })

  test('that break off leave nothing behind, and the URL stays valid', async () => {
    const shop = await givenShop(service)
    const bytes = await image()
    const path = await givenUploadPath(shop, bytes)
    const start = service.logged().length
    const letIn = once(door, 'open')
    const connection = await begin(path, { 'Content-Length': String(bytes.length) })
    connection.send(bytes.subarray(0, -1))
    await letIn
    connection.socket.end()
    await connection.ended
    const lines = () => service.logged().slice(start)
    const over = () => lines().some((line) => line.operation === 'complete_media_upload')
    await expect.poll(over).toBe(true)
    expect(await mediaOf(shop)).toEqual({ media: [], total: 0 })
    expect(filesOf(shop)).toEqual([])
    expect((await put(path, bytes)).status).toBe(200)
  })

  test.each<[string, (shop: Shop, keyId: string) => Promise<unknown>]>([
    ['the key is revoked', (shop, id) => service.dashboard(shop.person).delete(`/api/keys/${id}`)],
    ['the URL expires', () => Promise.resolve(service.advance(10 * minute))],
  ])('held back until %s are refused', async (_title, happen) => {
    const shop = await givenShop(service)
    const { id, key } = await service.givenKey(shop.person)
    const bytes = await image()
    const path = await givenUploadPath({ ...shop, api: service.api(key) }, bytes)
    const letIn = once(door, 'open')
    const connection = await begin(path, { 'Content-Length': String(bytes.length) })
    await letIn
    await happen(shop, id)
    connection.send(bytes)
    const { status, body } = await connection.answer()
    connection.close()
    expect([status, JSON.parse(body)]).toEqual([404, uploadNotFound])
    expect((await mediaOf(shop)).total).toBe(0)
  })
})
