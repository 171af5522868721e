import request from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countAiCall, countReservation, countWebhook } from '../../src/core/metrics.ts'
import { message, post } from '../kit/agents.ts'
import { startService, type TestService } from '../kit/service.ts'

const token = 'a token for the collector'.replaceAll(' ', '-')

let service: TestService
beforeAll(async () => {
  service = await startService({ env: { METRICS_TOKEN: token, RATE_LIMIT_PER_MINUTE: '12' } })
})
afterAll(() => service.close())

const read = (headers: Record<string, string> = { Authorization: `Bearer ${token}` }) =>
  request(service.urls.admin).get('/metrics').set(headers)

/** The value of one series; 0 if absent. */
async function valueOf(name: string, labels: Record<string, string> = {}): Promise<number> {
  const { text } = await read().expect(200)
  const line = text.split('\n').find((one) => {
    const [series = ''] = one.split(' ')
    const matches = Object.entries(labels).every(([key, value]) =>
      series.includes(`${key}="${value}"`),
    )
    return (series === name || series.startsWith(`${name}{`)) && matches
  })
  return Number(line?.split(' ').at(-1) ?? 0)
}

describe('GET /metrics', () => {
  test('is only open to staff and to holders of the token', async () => {
    const staff = await service.givenStaff()
    const owner = await service.givenPerson()
    const { key } = await service.givenKey(owner)
    const { status, headers } = await read({ Cookie: staff.cookie })
    expect(status).toBe(200)
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
    expect(headers['cache-control']).toBe('no-store')
    await read().expect(200)
    const wrongCredentials: Record<string, string>[] = [
      {},
      { Authorization: `Bearer ${token}x` },
      { Authorization: 'Bearer ' },
      { Authorization: `Basic ${token}` },
      { Authorization: `Bearer ${key}` },
      { Cookie: owner.cookie },
      { Cookie: owner.cookie.replace('vitrine_session', 'vitrine_staff') },
      { Cookie: `vitrine_staff=${token}` },
    ]
    for (const credential of wrongCredentials) {
      const { status: refusal, body } = await read(credential)
      expect([refusal, body.code]).toEqual([401, 'unauthenticated'])
    }
  })

  test('accepts no token if none is set', async () => {
    const without = await startService()
    try {
      for (const Authorization of ['Bearer undefined', 'Bearer ', 'Bearer x'])
        await request(without.urls.admin).get('/metrics').set({ Authorization }).expect(401)
    } finally {
      await without.close()
    }
  })

  test.each(['api', 'dashboard'] as const)('is not served at the %s', async (origin) => {
    const { status } = await request(service.urls[origin]).get('/metrics')
    expect(status).toBe(404)
  })

  test('counts requests by origin, operation and status, and measures their duration', async () => {
    const owner = await service.givenPerson()
    const { key } = await service.givenKey(owner)
    const requests = (operation: string, status: string, surface = 'api') =>
      valueOf('vitrine_requests_total', { surface, operation, status })
    const before = {
      ok: await requests('list_templates', '200'),
      refused: await requests('list_templates', '401'),
      unknown: await requests('none', '404'),
      timed: await valueOf('vitrine_request_seconds_count', { operation: 'list_templates' }),
    }
    await service.api(key).get('/v1/templates').expect(200)
    await service.api(key).get('/v1/templates').expect(200)
    await service.api().get('/v1/templates').expect(401)
    await service.api().get('/v1/nothing').expect(404)
    await expect.poll(() => requests('none', '404')).toBe(before.unknown + 1)
    expect(await requests('list_templates', '200')).toBe(before.ok + 2)
    expect(await requests('list_templates', '401')).toBe(before.refused + 1)
    const timed = await valueOf('vitrine_request_seconds_count', { operation: 'list_templates' })
    expect(timed).toBe(before.timed + 3)
    const all = { operation: 'list_templates', le: '+Inf' }
    expect(await valueOf('vitrine_request_seconds_bucket', all)).toBe(timed)
  })

  test("counts an agent's call under its operation", async () => {
    const { token: agent } = await service.givenAgent(await service.givenPerson())
    const count = () =>
      valueOf('vitrine_requests_total', { operation: 'get_account', status: '200' })
    const before = await count()
    const call = message('tools/call', { name: 'get_account', arguments: {} })
    await post(service, call, { Authorization: `Bearer ${agent}` }).expect(200)
    await expect.poll(count).toBe(before + 1)
  })

  test('counts refusals of a rate limit under its name', async () => {
    const { key } = await service.givenKey(await service.givenPerson())
    const refusals = () => valueOf('vitrine_rate_limit_refusals_total', { limit: 'requests' })
    const before = await refusals()
    for (let call = 0; call < 12; call++) await service.api(key).get('/v1/templates').expect(200)
    await service.api(key).get('/v1/templates').expect(429)
    expect(await refusals()).toBe(before + 1)
  })

  test('shows the use of the connection pool', async () => {
    const usedConnections = () => valueOf('vitrine_database_connections', { state: 'used' })
    // Figures of other tests may be on their way.
    await expect.poll(usedConnections).toBe(0)
    const client = await service.connection.pool.connect()
    try {
      expect(await usedConnections()).toBe(1)
    } finally {
      client.release()
    }
    expect(await valueOf('vitrine_database_connections', { state: 'idle' })).toBeGreaterThan(0)
    expect(await valueOf('vitrine_database_connections', { state: 'waiting' })).toBe(0)
  })

  test('counts reservations, model calls and payment events by outcome', async () => {
    countReservation('settled')
    countAiCall('product', 'failed')
    countWebhook('REPEATED')
    expect(await valueOf('vitrine_reservations_total', { outcome: 'settled' })).toBeGreaterThan(0)
    const failed = { kind: 'product', outcome: 'failed' }
    expect(await valueOf('vitrine_ai_calls_total', failed)).toBeGreaterThan(0)
    expect(await valueOf('vitrine_webhooks_total', { outcome: 'REPEATED' })).toBeGreaterThan(0)
  })

  test('names no workspace, account, visitor or credential', async () => {
    const owner = await service.givenPerson()
    const workspace = await service.givenWorkspace(owner)
    const { key } = await service.givenKey(owner)
    await service.api(key).get(`/v1/workspaces/${workspace.id}/workspace`).expect(200)
    await service.api(key).get(`/v1/workspaces/${workspace.id}/nothing`).expect(404)
    const { text } = await read()
    expect(text).not.toMatch(/(ws|acc|ses|key|grant|src|prod)_[0-9a-z]{20}|@|ws[a-z]_dev/)
    const labels = [...text.matchAll(/[{,](\w+)="/g)].map(([, name]) => name)
    const ofCalls = ['surface', 'operation', 'status', 'le', 'state', 'limit', 'outcome', 'kind']
    const ofWork = ['statement', 'queue', 'step', 'replica']
    const ofProcess = ['build', 'node', 'type', 'space', 'version', 'major', 'minor', 'patch']
    const allowed = [...ofCalls, ...ofWork, ...ofProcess]
    expect([...new Set(labels)].filter((name) => !allowed.includes(name!))).toEqual([])
  })
})
