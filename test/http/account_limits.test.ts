import { afterEach, describe, expect, test } from 'vitest'
import { type Person, startService, type TestService } from '../kit/service.ts'

let service: TestService
afterEach(() => service.close())

async function start(perMinute: number, env: Record<string, string> = {}): Promise<Person> {
  service = await startService({ env: { RATE_LIMIT_PER_MINUTE: String(perMinute), ...env } })
  return service.givenPerson()
}

/** The statuses of as many calls as a key may make, with each of several new keys. */
async function callWithKeys(owner: Person, keys: number, calls: number, path: string) {
  const answers = []
  for (let made = 0; made < keys; made++) {
    const { key } = await service.givenKey(owner)
    for (let call = 0; call < calls; call++) answers.push(await service.api(key).get(path))
  }
  return answers
}

const countOf = (answers: { status: number }[], status: number) =>
  answers.filter((answer) => answer.status === status).length

describe('the limits of an account', () => {
  test.each([{}, { WEB_CONCURRENCY: '2' }])(
    'let all keys together make ten times the calls of one (%o)',
    async (env) => {
      const owner = await start(3, env)
      const answers = await callWithKeys(owner, 12, 3, '/v1/workspaces')
      expect([countOf(answers, 200), countOf(answers, 429)]).toEqual([30, 6])
      const { body, headers } = answers.at(-1)!
      expect(body.code).toBe('rate_limited')
      expect(headers['ratelimit-policy']).toBe('"requests";q=3;w=60, "requests-account";q=30;w=60')
      expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    },
  )

  test('hold for agents and refused calls, too, and for no other account', async () => {
    const owner = await start(3)
    expect(countOf(await callWithKeys(owner, 10, 3, '/v1/nothing'), 404)).toBe(30)
    const { token } = await service.givenAgent(owner)
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const { status } = await service
      .api(token)
      .post('/mcp')
      .set('Accept', 'application/json, text/event-stream')
      .send(ping)
    expect(status).toBe(429)
    const other = await service.givenPerson()
    expect(countOf(await callWithKeys(other, 1, 3, '/v1/workspaces'), 200)).toBe(3)
  })

  test('hold for visitors of its sites', async () => {
    const owner = await start(1)
    const { id } = await service.givenWorkspace(owner)
    const path = `/v1/workspaces/${id}/experience/customer/session`
    const answers = await callWithKeys(owner, 11, 5, path)
    // They are calls without a visitor.
    expect([countOf(answers, 401), countOf(answers, 429)]).toEqual([50, 5])
    expect(answers.at(-1)!.headers['ratelimit-policy']).toBe(
      '"experience";q=5;w=60, "experience-account";q=50;w=60',
    )
  })

  test('hold for all of its dashboard sessions', async () => {
    const owner = await start(1)
    const again = await service.givenPerson({ email: owner.email })
    const call = async (person: Person) =>
      (await service.dashboard(person).get('/api/session')).status
    const statuses = []
    for (const person of [owner, owner, owner, again, again, again, owner])
      statuses.push(await call(person))
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
    const other = await service.givenPerson()
    expect(await call(other)).toBe(200)
  })
})
