import type { Response } from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import { type Client, type Person, startService, type TestService, unique } from '../kit/service.ts'

type Role = 'owner' | 'staff' | 'billing'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** Starts a call at once: supertest itself waits until somebody asks for the answer. */
const started = (call: PromiseLike<Response>): Promise<Response> => Promise.resolve(call)

const all = (count: number, call: (index: number) => PromiseLike<Response>) =>
  Promise.all(Array.from({ length: count }, (_, index) => started(call(index))))

/** How often each outcome occurred: `200`, or the status with its error code. */
function tally(answers: Response[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, body } of answers) {
    const outcome = status < 400 ? String(status) : `${status} ${body.code}`
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return counts
}

const outcomesBeside = (expected: string[], answers: Response[]) =>
  Object.keys(tally(answers)).filter((outcome) => !expected.includes(outcome))

/**
 * Holds a row's lock while calls are started one after the other, each of them waiting for it, and
 * lets them go together. They have all been admitted by then, and take the lock in their order.
 */
async function interleaved(
  table: 'workspaces' | 'accounts',
  id: string,
  calls: (() => PromiseLike<Response>)[],
): Promise<Response[]> {
  const holder = await service.connection.pool.connect()
  const answers: Promise<Response>[] = []
  try {
    await holder.query('begin')
    await holder.query(`select from ${table} where id = $1 for update`, [id])
    for (const call of calls) {
      answers.push(started(call()))
      await waitersOf(answers.length)
    }
  } finally {
    await holder.query('commit')
    holder.release()
  }
  return Promise.all(answers)
}

async function waitersOf(count: number): Promise<void> {
  for (;;) {
    const { rows } = await service.connection.pool.query<{ waiting: number }>(
      `select count(*) as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if (rows[0]!.waiting >= count) return
  }
}

const creation = (subDomain = unique('race')) => ({
  name: 'A shop',
  subDomain,
  templateKey: 'minimal',
})
const create = (client: Client, subDomain?: string) =>
  client.post('/v1/workspaces').send(creation(subDomain))

async function givenCreator(workspaceLimit = 10, on = service) {
  const person = await on.givenPerson({ workspaceLimit })
  const { id, key } = await on.givenKey(person)
  return { person, keyId: id, key, api: on.api(key) }
}

async function givenTeam() {
  const { person, api } = await givenCreator()
  const workspace = await service.givenWorkspace(person)
  const path = `/api/workspaces/${workspace.id}/members`
  const invite = async (email: string, role: Role) =>
    (await service.dashboard(person).post(path).send({ email, role })).body.id as string
  return { owner: person, api, workspace, path, invite }
}

const accept = (person: Person, id: string) =>
  service.dashboard(person).post(`/api/invitations/${id}/accept`)

describe('workspaces', () => {
  test('20 parallel creations at limit 1 give one workspace', async () => {
    const { api } = await givenCreator(1)
    expect(tally(await all(20, () => create(api)))).toEqual({
      200: 1,
      '400 workspace_limit_reached': 19,
    })
    expect((await api.get('/v1/workspaces')).body.workspaces).toHaveLength(1)
  })

  test('one of ten accounts that want a subdomain at once gets it', async () => {
    const creators = await Promise.all(Array.from({ length: 10 }, () => givenCreator()))
    const name = unique('wanted')
    const answers = await all(10, (index) => create(creators[index]!.api, name))
    expect(tally(answers)).toEqual({ 200: 1, '400 subdomain_unavailable': 9 })
  })

  test('one of those who move to a subdomain or create with it gets it', async () => {
    const teams = await Promise.all(Array.from({ length: 5 }, givenTeam))
    const creators = await Promise.all(Array.from({ length: 5 }, () => givenCreator()))
    const subDomain = unique('wanted')
    const answers = await all(10, (index) => {
      const team = teams[index]
      if (!team) return create(creators[index - 5]!.api, subDomain)
      return team.api.put(`/v1/workspaces/${team.workspace.id}/workspace`).send({ subDomain })
    })
    expect(tally(answers)).toEqual({ 200: 1, '400 subdomain_unavailable': 9 })
  })

  test('parallel changes of different fields are all kept', async () => {
    const { api, workspace } = await givenTeam()
    const path = `/v1/workspaces/${workspace.id}/website`
    const changes = [
      { theme: { primaryColor: '#111111' } },
      { theme: { accentColor: '#222222' } },
      { theme: { font: 'Georgia' } },
      { headline: 'A headline' },
      { seo: { description: 'Described' } },
      { accessPolicy: { visibility: 'CLOSED' } },
    ]
    const answers = await all(changes.length, (index) => api.put(path).send(changes[index]))
    expect(tally(answers)).toEqual({ 200: changes.length })
    expect((await api.get(path)).body).toMatchObject({
      theme: { primaryColor: '#111111', accentColor: '#222222', font: 'Georgia' },
      headline: 'A headline',
      seo: { description: 'Described' },
      accessPolicy: { visibility: 'CLOSED' },
    })
  })

  test.each([
    ['workspace', { name: 'First' }, { name: 'Second' }],
    ['website', { headline: 'First' }, { headline: 'Second' }],
  ])('of two updates of a %s with one If-Match the first wins', async (resource, one, two) => {
    const { api, workspace } = await givenTeam()
    const path = `/v1/workspaces/${workspace.id}/${resource}`
    const { etag } = (await api.get(path)).headers
    const put = (change: object) => () => api.put(path).set('If-Match', etag!).send(change)
    const answers = await interleaved('workspaces', workspace.id, [put(one), put(two)])
    expect(answers.map(({ status }) => status)).toEqual([200, 409])
    expect(answers[1]!.body.code).toBe('write_conflict')
    expect((await api.get(path)).body).toMatchObject(one)
  })
})

describe('invitations', () => {
  test('ten parallel accepts of one invitation give one membership', async () => {
    const { workspace, invite } = await givenTeam()
    const person = await service.givenPerson()
    const id = await invite(person.email, 'staff')
    const answers = await all(10, () => accept(person, id))
    expect(tally(answers)).toEqual({ 200: 1, '404 not_found': 9 })
    const { body } = await service.dashboard(person).get('/api/session')
    expect(body.memberships).toMatchObject([{ workspaceId: workspace.id, role: 'staff' }])
  })

  test.each([
    ['an accept before a withdrawal succeeds and is then removed', ['accept', 'withdraw'], 200],
    ['an accept after a withdrawal finds nothing', ['withdraw', 'accept'], 404],
  ])('%s', async (_title, order, status) => {
    const { owner, workspace, path, invite } = await givenTeam()
    const person = await service.givenPerson()
    const id = await invite(person.email, 'owner')
    const calls: Record<string, () => PromiseLike<Response>> = {
      accept: () => accept(person, id),
      withdraw: () => service.dashboard(owner).delete(`${path}/${id}`),
    }
    const answers = await interleaved(
      'workspaces',
      workspace.id,
      order.map((name) => calls[name]!),
    )
    expect(answers[order.indexOf('accept')]!.status).toBe(status)
    expect(answers[order.indexOf('withdraw')]!.status).toBe(200)
    const { members } = (await service.dashboard(owner).get(path)).body
    expect(members).toHaveLength(1)
  })

  test('an accept takes the role that the owners have just given, and its limit', async () => {
    const { owner, workspace, path, invite } = await givenTeam()
    const person = await service.givenPerson({ workspaceLimit: 1 })
    await service.givenWorkspace(person)
    const id = await invite(person.email, 'staff')
    const answers = await interleaved('workspaces', workspace.id, [
      () => service.dashboard(owner).put(`${path}/${id}`).send({ role: 'owner' }),
      () => accept(person, id),
    ])
    expect(tally(answers)).toEqual({ 200: 1, '400 workspace_limit_reached': 1 })
  })

  test('parallel accepts of five ownerships at limit 1 give one', async () => {
    const person = await service.givenPerson({ workspaceLimit: 1 })
    const teams = await Promise.all(Array.from({ length: 5 }, givenTeam))
    const ids = await Promise.all(teams.map(({ invite }) => invite(person.email, 'owner')))
    const answers = await all(5, (index) => accept(person, ids[index]!))
    expect(tally(answers)).toEqual({ 200: 1, '400 workspace_limit_reached': 4 })
  })

  test('an accept, a promotion and a creation at limit 1 give one ownership', async () => {
    const { person, api } = await givenCreator(1)
    const [inviting, promoting] = [await givenTeam(), await givenTeam()]
    const invited = await inviting.invite(person.email, 'owner')
    const promoted = await promoting.invite(person.email, 'staff')
    await accept(person, promoted)
    const answers = await interleaved('accounts', person.accountId, [
      () => accept(person, invited),
      () =>
        service
          .dashboard(promoting.owner)
          .put(`${promoting.path}/${promoted}`)
          .send({ role: 'owner' }),
      () => create(api),
    ])
    expect(tally(answers)).toEqual({ 200: 1, '400 workspace_limit_reached': 2 })
    expect((await api.get('/v1/workspaces')).body.creationPolicy.owned).toBe(1)
  })

  test('parallel invitations of one address give one, and one mail', async () => {
    const { owner, path } = await givenTeam()
    const email = `${unique('guest')}@example.com`
    const answers = await all(10, () =>
      service.dashboard(owner).post(path).send({ email, role: 'staff' }),
    )
    expect(tally(answers)).toEqual({ 201: 1, '409 duplicate': 9 })
    expect(await service.mailsTo(email)).toHaveLength(1)
  })
})

describe('the last owner', () => {
  const step = {
    demote: { role: 'staff' },
    suspend: { status: 'SUSPENDED' },
    remove: undefined,
  } as const
  type Step = keyof typeof step

  test.each<[Step, Step]>([
    ['demote', 'demote'],
    ['suspend', 'suspend'],
    ['remove', 'remove'],
    ['demote', 'remove'],
    ['remove', 'suspend'],
    ['suspend', 'demote'],
  ])('stays when two owners %s and %s each other', async (first, second) => {
    const { owner, workspace, path, invite } = await givenTeam()
    const other = await service.givenPerson()
    const otherId = await invite(other.email, 'owner')
    await accept(other, otherId)
    const { members } = (await service.dashboard(owner).get(path)).body
    const act = (person: Person, id: string, name: Step) => () =>
      step[name]
        ? service.dashboard(person).put(`${path}/${id}`).send(step[name])
        : service.dashboard(person).delete(`${path}/${id}`)
    const answers = await interleaved('workspaces', workspace.id, [
      act(owner, otherId, first),
      act(other, members[0].id, second),
    ])
    expect(tally(answers)).toEqual({ 200: 1, '409 last_owner': 1 })
    const left = (await service.dashboard(owner).get(path)).body.members as Record<string, string>[]
    const owners = left.filter(({ role, status }) => role === 'owner' && status === 'ACTIVE')
    expect(owners.map(({ accountId }) => accountId)).toEqual([owner.accountId])
  })

  test('stays when three owners step down at once', async () => {
    const { owner, workspace, path, invite } = await givenTeam()
    const others = [await service.givenPerson(), await service.givenPerson()]
    for (const other of others) await accept(other, await invite(other.email, 'owner'))
    const { members } = (await service.dashboard(owner).get(path)).body
    const calls = [owner, ...others].map(
      (person, index) => () =>
        service.dashboard(person).put(`${path}/${members[index].id}`).send({ role: 'staff' }),
    )
    const answers = await interleaved('workspaces', workspace.id, calls)
    expect(tally(answers)).toEqual({ 200: 2, '409 last_owner': 1 })
  })
})

describe('codes', () => {
  const signIn = (email: string, code: string) =>
    service.dashboard().post('/api/session').send({ email, code })

  async function givenCode() {
    const email = `${unique('race')}@example.com`
    await service.dashboard().post('/api/session/code').send({ email })
    const code = await service.codeFor(email)
    return { email, code, wrong: code === '000000' ? '000001' : '000000' }
  }

  test('20 parallel wrong codes count five, and the right one is of no use after them', async () => {
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

  test('ten parallel right codes give one session and one account', async () => {
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

  test('ten parallel requests for one address send one mail', async () => {
    const email = `${unique('race')}@example.com`
    const answers = await all(10, () =>
      service.dashboard().post('/api/session/code').send({ email }),
    )
    expect(tally(answers)).toEqual({ 202: 1, '429 rate_limited': 9 })
    expect(await service.mailsTo(email)).toHaveLength(1)
  })

  test('one of five accounts that take an address at once gets it', async () => {
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
  test('no call that starts after the answer to a revocation succeeds', async () => {
    const { person, keyId, api } = await givenCreator()
    const call = () => api.get('/v1/workspaces')
    const inFlight = all(30, call)
    const revoked = await service.dashboard(person).delete(`/api/keys/${keyId}`)
    expect(revoked.status).toBe(200)
    expect(tally(await all(30, call))).toEqual({ '401 token_revoked': 30 })
    expect(outcomesBeside(['200', '401 token_revoked'], await inFlight)).toEqual([])
  })

  test('ten keys of one name created at once have one source', async () => {
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

describe('an Idempotency-Key', () => {
  test('sent with 50 parallel calls gives one workspace, and every retry its answer', async () => {
    const { api } = await givenCreator(100)
    const body = creation()
    const call = () => api.post('/v1/workspaces').set('Idempotency-Key', 'once').send(body)
    const answers = await all(50, call)
    const texts = new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text))
    expect(outcomesBeside(['200', '409 idempotency_in_progress'], answers)).toEqual([])
    const { creationPolicy, workspaces } = (await api.get('/v1/workspaces')).body
    expect(creationPolicy.owned).toBe(1)
    const retried = await call()
    expect(retried.status).toBe(200)
    expect(retried.body).toEqual(workspaces[0])
    expect([...texts]).toEqual([retried.text])
  })
})

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

  test('take each other’s codes and sessions', async () => {
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

  test('give one workspace at limit 1 and replay each other’s answers', async () => {
    const { key } = await givenCreator(1, pair[0])
    const clients = pair.map((one) => one.api(key))
    const answers = await all(20, (index) => create(clients[index % 2]!))
    expect(tally(answers)).toEqual({ 200: 1, '400 workspace_limit_reached': 19 })
    const body = creation()
    const refused = await clients[0]!.post('/v1/workspaces').set('Idempotency-Key', 'a').send(body)
    const replayed = await clients[1]!.post('/v1/workspaces').set('Idempotency-Key', 'a').send(body)
    expect(refused.status).toBe(400)
    expect(replayed.text).toBe(refused.text)
  })

  test('share the limit of requests a minute: 30 calls at limit 10 give 10 successes', async () => {
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
