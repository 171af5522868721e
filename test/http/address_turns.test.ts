import { sql } from 'kysely'
import type { Response } from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { handlers } from '../../handlers/index.ts'
import { bearer } from '../every_operation/fixtures.ts'
import { message, post } from '../kit/agents.ts'
import { openConnection } from '../kit/raw_http.ts'
import { holdTransaction, waitersOn } from '../kit/held_transactions.ts'
import { start, tally } from '../kit/races.ts'
import { startService, type TestService } from '../kit/service.ts'

const places = 32
const calls = places + 8

/** Handlers that wait, and how many have begun. */
let begun: number
let goOn: () => void
let gate: Promise<void>
function closeGate(): void {
  begun = 0
  gate = new Promise((resolve) => (goOn = resolve))
}

let service: TestService
let key: string
beforeAll(async () => {
  service = await startService({
    // The proxy of these tests names the client.
    env: { TRUST_PROXY: '1' },
    handlers: {
      async get_config(input, caller) {
        begun++
        await gate
        return handlers.get_config(input, caller)
      },
      async list_templates(input, caller) {
        begun++
        await gate
        return handlers.list_templates(input, caller)
      },
    },
  })
  key = (await service.givenKey(await service.givenPerson())).key
})
afterAll(() => service.close())

const strangers = '203.0.113.7'
const others = '198.51.100.9'

const configAt = (address: string) =>
  service.dashboard().get('/api/config').set('X-Forwarded-For', address)

const many = (call: () => PromiseLike<Response>) =>
  Array.from({ length: calls }, () => start(call()))

describe('an address with many requests in progress', () => {
  test('has 32 of them, and leaves everybody else their turn', async () => {
    closeGate()
    const flood = many(() => configAt(strangers))
    await expect.poll(() => begun).toBe(places)
    const other = start(configAt(others))
    await expect.poll(() => begun).toBe(places + 1)
    for (const address of [strangers, others])
      for (const path of ['/healthz', '/readyz'])
        await service.api().get(path).set('X-Forwarded-For', address).expect(200)
    await service.api(key).get('/v1/workspaces').set('X-Forwarded-For', others).expect(200)
    expect(begun).toBe(places + 1)
    goOn()
    expect(tally([...(await Promise.all(flood)), await other])).toEqual({ 200: calls + 1 })
    expect(begun).toBe(calls + 1)
  })

  test('loses no place to bodies that trickle in', async () => {
    const head =
      'POST /api/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
      `Origin: ${service.config.dashboardUrl}\r\nX-Forwarded-For: ${strangers}\r\n` +
      'Content-Length: 1000\r\n\r\n{'
    const slow = await Promise.all(
      Array.from({ length: calls }, () => openConnection(service.urls.dashboard)),
    )
    try {
      for (const connection of slow) connection.send(head)
      closeGate()
      const served = start(configAt(strangers))
      await expect.poll(() => begun).toBe(1)
      goOn()
      expect((await served).status).toBe(200)
    } finally {
      for (const connection of slow) connection.close()
    }
  })

  test('is counted by the /64 of an IPv6 address', async () => {
    closeGate()
    let host = 0
    const flood = many(() => configAt(`2001:db8::${(host++).toString(16)}`))
    await expect.poll(() => begun).toBe(places)
    const other = start(configAt('2001:db8:0:1::1'))
    await expect.poll(() => begun).toBe(places + 1)
    goOn()
    expect(tally([...(await Promise.all(flood)), await other])).toEqual({ 200: calls + 1 })
  })

  test('has as many as it likes once their caller is known', async () => {
    closeGate()
    const templates = () => service.api(key).get('/v1/templates').set('X-Forwarded-For', strangers)
    const backend = many(templates)
    await expect.poll(() => begun).toBe(calls)
    goOn()
    expect(tally(await Promise.all(backend))).toEqual({ 200: calls })
  })

  test.each([
    ['an agent that lists its tools', message('tools/list')],
    ['an agent that asks for what is not there', message('tools/call', { name: 'nothing' })],
  ])('does not hold up %s once it is known', async (_who, asked) => {
    const { token } = await service.givenAgent(await service.givenPerson())
    const ask = () => post(service, asked, { ...bearer(token), 'X-Forwarded-For': strangers })
    const first = await ask()
    closeGate()
    const flood = many(() => configAt(strangers))
    await expect.poll(() => begun).toBe(places)
    expect((await ask()).status).toBe(first.status)
    goOn()
    await Promise.all(flood)
  })
})

describe('probes', () => {
  test('share one query while it runs', async () => {
    const holder = await holdTransaction(service.connection.pool.options.connectionString!, (trx) =>
      sql`lock table service_stamps in exclusive mode`.execute(trx),
    )
    const probes = Array.from({ length: 10 }, () => start(service.api().get('/readyz')))
    try {
      while ((await waitersOn(service)) === 0);
      await service.api().get('/healthz').expect(200)
      expect(await waitersOn(service)).toBe(1)
    } finally {
      await holder.rollback()
    }
    expect(tally(await Promise.all(probes))).toEqual({ 200: 10 })
  })
})
