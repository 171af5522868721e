import type { Response } from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { components } from '../../src/generated/types.ts'
import { message, post } from '../kit/agents.ts'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import {
  type Person,
  startService,
  type StaffMember,
  type TestService,
  unique,
} from '../kit/service.ts'

type Source = components['schemas']['Source']

let database: TestDatabase
let service: TestService
/** Another process on the same database. */
let other: TestService
let staff: StaffMember
beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ databaseUrl: database.url })
  other = await startService({ databaseUrl: database.url })
  staff = await service.givenStaff()
})
afterAll(async () => {
  await service.close()
  await other.close()
  await database.drop()
})

const outcome = ({ status, body }: Response) => (status < 400 ? status : `${status} ${body.code}`)
const both = () => [service, other]

async function search(text: string): Promise<Source[]> {
  const query = new URLSearchParams({ search: text }).toString()
  const { body } = await service.admin(staff).get(`/api/admin/sources?${query}`).expect(200)
  return body.sources as Source[]
}

async function sourceOfKey(owner: Person, name: string): Promise<Source> {
  const [source] = await search(`${owner.accountId}/${name}`)
  return source!
}

const block = (id: string) => service.admin(staff).post(`/api/admin/sources/${id}/block`)
const unblock = (id: string) => service.admin(staff).post(`/api/admin/sources/${id}/unblock`)

const byKey = async (at: TestService, key: string) =>
  outcome(await at.api(key).get('/v1/workspaces'))
const byAgent = async (at: TestService, token: string) => {
  const tool = { name: 'list_workspaces', arguments: {} }
  return outcome(await post(at, message('tools/call', tool), { Authorization: `Bearer ${token}` }))
}

describe('list_sources', () => {
  test('shows the software behind keys and agents with its connections', async () => {
    const owner = await service.givenPerson()
    const name = unique('till')
    await service.givenKey(owner, { name })
    const { key } = await service.givenKey(owner, { name: name.toUpperCase() })
    await byKey(service, key)
    expect(await sourceOfKey(owner, name)).toEqual({
      id: expect.stringMatching(/^src_/),
      kind: 'KEY',
      name,
      status: 'APPROVED',
      identity: `${owner.accountId}/${name}`,
      connections: 2,
      firstSeenAt: expect.any(String),
      lastUsedAt: service.now().toISOString(),
    })
    const agent = await service.givenAgent(owner, { name: unique('helper') })
    const [source] = await search(agent.sourceId)
    expect(source).toMatchObject({ kind: 'AGENT', connections: 1, lastUsedAt: null })
    await byAgent(service, agent.token)
    expect((await search(agent.sourceId))[0]?.lastUsedAt).toBe(service.now().toISOString())
  })

  test('filters by status, with and without a search, and counts exactly', async () => {
    const owner = await service.givenPerson()
    const mark = unique('till')
    for (const name of [`${mark} a`, `${mark} b`, unique('scale')])
      await service.givenKey(owner, { name })
    const found = async (query: string) => {
      const path = `/api/admin/sources?pageSize=100&${query}`
      const { body } = await service.admin(staff).get(path).expect(200)
      const sources = body.sources as Source[]
      expect(body.pagination.total).toBe(sources.length)
      return sources.map(({ id }) => id)
    }
    const [second, first] = await found(`search=${mark}`)
    const [scale] = await found(`search=${owner.accountId}/scale`)
    for (const id of [first!, scale!]) await block(id).expect(200)
    expect(await found('status=BLOCKED')).toEqual([scale, first])
    expect(await found(`status=BLOCKED&search=${mark}`)).toEqual([first])
    expect(await found(`status=APPROVED&search=${mark}`)).toEqual([second])
    expect(await found(`status=APPROVED&search=${first}`)).toEqual([])
    const approved = await found('status=APPROVED')
    expect(approved).toContain(second)
    expect(approved).not.toContain(first)
    for (const id of [first!, scale!]) await unblock(id).expect(200)
    expect(await found('status=BLOCKED')).toEqual([])
    const { body } = await service.admin(staff).get('/api/admin/sources?status=ACTIVE').expect(400)
    expect(Object.keys(body.fieldErrors)).toEqual(['status'])
  })
})

describe('list_source_connections', () => {
  test('shows the connections’ accounts, scopes and times, and no token', async () => {
    const owner = await service.givenPerson()
    const name = unique('till')
    const first = await service.givenKey(owner, { name, scopes: ['products:read'] })
    const second = await service.givenKey(owner, { name, scopes: ['tags:read'] })
    await service.dashboard(owner).delete(`/api/keys/${first.id}`).expect(200)
    const { id } = await sourceOfKey(owner, name)
    const { body, text } = await service.admin(staff).get(`/api/admin/sources/${id}/connections`)
    const shared = { kind: 'KEY', accountId: owner.accountId, accountEmail: owner.email }
    const times = { createdAt: expect.any(String), expiresAt: expect.any(String), lastUsedAt: null }
    const scopesOf = (...scopes: string[]) => ({ scopes, requestedScopes: scopes })
    expect(body.connections).toEqual([
      { id: second.id, ...shared, ...scopesOf('tags:read'), ...times, revokedAt: null },
      {
        id: first.id,
        ...shared,
        ...scopesOf('products:read'),
        ...times,
        revokedAt: service.now().toISOString(),
      },
    ])
    expect(body.pagination.total).toBe(2)
    for (const { key } of [first, second]) expect(text).not.toContain(key.slice(0, 16))
  })

  test("shows an agent's requested and granted scopes, and finds accounts", async () => {
    const owner = await service.givenPerson()
    const { sourceId, grantId } = await service.givenAgent(owner, { scopes: ['tags:read'] })
    const read = async (text: string) => {
      const path = `/api/admin/sources/${sourceId}/connections?search=${encodeURIComponent(text)}`
      return (await service.admin(staff).get(path).expect(200)).body
    }
    const list = await read(owner.email)
    expect(list.pagination.total).toBe(1)
    expect(list.connections[0]).toMatchObject({
      id: grantId,
      kind: 'AGENT',
      scopes: ['tags:read'],
    })
    const none = await read('nobody-like-this')
    expect([none.connections, none.pagination.total]).toEqual([[], 0])
  })
})

describe('block_source', () => {
  test('stops live keys and agents from their next request on, in every process', async () => {
    const owner = await service.givenPerson()
    const name = unique('till')
    const keys = [await service.givenKey(owner, { name }), await service.givenKey(owner, { name })]
    const bystander = await service.givenKey(owner)
    const agent = await service.givenAgent(owner)
    const unrelated = await service.givenAgent(owner)
    const attempt = async () => ({
      keys: await Promise.all(both().flatMap((at) => keys.map(({ key }) => byKey(at, key)))),
      agent: await Promise.all(both().map((at) => byAgent(at, agent.token))),
      others: [await byKey(other, bystander.key), await byAgent(other, unrelated.token)],
    })
    const open = { keys: [200, 200, 200, 200], agent: [200, 200], others: [200, 200] }
    expect(await attempt()).toEqual(open)

    const { id } = await sourceOfKey(owner, name)
    expect((await block(id).expect(200)).body.status).toBe('BLOCKED')
    expect((await block(agent.sourceId).expect(200)).body.status).toBe('BLOCKED')
    const refusal = '403 source_blocked'
    expect(await attempt()).toEqual({
      keys: [refusal, refusal, refusal, refusal],
      agent: [refusal, refusal],
      others: [200, 200],
    })

    await unblock(id).expect(200)
    expect((await unblock(agent.sourceId).expect(200)).body.status).toBe('APPROVED')
    expect(await attempt()).toEqual(open)
  })

  test('refuses every call that starts after it was answered, even among calls in flight', async () => {
    const owner = await service.givenPerson()
    const name = unique('till')
    const { key } = await service.givenKey(owner, { name })
    const { token, sourceId } = await service.givenAgent(owner)
    const { id } = await sourceOfKey(owner, name)
    let blocked = false
    const late: (number | string)[] = []
    const early: (number | string)[] = []
    const stream = async (call: () => Promise<number | string>) => {
      for (let after = 0; after < 3;) {
        const startedAfter = blocked
        const answer = await call()
        ;(startedAfter ? late : early).push(answer)
        if (startedAfter) after++
      }
    }
    const streams = both().flatMap((at) => [
      stream(() => byKey(at, key)),
      stream(() => byAgent(at, token)),
    ])
    await expect.poll(() => early.length).toBeGreaterThan(8)
    await Promise.all([block(id).expect(200), block(sourceId).expect(200)])
    blocked = true
    await Promise.all(streams)
    expect(late).toHaveLength(12)
    expect(new Set(late)).toEqual(new Set(['403 source_blocked']))
    expect(early).toContain(200)
  })

  test('refuses a new key under any spelling of the same name, to its account only', async () => {
    const owner = await service.givenPerson()
    const name = unique('till')
    await service.givenKey(owner, { name })
    await block((await sourceOfKey(owner, name)).id).expect(200)
    const create = async (person: Person, keyName: string) => {
      const body = { name: keyName, scopes: ['tags:read'], expiresInDays: 1 }
      return outcome(await other.dashboard(person).post('/api/keys').send(body))
    }
    expect(await create(owner, `  ${name.toUpperCase()} `)).toBe('403 source_blocked')
    expect(await create(owner, `${name} 2`)).toBe(201)
    expect(await create(await service.givenPerson(), name)).toBe(201)
  })

  test('waits for a key that is being created, and stops it', async () => {
    const owner = await service.givenPerson()
    const name = unique('till')
    await service.givenKey(owner, { name })
    const { id } = await sourceOfKey(owner, name)
    const body = { name, scopes: ['workspaces:read'], expiresInDays: 1 }
    const create = () =>
      other
        .dashboard(owner)
        .post('/api/keys')
        .send(body)
        .then((answer) => answer)
    const [creation] = await Promise.all([create(), create(), block(id).then((answer) => answer)])
    for (const { status, body: key } of [creation])
      if (status === 201) expect(await byKey(other, key.key as string)).toBe('403 source_blocked')
    expect(outcome(await create())).toBe('403 source_blocked')
  })
})

describe('unblock_source', () => {
  test('does not restore what a user has revoked or what has expired meanwhile', async () => {
    const owner = await service.givenPerson()
    const name = unique('till')
    const active = await service.givenKey(owner, { name })
    const revoked = await service.givenKey(owner, { name })
    const expired = await service.givenKey(owner, { name, expiresInDays: 0 })
    const agent = await service.givenAgent(owner)
    const { id } = await sourceOfKey(owner, name)
    await block(id).expect(200)
    await block(agent.sourceId).expect(200)
    // Users can still revoke their connections while the source is blocked.
    await service.dashboard(owner).delete(`/api/keys/${revoked.id}`).expect(200)
    await service.db
      .updateTable('grants')
      .set({ revoked_at: service.now() })
      .where('id', '=', agent.grantId)
      .execute()
    await unblock(id).expect(200)
    await unblock(agent.sourceId).expect(200)
    expect([
      await byKey(other, active.key),
      await byKey(other, revoked.key),
      await byKey(other, expired.key),
      await byAgent(other, agent.token),
    ]).toEqual([200, '401 token_revoked', '401 token_expired', '401 token_revoked'])
  })
})
