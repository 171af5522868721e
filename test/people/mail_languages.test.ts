import { afterAll, beforeAll, expect, test } from 'vitest'
import { sweepBalanceAlerts } from '../../src/domain/credits/balance_alerts.ts'
import { serviceTexts } from '../../src/texts/languages.ts'
import { givenMember } from '../every_operation/fixtures.ts'
import { connectAgent } from '../kit/agent_flow.ts'
import { type Person, startService, type TestService, unique } from '../kit/service.ts'

const { mails } = serviceTexts.tr

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** An account whose pages are Turkish; the tests' browser asks for no language. */
async function givenTurk(): Promise<Person> {
  const person = await service.givenPerson()
  const account = { name: 'Ayşe', phone: null, language: 'tr' }
  await service.dashboard(person).put('/api/account').send(account).expect(200)
  return person
}

const firstLines = async (email: string) =>
  (await service.mailsTo(email)).map(({ subject, text }) => [subject, text.split('\n')[0]])

test('codes are mailed in the language of the account that asks for them', async () => {
  const person = await givenTurk()
  const workspace = await service.givenWorkspace(person)
  const dashboard = service.dashboard(person)
  const [email, billing] = [`${unique('new')}@example.com`, `${unique('bill')}@example.com`]
  await dashboard.post('/api/session/code').send({ email: person.email }).expect(202)
  await dashboard.post('/api/account/email/code').send({ email }).expect(202)
  await dashboard
    .post(`/api/workspaces/${workspace.id}/billing-email/code`)
    .send({ email: billing })
    .expect(202)
  expect(await firstLines(person.email)).toEqual([[mails.codeSubject, mails.signIn]])
  expect(await firstLines(email)).toEqual([[mails.codeSubject, mails.newEmail]])
  expect(await firstLines(billing)).toEqual([[mails.codeSubject, mails.billingEmail]])
})

test('notices are mailed in the language of the account that gets them', async () => {
  const [owner, other] = [await givenTurk(), await givenTurk()]
  const workspace = await service.givenWorkspace(owner)
  const english = await service.givenPerson()
  await givenMember({ service, workspace }, english, 'owner')
  const members = `/api/workspaces/${workspace.id}/members`
  const dashboard = service.dashboard(english)

  const { body: invited } = await dashboard
    .post(members)
    .send({ email: other.email, role: 'owner' })
    .expect(201)
  await service.dashboard(other).post(`/api/invitations/${invited.id}/accept`).expect(200)
  await dashboard.put(`${members}/${invited.id}`).send({ role: 'staff' }).expect(200)
  expect((await firstLines(other.email)).map(([subject]) => subject)).toEqual([
    mails.invitationSubject.replace('{workspace}', workspace.name),
    mails.ownerRemovedSubject,
  ])

  const key = { name: 'Kasa', scopes: ['products:read'], expiresInDays: 1 }
  await service.dashboard(owner).post('/api/keys').send(key).expect(201)
  await connectAgent(service, owner)
  await service.dashboard(owner).put(`/api/workspaces/${workspace.id}/balance-alert`).send({
    below: 5,
  })
  await sweepBalanceAlerts(service.db, service.config.dashboardUrl, service.now())
  expect((await firstLines(owner.email)).map(([subject]) => subject)).toEqual([
    mails.newOwnerSubject,
    mails.newKeySubject,
    mails.newAgentSubject,
    mails.lowBalanceSubject.replace('{workspace}', workspace.name),
  ])
})

test('a changed address, and one taken back, is told in the language of the account', async () => {
  const person = await givenTurk()
  const dashboard = service.dashboard(person)
  const email = `${unique('new')}@example.com`
  await dashboard.post('/api/account/email/code').send({ email }).expect(202)
  const code = await service.codeFor(email)
  await dashboard.put('/api/account/email').send({ email, code }).expect(200)
  const [told] = await service.mailsTo(person.email)
  expect(told?.subject).toBe(mails.emailChangedSubject)
  expect(told?.text).toContain(mails.emailChanged.replace('{email}', email))
  const token = /undo-email\/(\S+)/.exec(told?.text ?? '')?.[1]
  await service.dashboard().post('/api/account/email/undo').send({ token }).expect(200)
  const takenBack = (await service.mailsTo(email)).at(-1)
  expect(takenBack?.subject).toBe(mails.emailUndoneSubject)
  expect(takenBack?.text).toContain(mails.emailUndoneHint)
})
