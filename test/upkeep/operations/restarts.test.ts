import type { PoolClient } from 'pg'
import { afterEach, expect, test } from 'vitest'
import { givenShop } from '../../kit/catalogue.ts'
import { openConnection, requestText } from '../../kit/raw_http.ts'
import { startService } from '../../kit/service.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

test('a service that is stopped is not ready for a while, and serves', async () => {
  let isOver = () => undefined as void
  const waits: number[] = []
  const pause = (milliseconds: number) => {
    waits.push(milliseconds)
    return new Promise<void>((resolve) => (isOver = resolve))
  }
  const service = await startService({ env: { DRAIN_SECONDS: '7' }, pause })
  const shop = await givenShop(service)
  const kept = await openConnection(service.urls.api)
  const get = (path: string) => {
    const headers = { Authorization: `Bearer ${shop.key}` }
    kept.send(requestText('GET', path, { headers }))
    return kept.answer()
  }
  expect((await get('/v1/workspaces')).headers.connection).toBe('keep-alive')

  const closing = service.close()
  await expect.poll(() => waits).toEqual([7000])
  for (const url of [service.urls.api, service.urls.dashboard, service.urls.admin]) {
    expect((await fetch(`${url}/readyz`)).status).toBe(503)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
  }
  // The connection from before, and new ones, are answered, each for the last time.
  const last = await get('/v1/workspaces')
  expect([last.status, last.headers.connection]).toEqual([200, 'close'])
  const made = await shop.api.post(shop.at('tags')).send({ name: 'Late' })
  expect([made.status, made.headers.connection]).toEqual([200, 'close'])
  await kept.ended

  isOver()
  await closing
  await expect(fetch(`${service.urls.api}/healthz`)).rejects.toThrow()
})

test('a service whose connections are all in use is ready', async () => {
  const service = await startService({ waitMilliseconds: 2000 })
  cleanups.push(() => service.close())
  const shop = await givenShop(service)
  const held: PoolClient[] = []
  for (let count = 0; count < 12; count++) held.push(await service.connection.pool.connect())
  try {
    expect((await shop.api.get('/v1/workspaces')).status).toBe(503)
    expect((await fetch(`${service.urls.api}/readyz`)).status).toBe(200)
  } finally {
    for (const client of held) client.release()
  }
})
