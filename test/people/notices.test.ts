import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectAgent } from '../kit/agent_flow.ts'
import { givenMember } from '../every_operation/fixtures.ts'
import { startService, type TestService } from '../kit/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const subjectsTo = async (email: string) =>
  (await service.mailsTo(email)).map(({ subject }) => subject)

describe('an owner is told by mail', () => {
  test.each([
    ['Shop backend', 'The key “Shop backend” was created for your account.'],
    ['evil.example', 'A key was created for your account.'],
  ])('of the new key %s', async (name, sentence) => {
    const person = await service.givenPerson()
    const body = { name, scopes: ['products:write'], expiresInDays: 1 }
    await service.dashboard(person).post('/api/keys').send(body).expect(201)
    const mails = await service.mailsTo(person.email)
    expect(mails.map(({ subject }) => subject)).toEqual(['A new API key for your Vitrine account'])
    expect(mails[0]?.text.split('\n')[0]).toBe(sentence)
  })

  test('of a new agent', async () => {
    const person = await service.givenPerson()
    await connectAgent(service, person)
    expect(await subjectsTo(person.email)).toEqual(['A new agent for your Vitrine account'])
  })

  test('of another owner, invited or promoted', async () => {
    const [owner, invited, promoted] = [
      await service.givenPerson(),
      await service.givenPerson(),
      await service.givenPerson(),
    ]
    const workspace = await service.givenWorkspace(owner)
    const invitation = await givenMember({ service, workspace }, invited, 'owner', 'INVITED')
    await service.dashboard(invited).post(`/api/invitations/${invitation}/accept`).expect(200)
    const member = await givenMember({ service, workspace }, promoted, 'staff')
    const path = `/api/workspaces/${workspace.id}/members/${member}`
    await service.dashboard(owner).put(path).send({ role: 'owner' }).expect(200)
    await service.dashboard(owner).put(path).send({ role: 'owner' }).expect(200)
    const told = (await service.mailsTo(owner.email)).map(({ text }) => text.split('\n')[0])
    expect(told).toEqual([
      `${invited.email} is now an owner of A workspace.`,
      `${promoted.email} is now an owner of A workspace.`,
    ])
    expect(await subjectsTo(invited.email)).toEqual(['A new owner of your workspace'])
    expect(await subjectsTo(promoted.email)).toEqual([])
  })
})
