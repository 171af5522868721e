import { afterEach, expect, test, vi } from 'vitest'
import type { Mailer } from '../../../src/adapters/mailer.ts'
import { startService, type TestService } from '../../kit/service.ts'

let service: TestService
afterEach(() => service.close())

test('the mail of a call is sent once it is committed, where no sweep ever comes', async () => {
  let onMail: (recipient: string) => void
  const sent = new Promise<string>((resolve) => (onMail = resolve))
  const mailer: Mailer = {
    send: ({ to }) => Promise.resolve(onMail(to)),
    close: () => undefined,
  }
  vi.useFakeTimers({ toFake: ['setInterval'] })
  service = await startService({ mailer }).finally(() => vi.useRealTimers())
  const { email } = await service.givenPerson()
  await service.dashboard().post('/api/session/code').send({ email }).expect(202)
  expect(await sent).toBe(email)
})
