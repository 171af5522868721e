import { afterAll, beforeAll, expect, test } from 'vitest'
import { givenScene } from '../every_operation/fixtures.ts'
import type { TestService } from '../kit/service.ts'
import { startPages, type TestBrowser } from './browser.ts'

let service: TestService
let browser: TestBrowser
beforeAll(async () => {
  ;({ service, browser } = await startPages())
})
afterAll(() => browser.close())

test('the reference solves the challenge of a call that is tried out', async () => {
  const { key, workspace } = await givenScene(service)
  const page = await browser.open({ origin: service.urls.api })
  await page.goto('/docs/')
  await page.getByRole('button', { name: 'Authorize', exact: true }).click()
  const dialog = page.locator('.auth-container')
  await dialog.getByRole('textbox').first().fill(key)
  await dialog.getByRole('button', { name: 'Apply credentials' }).first().click()
  await dialog.getByRole('button', { name: 'Close' }).first().click()

  const operation = page.locator('#operations-customer-request_customer_code')
  await operation.locator('.opblock-summary-control').click()
  await operation.getByRole('button', { name: 'Try it out' }).click()
  await operation.locator('[data-param-name=workspaceId] input').fill(workspace.id)
  const answer = page.waitForResponse('**/customer/otp/request')
  await operation.getByRole('button', { name: 'Execute' }).click()
  expect((await answer).status()).toBe(202)
})
