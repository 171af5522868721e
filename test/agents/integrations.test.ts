import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newToken } from '../../src/core/secrets.ts'
import { connectAgent, consent, registerAgent } from '../kit/agent_flow.ts'
import { type Person, startService, type TestService, unique } from '../kit/service.ts'

const minute = 60_000
const day = 24 * 3600_000

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const keyBody = (name = unique('key')) => ({
  name,
  scopes: ['workspaces:read', 'workspace:read'],
  expiresInDays: 90,
})

const create = (person: Person, body: object = keyBody()) =>
  service.dashboard(person).post('/api/keys').send(body)
const revoke = (person: Person, id: string) => service.dashboard(person).delete(`/api/keys/${id}`)
const keysOf = async (person: Person) =>
  (await service.dashboard(person).get('/api/keys')).body.keys as Record<string, unknown>[]

describe('create_key', () => {
  test('shows the secret once, with its prefix, scopes and expiry', async () => {
    const person = await service.givenPerson()
    const input = keyBody()
    const { status, body } = await create(person, input)
    expect(status).toBe(201)
    const { key, ...summary } = body
    expect(key).toMatch(/^wsk_dev_[A-Za-z0-9_-]{49}$/)
    expect(summary).toEqual({
      id: expect.stringMatching(/^key_[0-9a-z]{26}$/),
      name: input.name,
      scopes: input.scopes,
      prefix: key.slice(0, 12),
      createdAt: service.now().toISOString(),
      expiresAt: new Date(service.now().getTime() + 90 * day).toISOString(),
      lastUsedAt: null,
      revokedAt: null,
    })
    expect(await keysOf(person)).toEqual([summary])
  })

  test('stores only the hash of the secret', async () => {
    const person = await service.givenPerson()
    const { key, id } = (await create(person)).body
    const row = await service.db
      .selectFrom('api_keys')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row.key_hash).toEqual(createHash('sha256').update(key).digest())
    const text = JSON.stringify({ ...row, key_hash: row.key_hash.toString('latin1') })
    expect(text).not.toContain(key.slice(12))
    expect(JSON.stringify(service.logged())).not.toContain(key.slice(12))
  })

  test('stores no answer under an Idempotency-Key: the same header makes another key', async () => {
    const person = await service.givenPerson()
    const input = keyBody()
    const [first, second] = [
      await create(person, input).set('Idempotency-Key', 'once'),
      await create(person, input).set('Idempotency-Key', 'once'),
    ]
    expect(first.status).toBe(201)
    expect(second.status).toBe(201)
    expect(second.body.key).not.toBe(first.body.key)
    const records = await service.db
      .selectFrom('idempotency_records')
      .select('key')
      .where('operation', '=', 'create_key')
      .execute()
    expect(records).toEqual([])
  })

  test.each([1, 365])('accepts an expiry of %i days', async (expiresInDays) => {
    const person = await service.givenPerson()
    const { status, body } = await create(person, { ...keyBody(), expiresInDays })
    expect(status).toBe(201)
    expect(Date.parse(body.expiresAt) - Date.parse(body.createdAt)).toBe(expiresInDays * day)
  })

  test.each([
    [{ expiresInDays: 0 }, 'expiresInDays'],
    [{ expiresInDays: 366 }, 'expiresInDays'],
    [{ expiresInDays: 1.5 }, 'expiresInDays'],
    [{ expiresInDays: '30' }, 'expiresInDays'],
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['workspaces:read', 'workspaces:read'] }, 'scopes'],
    [{ scopes: ['workspaces:destroy'] }, 'scopes.0'],
    [{ name: '' }, 'name'],
    [{ name: 'a'.repeat(101) }, 'name'],
    [{ accountId: 'acc_other' }, 'accountId'],
  ])('refuses %o', async (change, field) => {
    const person = await service.givenPerson()
    const { status, body } = await create(person, { ...keyBody(), ...change })
    expect(status).toBe(400)
    expect(Object.keys(body.fieldErrors)).toEqual([field])
    expect(await keysOf(person)).toEqual([])
  })

  test('a blocked integration cannot be created again under its normalised name', async () => {
    const person = await service.givenPerson()
    const { id, key } = (await create(person, keyBody('Shop Backend'))).body
    await service.db
      .updateTable('integration_sources')
      .set({ status: 'BLOCKED' })
      .where('id', '=', (source) =>
        source.selectFrom('api_keys').select('source_id').where('api_keys.id', '=', id),
      )
      .execute()

    const blocked = { status: 403, code: 'source_blocked' }
    const message = 'An administrator has blocked this integration.'
    expect((await service.api(key).get('/v1/workspaces')).body).toEqual({ ...blocked, message })
    for (const name of [
      'Shop Backend',
      '  shop   BACKEND ',
      'ｓｈｏｐ　backend',
      'Shop\u200b Backend',
    ]) {
      const { status, body } = await create(person, keyBody(name))
      expect(status).toBe(403)
      expect(body).toEqual({ ...blocked, message })
    }
    expect(await keysOf(person)).toHaveLength(1)

    expect((await create(person, keyBody('Shop Backend 2'))).status).toBe(201)
    const other = await service.givenPerson()
    expect((await create(other, keyBody('Shop Backend'))).status).toBe(201)
  })

  test('keys with one name share one source', async () => {
    const person = await service.givenPerson()
    await create(person, keyBody('Twin'))
    await create(person, keyBody(' TWIN '))
    const sources = await service.db
      .selectFrom('api_keys')
      .select('source_id')
      .distinct()
      .where('account_id', '=', person.accountId)
      .execute()
    expect(sources).toHaveLength(1)
  })
})

describe('list_keys', () => {
  test('lists only the account’s keys, newest first, without secrets', async () => {
    const [person, other] = [await service.givenPerson(), await service.givenPerson()]
    await create(other)
    const { key: first, ...older } = (await create(person)).body
    const { key: second, ...newer } = (await create(person)).body
    const { status, body, text } = await service.dashboard(person).get('/api/keys')
    expect(status).toBe(200)
    expect(body.keys).toEqual([newer, older])
    expect(text).not.toContain(first)
    expect(text).not.toContain(second)
  })

  test('shows the last use to the minute, with at most one write per minute', async () => {
    const person = await service.givenPerson()
    const { id, key } = (await create(person)).body
    const use = () => service.api(key).get('/v1/workspaces')
    const version = async () =>
      (
        await service.connection.pool.query<{ xmin: string; last: string | null }>(
          'select xmin::text, last_used_at as last from api_keys where id = $1',
          [id],
        )
      ).rows[0]

    const firstUse = service.now().toISOString()
    await use()
    const afterFirst = await version()
    expect(afterFirst?.last).toBe(firstUse)
    service.advance(minute - 1)
    await use()
    await use()
    expect(await version()).toEqual(afterFirst)
    expect((await keysOf(person))[0]).toMatchObject({ id, lastUsedAt: firstUse })
    service.advance(1)
    await use()
    expect((await keysOf(person))[0]).toMatchObject({
      id,
      lastUsedAt: service.now().toISOString(),
    })
  })

  test('keeps expired and revoked keys in the list', async () => {
    const person = await service.givenPerson()
    const short = (await create(person, { ...keyBody(), expiresInDays: 1 })).body
    const revoked = (await create(person)).body
    await revoke(person, revoked.id)
    const revokedAt = service.now().toISOString()
    service.advance(2 * day)
    expect(await keysOf(person)).toMatchObject([
      { id: revoked.id, revokedAt },
      { id: short.id, revokedAt: null },
    ])
  })
})

describe('revoke_key', () => {
  test('applies from the next call on, in every workspace of the account', async () => {
    const person = await service.givenPerson()
    const paths = [await service.givenWorkspace(person), await service.givenWorkspace(person)].map(
      ({ id }) => `/v1/workspaces/${id}/workspace`,
    )
    const { id, key } = (await create(person)).body
    for (const path of paths) expect((await service.api(key).get(path)).status).toBe(200)
    const { status, body } = await revoke(person, id)
    expect(status).toBe(200)
    expect(body).toEqual({ id, deleted: true })
    for (const path of paths) {
      const refusal = await service.api(key).get(path)
      expect(refusal.status).toBe(401)
      expect(refusal.body.code).toBe('token_revoked')
    }
  })

  test('works for an account without a workspace, and keeps the first revocation time', async () => {
    const person = await service.givenPerson()
    const { id } = (await create(person)).body
    const revokedAt = service.now().toISOString()
    await revoke(person, id)
    service.advance(minute)
    expect((await revoke(person, id)).status).toBe(200)
    expect(await keysOf(person)).toMatchObject([{ id, revokedAt }])
  })

  test('does not find a key of another account', async () => {
    const [person, other] = [await service.givenPerson(), await service.givenPerson()]
    const { id, key } = (await create(person)).body
    for (const foreign of [id, 'key_none']) {
      const { status, body } = await revoke(other, foreign)
      expect(status).toBe(404)
      expect(body).toEqual({ status: 404, code: 'not_found', message: 'There is no such key.' })
    }
    expect((await service.api(key).get('/v1/workspaces')).status).toBe(200)
  })
})

describe('a key', () => {
  test('is refused after its expiry', async () => {
    const person = await service.givenPerson()
    const { key } = (await create(person, { ...keyBody(), expiresInDays: 1 })).body
    service.advance(day - 1)
    expect((await service.api(key).get('/v1/workspaces')).status).toBe(200)
    service.advance(1)
    const { status, body } = await service.api(key).get('/v1/workspaces')
    expect(status).toBe(401)
    expect(body.code).toBe('token_expired')
  })

  test('of the other environment is refused before its checksum is verified', async () => {
    const person = await service.givenPerson()
    const { key } = (await create(person)).body
    for (const foreign of [key.replace('_dev_', '_live_'), 'wsk_live_broken']) {
      const { status, body } = await service.api(foreign).get('/v1/workspaces')
      expect(status).toBe(401)
      expect(body.code).toBe('wrong_environment')
    }
  })

  test('with one character changed is refused without a query', async () => {
    const unreachable = await startService({ databaseUrl: 'postgres://127.0.0.1:1/nothing' })
    try {
      const key = newToken('key', 'development')
      const damaged = key.slice(0, 20) + (key[20] === 'A' ? 'B' : 'A') + key.slice(21)
      const refusal = await unreachable.api(damaged).get('/v1/workspaces')
      expect(refusal.status).toBe(401)
      expect(refusal.body.code).toBe('unauthenticated')
      expect((await unreachable.api(key).get('/v1/workspaces')).status).toBe(503)
    } finally {
      await unreachable.close()
    }
  })

  test('can act only within its scopes', async () => {
    const person = await service.givenPerson()
    const { key } = (await create(person)).body
    const { status, body } = await service.api(key).get('/v1/templates')
    expect(status).toBe(403)
    expect(body).toEqual({
      status: 403,
      code: 'insufficient_scope',
      message: 'This credential lacks the scope website:read.',
    })
  })

  test('follows its account’s ownership and status at the time of the call', async () => {
    const person = await service.givenPerson()
    const workspace = await service.givenWorkspace(person)
    const { key } = (await create(person)).body
    const code = async () =>
      (await service.api(key).get(`/v1/workspaces/${workspace.id}/workspace`)).body.code
    const ofMember = (change: { role?: 'owner' | 'staff' | 'billing'; status?: 'SUSPENDED' }) =>
      service.db
        .updateTable('members')
        .set(change)
        .where('workspace_id', '=', workspace.id)
        .execute()
    expect(await code()).toBe(undefined)
    for (const role of ['staff', 'billing'] as const) {
      await ofMember({ role })
      expect(await code()).toBe('not_owner')
    }
    await ofMember({ role: 'owner' })
    expect(await code()).toBe(undefined)
    await ofMember({ status: 'SUSPENDED' })
    expect(await code()).toBe('not_owner')
    await service.db
      .updateTable('accounts')
      .set({ status: 'SUSPENDED' })
      .where('id', '=', person.accountId)
      .execute()
    expect(await code()).toBe('account_inactive')
  })
})

const connectionsOf = async (person: Person) =>
  (await service.dashboard(person).get('/api/connections')).body.connections as Record<
    string,
    unknown
  >[]

describe('list_connections', () => {
  test('shows requested and granted scopes, newest first, and never a token', async () => {
    const person = await service.givenPerson()
    const agent = await registerAgent(service, { client_name: 'Shelf assistant' })
    const first = await connectAgent(service, person, { agent, scope: 'account:read' })
    const authorization = await agent.begin({ scope: 'workspaces:read products:read' })
    const decision = { decision: 'allow' as const, scopes: ['products:read' as const] }
    await agent.exchange(authorization, await consent(service, person, authorization, decision))

    const connections = await connectionsOf(person)
    const common = {
      id: expect.stringMatching(/^grant_[0-9a-z]{26}$/),
      clientName: 'Shelf assistant',
      clientId: agent.client.client_id,
      createdAt: service.now().toISOString(),
      expiresAt: new Date(service.now().getTime() + 90 * day).toISOString(),
      lastUsedAt: null,
      workspaceId: null,
      askFirst: false,
      revokedAt: null,
    }
    expect(connections).toEqual([
      {
        ...common,
        requestedScopes: ['workspaces:read', 'products:read'],
        scopes: ['products:read'],
      },
      { ...common, requestedScopes: ['account:read'], scopes: ['account:read'] },
    ])
    expect(JSON.stringify(connections)).not.toContain(first.accessToken.slice(12))
  })

  test('does not show a consent whose code has not been exchanged', async () => {
    const person = await service.givenPerson()
    const agent = await registerAgent(service)
    const authorization = await agent.begin()
    const callback = await consent(service, person, authorization)
    expect(await connectionsOf(person)).toEqual([])
    await agent.exchange(authorization, callback)
    expect(await connectionsOf(person)).toHaveLength(1)
  })
})

describe('revoke_connection', () => {
  test('ends the connection and is idempotent', async () => {
    const person = await service.givenPerson()
    const { agent, refreshToken } = await connectAgent(service, person)
    const id = String((await connectionsOf(person))[0]?.id)
    const revokedAt = service.now().toISOString()
    const revokeIt = () => service.dashboard(person).delete(`/api/connections/${id}`)
    expect((await revokeIt()).body).toEqual({ id, deleted: true })
    service.advance(minute)
    expect((await revokeIt()).status).toBe(200)
    expect((await connectionsOf(person))[0]?.revokedAt).toBe(revokedAt)
    const refresh = { grant_type: 'refresh_token', refresh_token: refreshToken }
    expect((await agent.askForTokens(refresh)).body.error).toBe('invalid_grant')
  })
})
