import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { givenProduct } from '../../kit/catalogue.ts'
import type { TestService } from '../../kit/service.ts'
import { givenOpenShop, type OpenShop } from '../../site/window/shop_pages.ts'
import { type Page, startPages, type TestBrowser } from '../browser.ts'

let service: TestService
let browser: TestBrowser
let shop: OpenShop
let product: string
beforeAll(async () => {
  ;({ service, browser } = await startPages())
  shop = await givenOpenShop(service)
  await shop.design({ templateKey: 'boutique' })
  product = `/p/${(await givenProduct(shop, { name: 'Gül yağı' })).slug}`
})
afterAll(() => browser.close())

const [paper, night] = ['#fbf8f4', '#16120f']

const openShop = (options: Parameters<TestBrowser['open']>[0] = {}) =>
  browser.open({ origin: shop.url, elsewhere: [shop.url], ...options })

/** Whether the browser draws scrollbars and fields light or dark. */
const ownThingsIn = (page: Page) =>
  page.evaluate<string>('getComputedStyle(document.documentElement).colorScheme')

const paperOf = (page: Page) =>
  page.evaluate<string>(`getComputedStyle(document.documentElement).getPropertyValue('--paper')`)

const choiceIn = (page: Page) => page.getByRole('combobox', { name: 'Appearance' })

/** Notes the paper of the page when the first of what can be seen is there. */
const noteFirstPaper = `new MutationObserver((_, observer) => {
  if (!document.body) return
  observer.disconnect()
  window.first = getComputedStyle(document.documentElement).getPropertyValue('--paper')
}).observe(document, { childList: true, subtree: true })`

describe('the appearance that a visitor chooses', () => {
  test('is that of every page from its first moment, whatever the system says', async () => {
    for (const [system, choice, chosen] of [
      ['light', 'Dark', night],
      ['dark', 'Light', paper],
    ] as const) {
      const page = await openShop({ scheme: system })
      await page.addInitScript(noteFirstPaper)
      await page.goto('/')
      const usual = await paperOf(page)
      expect(usual).not.toBe(chosen)
      await choiceIn(page).selectOption(choice)
      expect(await paperOf(page)).toBe(chosen)
      for (const path of [product, '/products', '/account', '/sign-in', '/']) {
        await page.goto(path)
        expect([path, await page.evaluate('first')]).toEqual([path, chosen])
        expect(await ownThingsIn(page)).toBe(choice.toLowerCase())
        expect(await choiceIn(page).inputValue()).toBe(choice)
      }
      await choiceIn(page).selectOption('System')
      expect(await paperOf(page)).toBe(usual)
      await page.reload()
      expect(await page.evaluate('first')).toBe(usual)
      expect(await page.context().cookies()).toEqual([])
    }
  })

  test('is followed by other tabs and pages that are gone back to, and is this shop’s alone', async () => {
    const page = await openShop({ scheme: 'light' })
    await page.goto('/')
    const other = await page.context().newPage()
    await other.goto('/about')
    await choiceIn(other).selectOption('Dark')
    await expect.poll(() => paperOf(page), { timeout: 60_000 }).toBe(night)
    expect(await choiceIn(page).inputValue()).toBe('Dark')
    const neighbour = await givenOpenShop(service)
    await neighbour.design({ templateKey: 'boutique' })
    await other.goto(neighbour.url)
    expect(await paperOf(other)).toBe(paper)
    await other.goBack()
    expect(await paperOf(other)).toBe(night)
    await page.context().close()
  })

  test('is chosen with the keyboard, and not printed', async () => {
    const page = await openShop({ scheme: 'light' })
    await page.goto('/about')
    await page.getByRole('link', { name: 'Report this shop' }).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.type('D')
    await expect.poll(() => paperOf(page), { timeout: 60_000 }).toBe(night)
    await page.emulateMedia({ media: 'print' })
    expect(await paperOf(page)).toBe(paper)
    await page.emulateMedia({ media: null })
  })

  test('is asked for in the shop’s language', async () => {
    await shop.design({ language: 'tr' })
    const page = await openShop()
    await page.goto('/about')
    const choice = page.getByRole('combobox', { name: 'Görünüm' })
    expect(await choice.locator('option').allTextContents()).toEqual(['Sistem', 'Açık', 'Koyu'])
    await shop.design({ language: 'en' })
  })

  test('is not asked for where there is no script to remember it', async () => {
    const page = await openShop({ script: false, scheme: 'dark' })
    await page.goto('/about')
    expect(await choiceIn(page).count()).toBe(0)
    await page.getByRole('link', { name: 'Report this shop' }).waitFor()
    await page.context().close()
  })

  test('lasts as long as the page in a browser that refuses its storage', async () => {
    const page = await openShop({ scheme: 'light' })
    await page.addInitScript(`Object.defineProperty(window, 'localStorage', {
      get() { throw new DOMException('Refused', 'SecurityError') },
    })`)
    await page.goto('/about')
    await choiceIn(page).selectOption('Dark')
    expect(await paperOf(page)).toBe(night)
    await page.reload()
    expect(await paperOf(page)).toBe(paper)
    await page.context().close()
  })
})
