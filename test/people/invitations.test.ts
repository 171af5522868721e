import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService, unique } from '../kit/service.ts'
import { limitReached, teamsOf } from './teams.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const { answer, givenTeam, invitationsOf, join } = teamsOf(() => service)

describe('list_invitations', () => {
  test('shows the open invitations for the own address', async () => {
    const team = await givenTeam()
    const person = await service.givenPerson()
    const { id, createdAt } = (await team.invite(person.email.toUpperCase(), 'billing')).body
    await team.invite('another@example.com')
    const { id: workspaceId, name: workspaceName } = team.workspace
    const invitedBy = `A person (${team.owner.email})`
    expect(await invitationsOf(person)).toEqual([
      { id, workspaceId, workspaceName, role: 'billing', invitedBy, createdAt },
    ])
    expect(await invitationsOf(team.owner)).toEqual([])
  })

  test('includes invitations from before the account existed', async () => {
    const team = await givenTeam()
    const email = `${unique('newcomer')}@example.com`
    const { id } = (await team.invite(email)).body
    const person = await service.givenPerson({ email })
    expect(await invitationsOf(person)).toMatchObject([{ id }])
  })
})

describe('accept_invitation', () => {
  test('makes the account an active member with the invited role', async () => {
    const team = await givenTeam()
    const person = await service.givenPerson()
    const invitation = (await team.invite(person.email, 'owner')).body
    const { status, body } = await answer(person, invitation.id)
    expect(status).toBe(200)
    expect(body).toEqual({
      ...invitation,
      accountId: person.accountId,
      name: 'A person',
      status: 'ACTIVE',
    })
    expect(await invitationsOf(person)).toEqual([])
    const profile = `/v1/workspaces/${team.workspace.id}/workspace`
    expect((await service.dashboard(person).get(profile)).status).toBe(200)
    const { key } = await service.givenKey(person)
    expect((await service.api(key).get(profile)).status).toBe(200)
  })

  test('does not find an invitation that is foreign, withdrawn or already accepted', async () => {
    const team = await givenTeam()
    const [person, other] = [await service.givenPerson(), await service.givenPerson()]
    const { id } = (await team.invite(person.email)).body
    const none = { status: 404, code: 'not_found', message: 'There is no such invitation.' }
    expect((await answer(other, id)).body).toEqual(none)
    expect((await answer(person, 'mem_none')).body).toEqual(none)
    expect((await answer(person, id)).status).toBe(200)
    expect((await answer(person, id)).body).toEqual(none)
    expect((await answer(person, id, 'decline')).body).toEqual(none)
    const withdrawn = (await team.invite(other.email)).body
    expect((await team.remove(withdrawn.id)).status).toBe(200)
    expect((await answer(other, withdrawn.id)).body).toEqual(none)
  })

  test('counts an ownership against the account limit, but not a staff role', async () => {
    const person = await service.givenPerson({ workspaceLimit: 1 })
    await service.givenWorkspace(person)
    const team = await givenTeam()
    const { id } = (await team.invite(person.email, 'owner')).body
    expect((await answer(person, id)).body).toEqual(limitReached)
    expect(await invitationsOf(person)).toMatchObject([{ id }])
    expect((await team.change(id, { role: 'staff' })).body).toMatchObject({
      role: 'staff',
      status: 'INVITED',
    })
    expect((await answer(person, id)).body).toMatchObject({ role: 'staff', status: 'ACTIVE' })
  })

  test('refuses an account that is already a member under its previous address', async () => {
    const team = await givenTeam()
    const person = await service.givenPerson()
    await join(team, person, 'staff')
    const email = `${unique('second')}@example.com`
    const { id } = (await team.invite(email, 'owner')).body
    const session = service.dashboard(person)
    await session.post('/api/account/email/code').send({ email })
    await session.put('/api/account/email').send({ email, code: await service.codeFor(email) })
    const { status, body } = await answer(person, id)
    expect(status).toBe(409)
    expect(body.code).toBe('duplicate')
  })
})

describe('decline_invitation', () => {
  test('removes the invitation, and the address can be invited again', async () => {
    const team = await givenTeam()
    const [person, other] = [await service.givenPerson(), await service.givenPerson()]
    const { id } = (await team.invite(person.email)).body
    expect((await answer(other, id, 'decline')).status).toBe(404)
    const { status, body } = await answer(person, id, 'decline')
    expect(status).toBe(200)
    expect(body).toEqual({ id, deleted: true })
    expect(await team.members()).toHaveLength(1)
    expect((await team.invite(person.email)).status).toBe(201)
  })
})
