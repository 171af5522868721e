import { afterAll, beforeAll, test } from 'vitest'
import { type TestService, unique } from '../kit/service.ts'
import { expectAccessibleInBothSchemes, startPages, type TestBrowser } from './browser.ts'

let service: TestService
let browser: TestBrowser
beforeAll(async () => {
  ;({ service, browser } = await startPages())
})
afterAll(() => browser.close())

test('the sign-in page says what the service says of an address that gets links alone', async () => {
  const email = `${unique('person')}@example.com`
  const day = service.now().toISOString().slice(0, 10)
  await service.db
    .insertInto('sign_in_attempts')
    .values({ purpose: 'sign_in', email, day, failures: 1_000_000 })
    .execute()
  const page = await browser.open({ expectedStatuses: [401, 429] })
  await page.goto('/sign-in')
  const ask = async () => {
    await page.getByLabel('Email address').fill(email)
    await page.getByRole('button', { name: 'Send me a code' }).click()
  }
  await ask()
  await page.getByText(`a mail with a six-digit code or a link to ${email}.`).waitFor()
  await page.getByLabel('Code').fill('000000')
  await page.getByText('Ask for a new mail and open the link in it.').waitFor()
  await expectAccessibleInBothSchemes(page)
  await page.getByRole('button', { name: 'Use a different address' }).click()
  await ask()
  await page.getByText('A mail with a link to sign in was sent to this address.').waitFor()
})
