import { sql } from 'kysely'
import type { Response } from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { searchTextOf } from '../../src/core/text.ts'
import type { components } from '../../src/generated/types.ts'
import { message, post, resultOf } from '../kit/agents.ts'
import { givenMember } from '../every_operation/fixtures.ts'
import {
  type Client,
  type Person,
  startService,
  type StaffMember,
  type TestService,
  unique,
} from '../kit/service.ts'

type AdminAccount = components['schemas']['AdminAccount']

let service: TestService
let staff: StaffMember
beforeAll(async () => {
  service = await startService()
  staff = await service.givenStaff()
})
afterAll(() => service.close())

const admin = (): Client => service.admin(staff)
const outcome = ({ status, body }: Response) => (status < 400 ? status : `${status} ${body.code}`)

function setLimit(accountId: string, workspaceLimit: number) {
  return admin().put(`/api/admin/accounts/${accountId}/workspace-limit`).send({ workspaceLimit })
}

function setStatus(what: 'accounts' | 'workspaces', id: string, status: string) {
  return admin().put(`/api/admin/${what}/${id}/status`).send({ status })
}

const aWorkspace = () => ({ name: 'Shop', subDomain: unique('shop'), templateKey: 'minimal' })

/** Creates a workspace as an agent's tool; returns the outcome in REST terms. */
async function createByAgent(token: string): Promise<number | string> {
  const params = { name: 'create_workspace', arguments: { data: aWorkspace() } }
  const response = await post(service, message('tools/call', params), {
    Authorization: `Bearer ${token}`,
  })
  const { isError, content } = resultOf(response)
  const error = JSON.parse(content[0]!.text) as { status: number; code: string }
  return isError ? `${error.status} ${error.code}` : 200
}

describe('list_accounts', () => {
  test('shows each account’s limit and workspaces, newest first', async () => {
    const first = await service.givenPerson({ workspaceLimit: 4 })
    await service.givenWorkspace(first)
    await service.givenWorkspace(first)
    const elsewhere = await service.givenWorkspace(await service.givenPerson())
    await givenMember({ service, workspace: elsewhere }, first, 'staff')
    const last = await service.givenPerson()
    const { body } = await admin().get('/api/admin/accounts').expect(200)
    const [newest] = body.accounts as AdminAccount[]
    expect(newest?.id).toBe(last.accountId)
    const account = (body.accounts as AdminAccount[]).find(({ id }) => id === first.accountId)
    expect(account).toEqual({
      id: first.accountId,
      email: first.email,
      name: 'A person',
      status: 'ACTIVE',
      workspaceLimit: 4,
      ownedWorkspaces: 2,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
  })

  test('lists every account once across pages, with an exact total', async () => {
    for (let count = 0; count < 5; count++) await service.givenPerson()
    const { rows } = await sql<{ id: string }>`select id from accounts order by id desc`.execute(
      service.db,
    )
    const ids = rows.map(({ id }) => id)
    const seen: string[] = []
    const pages = Math.ceil(ids.length / 2)
    for (let page = 1; page <= pages; page++) {
      const { body } = await admin().get(`/api/admin/accounts?pageSize=2&page=${page}`)
      expect(body.pagination).toEqual({
        page,
        limit: 2,
        total: ids.length,
        totalPages: pages,
        hasNextPage: page < pages,
        hasPreviousPage: page > 1,
      })
      seen.push(...(body.accounts as AdminAccount[]).map(({ id }) => id))
    }
    expect(seen).toEqual(ids)
    const { body } = await admin().get(`/api/admin/accounts?pageSize=2&page=${pages + 1}`)
    expect([body.accounts, body.pagination.total]).toEqual([[], ids.length])
  })

  test('filters by status, with and without a search, and counts exactly', async () => {
    const mark = unique('standing')
    const [kept, suspended, other] = [
      await service.givenPerson({ email: `${mark}-a@example.com` }),
      await service.givenPerson({ email: `${mark}-b@example.com` }),
      await service.givenPerson(),
    ]
    for (const { accountId } of [suspended, other])
      await setStatus('accounts', accountId, 'SUSPENDED').expect(200)
    const found = async (query: string) => {
      const { body } = await admin().get(`/api/admin/accounts?${query}`).expect(200)
      const ids = (body.accounts as AdminAccount[]).map(({ id }) => id)
      expect(body.pagination.total).toBe(ids.length)
      return ids
    }
    expect(await found('status=SUSPENDED')).toEqual([other.accountId, suspended.accountId])
    expect(await found(`status=SUSPENDED&search=${mark}`)).toEqual([suspended.accountId])
    expect(await found(`status=ACTIVE&search=${mark}`)).toEqual([kept.accountId])
    expect(await found(`status=ACTIVE&search=${suspended.accountId}`)).toEqual([])
    for (const { accountId } of [suspended, other])
      await setStatus('accounts', accountId, 'ACTIVE').expect(200)
    expect(await found('status=SUSPENDED')).toEqual([])
  })

  test('excludes deleted accounts from the total', async () => {
    const total = async () =>
      (await admin().get('/api/admin/accounts')).body.pagination.total as number
    const before = await total()
    const people = await Promise.all([1, 2, 3].map(() => service.givenPerson()))
    expect(await total()).toBe(before + 3)
    await service.db.deleteFrom('accounts').where('id', '=', people[0]!.accountId).execute()
    expect(await total()).toBe(before + 2)
  })

  test('folds names as the catalogue does', async () => {
    const mark = unique('fold')
    const person = await service.givenPerson()
    const names = ['İpek ß', 'Straße', 'ΟΔΟΣ ᾳ', 'diyarbakır', 'Cafe\u0301']
    const update = { name: `${mark} ${names.join(' ')}`, phone: null, language: 'tr' }
    await service.dashboard(person).put('/api/account').send(update).expect(200)
    for (const name of ['İPEK SS', 'ipek ẞ', 'STRASSE', 'οδος ΑΙ', 'DİYARBAKIR', 'CAFÉ']) {
      const query = new URLSearchParams({ search: name }).toString()
      const { body } = await admin().get(`/api/admin/accounts?${query}`).expect(200)
      const found = (body.accounts as AdminAccount[]).map(({ id }) => id)
      expect([name, found]).toEqual([name, [person.accountId]])
    }
  })

  test('folds every letter as the catalogue does', async () => {
    // Beyond these are letters that only the newest Unicode versions know.
    const letters = Array.from({ length: 0xa700 }, (_none, code) =>
      String.fromCodePoint(code),
    ).filter((letter) => /\p{L}|\p{M}|\p{N}/u.test(letter))
    const { rows } = await sql<{ letter: string; folded: string }>`
      select letter, administration_text(letter) as folded from unnest(${letters}::text[]) letter`.execute(
      service.db,
    )
    const different = rows.filter(({ letter, folded }) => folded !== searchTextOf(letter))
    expect(different).toEqual([])
  })

  test('finds ids, addresses and names in any case, with % and _ as literals', async () => {
    const name = unique('findme')
    const person = await service.givenPerson({ email: `${name}_x@example.com` })
    const renamed = await service.givenPerson()
    const update = { name: `Gül YILMAZ ${name} 50%`, phone: null, language: 'tr' }
    await service.dashboard(renamed).put('/api/account').send(update).expect(200)
    const idsFor = async (search: string) => {
      const query = new URLSearchParams({ search }).toString()
      const { body } = await admin().get(`/api/admin/accounts?${query}`).expect(200)
      const ids = (body.accounts as AdminAccount[]).map(({ id }) => id)
      expect(body.pagination.total).toBe(ids.length)
      return ids
    }
    expect(await idsFor(person.accountId)).toEqual([person.accountId])
    expect(await idsFor(`${name}_X@EXAMPLE`)).toEqual([person.accountId])
    expect(await idsFor(`gül yılmaz ${name}`)).toEqual([renamed.accountId])
    expect(await idsFor(`${name} 50%`)).toEqual([renamed.accountId])
    expect(await idsFor(`${name} 50％`)).toEqual([renamed.accountId])
    expect(await idsFor(name)).toEqual([renamed.accountId, person.accountId])
    expect(await idsFor(`${name}%x`)).toEqual([])
    expect(await idsFor(`yılmaz gül ${name}`)).toEqual([])
    const query = new URLSearchParams({ search: name, pageSize: '1' }).toString()
    for (const page of [1, 2, 3]) {
      const { body } = await admin().get(`/api/admin/accounts?${query}&page=${page}`)
      expect([body.accounts.length, body.pagination.total]).toEqual([page < 3 ? 1 : 0, 2])
    }
    expect(await idsFor(`${name}\\`)).toEqual([])
    expect(await idsFor(`${name}-nobody ${'long '.repeat(30)}`)).toEqual([])
  })
})

describe('update_account_limit', () => {
  test('applies from the next attempt on, in the dashboard, for keys and for agents', async () => {
    const owner = await service.givenPerson({ workspaceLimit: 1 })
    const { key } = await service.givenKey(owner)
    const { token } = await service.givenAgent(owner)
    const byDashboard = async () =>
      outcome(await service.dashboard(owner).post('/v1/workspaces').send(aWorkspace()))
    const byKey = async () =>
      outcome(await service.api(key).post('/v1/workspaces').send(aWorkspace()))
    const byAgent = () => createByAgent(token)
    expect(await byKey()).toBe(200)
    for (const create of [byDashboard, byKey, byAgent]) {
      expect(await create()).toBe('400 workspace_limit_reached')
      const { owned } = (await service.api(key).get('/v1/workspaces')).body.creationPolicy
      const { body } = await setLimit(owner.accountId, (owned as number) + 1).expect(200)
      expect([body.workspaceLimit, body.ownedWorkspaces]).toEqual([owned + 1, owned])
      expect(await create()).toBe(200)
    }
    const { body } = await service.dashboard(owner).get('/api/account')
    expect(body.workspaceLimit).toBe(4)
  })

  test('applies when ownership is assigned', async () => {
    const owner = await service.givenPerson()
    const person = await service.givenPerson({ workspaceLimit: 1 })
    await service.givenWorkspace(person)
    const workspace = await service.givenWorkspace(owner)
    const memberId = await givenMember({ service, workspace }, person, 'staff')
    const other = await service.givenWorkspace(owner)
    const invitation = await givenMember({ service, workspace: other }, person, 'owner', 'INVITED')
    const promote = async () => {
      const path = `/api/workspaces/${workspace.id}/members/${memberId}`
      return outcome(await service.dashboard(owner).put(path).send({ role: 'owner' }))
    }
    const accept = async () =>
      outcome(await service.dashboard(person).post(`/api/invitations/${invitation}/accept`))
    expect([await promote(), await accept()]).toEqual([
      '400 workspace_limit_reached',
      '400 workspace_limit_reached',
    ])
    await setLimit(person.accountId, 2).expect(200)
    expect([await promote(), await accept()]).toEqual([200, '400 workspace_limit_reached'])
    await setLimit(person.accountId, 3).expect(200)
    expect(await accept()).toBe(200)
  })

  test('does not take workspaces away when lowered', async () => {
    const owner = await service.givenPerson({ workspaceLimit: 3 })
    const { key } = await service.givenKey(owner)
    const owned = [await service.givenWorkspace(owner), await service.givenWorkspace(owner)]
    const { body } = await setLimit(owner.accountId, 1).expect(200)
    expect([body.workspaceLimit, body.ownedWorkspaces]).toEqual([1, 2])
    for (const { id } of owned)
      await service.api(key).get(`/v1/workspaces/${id}/workspace`).expect(200)
    const { creationPolicy } = (await service.api(key).get('/v1/workspaces')).body
    expect(creationPolicy).toEqual({ limit: 1, owned: 2, canCreate: false })
    const refusal = await service.api(key).post('/v1/workspaces').send(aWorkspace())
    expect(outcome(refusal)).toBe('400 workspace_limit_reached')
  })

  test('is never exceeded by concurrent attempts through different doors', async () => {
    const owner = await service.givenPerson({ workspaceLimit: 1 })
    const { key } = await service.givenKey(owner)
    const { token } = await service.givenAgent(owner)
    const host = await service.givenWorkspace(await service.givenPerson())
    const invitation = await givenMember({ service, workspace: host }, owner, 'owner', 'INVITED')
    await setLimit(owner.accountId, 3).expect(200)
    const outcomes = await Promise.all([
      ...[1, 2, 3].flatMap(() => [
        service.dashboard(owner).post('/v1/workspaces').send(aWorkspace()).then(outcome),
        service.api(key).post('/v1/workspaces').send(aWorkspace()).then(outcome),
        createByAgent(token),
      ]),
      service.dashboard(owner).post(`/api/invitations/${invitation}/accept`).then(outcome),
    ])
    const tally = { made: outcomes.filter((one) => one === 200).length, of: outcomes.length }
    expect(tally).toEqual({ made: 3, of: 10 })
    expect(new Set(outcomes)).toEqual(new Set([200, '400 workspace_limit_reached']))
  })

  test('lowered between concurrent attempts allows only those before it', async () => {
    const owner = await service.givenPerson({ workspaceLimit: 5 })
    const { key } = await service.givenKey(owner)
    const create = () => service.api(key).post('/v1/workspaces').send(aWorkspace()).then(outcome)
    await Promise.all([
      ...[1, 2, 3].map(create),
      setLimit(owner.accountId, 1).then(({ status }) => expect(status).toBe(200)),
      ...[1, 2, 3].map(create),
    ])
    expect(await create()).toBe('400 workspace_limit_reached')
    const { creationPolicy } = (await service.api(key).get('/v1/workspaces')).body
    expect(creationPolicy.limit).toBe(1)
    expect(creationPolicy.owned).toBeLessThanOrEqual(5)
  })
})

/** One call through each door to the workspace: key, agent and dashboard. */
async function tryAll(owner: Person, workspaceId: string, key: string, token: string) {
  const path = `/v1/workspaces/${workspaceId}/workspace`
  const tool = { name: 'get_workspace', arguments: { workspaceId } }
  const Authorization = `Bearer ${token}`
  const byAgent = await post(service, message('tools/call', tool), { Authorization })
  const agent = byAgent.status === 200 ? resultOf(byAgent) : undefined
  const text = agent?.content[0]?.text ?? JSON.stringify(byAgent.body)
  const refused = byAgent.status !== 200 || agent?.isError
  return {
    key: outcome(await service.api(key).get(path)),
    dashboard: outcome(await service.dashboard(owner).get(path)),
    agent: refused ? `403 ${(JSON.parse(text) as { code: string }).code}` : 200,
  }
}

describe.each([
  { what: 'accounts', operation: 'update_account_status', code: 'account_inactive' },
  { what: 'workspaces', operation: 'update_workspace_status', code: 'workspace_inactive' },
] as const)('$operation', ({ what, code }) => {
  test('blocks keys, agents and the dashboard immediately, until it is undone', async () => {
    const owner = await service.givenPerson()
    const { id } = await service.givenWorkspace(owner)
    const { key } = await service.givenKey(owner)
    const { token } = await service.givenAgent(owner)
    const subject = what === 'accounts' ? owner.accountId : id
    const allDoors = (answer: number | string) => ({
      key: answer,
      dashboard: answer,
      agent: answer,
    })
    const attempt = () => tryAll(owner, id, key, token)
    expect(await attempt()).toEqual(allDoors(200))
    service.advance(1000)
    const { body: suspended } = await setStatus(what, subject, 'SUSPENDED').expect(200)
    expect([suspended.id, suspended.status]).toEqual([subject, 'SUSPENDED'])
    expect(suspended.updatedAt).toBe(service.now().toISOString())
    expect(await attempt()).toEqual(allDoors(`403 ${code}`))
    const { body: lifted } = await setStatus(what, subject, 'ACTIVE').expect(200)
    expect(lifted.status).toBe('ACTIVE')
    expect(await attempt()).toEqual(allDoors(200))
  })
})

describe('a suspended account', () => {
  test('cannot sign in until it is restored', async () => {
    const person = await service.givenPerson()
    await setStatus('accounts', person.accountId, 'SUSPENDED').expect(200)
    const signIn = async () => {
      const { email } = person
      service.advance(61_000)
      await service.dashboard().post('/api/session/code').send({ email }).expect(202)
      const code = await service.codeFor(email)
      return outcome(await service.dashboard().post('/api/session').send({ email, code }))
    }
    expect(await signIn()).toBe('403 account_inactive')
    await setStatus('accounts', person.accountId, 'ACTIVE').expect(200)
    expect(await signIn()).toBe(200)
  })
})

describe('list_all_workspaces', () => {
  test('filters by status', async () => {
    const { id } = await service.givenWorkspace(await service.givenPerson())
    await setStatus('workspaces', id, 'SUSPENDED').expect(200)
    const found = async (status: string) =>
      (await admin().get(`/api/admin/workspaces?status=${status}&search=${id}`)).body
        .workspaces as { id: string }[]
    expect(await found('SUSPENDED')).toMatchObject([{ id }])
    expect(await found('ACTIVE')).toEqual([])
    const other = await admin().get('/api/admin/workspaces?status=GONE').expect(400)
    expect(Object.keys(other.body.fieldErrors as object)).toEqual(['status'])
  })

  test('shows every workspace with its owners, and finds it by name', async () => {
    const owner = await service.givenPerson()
    const second = await service.givenPerson()
    const { id, subDomain } = await service.givenWorkspace(owner)
    await givenMember({ service, workspace: { id } }, second, 'owner')
    await givenMember({ service, workspace: { id } }, await service.givenPerson(), 'staff')
    for (const search of [id, subDomain.toUpperCase(), owner.email]) {
      const query = new URLSearchParams({ search }).toString()
      const { body } = await admin().get(`/api/admin/workspaces?${query}`).expect(200)
      expect(body.pagination.total).toBe(1)
      expect(body.workspaces).toEqual([
        {
          id,
          name: 'A workspace',
          subDomain,
          title: 'A workspace',
          headline: '',
          isNameApproved: true,
          waitingDomains: [],
          status: 'ACTIVE',
          templateKey: 'minimal',
          billingEmail: owner.email,
          billingPhone: '+905551234567',
          ownerEmails: [owner.email, second.email],
          balance: 0,
          createdAt: expect.any(String),
          updatedAt: expect.any(String),
        },
      ])
    }
    const { body } = await admin().get('/api/admin/workspaces?pageSize=1')
    expect(body.workspaces[0].id).toBe(id)
    const count = await sql<{ n: number }>`select count(*) as n from workspaces`.execute(service.db)
    expect(body.pagination.total).toBe(count.rows[0]!.n)
  })
})
