import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { editable, givenProduct, givenShop } from '../kit/catalogue.ts'
import { type TestService, unique } from '../kit/service.ts'
import { givenOpenShop } from '../site/window/shop_pages.ts'
import {
  choose,
  countActions,
  desktop,
  expectAccessibleInBothSchemes,
  expectFitsPhone,
  phone,
  startPages,
  type TestBrowser,
} from './browser.ts'

let service: TestService
let browser: TestBrowser
beforeAll(async () => {
  ;({ service, browser } = await startPages())
})
afterAll(() => browser.close())

describe('the home page', () => {
  test('leads a new owner to a shop with products, a collection, texts and a key', async () => {
    const email = `${unique('owner')}@example.com`
    const page = await browser.open()
    const { act, count } = countActions()
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const step = async (name: string) => {
      await act(page.getByRole('link', { name: 'Home', exact: true }).click())
      await act(page.getByRole('link', { name }).click())
    }
    await page.goto('/')
    await act(page.getByLabel('Email address').fill(email))
    await act(page.keyboard.press('Enter'))
    await page.getByLabel('Code').waitFor()
    await act(page.getByLabel('Code').fill(await service.codeFor(email)))
    await act(page.getByLabel('Name').fill('Rose Garden'))
    await act(button('Create workspace').click())
    await page.getByText('0 of 6 done').waitFor()
    await expectAccessibleInBothSchemes(page)

    for (const name of ['Balm', 'Soap', 'Tonic']) {
      await step('Add your first product')
      await act(page.getByLabel('Name').fill(name))
      if (name === 'Balm') await act(page.getByLabel('Brand').fill('Ana'))
      await act(button('Save').click())
      await page.getByRole('heading', { name, level: 1 }).waitFor()
    }
    await step('Group products in a collection')
    await act(page.getByLabel('Name').fill('Gifts'))
    await act(button('Add products').click())
    for (const name of ['Balm', 'Soap', 'Tonic']) await act(button(`Add ${name}`).click())
    await page.getByRole('button', { name: 'Tonic is in the collection' }).waitFor()
    await act(button('Close').click())
    await act(button('Save').click())
    await page.getByRole('heading', { name: 'Gifts', level: 1 }).waitFor()
    await step('Write your website’s texts')
    await act(page.getByLabel('Headline').fill('Roses'))
    await act(button('Save').click())
    await page.getByText('Saved', { exact: true }).waitFor()
    await step('Create a key or connect an agent')
    await act(button('Create key').click())
    await page.getByRole('heading', { name: 'Copy your key now' }).waitFor()
    expect(count()).toBeLessThanOrEqual(40)

    await page.getByRole('link', { name: 'Home', exact: true }).click()
    await page.getByText('4 of 6 done').waitFor()
    await page.getByRole('link', { name: 'Write your website’s texts (done)' }).waitFor()
    expect(await page.locator('.first-steps .done').count()).toBe(4)
    await page.getByRole('heading', { name: 'Changed lately' }).waitFor()
  })
})

describe('the address of a shop', () => {
  test('stands on its owner’s home page, beside the way there', async () => {
    const shop = await givenOpenShop(service)
    const page = await browser.open({ cookie: shop.person.cookie, elsewhere: [shop.url] })
    await page.goto(`/w/${shop.workspaceId}/home`)
    const head = page.locator('.page-head')
    await head.getByText(shop.url, { exact: true }).waitFor()
    await expectAccessibleInBothSchemes(page)
    await expectFitsPhone(page)
    const opened = page.waitForEvent('popup')
    await head.getByRole('link', { name: 'Visit the shop' }).click()
    const visited = await opened
    await visited.waitForURL(`${shop.url}/`)
    await visited.close()
  })
})

describe('the activity of a workspace', () => {
  test('is found from the page of a product, with what was before and after', async () => {
    const shop = await givenShop(service)
    const product = await givenProduct(shop, { name: 'Balm', stock: 3 })
    await givenProduct(shop, { name: 'Soap' })
    await shop.api
      .put(shop.at(`products/${product.id}`))
      .send({ ...editable(product), stock: 0, status: 'INACTIVE' })
      .expect(200)
    const page = await browser.open({ cookie: shop.person.cookie })
    await page.goto(`/w/${shop.workspaceId}/products/${product.id}`)
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByText('1–2 of 2').waitFor()
    await page.locator('summary', { hasText: 'Stock, Status' }).click()
    await page.getByText('3 → 0').waitFor()
    await page.getByText('Active → Inactive').waitFor()
    await expectAccessibleInBothSchemes(page)
    await page.getByRole('button', { name: 'Show everything' }).click()
    await page.getByText('1–3 of 3').waitFor()
    await choose(page.getByLabel('By anybody'), 'By owners')
    await page.getByRole('heading', { name: 'No results' }).waitFor()
  })
})

describe('finding anything', () => {
  test('leads to things, pages and actions by the keyboard alone, and shows its keys', async () => {
    const shop = await givenShop(service)
    const { id } = await givenProduct(shop, { name: 'Night cream' })
    const page = await browser.open({ cookie: shop.person.cookie })
    await page.goto(`/w/${shop.workspaceId}/tags`)
    await page.getByText('No tags yet').waitFor()
    await page.keyboard.press('Control+k')
    const dialog = page.getByRole('dialog', { name: 'Find anything' })
    await dialog.getByRole('combobox').fill('night')
    await dialog.getByRole('option', { name: 'Night cream' }).waitFor()
    expect(await dialog.getByText('stock').count()).toBe(0)
    await expectAccessibleInBothSchemes(page)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Night cream', level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/w/${shop.workspaceId}/products/${id}`)

    // The menu is closed there, and must not hide the dialog.
    await page.setViewportSize(phone)
    await page.keyboard.press('Control+k')
    await dialog.getByRole('combobox').waitFor()
    await page.keyboard.press('Escape')
    await page.setViewportSize(desktop)
    await page.keyboard.press('Control+k')
    await dialog.getByRole('combobox').fill('invite')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('n')
    await page.getByRole('heading', { name: 'New product', level: 1 }).waitFor()
  })
})
