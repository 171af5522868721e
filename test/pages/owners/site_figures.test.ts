import { afterAll, beforeAll, expect, test } from 'vitest'
import { givenProduct } from '../../kit/catalogue.ts'
import type { TestService } from '../../kit/service.ts'
import { givenOpenShop, type OpenShop } from '../../site/window/shop_pages.ts'
import {
  expectAccessibleInBothSchemes,
  expectFitsPhone,
  expectStatus,
  startPages,
  type TestBrowser,
} from '../browser.ts'

let service: TestService
let browser: TestBrowser
let shop: OpenShop
beforeAll(async () => {
  ;({ service, browser } = await startPages())
  shop = await givenOpenShop(service)
  const sales = [{ name: 'Market', link: 'https://market.example/balm' }]
  const { slug } = await givenProduct(shop, { name: 'Rose balm', sales })
  await shop.visit('/', { Referer: 'https://search.example/' })
  for (const agent of ['A', 'B']) await shop.visit(`/p/${slug}`, { 'User-Agent': agent })
  for (const words of ['lavender', 'lavender', 'sandal']) await shop.visit(`/search?q=${words}`)
  await shop.visit(`/out/${slug}/0`)
  const reader = { workspaceId: shop.workspaceId, address: '192.0.2.1', userAgent: 'C' }
  service.app.figures.noteAnswer(reader)
  service.app.figures.note(reader, [['click', slug]])
  await service.app.figures.flush()
})
afterAll(() => browser.close())

const open = () => browser.open({ cookie: shop.person.cookie })

test('an owner sees on Home what visitors searched for in vain', async () => {
  const page = await open()
  await page.goto(`/w/${shop.workspaceId}/home`)
  const missed = page.getByRole('region', { name: 'Searched for and not found' })
  await missed.getByText('lavender').waitFor()
  expect(
    (await missed.getByRole('listitem').allInnerTexts()).map((text) => text.split(/\s+/)),
  ).toEqual([
    ['lavender', '2'],
    ['sandal', '1'],
  ])
  const week = page.getByRole('region', { name: 'The last seven days' })
  expect(
    await week.locator('dl > div').filter({ hasText: 'Product views' }).locator('b').innerText(),
  ).toBe('2')
  const clicks = week.locator('dl > div').filter({ hasText: 'Clicks to shops' })
  expect(await clicks.locator('b').innerText()).toBe('2')
  await clicks.getByText('One after an answer of the assistant').waitFor()
  await expectAccessibleInBothSchemes(page)
  await expectFitsPhone(page)
  await page.context().close()
})

test("an owner takes over this device's time zone, and changes it in the profile", async () => {
  const speak = (language: string) => {
    const profile = { name: 'Elif', phone: null, language }
    return service.dashboard(shop.person).put('/api/account').send(profile).expect(200)
  }
  const page = await browser.open({ cookie: shop.person.cookie, timeZone: 'Europe/Istanbul' })
  const at = `/w/${shop.workspaceId}`
  await page.goto(`${at}/home`)
  await page.getByText('Days are counted in UTC.').waitFor()
  await page.getByRole('button', { name: 'Count the days of Europe/Istanbul' }).click()
  await page.getByText('Days are those of Europe/Istanbul.').waitFor()
  await speak('tr')
  await page.goto(`${at}/usage`)
  await page.getByText('Günler Europe/Istanbul saatine göre sayılır.').waitFor()
  await speak('en')
  await page.goto(`${at}/profile`)
  await page.getByRole('button', { name: 'Time zone of the shop' }).click()
  await page.getByRole('combobox', { name: 'Time zone of the shop' }).fill('kolkata')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Save' }).click()
  await expectStatus(page, 'Saved')
  await expectAccessibleInBothSchemes(page)
  await page.goto(`${at}/usage`)
  await page.getByText('Days are those of Asia/Kolkata.').waitFor()
  await page.context().close()
})

test('an owner sees in Usage what was read, from where and where people went', async () => {
  const page = await open()
  await page.goto(`/w/${shop.workspaceId}/usage`)
  for (const [list, name] of [
    ['Most read', 'Rose balm'],
    ['Most read', 'Home page'],
    ['Came from', 'search.example'],
    ['Searched in vain', 'lavender'],
    ['Went on to', 'market.example'],
  ] as const)
    await page.getByRole('region', { name: list, exact: true }).getByText(name).waitFor()
  await expectAccessibleInBothSchemes(page)
  await expectFitsPhone(page)
  await page.context().close()
})

test('an owner sets what visitors may spend on a day', async () => {
  const page = await open()
  await page.goto(`/w/${shop.workspaceId}/wallet`)
  const budget = page.getByRole('region', { name: 'Daily budget of your shop' })
  const field = budget.getByLabel('Credits that visitors may use on a day')
  expect(await field.inputValue()).toBe('500')
  await field.fill('40')
  await page.getByRole('button', { name: 'Save' }).click()
  await expectStatus(page, 'Saved')
  await page.reload()
  expect(await field.inputValue()).toBe('40')
  await expectAccessibleInBothSchemes(page)
  await page.context().close()
})
