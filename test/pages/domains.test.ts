import { afterAll, beforeAll, expect, test } from 'vitest'
import { givenShop } from '../kit/catalogue.ts'
import { type NameServer, startNameServer } from '../kit/peers/name_server.ts'
import { startService, type TestService, unique } from '../kit/service.ts'
import { expectAccessibleInBothSchemes, startBrowser, type TestBrowser } from './browser.ts'

let names: NameServer
let service: TestService
let browser: TestBrowser
beforeAll(async () => {
  names = await startNameServer()
  service = await startService({ atOwnAddress: true, env: { DNS_SERVERS: names.address } })
  browser = await startBrowser(service)
})
afterAll(async () => {
  await browser.close()
  await service.close()
  await names.close()
})

test('an owner adds a domain, verifies it, makes it the main address and removes it', async () => {
  const shop = await givenShop(service)
  const page = await browser.open({ cookie: shop.person.cookie, expectedStatuses: [400] })
  await page.goto(`/w/${shop.workspaceId}/website`)
  const card = page.getByRole('region', { name: 'Own domains' })
  await card.getByText('No domains yet.').waitFor()

  const dialog = page.getByRole('dialog')
  await card.getByRole('button', { name: 'Add a domain' }).click()
  await dialog.getByLabel('Domain').fill('127.0.0.1')
  await dialog.getByRole('button', { name: 'Add a domain' }).click()
  await dialog.getByText('Give a public host name').waitFor()
  await expectAccessibleInBothSchemes(page)
  const name = `${unique('www')}.example.org`
  await dialog.getByLabel('Domain').fill(name)
  await dialog.getByRole('button', { name: 'Add a domain' }).click()

  const row = card.getByRole('region', { name })
  await row.getByText('Not verified').waitFor()
  await row.getByText(`_vitrine.${name}`).waitFor()
  await expectAccessibleInBothSchemes(page)
  await row.getByRole('button', { name: 'Verify' }).click()
  await row.getByText('There is no such TXT record yet.').waitFor()
  const value = await row.getByText('vitrine-domain=').innerText()
  names.records.set(`_vitrine.${name}`, [value])
  await row.getByRole('button', { name: 'Verify' }).click()
  await row.getByText('Verified', { exact: true }).waitFor()
  await row.getByRole('button', { name: 'Make main address' }).click()
  await row.getByText('Main address', { exact: true }).waitFor()
  await expectAccessibleInBothSchemes(page)

  await row.getByRole('button', { name: `Remove ${name}` }).click()
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await card.getByText('No domains yet.').waitFor()
  const { body } = await shop.api.get(shop.at('domains')).expect(200)
  expect(body).toEqual({ isNameApproved: true, domains: [] })
})
