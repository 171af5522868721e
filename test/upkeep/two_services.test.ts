import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import { startService, type TestService } from '../kit/service.ts'
import { all, create, workspaceBody, racesOf, tally } from '../kit/races.ts'

describe('two services on one database', () => {
  let database: TestDatabase
  let pair: [TestService, TestService]
  beforeAll(async () => {
    database = await createDatabase()
    const options = {
      databaseUrl: database.url,
      env: { WEB_CONCURRENCY: '2', RATE_LIMIT_PER_MINUTE: '100' },
    }
    pair = [await startService(options), await startService(options)]
  })
  afterAll(async () => {
    for (const one of pair) await one.close()
    await database.drop()
  })

  const { givenCreator } = racesOf(() => pair[0])

  test('know the same keys, workspaces and revocations', async () => {
    const [one, two] = pair
    const { person, keyId, key, api } = await givenCreator(10, one)
    const { body } = await create(api)
    const path = `/v1/workspaces/${body.id}/workspace`
    expect((await two.api(key).get(path)).body).toEqual(body)
    await two.api(key).put(path).send({ name: 'Another name' })
    expect((await one.api(key).get(path)).body.name).toBe('Another name')
    expect((await two.dashboard(person).delete(`/api/keys/${keyId}`)).status).toBe(200)
    expect((await one.api(key).get(path)).body.code).toBe('token_revoked')
  })

  test('accept each other’s codes and sessions', async () => {
    const [one, two] = pair
    const email = 'both@example.com'
    await one.dashboard().post('/api/session/code').send({ email })
    expect((await two.dashboard().post('/api/session/code').send({ email })).status).toBe(429)
    const code = one.logged().find((line) => line.email === email)?.sixDigits
    const { status, headers } = await two.dashboard().post('/api/session').send({ email, code })
    expect(status).toBe(200)
    const cookie = (headers['set-cookie'] as unknown as string[])[0]!.split(';')[0]!
    expect((await one.dashboard({ cookie }).get('/api/session')).status).toBe(200)
    await one.dashboard({ cookie }).delete('/api/session')
    expect((await two.dashboard({ cookie }).get('/api/session')).status).toBe(401)
  })

  test('create one workspace at limit 1 and replay each other’s answers', async () => {
    const { key } = await givenCreator(1, pair[0])
    const clients = pair.map((one) => one.api(key))
    const answers = await all(20, (index) => create(clients[index % 2]!))
    expect(tally(answers)).toEqual({ 200: 1, '400 workspace_limit_reached': 19 })
    const body = workspaceBody()
    const refusal = await clients[0]!.post('/v1/workspaces').set('Idempotency-Key', 'a').send(body)
    const replayed = await clients[1]!.post('/v1/workspaces').set('Idempotency-Key', 'a').send(body)
    expect(refusal.status).toBe(400)
    expect(replayed.text).toBe(refusal.text)
  })

  test('share the limit per minute: 30 calls at limit 10 give 10 successes', async () => {
    const options = {
      databaseUrl: database.url,
      env: { WEB_CONCURRENCY: '2', RATE_LIMIT_PER_MINUTE: '10' },
    }
    const limited = [await startService(options), await startService(options)]
    try {
      const { key } = await givenCreator(1, limited[0])
      const clients = limited.map((one) => one.api(key))
      const answers = await all(30, (index) => clients[index % 2]!.get('/v1/workspaces'))
      expect(tally(answers)).toEqual({ 200: 10, '429 rate_limited': 20 })
    } finally {
      for (const one of limited) await one.close()
    }
  })
})
