import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService, unique } from '../kit/service.ts'
import { workspaceBody, ownersOf, unavailable } from './workspaces.ts'

const day = 24 * 3600_000

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
const { givenCreator, givenOwner } = ownersOf(() => service)

describe('list_workspaces', () => {
  test('returns the owned workspaces with the creation policy', async () => {
    const { workspace, api } = await givenOwner({ workspaceLimit: 1 })
    const { status, body } = await api.get('/v1/workspaces')
    expect(status).toBe(200)
    expect(body).toEqual({
      page: 1,
      pageSize: 20,
      creationPolicy: { limit: 1, owned: 1, canCreate: false },
      workspaces: [workspace],
    })
  })

  test('pages through the workspaces, oldest first, and is empty beyond the last page', async () => {
    const { person, workspace, api } = await givenOwner()
    const second = await service.givenWorkspace(person)
    const third = await service.givenWorkspace(person)
    const page = async (number: number) =>
      (await api.get(`/v1/workspaces?page=${number}&pageSize=2`)).body
    const creationPolicy = { limit: 10, owned: 3, canCreate: true }
    expect(await page(1)).toEqual({
      page: 1,
      pageSize: 2,
      creationPolicy,
      workspaces: [workspace, second],
    })
    expect(await page(2)).toEqual({ page: 2, pageSize: 2, creationPolicy, workspaces: [third] })
    expect(await page(3)).toEqual({ page: 3, pageSize: 2, creationPolicy, workspaces: [] })
  })

  test.each([
    ['page=0', 'page'],
    ['page=two', 'page'],
    ['page=1.0', 'page'],
    ['page=', 'page'],
    ['pageSize=0', 'pageSize'],
    ['pageSize=101', 'pageSize'],
    ['limit=5', 'limit'],
  ])('refuses the query %s', async (query, field) => {
    const { api } = await givenCreator()
    const { status, body } = await api.get(`/v1/workspaces?${query}`)
    expect(status).toBe(400)
    expect(body.code).toBe('invalid_input')
    expect(Object.keys(body.fieldErrors)).toEqual([field])
  })

  test('shows workspaces the account owns, not those where it is staff, billing or suspended', async () => {
    const { workspace } = await givenOwner()
    const { person, api } = await givenCreator()
    const membership = { workspace_id: workspace.id, account_id: person.accountId, email: '' }
    await service.db
      .insertInto('members')
      .values({ ...membership, id: unique('mem'), role: 'staff', status: 'ACTIVE' })
      .execute()
    const none = { creationPolicy: { limit: 10, owned: 0, canCreate: true }, workspaces: [] }
    expect((await api.get('/v1/workspaces')).body).toMatchObject(none)
    for (const change of [{ role: 'billing' }, { role: 'owner', status: 'SUSPENDED' }] as const) {
      await service.db
        .updateTable('members')
        .set(change)
        .where('account_id', '=', person.accountId)
        .execute()
      expect((await api.get('/v1/workspaces')).body).toMatchObject(none)
    }
  })

  test('keeps workspaces when the limit is lowered, and refuses new ones', async () => {
    const { person, api } = await givenOwner()
    await service.givenWorkspace(person)
    await service.db
      .updateTable('accounts')
      .set({ workspace_limit: 1 })
      .where('id', '=', person.accountId)
      .execute()
    const { body } = await api.get('/v1/workspaces')
    expect(body.creationPolicy).toEqual({ limit: 1, owned: 2, canCreate: false })
    expect(body.workspaces).toHaveLength(2)
  })

  test('works at the dashboard with the session cookie', async () => {
    const { person, workspace } = await givenOwner()
    const { status, body } = await service.dashboard(person).get('/v1/workspaces')
    expect(status).toBe(200)
    expect(body.workspaces).toEqual([workspace])
  })
})

describe('get_workspace', () => {
  test('returns the profile', async () => {
    const { workspace, path, api } = await givenOwner()
    const { status, body } = await api.get(path)
    expect(status).toBe(200)
    expect(body).toEqual(workspace)
  })

  test('answers a foreign and a missing workspace alike', async () => {
    const { workspace } = await givenOwner()
    const { api } = await givenCreator()
    const foreign = await api.get(`/v1/workspaces/${workspace.id}/workspace`)
    const missing = await api.get('/v1/workspaces/ws_none/workspace')
    expect(foreign.status).toBe(403)
    expect(foreign.body.code).toBe('not_owner')
    expect(missing.status).toBe(403)
    expect(missing.text).toBe(foreign.text)
  })

  test('is refused while the workspace is suspended', async () => {
    const { workspace, path, api } = await givenOwner()
    await service.db
      .updateTable('workspaces')
      .set({ status: 'SUSPENDED' })
      .where('id', '=', workspace.id)
      .execute()
    const { status, body } = await api.get(path)
    expect(status).toBe(403)
    expect(body.code).toBe('workspace_inactive')
  })
})

describe('update_workspace', () => {
  test('changes the given fields and keeps the others', async () => {
    const { workspace, path, api } = await givenOwner()
    const first = { name: 'Another name', isVisible: false, mainAgentPrompt: 'Be brief.' }
    const second = { billingPhone: '+441234567890', billingGsmCountryCode: '44' }
    expect((await api.put(path).send(first)).body).toEqual({ ...workspace, ...first })
    expect((await api.put(path).send(second)).body).toEqual({ ...workspace, ...first, ...second })
    const cleared = { billingPhone: null, billingGsmCountryCode: null }
    const { status } = await api.put(path).send(cleared)
    expect(status).toBe(200)
    expect((await api.get(path)).body).toEqual({ ...workspace, ...first, ...cleared })
  })

  test('keeps the phone that the customized template requires, and applies nothing', async () => {
    const { workspace, path, api } = await givenOwner()
    const website = `/v1/workspaces/${workspace.id}/website`
    await api.put(path).send({ billingPhone: '+905551234567' }).expect(200)
    await api.put(website).send({ templateKey: 'customized' }).expect(200)
    const { status, body } = await api.put(path).send({ billingPhone: null, name: 'Another name' })
    expect([status, body.code]).toEqual([400, 'invalid_input'])
    expect(body.fieldErrors).toEqual({
      billingPhone: 'The Customized template needs a phone number.',
    })
    const { body: after } = await api.get(path)
    expect(after).toMatchObject({ name: workspace.name, billingPhone: '+905551234567' })

    const billingPhone = '+441234567890'
    expect((await api.put(path).send({ billingPhone })).body).toMatchObject({ billingPhone })
    await api.put(website).send({ templateKey: 'minimal' }).expect(200)
    expect((await api.put(path).send({ billingPhone: null })).status).toBe(200)
  })

  test('changes updatedAt and keeps createdAt', async () => {
    const { workspace, path, api } = await givenOwner()
    service.advance(1000)
    const { body } = await api.put(path).send({ name: 'Another name' })
    expect(body.updatedAt).toBe(service.now().toISOString())
    expect(body.createdAt).toBe(workspace.createdAt)
  })

  test.each([{ status: 'SUSPENDED' }, { id: 'ws_x' }, { templateKey: 'beauty' }, { balance: 9 }])(
    'refuses the unknown field in %o',
    async (change) => {
      const { workspace, path, api } = await givenOwner()
      const { status, body } = await api.put(path).send({ name: 'Another name', ...change })
      expect(status).toBe(400)
      expect(body.fieldErrors).toEqual({
        [Object.keys(change)[0]!]: expect.stringMatching(
          /^Unknown field; known are name, subDomain, /,
        ),
      })
      expect((await api.get(path)).body).toEqual(workspace)
    },
  )

  test('is atomic: a valid name with an unavailable subdomain changes nothing', async () => {
    const { workspace, path, api } = await givenOwner()
    for (const subDomain of ['admin', (await givenOwner()).workspace.subDomain]) {
      const { status, body } = await api.put(path).send({ name: 'Another name', subDomain })
      expect(status).toBe(400)
      expect(body).toEqual(unavailable(subDomain))
      expect((await api.get(path)).body).toEqual(workspace)
    }
  })

  test('changes the subdomain once in 30 days', async () => {
    const { path, api } = await givenOwner()
    const [first, second] = [unique('first'), unique('second')]
    const changedAt = service.now().getTime()
    expect((await api.put(path).send({ subDomain: first })).body.subDomain).toBe(first)

    service.advance(30 * day - 1)
    const early = await api.put(path).send({ subDomain: second })
    expect(early.status).toBe(400)
    const nextMinute = Math.ceil((changedAt + 30 * day) / 60_000) * 60_000
    const free = new Date(nextMinute).toISOString().slice(0, 16).replace('T', ' ')
    const sentence =
      'The subdomain can change once in 30 days. ' + `You can change it again on ${free} UTC.`
    expect(early.body).toEqual({
      status: 400,
      code: 'subdomain_cooldown',
      message: sentence,
      fieldErrors: { subDomain: sentence },
    })

    service.advance(1)
    expect((await api.put(path).send({ subDomain: second })).body.subDomain).toBe(second)
  })

  test('treats the current subdomain as no change', async () => {
    const { path, api } = await givenOwner()
    const subDomain = unique('same')
    await api.put(path).send({ subDomain })
    const { status, body } = await api.put(path).send({ subDomain, name: 'Another name' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ subDomain, name: 'Another name' })
  })

  test('holds a released subdomain for 30 days, then frees it for others', async () => {
    const { workspace, path, api } = await givenOwner()
    const { api: other } = await givenCreator()
    const claim = () => other.post('/v1/workspaces').send(workspaceBody(workspace.subDomain))
    await api.put(path).send({ subDomain: unique('moved') })

    expect((await claim()).body).toEqual(unavailable(workspace.subDomain))
    service.advance(30 * day)
    expect((await claim()).body).toEqual(unavailable(workspace.subDomain))
    service.advance(1)
    const { status, body } = await claim()
    expect(status).toBe(200)
    expect(body.subDomain).toBe(workspace.subDomain)
    const back = await api.put(path).send({ subDomain: workspace.subDomain })
    expect(back.body).toEqual(unavailable(workspace.subDomain))
  })

  test('gives a released subdomain back to its old workspace', async () => {
    const { workspace, path, api } = await givenOwner()
    await api.put(path).send({ subDomain: unique('moved') })
    service.advance(30 * day)
    const { status, body } = await api.put(path).send({ subDomain: workspace.subDomain })
    expect(status).toBe(200)
    expect(body.subDomain).toBe(workspace.subDomain)
    service.advance(31 * day)
    const { api: other } = await givenCreator()
    const claim = await other.post('/v1/workspaces').send(workspaceBody(workspace.subDomain))
    expect(claim.body).toEqual(unavailable(workspace.subDomain))
  })
})
