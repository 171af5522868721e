import type { Response } from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startService, type TestService, unique } from '../kit/service.ts'
import { all, create, racesOf, tally } from '../kit/races.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const { accept, givenCreator, givenTeam, interleaved } = racesOf(() => service)

describe('invitations', () => {
  test('ten concurrent accepts of one invitation give one membership', async () => {
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

  test('an accept uses the latest role of the invitation, and its limit', async () => {
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

  test('concurrent accepts of five ownerships at limit 1 give one', async () => {
    const person = await service.givenPerson({ workspaceLimit: 1 })
    const teams = await Promise.all(Array.from({ length: 5 }, givenTeam))
    const ids = await Promise.all(teams.map(({ invite }) => invite(person.email, 'owner')))
    const answers = await all(5, (index) => accept(person, ids[index]!))
    expect(tally(answers)).toEqual({ 200: 1, '400 workspace_limit_reached': 4 })
  })

  test('an accept, a promotion and a creation at limit 1 give one ownership', async () => {
    const { person, api } = await givenCreator(1)
    const [inviting, promoting] = [await givenTeam(), await givenTeam()]
    const invitationId = await inviting.invite(person.email, 'owner')
    const memberId = await promoting.invite(person.email, 'staff')
    await accept(person, memberId)
    const answers = await interleaved('accounts', person.accountId, [
      () => accept(person, invitationId),
      () =>
        service
          .dashboard(promoting.owner)
          .put(`${promoting.path}/${memberId}`)
          .send({ role: 'owner' }),
      () => create(api),
    ])
    expect(tally(answers)).toEqual({ 200: 1, '400 workspace_limit_reached': 2 })
    expect((await api.get('/v1/workspaces')).body.creationPolicy.owned).toBe(1)
  })

  test('concurrent invitations of one address give one, and one mail', async () => {
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
    const list = (await service.dashboard(owner).get(path)).body.members as Record<string, string>[]
    const owners = list.filter(({ role, status }) => role === 'owner' && status === 'ACTIVE')
    expect(owners.map(({ accountId }) => accountId)).toEqual([owner.accountId])
  })

  test('stays when three owners step down concurrently', async () => {
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
