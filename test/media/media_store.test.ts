import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { diskMediaStore, type MediaStore, requireOwnStore } from '../../src/adapters/media_store.ts'
import { s3MediaStore } from '../../src/adapters/s3_store.ts'
import { ApiError } from '../../src/core/errors.ts'
import { http, startStallingServer } from '../kit/peers/stalling_server.ts'
import { type S3Server, startS3Server } from '../kit/peers/s3_server.ts'

const keyOf = (digit: string, extension = 'png') => `ws_one/${digit.repeat(64)}.${extension}`

let server: S3Server
let folder: string
beforeAll(async () => {
  server = await startS3Server({ pageSize: 2 })
})
afterAll(() => server.close())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'media-store-'))
  server.objects.clear()
  return () => rmSync(folder, { recursive: true })
})

async function bytesOf(store: MediaStore, key: string, range?: { start: number; end: number }) {
  const file = await store.read(key, range)
  if (!file) return undefined
  const bytes = Buffer.concat((await file.stream.toArray()) as Buffer[])
  return { text: bytes.toString(), size: file.size }
}

async function keysIn(store: MediaStore): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of store.list()) keys.push(key)
  return keys.sort()
}

const kinds: [string, () => MediaStore][] = [
  ['the disk', () => diskMediaStore(folder)],
  ['S3', () => s3MediaStore(server.settings)],
]

describe.each(kinds)('a media store on %s', (_name, open) => {
  test('returns what was put, whole or in part', async () => {
    const store = open()
    await store.put(keyOf('a'), Buffer.from('0123456789'), 'image/png')
    expect(await store.size(keyOf('a'))).toBe(10)
    expect(await bytesOf(store, keyOf('a'))).toEqual({ text: '0123456789', size: 10 })
    const range = { start: 2, end: 4 }
    expect(await bytesOf(store, keyOf('a'), range)).toEqual({ text: '234', size: 10 })
  })

  test('accepts the same content repeatedly, also concurrently', async () => {
    const store = open()
    const put = () => store.put(keyOf('a'), Buffer.from('same'), 'image/png')
    await Promise.all([put(), put(), put()])
    await put()
    expect(await bytesOf(store, keyOf('a'))).toEqual({ text: 'same', size: 4 })
    expect(await keysIn(store)).toEqual([keyOf('a')])
  })

  test('does not find a key that was never put or was deleted', async () => {
    const store = open()
    expect(await store.size(keyOf('b'))).toBeUndefined()
    expect(await store.read(keyOf('b'))).toBeUndefined()
    await store.put(keyOf('b'), Buffer.from('gone soon'), 'image/png')
    await store.delete(keyOf('b'))
    await store.delete(keyOf('b'))
    expect(await store.size(keyOf('b'))).toBeUndefined()
    expect(await store.read(keyOf('b'))).toBeUndefined()
  })

  test('lists all media, across pages, with the time of their last write', async () => {
    const store = open()
    expect(await keysIn(store)).toEqual([])
    const keys = ['a', 'b', 'c', 'd', 'e'].map((digit) => keyOf(digit))
    const second = () => Math.floor(Date.now() / 1000)
    const earliest = second()
    for (const key of keys) await store.put(key, Buffer.from('x'), 'image/png')
    const latest = second()
    expect(await keysIn(store)).toEqual(keys)
    for await (const { modifiedAt } of store.list()) {
      const modified = Math.floor(modifiedAt.getTime() / 1000)
      expect(earliest <= modified && modified <= latest).toBe(true)
    }
  })

  test.each([
    '../secret',
    'ws_one/../../secret',
    '/etc/passwd',
    'ws_one',
    '',
    'ws_one/short.png',
    `ws_one/${'a'.repeat(64)}`,
    `ws_one/${'A'.repeat(64)}.png`,
    `ws/one/${'a'.repeat(64)}.png`,
    `ws_one\\${'a'.repeat(64)}.png`,
    `${keyOf('a')}\0`,
  ])('refuses the key %j', async (key) => {
    const store = open()
    const refusal = 'This is no key of a media store.'
    await expect(async () => store.put(key, Buffer.from('x'), 'image/png')).rejects.toThrow(refusal)
    await expect(async () => store.read(key)).rejects.toThrow(refusal)
    await expect(async () => store.delete(key)).rejects.toThrow(refusal)
  })

  test('belongs to the environment and database that used it first, and does not list its stamp', async () => {
    const store = open()
    const own = { environment: 'production', stamp: 'one' }
    await requireOwnStore(store, own)
    await requireOwnStore(store, own)
    await expect(requireOwnStore(store, { ...own, environment: 'development' })).rejects.toThrow(
      'The media store belongs to production, and this service to development.',
    )
    await expect(requireOwnStore(store, { ...own, stamp: 'another' })).rejects.toThrow(
      'The media store belongs to another database: one of them is wrong, or this one is a copy',
    )
    await requireOwnStore(store, own)
    expect(await keysIn(store)).toEqual([])
  })
})

describe('a media store on disk', () => {
  test('leaves only the file behind', async () => {
    await diskMediaStore(folder).put(keyOf('a'), Buffer.from('x'), 'image/png')
    expect(readdirSync(join(folder, 'unfinished'))).toEqual([])
    expect(readdirSync(join(folder, 'ws_one'))).toEqual([`${'a'.repeat(64)}.png`])
  })

  test('lists the leftovers of an interrupted write and can delete them', async () => {
    const store = diskMediaStore(folder)
    const key = 'unfinished/0b0e8f9c-52a4-4c3e-9e0a-1d4c7f2b6a55'
    mkdirSync(join(folder, 'unfinished'))
    writeFileSync(join(folder, key), 'half a fi')
    expect(await keysIn(store)).toEqual([key])
    await store.delete(key)
    expect(existsSync(join(folder, key))).toBe(false)
  })
})

describe('a media store on S3', () => {
  test('stores the content type with the bytes', async () => {
    await s3MediaStore(server.settings).put(keyOf('a', 'webp'), Buffer.from('x'), 'image/webp')
    expect(server.objects.get(keyOf('a', 'webp'))?.type).toBe('image/webp')
  })

  test('is refused with a wrong secret, region or name', async () => {
    const wrong = [{ secretAccessKey: 'wrong' }, { region: 'us-east-1' }, { accessKeyId: 'AKIA' }]
    for (const setting of wrong) {
      const store = s3MediaStore({ ...server.settings, ...setting })
      const outcome: unknown = await store
        .put(keyOf('a'), Buffer.from('x'), 'image/png')
        .catch((error: unknown) => error)
      expect(outcome).toBeInstanceOf(ApiError)
      expect(outcome).toMatchObject({
        code: 'unavailable',
        cause: new Error('The media store answered 403.'),
      })
    }
    expect(server.objects.size).toBe(0)
  })

  test('retries while the store is busy, then gives up', async () => {
    const store = s3MediaStore(server.settings)
    server.failNext(2)
    await store.put(keyOf('a'), Buffer.from('x'), 'image/png')
    expect(server.objects.size).toBe(1)
    server.failNext(3)
    await expect(store.size(keyOf('a'))).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('that hangs is given up in less than five seconds', async () => {
    const hanging = await startStallingServer(http)
    const endpoint = `http://127.0.0.1:${hanging.port}`
    const store = s3MediaStore({ ...server.settings, endpoint })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const calls = [
      () => store.put(keyOf('a'), Buffer.from('x'), 'image/png'),
      () => store.size(keyOf('a')),
      () => store.read(keyOf('a')),
      () => store.delete(keyOf('a')),
      () => keysIn(store),
    ]
    try {
      for (const [index, call] of calls.entries()) {
        const outcome = call().catch((error: unknown) => error)
        while (hanging.accepted() <= index) await setImmediate()
        vi.advanceTimersByTime(5000)
        expect(await outcome).toMatchObject({ code: 'unavailable', retryAfter: 5 })
      }
    } finally {
      vi.useRealTimers()
      await hanging.close()
    }
  })

  test('that stops in the middle of a file ends its stream', async () => {
    const stopping = createServer((_request, response) => {
      response.writeHead(200, { 'Content-Length': 1000 }).write('half of it')
    })
    await new Promise<void>((resolve) => stopping.listen(0, '127.0.0.1', resolve))
    const endpoint = `http://127.0.0.1:${(stopping.address() as AddressInfo).port}`
    const file = await s3MediaStore({ ...server.settings, endpoint }).read(keyOf('a'))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const ended = once(file!.stream, 'close').catch((error: unknown) => error)
      await new Promise<void>((resolve) => file!.stream.once('data', () => resolve()))
      await setImmediate()
      vi.advanceTimersByTime(5000)
      expect(await ended).toEqual(new Error('The media store does not answer.'))
    } finally {
      vi.useRealTimers()
      stopping.closeAllConnections()
      await new Promise((resolve) => stopping.close(resolve))
    }
  })

  test('that is unreachable is unavailable', async () => {
    const store = s3MediaStore({ ...server.settings, endpoint: 'http://127.0.0.1:1' })
    await expect(store.size(keyOf('a'))).rejects.toMatchObject({ code: 'unavailable' })
  })
})
