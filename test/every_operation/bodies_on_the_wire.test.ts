import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { givenScene, type Scene } from './fixtures.ts'
import { openConnection, type RawConnection } from '../kit/raw_http.ts'
import { startService, type TestService } from '../kit/service.ts'
import { rawCallsIn, unknownField } from './raw_calls.ts'

const limit = 5 * 1024 * 1024

let service: TestService
let scene: Scene
beforeAll(async () => {
  service = await startService()
  scene = await givenScene(service)
})
afterAll(() => service.close())

const { attempt, headOf } = rawCallsIn(() => scene)

describe('a body on the wire', () => {
  const json = { 'Content-Type': 'application/json' }
  const chunked = { ...json, 'Transfer-Encoding': 'chunked' }
  const begin = async (headers: Record<string, string>): Promise<RawConnection> => {
    const connection = await openConnection(service.urls.api)
    connection.send(headOf('create_workspace', headers))
    return connection
  }
  const chunk = (size: number) => `${size.toString(16)}\r\n${'a'.repeat(size)}\r\n`
  /** The server side of connections opened from now on. */
  const serverSockets = () => {
    const sockets: { bytesRead: number }[] = []
    service.app.api.server.on('connection', (socket) => sockets.push(socket))
    return sockets
  }

  test('of exactly 5 MiB is read and validated', async () => {
    const body = `{"x":"${'a'.repeat(limit - 8)}"}`
    expect(Buffer.byteLength(body)).toBe(limit)
    const { error } = await attempt('create_workspace', { body })
    expect(error).toMatchObject({
      status: 400,
      fieldErrors: { x: expect.stringMatching(unknownField) },
    })
    const half = (limit - 10) / 2
    const parts = [`{"x":"${'a'.repeat(half)}`, `${'a'.repeat(half)}"  }`]
    const connection = await begin(chunked)
    for (const part of parts) connection.send(`${part.length.toString(16)}\r\n${part}\r\n`)
    connection.send('0\r\n\r\n')
    expect((await connection.answer()).status).toBe(400)
    connection.close()
  })

  test('for the dashboard may have 64 KiB and no byte more', async () => {
    const body = (size: number) => `{"x":"${'a'.repeat(size - 8)}"}`
    const atLimit = await attempt('create_session', { body: body(64 * 1024) })
    expect(atLimit.error).toMatchObject({
      status: 400,
      fieldErrors: { x: expect.stringMatching(unknownField) },
    })
    const beyond = await attempt('create_session', { body: body(64 * 1024 + 1) })
    expect(beyond.error).toMatchObject({ status: 413, code: 'payload_too_large' })
  })

  test('of one byte more is refused with 413 before it is sent', async () => {
    const connection = await begin({ ...json, 'Content-Length': `${limit + 1}` })
    const { status, body } = await connection.answer()
    expect([status, JSON.parse(body).code]).toEqual([413, 'payload_too_large'])
    await connection.ended
  })

  test('that exceeds the limit gets 413 and is not read further', async () => {
    const sockets = serverSockets()
    const connection = await begin(chunked)
    connection.send(chunk(limit) + chunk(1))
    expect((await connection.answer()).status).toBe(413)
    let over = false
    void connection.ended.then(() => (over = true))
    const more = chunk(1024 * 1024)
    while (!over) {
      const flushed = connection.socket.write(more)
      if (!flushed) {
        const drained = new Promise((resolve) => connection.socket.once('drain', resolve))
        await Promise.race([drained, connection.ended])
      }
    }
    connection.close()
    expect(sockets[0]?.bytesRead).toBeLessThan(limit + 2 * 1024 * 1024)
  })

  test('of an unauthorized caller is not awaited', async () => {
    const connection = await openConnection(service.urls.api)
    const head = headOf('create_workspace', { ...json, 'Content-Length': '1000000' })
    connection.send(head.replace(/Authorization: .*\r\n/, ''))
    expect((await connection.answer()).status).toBe(401)
    await connection.ended
  })

  test('that arrives after its refusal does not end the connection', async () => {
    const head = headOf('create_workspace', { ...json, 'Content-Length': '7' })
    const unknown = head.replace(/Authorization: .*\r\n/, '')
    const sendRefused = async () => {
      const connection = await openConnection(service.urls.api)
      connection.send(unknown)
      expect((await connection.answer()).status).toBe(401)
      return connection
    }
    const late = await sendRefused()
    late.send('{"x":1}')
    // A connection without its body is ended after a grace period, now over for both.
    const silent = await sendRefused()
    await silent.ended
    late.send(`${unknown}{"x":1}`)
    expect((await late.answer()).status).toBe(401)
    late.close()
  })

  test('that is refused unread does not break the next call', async () => {
    const post = async (size: number) => {
      const body = `{"x":"${'a'.repeat(size)}"}`
      const headers = { ...json, Origin: service.config.dashboardUrl }
      const answer = await fetch(`${service.urls.dashboard}/api/session`, {
        method: 'POST',
        headers,
        body,
      })
      await answer.text()
      return [answer.status, answer.headers.get('connection')]
    }
    for (let turn = 0; turn < 4; turn++) {
      expect(await post(100_000)).toEqual([413, 'close'])
      expect(await post(1)).toEqual([400, 'keep-alive'])
    }
  })

  test('abandoned by its client is logged, and the service keeps working', async () => {
    const sockets = serverSockets()
    const start = service.logged().length
    const connection = await begin({ ...json, 'Content-Length': '100' })
    connection.send('{"name":')
    await expect.poll(() => sockets[0]?.bytesRead).toBe(connection.socket.bytesWritten)
    connection.socket.resetAndDestroy()
    const lines = () => service.logged().slice(start)
    await expect.poll(() => lines().length).toBe(1)
    expect(lines()[0]).toMatchObject({ operation: 'create_workspace', aborted: true })
    expect(lines()[0], 'nothing was answered').not.toHaveProperty('status')
    expect((await service.api().get('/readyz')).status).toBe(200)
  })

  test('shorter than its Content-Length is 400', async () => {
    const connection = await begin({ ...json, 'Content-Length': '100' })
    connection.socket.end('{"name":')
    const { status, headers, body } = await connection.answer()
    expect([status, JSON.parse(body).code]).toEqual([400, 'invalid_input'])
    await connection.ended
    const requestId = headers['x-request-id']
    const lines = () => service.logged().filter((line) => line.requestId === requestId)
    await expect
      .poll(lines)
      .toMatchObject([{ operation: 'create_workspace', status: 400, errorCode: 'invalid_input' }])
  })

  test('longer than its Content-Length is cut off, and the rest is not a request', async () => {
    const connection = await begin({ ...json, 'Content-Length': '7' })
    connection.send('{"x":1}{"name":"Another"}\r\n\r\n')
    const first = await connection.answer()
    expect(JSON.parse(first.body)).toMatchObject({ status: 400 })
    await connection.ended
  })

  test.each([
    ['both Transfer-Encoding and Content-Length', { ...chunked, 'Content-Length': '7' }, '7\r\n'],
    ['a chunk size that is not a number', chunked, 'zz\r\n{"x":1}\r\n'],
    ['a length that is not a number', { ...json, 'Content-Length': 'seven' }, '{"x":1}'],
    ['a negative length', { ...json, 'Content-Length': '-1' }, ''],
    ['an unknown transfer encoding', { ...json, 'Transfer-Encoding': 'brotli' }, '{"x":1}'],
    ['a header of more than 16 kB', { ...json, 'X-Long': 'a'.repeat(17_000) }, ''],
  ])('with %s is 400 and the connection ends', async (_title, headers, bytes) => {
    const connection = await begin(headers)
    connection.send(bytes)
    const { status, body, headers: answerHeaders } = await connection.answer()
    expect([status, answerHeaders.connection]).toEqual([400, 'close'])
    expect(JSON.parse(body)).toMatchObject({ status: 400, code: 'invalid_input' })
    await connection.ended
  })

  test.each([
    'GARBAGE\r\n\r\n',
    'GET /\0 HTTP/1.1\r\n\r\n',
    '\x16\x03\x01\x02\0\x01\0\x01\xfc',
    'GET / HTTP/9.9\r\n\r\n',
  ])('that is not HTTP at all is 400 and the connection ends: %j', async (bytes) => {
    const connection = await openConnection(service.urls.api)
    connection.send(Buffer.from(bytes, 'latin1'))
    const { status, body } = await connection.answer()
    expect([status, JSON.parse(body).code]).toEqual([400, 'invalid_input'])
    await connection.ended
  })
})
