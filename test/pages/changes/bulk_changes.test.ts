import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { components } from '../../../src/generated/types.ts'
import {
  givenCollection,
  givenProduct,
  givenShop,
  givenTag,
  type Product,
  productBody,
  type Shop,
} from '../../kit/catalogue.ts'
import type { TestService } from '../../kit/service.ts'
import {
  expectAccessibleInBothSchemes,
  expectFitsPhone,
  holdRequests,
  type Page,
  startPages,
  type TestBrowser,
} from '../browser.ts'

type Schemas = components['schemas']

let service: TestService
let browser: TestBrowser
let shop: Shop
beforeAll(async () => {
  ;({ service, browser } = await startPages())
})
afterAll(() => browser.close())
beforeEach(async () => {
  shop = await givenShop(service)
})

async function open(path: string, expectedStatuses: number[] = []) {
  const page = await browser.open({ cookie: shop.person.cookie, expectedStatuses })
  await page.goto(`/w/${shop.workspaceId}/${path}`)
  return page
}

const read = async <T>(path: string) => (await shop.api.get(shop.at(path)).expect(200)).body as T
const productOf = (id: string) => read<Product>(`products/${id}`)
const setsOf = async () => (await read<Schemas['ChangeSetList']>('change-sets')).changeSets
const actions = (page: Page) => page.getByRole('group', { name: 'Actions' })
const lastChange = (page: Page) => page.getByRole('group', { name: 'Last change' })
const setsAddress = '**/change-sets'

describe('a change of many products', () => {
  test('goes on after a reload before its plan was answered, and is made once', async () => {
    const { id } = await givenProduct(shop, { name: 'Balm' })
    const page = await open('products')
    await page.getByLabel('Select Balm').check()
    let answered = () => {}
    const isMade = new Promise<void>((resolve) => (answered = resolve))
    // The service makes the set, and the page never hears of it.
    await page.route(
      setsAddress,
      async (route) => {
        await route.fetch()
        answered()
      },
      { times: 1 },
    )
    await page.getByRole('button', { name: 'Set Inactive' }).click()
    await page.getByText('Starting …').waitFor()
    await isMade
    await page.reload()
    await lastChange(page).getByText('One product changed').waitFor()
    expect(await productOf(id)).toMatchObject({ status: 'INACTIVE' })
    expect(await setsOf()).toMatchObject([{ title: 'Set Inactive', state: 'APPLIED' }])
  })

  test('goes on after a reload while it was being applied', async () => {
    const { id } = await givenProduct(shop, { name: 'Balm' })
    const page = await open('products', [409])
    await page.getByLabel('Select Balm').check()
    // The page before the reload applies the set just before the one after it does.
    await page.route('**/apply', async (route) => {
      await route.fetch()
      await route.continue()
    })
    await page.getByRole('button', { name: 'Set Inactive' }).click()
    await lastChange(page).getByText('One product changed').waitFor()
    expect(await productOf(id)).toMatchObject({ status: 'INACTIVE' })
  })

  test('tells its outcome on another page', async () => {
    await givenProduct(shop, { name: 'Balm' })
    const page = await open('products')
    await page.getByLabel('Select Balm').check()
    const release = await holdRequests(page, '**/apply', 'POST')
    await page.getByRole('button', { name: 'Set Inactive' }).click()
    await page.getByRole('link', { name: 'Tags', exact: true }).click()
    await page.getByText('No tags yet').waitFor()
    release()
    await page.getByRole('status').getByText('One product changed').waitFor()
  })

  test('of over 1,000 runs in the background, over a reload and on other pages', async () => {
    const rows = Array.from({ length: 1000 }, () => ({ action: 'create', data: productBody() }))
    const { body } = await shop.api.post(shop.at('change-sets')).send({ rows }).expect(200)
    const { id } = body as Schemas['ChangeSet']
    await shop.api.post(shop.at(`change-sets/${id}/apply`)).expect(200)
    await givenProduct(shop)
    const page = await open('products')
    await page.getByLabel('Select all on this page').check()
    await page.getByRole('button', { name: 'Select all 1,001 that match' }).click()
    await page.getByRole('button', { name: 'Set Inactive' }).click()
    await page.getByText('Set Inactive: 1,001 products?').waitFor()
    const release = await holdRequests(page, '**/apply', 'POST')
    await page.getByRole('button', { name: 'Change them' }).click()
    await expect.poll(async () => (await setsOf()).map(({ state }) => state)).toContain('PLANNED')
    await page.reload()
    release()
    await page.getByRole('link', { name: 'Tags', exact: true }).click()
    await page.getByText('No tags yet').waitFor()
    await page.getByRole('link', { name: 'Products', exact: true }).click()
    await lastChange(page).getByText('1,001 products changed').waitFor()
    await page.getByText('0 active, 1,001 inactive, 0 without stock.').waitFor()
    await lastChange(page).getByRole('button', { name: 'Undo' }).click()
    await lastChange(page).getByText('The change was undone.').waitFor()
    await page.getByText('1,001 active, 0 inactive, 0 without stock.').waitFor()
  })

  test('names what stays as it was, and changes the rest', async () => {
    await givenProduct(shop, { name: 'Rose', sku: 'R-1' })
    const twin = { name: 'Rose', sku: 'R-2', status: 'DELETED' as const }
    await givenProduct(shop, twin)
    const lily = await givenProduct(shop, { name: 'Lily', status: 'DELETED' })
    const page = await open('products?status=DELETED')
    await page.getByLabel('Select all on this page').check()
    await expectAccessibleInBothSchemes(page)
    await actions(page).getByRole('button', { name: 'Restore' }).click()
    await lastChange(page).getByText('One product changed').waitFor()
    await lastChange(page).getByText('One product stays as it was:').waitFor()
    await lastChange(page).getByText('Rose: Another product has this name.').waitFor()
    await expectAccessibleInBothSchemes(page)
    await expectFitsPhone(page)
    expect(await productOf(lily.id)).toMatchObject({ status: 'ACTIVE' })
    await page.getByRole('button', { name: 'Restore Rose' }).click()
    await lastChange(page).getByText('No product could be changed.').waitFor()
    await lastChange(page).getByRole('button', { name: 'Dismiss' }).click()
    await lastChange(page).waitFor({ state: 'detached' })
  })

  test('deletes for good after a question, and brings everything back', async () => {
    const collection = await givenCollection(shop, { name: 'Gifts' })
    const product = await givenProduct(shop, { name: 'Balm', status: 'DELETED' })
    await shop.api.post(shop.at(`collections/${collection.id}/products/${product.id}`)).expect(200)
    const before = await productOf(product.id)
    const page = await open('products?status=DELETED')
    await page.getByLabel('Select Balm').check()
    await actions(page).getByRole('button', { name: 'Delete for good' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete for good: one product?' })
    await dialog.getByRole('button', { name: 'Delete for good' }).click()
    await lastChange(page).getByText('One product deleted').waitFor()
    await shop.api.get(shop.at(`products/${product.id}`)).expect(404)
    await lastChange(page).getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'Balm' }).waitFor()
    expect(await productOf(product.id)).toEqual(before)
    expect(await read(`collections/${collection.id}`)).toMatchObject({ productIds: [product.id] })
  })

  test('adds to a collection and takes out of it', async () => {
    const collection = await givenCollection(shop, { name: 'Gifts' })
    const { id } = await givenProduct(shop, { name: 'Balm' })
    const members = async () =>
      (await read<Schemas['Collection']>(`collections/${collection.id}`)).productIds
    const page = await open('products')
    await page.getByLabel('Select Balm').check()
    await page.getByRole('button', { name: 'Collections …' }).click()
    await page.getByRole('option', { name: 'Add to Gifts' }).click()
    await lastChange(page).getByText('One product changed').waitFor()
    expect(await members()).toEqual([id])
    await page.getByLabel('Select Balm').check()
    await page.getByRole('button', { name: 'Collections …' }).click()
    await page.getByRole('option', { name: 'Remove from Gifts' }).click()
    await expect.poll(members).toEqual([])
  })

  test('is chosen by keys without being made on the way', async () => {
    const winter = await givenTag(shop, 'Winter')
    await givenTag(shop, 'Summer')
    const { id } = await givenProduct(shop, { name: 'Balm' })
    const page = await open('products')
    await page.getByLabel('Select Balm').check()
    await page.getByRole('button', { name: 'Tags …' }).focus()
    await page.keyboard.press('ArrowDown')
    const summer = page.getByRole('option', { name: 'Add the tag Summer' })
    await summer.waitFor()
    await page.keyboard.type('wint')
    await summer.waitFor({ state: 'detached' })
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    expect(await setsOf()).toEqual([])
    await page.keyboard.press('Enter')
    await lastChange(page).getByText('One product changed').waitFor()
    expect((await productOf(id)).tags).toMatchObject([{ id: winter.id }])
  })

  test('is not undone where a product has changed since, which is named', async () => {
    const { id } = await givenProduct(shop, { name: 'Balm' })
    const page = await open('products', [409])
    await page.getByLabel('Select Balm').check()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await lastChange(page).getByText('One product changed').waitFor()
    service.advance(1000)
    await shop.api
      .patch(shop.at(`products/${id}`))
      .send({ stock: 77 })
      .expect(200)
    await lastChange(page).getByRole('button', { name: 'Undo' }).click()
    await lastChange(page).getByText('These products have changed since').waitFor()
    await lastChange(page).getByRole('link', { name: 'Balm' }).waitFor()
    expect(await productOf(id)).toMatchObject({ stock: 77, status: 'DELETED' })
  })
})
