import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService, unique } from '../kit/service.ts'
import { all, unexpectedOutcomes, racesOf, tally } from '../kit/races.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const { givenCreator } = racesOf(() => service)

describe('codes', () => {
  const signIn = (email: string, code: string) =>
    service.dashboard().post('/api/session').send({ email, code })

  async function givenCode() {
    const email = `${unique('race')}@example.com`
    await service.dashboard().post('/api/session/code').send({ email })
    const code = await service.codeFor(email)
    return { email, code, wrong: code === '000000' ? '000001' : '000000' }
  }

  test('20 concurrent wrong codes count as five and invalidate the right one', async () => {
    const { email, code, wrong } = await givenCode()
    expect(tally(await all(20, () => signIn(email, wrong)))).toEqual({ '401 code_invalid': 20 })
    const { failures } = await service.db
      .selectFrom('one_time_codes')
      .select('failures')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    expect(failures).toBe(5)
    expect((await signIn(email, code)).body.code).toBe('code_invalid')
  })

  test('ten concurrent right codes give one session and one account', async () => {
    const { email, code } = await givenCode()
    const answers = await all(10, () => signIn(email, code))
    expect(tally(answers)).toEqual({ 200: 1, '401 code_invalid': 9 })
    const sessions = await service.db
      .selectFrom('accounts')
      .innerJoin('dashboard_sessions', 'dashboard_sessions.account_id', 'accounts.id')
      .select('dashboard_sessions.id')
      .where('accounts.email', '=', email)
      .execute()
    expect(sessions).toHaveLength(1)
  })

  test('ten concurrent requests for one address send one mail', async () => {
    const email = `${unique('race')}@example.com`
    const answers = await all(10, () =>
      service.dashboard().post('/api/session/code').send({ email }),
    )
    expect(tally(answers)).toEqual({ 202: 1, '429 rate_limited': 9 })
    expect(await service.mailsTo(email)).toHaveLength(1)
  })

  test('of five accounts that concurrently claim an address one gets it', async () => {
    const email = `${unique('wanted')}@example.com`
    const people = await Promise.all(Array.from({ length: 5 }, () => service.givenPerson()))
    const codes: string[] = []
    for (const person of people) {
      await service.dashboard(person).post('/api/account/email/code').send({ email })
      codes.push(await service.codeFor(email))
    }
    const answers = await all(5, (index) =>
      service
        .dashboard(people[index])
        .put('/api/account/email')
        .send({ email, code: codes[index] }),
    )
    expect(tally(answers)).toEqual({ 200: 1, '409 duplicate': 4 })
  })
})

describe('keys', () => {
  test('no call that starts after a revocation is answered succeeds', async () => {
    const { person, keyId, api } = await givenCreator()
    const call = () => api.get('/v1/workspaces')
    const inFlight = all(30, call)
    const revoked = await service.dashboard(person).delete(`/api/keys/${keyId}`)
    expect(revoked.status).toBe(200)
    expect(tally(await all(30, call))).toEqual({ '401 token_revoked': 30 })
    expect(unexpectedOutcomes(['200', '401 token_revoked'], await inFlight)).toEqual([])
  })

  test('ten keys of one name created concurrently share one source', async () => {
    const person = await service.givenPerson()
    const body = { name: 'Shop backend', scopes: ['workspaces:read'], expiresInDays: 1 }
    const answers = await all(10, () => service.dashboard(person).post('/api/keys').send(body))
    expect(tally(answers)).toEqual({ 201: 10 })
    const sources = await service.db
      .selectFrom('api_keys')
      .select('source_id')
      .distinct()
      .where('account_id', '=', person.accountId)
      .execute()
    expect(sources).toHaveLength(1)
  })
})
