import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestService } from '../../kit/service.ts'
import { givenProduct, givenShop, type Shop } from '../../kit/catalogue.ts'
import {
  expectAccessibleInBothSchemes,
  type Page,
  phone,
  startPages,
  type TestBrowser,
} from '../browser.ts'

let service: TestService
let browser: TestBrowser
let shop: Shop
beforeAll(async () => {
  ;({ service, browser } = await startPages())
  shop = await givenShop(service)
})
afterAll(() => browser.close())

const templateOf = (page: Page) => page.getByRole('combobox', { name: 'Template', exact: true })

/** What a screen reader is told of the choice that Enter would take. */
async function active(page: Page): Promise<string | null> {
  const id = await page.locator(':focus').getAttribute('aria-activedescendant')
  return page.locator(`[id="${id}"]`).textContent()
}

describe('a list of choices', () => {
  test('is worked by the keys of a browser’s own list', async () => {
    const page = await browser.open({ cookie: shop.person.cookie })
    await page.goto(`/w/${shop.workspaceId}/website`)
    const template = templateOf(page)
    const list = page.getByRole('listbox', { name: 'Template' })
    await template.focus()
    await expect.poll(() => template.textContent()).toBe('Minimal')

    await page.keyboard.press('ArrowDown')
    await list.waitFor()
    expect(await template.getAttribute('aria-expanded')).toBe('true')
    expect(await list.getByRole('option').allInnerTexts()).toContain('Minimal')
    expect(await list.getByRole('option', { selected: true }).allInnerTexts()).toEqual(['Minimal'])
    expect(await active(page)).toBe('Minimal')
    await expectAccessibleInBothSchemes(page)
    await page.keyboard.press('End')
    const last = (await list.getByRole('option').allInnerTexts()).at(-1)
    expect(await active(page)).toBe(last)
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
    expect(await template.textContent()).toBe('Minimal')

    await page.keyboard.type('bea')
    expect(await active(page)).toBe('Beauty')
    await page.keyboard.press('Enter')
    await list.waitFor({ state: 'detached' })
    expect(await template.textContent()).toBe('Beauty')
    expect(await template.evaluate((button) => button.matches(':focus'))).toBe(true)

    await page.keyboard.press('Space')
    await page.keyboard.press('Home')
    const first = await active(page)
    await page.keyboard.press('Tab')
    await list.waitFor({ state: 'detached' })
    expect(await template.textContent()).toBe(first)
    expect(await template.evaluate((button) => button.matches(':focus'))).toBe(false)
  })

  test('keeps what is typed from the shortcuts of the page', async () => {
    // The list of a shop without products has no filters.
    await givenProduct(shop, { name: 'Balm' })
    const page = await browser.open({ cookie: shop.person.cookie })
    await page.goto(`/w/${shop.workspaceId}/products`)
    await page.getByRole('link', { name: 'Balm' }).waitFor()
    const stock = page.getByRole('combobox', { name: 'Stock' })
    await stock.focus()
    // Elsewhere on the page this key begins a new product.
    await page.keyboard.press('n')
    await page.getByRole('listbox', { name: 'Stock' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/w/${shop.workspaceId}/products`)
  })

  test('closes by Escape within a dialog that stays', async () => {
    const page = await browser.open({ cookie: shop.person.cookie })
    await page.goto(`/w/${shop.workspaceId}/members`)
    await page.getByRole('button', { name: 'Invite' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Role').click()
    await dialog.getByRole('option', { name: 'Billing' }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.getByRole('option').first().waitFor({ state: 'detached' })
    expect(await dialog.getByLabel('Role').textContent()).toBe('Staff')
  })

  test('has rows for a thumb on a phone, and stays within the window', async () => {
    const page = await browser.open({ cookie: shop.person.cookie, phone: true })
    await page.goto(`/w/${shop.workspaceId}/website`)
    await templateOf(page).click()
    const options = page.getByRole('option')
    await options.first().waitFor()
    const boxes = await Promise.all((await options.all()).map((option) => option.boundingBox()))
    for (const box of boxes) {
      expect(box!.height).toBeGreaterThanOrEqual(44)
      expect(box!.x).toBeGreaterThanOrEqual(0)
      expect(box!.x + box!.width).toBeLessThanOrEqual(phone.width)
    }
    await expectAccessibleInBothSchemes(page)
    await options.filter({ hasText: 'Boutique' }).click()
    expect(await templateOf(page).textContent()).toBe('Boutique')
  })
})
