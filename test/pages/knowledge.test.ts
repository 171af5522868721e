import { afterAll, beforeAll, expect, test } from 'vitest'
import { givenShop } from '../kit/catalogue.ts'
import { startService, type TestService } from '../kit/service.ts'
import {
  expectAccessibleInBothSchemes,
  expectFitsPhone,
  startBrowser,
  type TestBrowser,
} from './browser.ts'

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

test('an owner writes what the shop answers of itself, and is told what is refused', async () => {
  const shop = await givenShop(service)
  const page = await browser.open({ cookie: shop.person.cookie, expectedStatuses: [400] })
  const stored = async () =>
    (await shop.api.get(shop.at('shop-knowledge')).expect(200)).body as unknown
  await page.goto(`/w/${shop.workspaceId}/knowledge`)
  await page.getByText('No answers yet').waitFor()
  const entry = (number: number) => page.getByRole('region', { name: `Answer ${number}` })
  const save = page.getByRole('button', { name: 'Save' })

  await page.getByRole('button', { name: 'Add an answer' }).click()
  await entry(1).locator('input:focus').waitFor()
  await entry(1).getByLabel('Question').fill('Is shipping free?')
  await entry(1).getByLabel('Answer', { exact: true }).fill('Above 500 TL.')
  await page.getByRole('button', { name: 'Add an answer' }).click()
  await entry(2).getByLabel('Question').fill('Where is my parcel?')
  await entry(2).getByLabel('Answer', { exact: true }).fill('See https://parcels.example/track.')
  await expectAccessibleInBothSchemes(page)
  await expectFitsPhone(page)

  await save.click()
  await entry(2).getByText('Leave out “https://parcels.example/track').waitFor()
  expect(await stored()).toEqual({ entries: [] })
  await entry(2).getByLabel('Answer', { exact: true }).fill('We mail you its number.')
  await save.click()
  await page.getByText('Saved', { exact: true }).waitFor()
  const entries = [
    { question: 'Is shipping free?', answer: 'Above 500 TL.' },
    { question: 'Where is my parcel?', answer: 'We mail you its number.' },
  ]
  expect(await stored()).toEqual({ entries })

  await page.getByRole('button', { name: 'Remove answer 1' }).click()
  await save.click()
  await expect.poll(stored).toEqual({ entries: [entries[1]] })

  await page.goto(`/w/${shop.workspaceId}/activity?topic=knowledge`)
  await page.getByText('Is shipping free? Above 500 TL.').first().waitFor({ state: 'attached' })
})
