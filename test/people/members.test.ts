import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService, unique } from '../kit/service.ts'
import { limitReached, teamsOf } from './teams.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const { givenTeam, join } = teamsOf(() => service)

const lastOwner = {
  status: 409,
  code: 'last_owner',
  message: 'This is the last active owner. Make someone else an owner first.',
}

describe('list_members', () => {
  test('lists members with the address and name of their account, and invitations', async () => {
    const team = await givenTeam()
    const person = await service.givenPerson()
    const memberId = await join(team, person, 'staff')
    const invitation = (await team.invite('guest@example.com', 'billing')).body
    expect(await team.members()).toEqual([
      {
        id: team.ownId,
        accountId: team.owner.accountId,
        email: team.owner.email,
        name: 'A person',
        role: 'owner',
        status: 'ACTIVE',
        createdAt: expect.any(String),
      },
      {
        id: memberId,
        accountId: person.accountId,
        email: person.email,
        name: 'A person',
        role: 'staff',
        status: 'ACTIVE',
        createdAt: expect.any(String),
      },
      {
        id: invitation.id,
        accountId: null,
        email: 'guest@example.com',
        name: '',
        role: 'billing',
        status: 'INVITED',
        createdAt: expect.any(String),
      },
    ])
  })

  test('follows a member who changes name and address', async () => {
    const team = await givenTeam()
    const person = await service.givenPerson()
    const id = await join(team, person, 'staff')
    const session = service.dashboard(person)
    const email = `${unique('moved')}@example.com`
    await session.put('/api/account').send({ name: 'New Name', phone: null, language: 'en' })
    await session.post('/api/account/email/code').send({ email })
    await session.put('/api/account/email').send({ email, code: await service.codeFor(email) })
    expect(await team.members()).toContainEqual(
      expect.objectContaining({ id, email, name: 'New Name' }),
    )
  })
})

describe('the members of a workspace', () => {
  test.each(['staff', 'billing'] as const)('are hidden from %s', async (role) => {
    const team = await givenTeam()
    const person = await service.givenPerson()
    const id = await join(team, person, role)
    const session = service.dashboard(person)
    const answers = [
      await session.get(team.path),
      await session.post(team.path).send({ email: 'x@example.com', role: 'staff' }),
      await session.put(`${team.path}/${id}`).send({ role: 'owner' }),
      await session.delete(`${team.path}/${team.ownId}`),
      await session.post(`/api/workspaces/${team.workspace.id}/billing-email/code`).send({
        email: 'x@example.com',
      }),
      await session.get(`/v1/workspaces/${team.workspace.id}/workspace`),
    ]
    for (const { status, body } of answers) {
      expect(status).toBe(403)
      expect(body).toEqual({
        status: 403,
        code: 'role_insufficient',
        message: `The role ${role} does not allow this.`,
      })
    }
    expect(await team.members()).toHaveLength(2)
  })

  test('are hidden from strangers, invitees and suspended owners', async () => {
    const team = await givenTeam()
    const [stranger, invitee, suspended] = [
      await service.givenPerson(),
      await service.givenPerson(),
      await service.givenPerson(),
    ]
    await team.invite(invitee.email, 'owner')
    const id = await join(team, suspended, 'owner')
    expect((await service.dashboard(suspended).get(team.path)).status).toBe(200)
    await team.change(id, { status: 'SUSPENDED' })
    for (const person of [stranger, invitee, suspended]) {
      const { status, body } = await service.dashboard(person).get(team.path)
      expect(status).toBe(403)
      expect(body.code).toBe('not_owner')
    }
    const none = await service.dashboard(stranger).get('/api/workspaces/ws_none/members')
    expect(none.status).toBe(403)
    expect(none.body.code).toBe('not_owner')
  })
})

describe('add_member', () => {
  test('invites an address by mail', async () => {
    const { workspace, invite } = await givenTeam()
    const email = `${unique('guest')}@example.com`
    const { status, body } = await invite(email, 'billing')
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^mem_[0-9a-z]{26}$/),
      accountId: null,
      email,
      name: '',
      role: 'billing',
      status: 'INVITED',
      createdAt: expect.any(String),
    })
    expect(await service.mailsTo(email)).toEqual([
      expect.objectContaining({
        subject: `You are invited to ${workspace.name}`,
        text: [
          `A person invites you to join ${workspace.name} on Vitrine as billing.`,
          `Sign in with this address to accept or decline: ${service.config.dashboardUrl}/invitations`,
        ].join('\n\n'),
      }),
    ])
  })

  test('refuses an already invited address in any spelling, and mails once', async () => {
    const { invite } = await givenTeam()
    const email = `${unique('guest')}@example.com`
    await invite(email)
    const { status, body } = await invite(email.toUpperCase(), 'owner')
    expect(status).toBe(409)
    expect(body).toMatchObject({
      code: 'duplicate',
      fieldErrors: { email: 'This address is already a member or invited.' },
    })
    expect(await service.mailsTo(email)).toHaveLength(1)
  })

  test('refuses the address of a member, active or suspended', async () => {
    const team = await givenTeam()
    const person = await service.givenPerson()
    const id = await join(team, person, 'staff')
    const refusal = {
      code: 'duplicate',
      fieldErrors: { email: 'This person is already a member.' },
    }
    expect((await team.invite(person.email)).body).toMatchObject(refusal)
    expect((await team.invite(team.owner.email)).status).toBe(409)
    await team.change(id, { status: 'SUSPENDED' })
    expect((await team.invite(person.email)).body).toMatchObject(refusal)
  })

  test.each(['a+b@example.com', 'somebody@mailinator.com'])(
    'refuses the address %s',
    async (email) => {
      const { invite, members } = await givenTeam()
      const { status, body } = await invite(email)
      expect(status).toBe(400)
      expect(Object.keys(body.fieldErrors)).toEqual(['email'])
      expect(await members()).toHaveLength(1)
    },
  )
})

describe('add_member under its limit', () => {
  test('mails an address five invitations an hour in total', async () => {
    const limited = await startService({ env: { RATE_LIMIT_PER_MINUTE: '120' } })
    try {
      const invite = async () => {
        const owner = await limited.givenPerson()
        const { id } = await limited.givenWorkspace(owner)
        const input = { email: 'popular@example.com', role: 'staff' }
        return limited.dashboard(owner).post(`/api/workspaces/${id}/members`).send(input)
      }
      for (let count = 0; count < 5; count++) expect((await invite()).status).toBe(201)
      const { status, body } = await invite()
      expect(status).toBe(429)
      expect(body.code).toBe('rate_limited')
      expect(await limited.mailsTo('popular@example.com')).toHaveLength(5)
    } finally {
      await limited.close()
    }
  })
})

describe('update_member', () => {
  test('changes role and status separately, effective with the next call', async () => {
    const team = await givenTeam()
    const person = await service.givenPerson()
    const id = await join(team, person, 'staff')
    const profile = () =>
      service.dashboard(person).get(`/v1/workspaces/${team.workspace.id}/workspace`)
    expect((await profile()).status).toBe(403)
    const promoted = await team.change(id, { role: 'owner' })
    expect(promoted.status).toBe(200)
    expect(promoted.body).toMatchObject({ id, role: 'owner', status: 'ACTIVE' })
    expect((await profile()).status).toBe(200)
    const suspended = await team.change(id, { status: 'SUSPENDED' })
    expect(suspended.body).toMatchObject({ role: 'owner', status: 'SUSPENDED' })
    expect((await profile()).status).toBe(403)
    const both = await team.change(id, { role: 'billing', status: 'ACTIVE' })
    expect(both.body).toMatchObject({ role: 'billing', status: 'ACTIVE' })
  })

  test.each(['ACTIVE', 'SUSPENDED'])('cannot set an invitation to %s', async (status) => {
    const team = await givenTeam()
    const { id } = (await team.invite('pending@example.com', 'owner')).body
    const refusal = await team.change(id, { role: 'staff', status })
    expect(refusal.status).toBe(400)
    expect(refusal.body.fieldErrors).toEqual({
      status: 'The invitation has not been accepted yet.',
    })
    expect(await team.members()).toContainEqual(
      expect.objectContaining({ id, role: 'owner', status: 'INVITED' }),
    )
  })

  test('keeps the last active owner, regardless of other members', async () => {
    const team = await givenTeam()
    await join(team, await service.givenPerson(), 'staff')
    await team.invite('pending-owner@example.com', 'owner')
    const suspended = await join(team, await service.givenPerson(), 'owner')
    await team.change(suspended, { status: 'SUSPENDED' })

    for (const change of [{ role: 'staff' }, { role: 'billing' }, { status: 'SUSPENDED' }]) {
      const { status, body } = await team.change(team.ownId, change)
      expect(status).toBe(409)
      expect(body).toEqual(lastOwner)
    }
    expect((await team.remove(team.ownId)).body).toEqual(lastOwner)
    expect((await team.change(team.ownId, { role: 'owner', status: 'ACTIVE' })).status).toBe(200)
  })

  test('lets an owner step down if there is another', async () => {
    const team = await givenTeam()
    await join(team, await service.givenPerson(), 'owner')
    expect((await team.change(team.ownId, { role: 'staff' })).status).toBe(200)
    expect((await team.session.get(team.path)).status).toBe(403)
  })

  test('counts a promotion and a reactivation against the account limit', async () => {
    const person = await service.givenPerson({ workspaceLimit: 1 })
    const team = await givenTeam()
    const id = await join(team, person, 'owner')
    await team.change(id, { role: 'staff' })
    await service.givenWorkspace(person)
    expect((await team.change(id, { role: 'owner' })).body).toEqual(limitReached)
    await team.change(id, { status: 'SUSPENDED' })
    expect((await team.change(id, { role: 'owner' })).body).toMatchObject({
      role: 'owner',
      status: 'SUSPENDED',
    })
    expect((await team.change(id, { status: 'ACTIVE' })).body).toEqual(limitReached)
    expect((await team.change(id, { role: 'staff', status: 'ACTIVE' })).status).toBe(200)
  })

  test('does not find a member of another workspace, and requires a change', async () => {
    const [team, other] = [await givenTeam(), await givenTeam()]
    const { status, body } = await team.change(other.ownId, { role: 'staff' })
    expect(status).toBe(404)
    expect(body).toEqual({ status: 404, code: 'not_found', message: 'There is no such member.' })
    expect((await team.change(team.ownId, {})).status).toBe(400)
    expect((await team.change(team.ownId, { status: 'INVITED' })).status).toBe(400)
  })
})

describe('remove_member', () => {
  test('ends the membership, effective with the next call', async () => {
    const team = await givenTeam()
    const person = await service.givenPerson()
    const id = await join(team, person, 'owner')
    const { key } = await service.givenKey(person)
    const profile = `/v1/workspaces/${team.workspace.id}/workspace`
    expect((await service.api(key).get(profile)).status).toBe(200)
    const { status, body } = await team.remove(id)
    expect(status).toBe(200)
    expect(body).toEqual({ id, deleted: true })
    expect((await service.api(key).get(profile)).body.code).toBe('not_owner')
    expect((await service.dashboard(person).get(profile)).body.code).toBe('not_owner')
    expect((await team.remove(id)).status).toBe(404)
    expect((await team.invite(person.email)).status).toBe(201)
  })

  test('does not find a member of another workspace', async () => {
    const [team, other] = [await givenTeam(), await givenTeam()]
    expect((await team.remove(other.ownId)).status).toBe(404)
    expect(await other.members()).toHaveLength(1)
  })

  test('frees an ownership in the account limit', async () => {
    const person = await service.givenPerson({ workspaceLimit: 1 })
    const team = await givenTeam()
    const id = await join(team, person, 'owner')
    const policy = async () =>
      (await service.dashboard(person).get('/v1/workspaces')).body.creationPolicy
    expect(await policy()).toEqual({ limit: 1, owned: 1, canCreate: false })
    await team.remove(id)
    expect(await policy()).toEqual({ limit: 1, owned: 0, canCreate: true })
  })
})
