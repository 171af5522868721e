import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWebhookPost } from '../../src/adapters/webhook_post.ts'
import { givenProduct, givenShop } from '../kit/catalogue.ts'
import { isSignedBy, startWebhookReceiver } from '../kit/peers/webhook_receiver.ts'
import { startService, type TestService } from '../kit/service.ts'
import { expectAccessibleInBothSchemes, startBrowser, type TestBrowser } from './browser.ts'

let service: TestService
let browser: TestBrowser
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>
beforeAll(async () => {
  receiver = await startWebhookReceiver()
  service = await startService({
    atOwnAddress: true,
    env: { WEBHOOK_LOOPBACK: 'true' },
    webhookPost: createWebhookPost({}, { loopback: true }),
  })
  browser = await startBrowser(service)
})
afterAll(async () => {
  await browser.close()
  await service.close()
  await receiver.close()
})

test('an owner creates a webhook, tests it, sends again, rotates its secret and deletes it', async () => {
  const shop = await givenShop(service)
  const page = await browser.open({ cookie: shop.person.cookie, expectedStatuses: [400] })
  await page.goto(`/w/${shop.workspaceId}/webhooks`)
  await page.getByText('No webhooks yet').waitFor()
  await expectAccessibleInBothSchemes(page)

  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'New webhook' }).last().click()
  await dialog.getByLabel('URL').fill('http://shop.example/hook')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText(/^Give an https URL/).waitFor()
  await expectAccessibleInBothSchemes(page)
  await dialog.getByLabel('URL').fill(receiver.url('/hook'))
  await dialog.getByLabel('What it is for').fill('The warehouse')
  await dialog.getByLabel('A tag was deleted').check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Copy the secret now').waitFor()
  await expectAccessibleInBothSchemes(page)
  const secret = await page.getByLabel('Secret', { exact: true }).innerText()
  await page.getByRole('button', { name: 'Done' }).click()

  await page.getByRole('link', { name: receiver.url('/hook') }).click()
  await page.getByText('Nothing was sent in the last 30 days.').waitFor()
  const row = (name: string) =>
    page.getByRole('table', { name: 'Deliveries' }).getByRole('row', { name })
  const refresh = async () => {
    await service.app.webhooks.flush()
    await page.getByRole('button', { name: 'Refresh' }).click()
  }
  await page.getByRole('button', { name: 'Send a test' }).click()
  await row('webhook.test').waitFor()
  await refresh()
  await row('webhook.test').getByText('Delivered').waitFor()
  expect(isSignedBy(secret, receiver.at('/hook')[0]!)).toBe(true)
  await expectAccessibleInBothSchemes(page)

  await givenProduct(shop)
  await refresh()
  await row('product.changed').getByText('Delivered').waitFor()
  await row('product.changed').getByRole('button', { name: 'Send again: product.changed' }).click()
  const received = async () => {
    await service.app.webhooks.flush()
    return receiver.at('/hook').map(({ message }) => message.type)
  }
  await expect.poll(received).toEqual(['webhook.test', 'product.changed', 'product.changed'])

  await page.getByRole('button', { name: 'New secret' }).click()
  await dialog.getByRole('button', { name: 'New secret' }).click()
  const next = await page.getByLabel('Secret', { exact: true }).innerText()
  expect(next).toMatch(/^whsec_/)
  expect(next).not.toBe(secret)

  await page.getByRole('button', { name: 'Disable' }).click()
  await page.getByText('Nothing is sent.').waitFor()
  await page.getByRole('button', { name: 'Enable' }).click()
  await page.getByText('Active').waitFor()
  await page.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No webhooks yet').waitFor()
})
