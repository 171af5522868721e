import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Client, type Person, startService, type TestService } from '../kit/service.ts'
import { statementsOf } from '../kit/statements.ts'

const minute = 60_000

let service: TestService
let owner: Person
let workspaceId: string
beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT_PER_MINUTE: '3' } })
  owner = await service.givenPerson()
  workspaceId = (await service.givenWorkspace(owner)).id
})
afterAll(() => service.close())
afterEach(() => vi.useRealTimers())

const list = (api: Client) => api.get('/v1/workspaces')

/** A key that has used up its limit, and was told so once. */
async function givenExhaustedKey(): Promise<{ id: string; key: string }> {
  const given = await service.givenKey(owner)
  for (const status of [200, 200, 200, 429]) await list(service.api(given.key)).expect(status)
  return given
}

describe('a key that has used up its limit', () => {
  test('is refused without a query, whatever it asks', async () => {
    const { id, key } = await givenExhaustedKey()
    const api = service.api(key)
    const asked = [
      () => list(api),
      () => api.get('/v1/nothing'),
      () => api.delete('/v1/templates'),
      () => api.post('/v1/workspaces').send({}),
    ]
    const statements = await statementsOf(service, async () => {
      for (const ask of asked) {
        const { status, body, headers } = await ask()
        expect([status, body.code]).toEqual([429, 'rate_limited'])
        const seconds = Number(headers['retry-after'])
        expect(seconds).toBeGreaterThan(0)
        expect(headers.ratelimit).toBe(`"requests";r=0;t=${seconds}`)
        expect(headers['ratelimit-policy']).toBe('"requests";q=3;w=60')
      }
    })
    expect(statements).toEqual([])
    const refused = service
      .logged()
      .filter(({ connectionId, status }) => connectionId === id && status === 429)
    expect(refused).toHaveLength(1 + asked.length)
  })

  test('keeps its limit at the sites, which is another', async () => {
    const { key } = await givenExhaustedKey()
    const path = `/v1/workspaces/${workspaceId}/experience/products`
    await service.api(key).get(path).expect(200)
  })

  test('says how much of the window is left, and is served when it ends', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { key } = await givenExhaustedKey()
    vi.setSystemTime(Date.now() + minute - 1)
    const { headers } = await list(service.api(key)).expect(429)
    expect(headers['retry-after']).toBe('1')
    vi.setSystemTime(Date.now() + 1)
    await list(service.api(key)).expect(200)
  })

  test('is told of its revocation when the window ends', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { id, key } = await givenExhaustedKey()
    await service.db
      .updateTable('api_keys')
      .set({ revoked_at: new Date() })
      .where('id', '=', id)
      .execute()
    await list(service.api(key)).expect(429)
    vi.setSystemTime(Date.now() + minute)
    const { body } = await list(service.api(key)).expect(401)
    expect(body.code).toBe('token_revoked')
  })

  test('is no key of another kind: an agent is counted for itself', async () => {
    await givenExhaustedKey()
    const agents = await service.givenPerson()
    const { token } = await service.givenAgent(agents)
    const ping = () =>
      service
        .api(token)
        .post('/mcp')
        .set('Accept', 'application/json, text/event-stream')
        .send({ jsonrpc: '2.0', id: 1, method: 'ping' })
    for (const status of [200, 200, 200, 429]) await ping().expect(status)
    const statements = await statementsOf(service, async () => {
      const { headers } = await ping().expect(429)
      expect(headers.ratelimit).toMatch(/^"requests";r=0;t=\d+$/)
    })
    expect(statements).toEqual([])
  })
})
