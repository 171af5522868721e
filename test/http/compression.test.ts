import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { productBody } from '../kit/catalogue.ts'
import { startService, type TestService } from '../kit/service.ts'

let service: TestService
let key: string
let workspace: string
let product: string
beforeAll(async () => {
  service = await startService()
  const person = await service.givenPerson()
  workspace = `/v1/workspaces/${(await service.givenWorkspace(person)).id}`
  key = (await service.givenKey(person)).key
  const body = productBody({ description: 'Rose oil. '.repeat(400) })
  const { headers } = await service.api(key).post(`${workspace}/products`).send(body)
  product = headers.location as string
})
afterAll(() => service.close())

interface Answer {
  status: number | undefined
  headers: IncomingMessage['headers']
  bytes: Buffer
}

/** Sends these headers and no others, and leaves the answer as it comes. */
async function send(
  path: string,
  headers: Record<string, string>,
  { method = 'GET', origin = service.urls.api }: { method?: string; origin?: string } = {},
): Promise<Answer> {
  const all = { Authorization: `Bearer ${key}`, ...headers }
  const call = request(origin + path, { method, headers: all }).end()
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return { status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) }
}

const decoded = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
}

describe('a JSON answer over 1 kB', () => {
  test.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1.0, br;q=0', 'gzip'],
    ['BR', 'br'],
    ['*', 'br'],
    ['*, br;q=0', 'gzip'],
  ] as const)('is compressed for a client that accepts %s', async (accepted, encoding) => {
    const plain = await send(product, {})
    const { headers, bytes } = await send(product, { 'Accept-Encoding': accepted })
    expect(headers['content-encoding']).toBe(encoding)
    expect(Number(headers['content-length'])).toBe(bytes.length)
    expect(bytes.length).toBeLessThan(plain.bytes.length / 3)
    expect(decoded[encoding](bytes)).toEqual(plain.bytes)
    expect(headers.vary).toBe('Accept-Encoding')
  })

  test.each([{}, { 'Accept-Encoding': 'identity' }, { 'Accept-Encoding': 'br;q=0, deflate' }])(
    'is sent as it is with %j, and says that it could differ',
    async (accepted: Record<string, string>) => {
      const { headers, bytes } = await send(product, accepted)
      expect(headers['content-encoding']).toBeUndefined()
      expect(headers.vary).toBe('Accept-Encoding')
      expect(JSON.parse(bytes.toString())).toMatchObject({ status: 'ACTIVE' })
    },
  )

  test('has the tag of its plain form, made weak', async () => {
    const plain = await send(product, {})
    const { headers } = await send(product, { 'Accept-Encoding': 'br' })
    expect(plain.headers.etag).toMatch(/^"[\w-]{22}"$/)
    expect(headers.etag).toBe(`W/${plain.headers.etag}`)
    for (const tag of [headers.etag!, plain.headers.etag!]) {
      const known = await send(product, { 'Accept-Encoding': 'br', 'If-None-Match': tag })
      expect([known.status, known.bytes.length]).toEqual([304, 0])
      const write = service.api(key).patch(product).set('If-Match', tag)
      expect((await write.send({ stock: 3 })).status).toBe(200)
    }
  })

  test('has the headers of its body for HEAD, too', async () => {
    const whole = await send(product, { 'Accept-Encoding': 'gzip' })
    const head = await send(product, { 'Accept-Encoding': 'gzip' }, { method: 'HEAD' })
    for (const name of ['content-encoding', 'content-length', 'etag', 'vary'])
      expect(head.headers[name]).toBe(whole.headers[name])
    expect(head.bytes).toHaveLength(0)
  })

  test('is compressed on its way when it is too heavy to hold', async () => {
    const { headers } = await service.api(key).post(`${workspace}/products`).send(productBody())
    const path = headers.location as string
    await sql`update products set information = repeat('€', 800000)
      where id = ${path.split('/').at(-1)}`.execute(service.db)
    const plain = await send(path, {})
    for (const encoding of ['br', 'gzip'] as const) {
      const answer = await send(path, { 'Accept-Encoding': encoding })
      expect(answer.headers['content-encoding']).toBe(encoding)
      expect(answer.headers.etag).toBe(`W/${plain.headers.etag}`)
      expect(decoded[encoding](answer.bytes).equals(plain.bytes)).toBe(true)
      expect(answer.bytes.length).toBeLessThan(100_000)
    }
  })
})

describe('other answers are sent as they are', () => {
  const all = { 'Accept-Encoding': 'gzip, deflate, br' }

  test('a short one', async () => {
    const { headers } = await send(`${workspace}/wallet`, all)
    expect([headers['content-encoding'], headers.vary]).toEqual([undefined, undefined])
  })

  test('a file', async () => {
    const { status, headers, bytes } = await send(`${workspace}/products/export?format=csv`, all)
    expect([status, headers['content-encoding']]).toEqual([200, undefined])
    expect(bytes.toString()).toContain('Rose oil.')
  })

  test('one of an origin that browsers send cookies to', async () => {
    const { headers } = await send('/api/config', all, { origin: service.urls.dashboard })
    expect(headers['content-encoding']).toBeUndefined()
  })
})
