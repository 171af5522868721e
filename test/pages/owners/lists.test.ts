import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordUnanswered } from '../../../src/queries/assistant/unanswered_questions.ts'
import { givenProduct, givenShop, type Shop } from '../../kit/catalogue.ts'
import type { TestService } from '../../kit/service.ts'
import { write } from '../../kit/wallets.ts'
import { choose, expectAccessible, holdRequests, startPages, type TestBrowser } from '../browser.ts'

let service: TestService
let browser: TestBrowser
let shop: Shop
let productId: string
beforeAll(async () => {
  ;({ service, browser } = await startPages())
  shop = await givenShop(service)
  await givenProduct(shop, { name: 'Tonic', stock: 3 })
  productId = (await givenProduct(shop, { name: 'Rose balm', stock: 0 })).id
})
afterAll(() => browser.close())

test('a list is searched and walked through by keys, and its filters are kept under a name', async () => {
  const page = await browser.open({ cookie: shop.person.cookie })
  await page.goto(`/w/${shop.workspaceId}/products`)
  await page.getByRole('link', { name: 'Rose balm' }).waitFor()
  await page.keyboard.press('j')
  await page.locator('a:focus', { hasText: 'Rose balm' }).waitFor()
  await page.keyboard.press('j')
  await page.locator('a:focus', { hasText: 'Tonic' }).waitFor()
  await page.keyboard.press('k')
  await page.locator('a:focus', { hasText: 'Rose balm' }).waitFor()
  await page.keyboard.press('/')
  await page.locator('input[type=search]:focus').waitFor()

  await choose(page.getByLabel('Stock'), 'Without stock')
  await page.getByRole('link', { name: 'Tonic' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Save this view' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('To order')
  await page.keyboard.press('Enter')
  await page.goto(`/w/${shop.workspaceId}/products`)
  await page.getByRole('link', { name: 'Tonic' }).waitFor()
  await page.getByRole('button', { name: 'To order', exact: true }).click()
  await page.getByRole('link', { name: 'Tonic' }).waitFor({ state: 'detached' })
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Remove the view To order' }).click()
  expect(await page.getByRole('button', { name: 'To order', exact: true }).count()).toBe(0)
})

test('a search in vain keeps its box while it is cleared, and an empty list has none', async () => {
  const page = await browser.open({ cookie: shop.person.cookie })
  await page.goto(`/w/${shop.workspaceId}/collections`)
  await page.getByRole('heading', { name: 'No collections yet' }).waitFor()
  expect(await page.getByRole('searchbox').count()).toBe(0)
  await page.goto(`/w/${shop.workspaceId}/products`)
  await page.getByRole('searchbox').fill('nothing like this')
  await page.getByRole('heading', { name: 'No results' }).waitFor()
  const answer = await holdRequests(page, '**/products?**', 'GET')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.locator('.loaded[aria-busy=true]').waitFor()
  // The catalogue is not empty, whatever the answer to the old search says.
  await page.getByRole('heading', { name: 'No results' }).waitFor()
  answer()
  await page.getByRole('link', { name: 'Tonic' }).waitFor()
  await page.locator('input[type=search]:focus').waitFor()
})

test('the bell says what waits, leads there, and sends the same by mail', async () => {
  const asked = {
    workspaceId: shop.workspaceId,
    productId,
    message: 'Is it vegan?',
    customerId: null,
  }
  await write(service, (trx) => recordUnanswered(trx, asked, service.now()))
  const page = await browser.open({ cookie: shop.person.cookie })
  await page.goto(`/w/${shop.workspaceId}/tags`)
  await page.getByRole('button', { name: 'Notices: one thing waits' }).click()
  await page.getByRole('link', { name: 'Visitors read that one product is sold out' }).waitFor()
  await expectAccessible(page)
  await choose(page.getByLabel('The same by mail'), 'Every week')
  await page.getByText('You get a mail every week').waitFor()
  await page.getByRole('link', { name: 'One question waits for an answer' }).click()
  await page.getByText('Is it vegan?').waitFor()
  expect(
    await page.getByRole('link', { name: 'Visitors read that one product is sold out' }).count(),
  ).toBe(0)
})
