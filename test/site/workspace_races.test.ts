import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService, unique } from '../kit/service.ts'
import { all, create, workspaceBody, unexpectedOutcomes, racesOf, tally } from '../kit/races.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const { givenCreator, givenTeam, interleaved } = racesOf(() => service)

describe('workspaces', () => {
  test('20 concurrent creations at limit 1 give one workspace', async () => {
    const { api } = await givenCreator(1)
    expect(tally(await all(20, () => create(api)))).toEqual({
      200: 1,
      '400 workspace_limit_reached': 19,
    })
    expect((await api.get('/v1/workspaces')).body.workspaces).toHaveLength(1)
  })

  test('of ten accounts that concurrently claim a subdomain one gets it', async () => {
    const creators = await Promise.all(Array.from({ length: 10 }, () => givenCreator()))
    const name = unique('wanted')
    const answers = await all(10, (index) => create(creators[index]!.api, name))
    expect(tally(answers)).toEqual({ 200: 1, '400 subdomain_unavailable': 9 })
  })

  test('of concurrent updates and creations with one subdomain one gets it', async () => {
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

  test('concurrent changes of different fields are all kept', async () => {
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

  test('of a switch to the customized template and the removal of the phone the first wins', async () => {
    const calls = {
      website: { templateKey: 'customized' },
      workspace: { billingPhone: null },
    }
    for (const order of [
      ['website', 'workspace'],
      ['workspace', 'website'],
    ] as const) {
      const { api, workspace } = await givenTeam()
      const path = (resource: string) => `/v1/workspaces/${workspace.id}/${resource}`
      await api.put(path('workspace')).send({ billingPhone: '+905551234567' }).expect(200)
      const puts = order.map((resource) => () => api.put(path(resource)).send(calls[resource]))
      const answers = await interleaved('workspaces', workspace.id, puts)
      expect(tally(answers)).toEqual({ 200: 1, '400 invalid_input': 1 })
      expect(answers[0]!.status).toBe(200)
      const { templateKey, billingPhone } = (await api.get(path('workspace'))).body
      expect(templateKey === 'customized').toBe(billingPhone !== null)
    }
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

describe('an Idempotency-Key', () => {
  test('sent with 50 concurrent calls gives one workspace, and the same answer to every retry', async () => {
    const { api } = await givenCreator(100)
    const body = workspaceBody()
    const call = () => api.post('/v1/workspaces').set('Idempotency-Key', 'once').send(body)
    const answers = await all(50, call)
    const texts = new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text))
    expect(unexpectedOutcomes(['200', '409 idempotency_in_progress'], answers)).toEqual([])
    const { creationPolicy, workspaces } = (await api.get('/v1/workspaces')).body
    expect(creationPolicy.owned).toBe(1)
    const retried = await call()
    expect(retried.status).toBe(200)
    expect(retried.body).toEqual(workspaces[0])
    expect([...texts]).toEqual([retried.text])
  })
})
