import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { givenProduct } from '../../kit/catalogue.ts'
import type { TestService } from '../../kit/service.ts'
import {
  choose,
  expectAccessible,
  type Page,
  phone,
  startPages,
  type TestBrowser,
} from '../browser.ts'
import { type FilledShop, givenFilledShop } from './every_page.ts'

let service: TestService
let browser: TestBrowser
let shop: FilledShop
beforeAll(async () => {
  ;({ service, browser } = await startPages())
  shop = await givenFilledShop(service)
})
afterAll(() => browser.close())

const topOf = async (page: Page, selector: string) =>
  (await page.locator(selector).first().boundingBox())!.y

describe('on a phone', () => {
  test('the list of products begins in the upper third, and its filters open by one button', async () => {
    await givenProduct(shop, { name: 'Tonic', stock: 0 })
    const page = await browser.open({ cookie: shop.person.cookie, phone: true })
    await page.goto(shop.addressOf('products'))
    await page.getByText('Rose balm').waitFor()
    expect(await topOf(page, 'tbody tr')).toBeLessThan(260)
    await page.getByRole('button', { name: 'Filters' }).click()
    await choose(page.getByLabel('Stock'), 'Without stock')
    await page.getByText('Rose balm').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Filters 1' }).click()
    await page.getByRole('button', { name: 'Without stock: remove this filter' }).click()
    await page.getByText('Rose balm').waitFor()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('link', { name: 'Export as CSV' }).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    expect(await page.getByRole('link', { name: 'Export as CSV' }).isVisible()).toBe(false)
  })

  test('an activity begins with what it was about, in full', async () => {
    const page = await browser.open({ cookie: shop.person.cookie, phone: true })
    await page.goto(shop.addressOf('activity'))
    const name = page.getByRole('link', { name: 'Rose balm' }).first()
    await name.waitFor()
    const line = page.locator('.activity', { has: name })
    const [whole, words, time] = await Promise.all([
      line.boundingBox(),
      name.boundingBox(),
      line.locator('.activity-by').first().boundingBox(),
    ])
    expect(words!.x).toBe(whole!.x)
    expect(time!.y).toBeGreaterThan(words!.y + words!.height - 1)
  })

  test('the pictures of a product come before its texts', async () => {
    const page = await browser.open({ cookie: shop.person.cookie, phone: true })
    await page.goto(shop.addressOf('products/new'))
    await page.getByLabel('Name').waitFor()
    const zone = await topOf(page, '.drop-zone')
    expect(zone).toBeLessThan(await topOf(page, 'input[name=name]'))
    expect(zone).toBeLessThan(phone.height / 2)
  })

  test('the menu shows by a shade that it goes on, up to the way out', async () => {
    const page = await browser.open({ cookie: shop.person.cookie, phone: true, scheme: 'dark' })
    await page.goto(shop.addressOf('home'))
    await page.getByRole('button', { name: 'Menu' }).click()
    await expectAccessible(page, { menu: true })
    const menu = page.locator('.sidebar')
    expect((await menu.boundingBox())!.height).toBe(phone.height)
    const clip = { x: 4, y: phone.height - 2, width: 1, height: 1 }
    const atFirst = await page.screenshot({ clip })
    await menu.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    const way = (await page.getByRole('button', { name: 'Sign out' }).boundingBox())!
    expect(way.y + way.height).toBeLessThan(phone.height)
    expect((await page.screenshot({ clip })).equals(atFirst)).toBe(false)
  })
})
