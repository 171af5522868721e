import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Mailer, OutgoingMail } from '../../../src/adapters/mailer.ts'
import { consent, registerAgent } from '../../kit/agent_flow.ts'
import { startService, type TestService, unique } from '../../kit/service.ts'

/* Mails of a service whose sweep never comes: each is sent because its call has asked for that. */

let service: TestService
const sent: OutgoingMail[] = []
const mailer: Mailer = {
  send: (mail) => Promise.resolve(void sent.push(mail)),
  close: () => undefined,
}
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  service = await startService({ mailer }).finally(() => vi.useRealTimers())
})
afterAll(() => service.close())

/** The texts of the mails that have been sent to an address, once there are so many. */
async function textsTo(email: string, count: number): Promise<string[]> {
  const own = () => sent.filter(({ to }) => to === email)
  await expect.poll(() => own().length).toBe(count)
  return own().map(({ text }) => text)
}

/** Nothing is looked for any more: what is sent after this, something else has asked for. */
const untilIdle = () => service.app.outbox.flush()

test('the mail of a call is sent once it is committed', async () => {
  const { email } = await service.givenPerson()
  await untilIdle()
  await service.dashboard().post('/api/session/code').send({ email }).expect(202)
  await textsTo(email, 1)
})

test('the mail about a new agent is sent once it is connected', async () => {
  const person = await service.givenPerson()
  const agent = await registerAgent(service, { client_name: 'Shelf assistant' })
  const pending = await agent.begin()
  await untilIdle()
  await consent(service, person, pending)
  const [text] = await textsTo(person.email, 1)
  expect(text).toContain('Shelf assistant')
})

test('the mail to an address that an account has taken back is sent at once', async () => {
  const person = await service.givenPerson()
  const lost = `${unique('lost')}@example.com`
  const dashboard = service.dashboard(person)
  await dashboard.post('/api/account/email/code').send({ email: lost }).expect(202)
  const [code] = /\b\d{6}\b/.exec((await textsTo(lost, 1))[0]!) ?? []
  await dashboard.put('/api/account/email').send({ email: lost, code }).expect(200)
  const [link] = /\/undo-email\/\S+/.exec((await textsTo(person.email, 1))[0]!) ?? []
  await untilIdle()
  await service.dashboard().post(`${link}/confirm`).expect(200)
  await textsTo(lost, 2)
})
