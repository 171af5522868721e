import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Agent,
  agentOf,
  connectAgent,
  consent,
  decide,
  loopbackUri,
  openBrowser,
  openRequest,
  registerAgent,
} from '../kit/agent_flow.ts'
import { message, post } from '../kit/agents.ts'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import {
  type Person,
  startService,
  type StaffMember,
  type TestService,
  unique,
} from '../kit/service.ts'

let database: TestDatabase
let service: TestService
/** Another process on the same database, which is not notified of anything. */
let other: TestService
let staff: StaffMember
let owner: Person
beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ databaseUrl: database.url })
  other = await startService({ databaseUrl: database.url })
  staff = await service.givenStaff()
  owner = await service.givenPerson()
})
afterAll(async () => {
  await service.close()
  await other.close()
  await database.drop()
})

const blocked = 'An administrator has blocked this integration.'

/** The source with this name, blocked or unblocked by staff. */
async function setSource(name: string, change: 'block' | 'unblock'): Promise<void> {
  const { body } = await service.admin(staff).get(`/api/admin/sources?search=${name}`).expect(200)
  expect(body.pagination.total).toBe(1)
  const path = `/api/admin/sources/${body.sources[0].id}/${change}`
  await service.admin(staff).post(path).expect(200)
}

/** The other process's answer to a call with an access token. */
async function use(token: string): Promise<number | string> {
  const call = message('tools/call', { name: 'list_workspaces', arguments: {} })
  const { status, body } = await post(other, call, { Authorization: `Bearer ${token}` })
  return status === 200 ? 200 : `${status} ${body.code}`
}

/** The same agent, calling the other process. */
const elsewhere = ({ server, client }: Agent): Agent => agentOf(other, server, client)

async function refresh(agent: Agent, token: string): Promise<unknown[]> {
  const form = { grant_type: 'refresh_token', refresh_token: token }
  const { status, body } = await elsewhere(agent).askForTokens(form)
  return status === 200 ? [200] : [status, body.error, body.error_description]
}

async function register(name: string, redirectUri = loopbackUri): Promise<unknown[]> {
  const response = await fetch(`${other.urls.api}/oauth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ client_name: name, redirect_uris: [redirectUri] }),
  })
  const body = (await response.json()) as Record<string, unknown>
  return response.status === 201 ? [201] : [response.status, body.error]
}

describe('a blocked agent', () => {
  test('cannot call, refresh, register or request consent until it is unblocked', async () => {
    const name = unique('agent')
    const agent = await registerAgent(service, { client_name: name })
    const { accessToken, refreshToken } = await connectAgent(service, owner, { agent })
    expect(await use(accessToken)).toBe(200)
    const ask = async () => {
      const { status } = await openBrowser(other).visit((await elsewhere(agent).begin()).url.href)
      return status
    }

    await setSource(name, 'block')
    expect(await use(accessToken)).toBe('403 source_blocked')
    expect(await refresh(agent, refreshToken)).toEqual([403, 'access_denied', blocked])
    expect(await register(name)).toEqual([403, 'access_denied'])
    expect(await register(` ${name.toUpperCase()} `)).toEqual([403, 'access_denied'])
    expect(await register(unique('another'))).toEqual([201])
    expect(await ask()).toBe(403)

    await setSource(name, 'unblock')
    expect(await use(accessToken)).toBe(200)
    expect(await refresh(agent, refreshToken)).toEqual([200])
    expect(await register(name)).toEqual([201])
    expect(await ask()).toBe(303)
  })

  test('gets nothing for a pending consent or code', async () => {
    const name = unique('agent')
    const agent = await registerAgent(service, { client_name: name })
    const authorization = await agent.begin()
    const requestId = await openRequest(openBrowser(service), authorization)
    const secondAuthorization = await agent.begin()
    const callback = await consent(service, owner, secondAuthorization)
    const form = {
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code')!,
      redirect_uri: secondAuthorization.redirectUri,
      code_verifier: secondAuthorization.verifier,
    }

    await setSource(name, 'block')
    const path = `/api/consent/${requestId}`
    const decision = await other.dashboard(owner).post(path).send({ decision: 'allow' })
    expect([decision.status, decision.body.code]).toEqual([403, 'source_blocked'])
    const exchange = await elsewhere(agent).askForTokens(form)
    expect(exchange.body.error).toBe('access_denied')

    await setSource(name, 'unblock')
    await decide(other, owner, requestId)
    const { status, body } = await elsewhere(agent).askForTokens(form)
    expect(status).toBe(200)
    expect(await use(body.access_token as string)).toBe(200)
  })

  test('that a user has disconnected stays disconnected when it is unblocked', async () => {
    const name = unique('agent')
    const agent = await registerAgent(service, { client_name: name })
    const active = await connectAgent(service, await service.givenPerson(), { agent })
    const ended = await connectAgent(service, owner, { agent })
    await setSource(name, 'block')
    const { body } = await service.dashboard(owner).get('/api/connections').expect(200)
    const { id } = (body.connections as { id: string; clientName: string }[]).find(
      ({ clientName }) => clientName === name,
    )!
    await service.dashboard(owner).delete(`/api/connections/${id}`).expect(200)
    await setSource(name, 'unblock')
    expect(await use(ended.accessToken)).toBe('401 token_revoked')
    expect((await refresh(agent, ended.refreshToken))[1]).toBe('invalid_grant')
    expect(await use(active.accessToken)).toBe(200)
  })

  test('can still revoke its connection, which stays revoked when it is unblocked', async () => {
    const name = unique('agent')
    const agent = await registerAgent(service, { client_name: name })
    const [active, ended] = [
      await connectAgent(service, await service.givenPerson(), { agent }),
      await connectAgent(service, owner, { agent }),
    ]
    await setSource(name, 'block')
    await elsewhere(agent).revoke(ended.refreshToken)
    await setSource(name, 'unblock')
    expect(await use(ended.accessToken)).toBe('401 token_revoked')
    expect((await refresh(agent, ended.refreshToken))[1]).toBe('invalid_grant')
    expect(await use(active.accessToken)).toBe(200)
  })
})

describe('a suspended account', () => {
  test('gets no new tokens by refreshing until it is restored', async () => {
    const person = await service.givenPerson()
    const { agent, accessToken, refreshToken } = await connectAgent(service, person)
    const setStatus = (status: string) =>
      service
        .admin(staff)
        .put(`/api/admin/accounts/${person.accountId}/status`)
        .send({ status })
        .expect(200)
    await setStatus('SUSPENDED')
    expect(await use(accessToken)).toBe('403 account_inactive')
    expect((await refresh(agent, refreshToken))[0]).not.toBe(200)
    await setStatus('ACTIVE')
    expect(await use(accessToken)).toBe(200)
    expect(await refresh(agent, refreshToken)).toEqual([200])
  })
})
