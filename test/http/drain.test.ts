import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openConnection, type RawConnection, requestText } from '../kit/raw_http.ts'
import { startService } from '../kit/service.ts'
import { bytesOf, expectHouseHeaders, type House, isHead, openHouse } from './house.ts'
import { type OriginName, originNames, origins, type Way } from './ways.ts'

/** Drains without the deadline that cuts off what is left: what ends then, ends by itself. */
function withoutDeadline<T>(drain: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  try {
    return drain()
  } finally {
    vi.useRealTimers()
  }
}

describe('a service that drains', () => {
  let house: House
  const open = new Map<Way, RawConnection>()
  let closed: Promise<void>

  /** A connection whose next request is in progress when the drain begins. */
  async function begin(origin: OriginName, way: Way): Promise<void> {
    const connection = await openConnection(house.service.urls[origin])
    // The first answer proves that the start of the second request, sent with it, has arrived.
    connection.send(requestText('GET', '/healthz') + bytesOf(house, way).slice(0, 3))
    await connection.answer()
    open.set(way, connection)
  }

  beforeAll(async () => {
    house = await openHouse()
    for (const origin of originNames)
      for (const way of origins[origin]) await begin(origin, copyFor(origin, way))
    closed = withoutDeadline(() => house.service.app.close())
  })
  afterAll(() => house.service.close())

  /** Paths that exist on every origin are told apart by origin. */
  const copies = new Map<string, Way>()
  function copyFor(origin: OriginName, way: Way): Way {
    const name = `${origin} ${way[0]}`
    const copy = copies.get(name) ?? ([...way] as Way)
    copies.set(name, copy)
    return copy
  }

  for (const origin of originNames)
    test.for(origins[origin])(
      `answers and ends the connection at the ${origin}: %s`,
      async (way) => {
        const copy = copyFor(origin, way)
        const connection = open.get(copy) as RawConnection
        connection.send(bytesOf(house, way).slice(3))
        const answer = await connection.answer({ toHead: isHead(way) })
        const unready = way[0] === 'a sign of readiness'
        expect(answer.status).toBe(unready ? 503 : way[2])
        expect(answer.headers.connection).toBe('close')
        expectHouseHeaders(origin, answer, way)
        await connection.ended
      },
    )

  test('ends as soon as everything is answered, and accepts no new connections', async () => {
    await closed
    await expect(openConnection(house.service.urls.api)).rejects.toThrow('ECONNREFUSED')
  })
})

describe('a request in progress when the drain begins', () => {
  test('is executed and answered, and then its connection ends', async () => {
    let markArrival = () => undefined as void
    let proceed = () => undefined as void
    const isHere = new Promise<void>((resolve) => (markArrival = resolve))
    const mayGo = new Promise<void>((resolve) => (proceed = resolve))
    const service = await startService({
      handlers: {
        async get_config() {
          markArrival()
          await mayGo
          return { environment: 'development', challengeSiteKey: 'contact', oidcEnabled: false }
        },
      },
    })
    const busy = await openConnection(service.urls.dashboard)
    const idle = await openConnection(service.urls.dashboard)
    idle.send(requestText('GET', '/healthz'))
    await idle.answer()
    busy.send(requestText('GET', '/api/config'))
    await isHere
    const closed = service.app.close()
    await idle.ended
    proceed()
    const { status, headers, body } = await busy.answer()
    expect([status, headers.connection]).toEqual([200, 'close'])
    expect(JSON.parse(body)).toMatchObject({ environment: 'development' })
    await busy.ended
    await closed
    await service.close()
  })

  test('does not wait for a connection that has sent no request', async () => {
    const service = await startService()
    const silent = await openConnection(service.urls.api)
    await Promise.all([withoutDeadline(() => service.app.close()), silent.ended])
    await service.close()
  })
})
