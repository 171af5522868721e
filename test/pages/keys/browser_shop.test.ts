import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adjustCredits } from '../../../src/domain/credits/wallet.ts'
import { givenProduct, givenShop, type Shop } from '../../kit/catalogue.ts'
import { type TestService, unique } from '../../kit/service.ts'
import { expectAccessibleInBothSchemes, startPages, type TestBrowser } from '../browser.ts'

let service: TestService
let browser: TestBrowser
let shop: Shop
const servers: Server[] = []
beforeAll(async () => {
  ;({ service, browser } = await startPages())
  shop = await givenShop(service)
  const now = service.now()
  const move = { credits: 50, reason: 'For chats', reference: unique('call'), now }
  await service.db.transaction().execute((trx) => adjustCredits(trx, shop.workspaceId, move))
})
afterAll(async () => {
  await browser.close()
  for (const server of servers) await once(server.close(), 'close')
})

/** A host of files, with no backend: one page, at any path. */
async function givenHost(html: () => string): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end(html())
  })
  servers.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const root = join(import.meta.dirname, '..', '..', '..')
const guide = readFileSync(join(root, '.github', 'guides', 'browser_shop.md'), 'utf8')
const [, source = ''] = /```html\n([^]*?)```/.exec(guide) ?? []

/** The page of the guide, with what a reader puts into it. */
const shopPage = (api: string, workspaceId: string, key: string) =>
  source
    .replaceAll('VITRINE_URL', api)
    .replaceAll('WORKSPACE_ID', workspaceId)
    .replaceAll('PUBLISHABLE_KEY', key)

async function givenKey(origins: string[]): Promise<string> {
  const path = `/api/workspaces/${shop.workspaceId}/publishable-keys`
  const { body } = await service
    .dashboard(shop.person)
    .post(path)
    .send({ name: 'Pages', origins })
    .expect(201)
  return body.key as string
}

describe("the guide's page without a backend", () => {
  test('lists, chats as a guest, signs in and chats as a customer', async () => {
    await givenProduct(shop, { name: 'Rose balm', description: 'Rich care for dry skin.' })
    let key = ''
    const host = await givenHost(() => shopPage(service.urls.api, shop.workspaceId, key))
    key = await givenKey([host])
    const page = await browser.open({ origin: host, elsewhere: [host] })
    await page.goto('/')
    await page.getByText('Rose balm').waitFor()
    const ask = async (message: string) => {
      await page.locator('#chat input').fill(message)
      await page.getByRole('button', { name: 'Ask' }).click()
    }
    await ask('Is it for dry skin?')
    await page.locator('#answer', { hasText: 'Rich care for dry skin.' }).waitFor()
    const email = `${unique('customer')}@example.com`
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Send code' }).click()
    await page.getByText('A code is on its way.').waitFor()
    await page.locator('#code input').fill(await service.codeFor(email))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText(`Hello ${email}`).waitFor()
    await page.evaluate("document.getElementById('answer').textContent = ''")
    await ask('Is it for dry skin?')
    await page.locator('#answer', { hasText: 'Rich care for dry skin.' }).waitFor()
    expect(await page.locator('#failure').textContent()).toBe('')
  })

  test('is refused on another origin, and reads why', async () => {
    const key = await givenKey(['https://shop.example'])
    const host = await givenHost(() => shopPage(service.urls.api, shop.workspaceId, key))
    const page = await browser.open({ origin: host, elsewhere: [host], expectedStatuses: [403] })
    await page.goto('/')
    await page.getByText('origin_refused').waitFor()
  })
})

describe('the dashboard', () => {
  test('makes, shows and revokes publishable keys', async () => {
    const other = await givenShop(service)
    const page = await browser.open({ cookie: other.person.cookie, expectedStatuses: [400] })
    await page.goto('/integrations')
    const section = page.getByRole('region', { name: 'Publishable keys' })
    await section.getByText('No publishable keys yet.').waitFor()
    await section.getByRole('button', { name: 'New publishable key' }).click()
    const dialog = page.getByRole('dialog', { name: 'New publishable key' })
    await dialog.getByLabel('Name').fill('Shop pages')
    await dialog.getByLabel('Origins of your pages').fill('http://shop.example')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await dialog.getByText('An https origin').waitFor()
    await expectAccessibleInBothSchemes(page)
    await dialog
      .getByLabel('Origins of your pages')
      .fill('https://shop.example/\nhttps://www.shop.example')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await section.getByText('https://shop.example, https://www.shop.example').waitFor()
    await section.getByText(/^wspk_dev_/).waitFor()
    await expectAccessibleInBothSchemes(page)
    await section.getByRole('button', { name: 'Revoke Shop pages' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await section.getByText('Revoked').waitFor()
  })
})
