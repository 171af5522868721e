import { afterAll, beforeAll, expect, test } from 'vitest'
import { givenShop } from '../kit/catalogue.ts'
import { startService, type TestService } from '../kit/service.ts'
import { expectAccessibleInBothSchemes, startBrowser, type TestBrowser } from './browser.ts'

let service: TestService
let browser: TestBrowser
beforeAll(async () => {
  service = await startService({ atOwnAddress: true })
  browser = await startBrowser(service)
})
afterAll(async () => {
  await browser.close()
  await service.close()
})

test('an owner writes groups of words that mean the same, and is told what is missing', async () => {
  const shop = await givenShop(service)
  const page = await browser.open({ cookie: shop.person.cookie, expectedStatuses: [400] })
  const stored = async () => (await shop.api.get(shop.at('synonyms')).expect(200)).body as unknown
  await page.goto(`/w/${shop.workspaceId}/ai`)
  const card = page.getByRole('region', { name: 'Synonyms' })
  const save = page.getByRole('button', { name: 'Save' })
  await card.getByRole('button', { name: 'Add a group' }).click()
  await card.getByLabel('Group 1', { exact: true }).fill('lotion, emulsion')
  await card.getByRole('button', { name: 'Add a group' }).click()
  await card.getByLabel('Group 2', { exact: true }).fill('alone')
  await expectAccessibleInBothSchemes(page)

  await save.click()
  await card.getByText('At least 2 items.').waitFor()
  expect(await stored()).toEqual({ groups: [] })
  await card.getByLabel('Group 2', { exact: true }).fill('alone; by itself')
  await save.click()
  await page.getByText('Saved', { exact: true }).waitFor()
  const groups = [{ words: ['lotion', 'emulsion'] }, { words: ['alone', 'by itself'] }]
  expect(await stored()).toEqual({ groups })

  await card.getByRole('button', { name: 'Remove group 1' }).click()
  await save.click()
  await expect.poll(stored).toEqual({ groups: [groups[1]] })
  await page.reload()
  await card.getByLabel('Group 1', { exact: true }).waitFor()
  expect(await card.getByLabel('Group 1', { exact: true }).inputValue()).toBe('alone, by itself')
})
