import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { exampleOf } from '../../src/core/examples.ts'
import {
  choose,
  expectAccessible,
  holdRequests,
  onePixel,
  type Page,
  startBrowser,
  type TestBrowser,
} from './browser.ts'
import { givenProduct, givenShop, givenTag, type Product, type Shop } from '../kit/catalogue.ts'
import { startService, type TestService } from '../kit/service.ts'

let service: TestService
let browser: TestBrowser
let shop: Shop
beforeAll(async () => {
  service = await startService({ atOwnAddress: true })
  browser = await startBrowser(service)
})
afterAll(async () => {
  await browser.close()
  await service.close()
})
beforeEach(async () => {
  shop = await givenShop(service)
})

const picture = (name: string) => ({ name, mimeType: 'image/png', buffer: onePixel })
const read = async (path: string) => (await shop.api.get(shop.at(path)).expect(200)).body as unknown

async function open(path: string, expectedStatuses: number[] = []) {
  const page = await browser.open({ cookie: shop.person.cookie, expectedStatuses })
  await page.goto(`/w/${shop.workspaceId}/${path}`)
  return page
}

describe('the products', () => {
  const names = (page: Page) => page.locator('tbody .cell-main a').allInnerTexts()

  test('are searched, filtered and sorted, and the URL keeps it', async () => {
    const tag = await givenTag(shop, 'Vegan')
    await givenProduct(shop, { name: 'Apple soap', stock: 0, tagIds: [tag.id] })
    await givenProduct(shop, { name: 'Berry balm', stock: 9 })
    await givenProduct(shop, { name: 'Cedar soap', stock: 4, status: 'INACTIVE' })
    const page = await open('products')
    await page.getByRole('link', { name: 'Cedar soap' }).waitFor()
    expect(await names(page)).toEqual(['Cedar soap', 'Berry balm', 'Apple soap'])

    await page.getByRole('button', { name: 'Stock' }).click()
    await expect.poll(() => names(page)).toEqual(['Apple soap', 'Cedar soap', 'Berry balm'])
    await page.getByRole('searchbox').fill('soap')
    await expect.poll(() => names(page)).toEqual(['Apple soap', 'Cedar soap'])
    await choose(page.getByLabel('Status'), 'Inactive')
    await expect.poll(() => names(page)).toEqual(['Cedar soap'])
    expect(new URL(page.url()).search).toBe('?search=soap&sort=stock&status=INACTIVE')
    await page.reload()
    await expect.poll(() => names(page)).toEqual(['Cedar soap'])

    await page.getByRole('button', { name: 'Tags: Any tag' }).click()
    await page.keyboard.type('veg')
    await page.getByRole('option', { name: 'Vegan' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect.poll(() => names(page)).toEqual(['Cedar soap', 'Berry balm', 'Apple soap'])
    await page.goto(`/w/${shop.workspaceId}/products?page=9`)
    await expect.poll(() => names(page)).toHaveLength(3)
  })

  test('can be selected to change their status together', async () => {
    const product = await givenProduct(shop, { name: 'One', stock: 7 })
    await givenProduct(shop, { name: 'Two' })
    const page = await open('products')
    await page.getByLabel('Select all on this page').check()
    await page.getByText('2 selected').waitFor()
    await page.getByRole('button', { name: 'Set Inactive' }).click()
    await page.getByText('2 products changed').first().waitFor()
    await page.getByText('0 active, 2 inactive, 0 without stock.').waitFor()
    const now = (await read(`products/${product.id}`)) as Product
    expect(now).toMatchObject({ ...product, status: 'INACTIVE', updatedAt: now.updatedAt })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('2 active, 0 inactive, 0 without stock.').waitFor()
    expect(await read(`products/${product.id}`)).toMatchObject({ status: 'ACTIVE' })
  })

  test('are selected and sorted on a phone, too', async () => {
    for (const name of ['Rose', 'Balm']) await givenProduct(shop, { name })
    const page = await browser.open({ cookie: shop.person.cookie, phone: true })
    await page.goto(`/w/${shop.workspaceId}/products`)
    await page.getByRole('button', { name: 'Name' }).click()
    await expect.poll(() => names(page)).toEqual(['Balm', 'Rose'])
    await page.getByLabel('Select all on this page').check()
    await page.getByText('2 selected').waitFor()
    await expectAccessible(page)
  })

  test('are changed on all pages of a filter after a confirmation, and deleted ones stand apart', async () => {
    const tag = await givenTag(shop, 'Winter')
    for (let at = 0; at < 27; at++) await givenProduct(shop, { name: `Soap ${at}` })
    await givenProduct(shop, { name: 'Gone', status: 'DELETED' })
    const page = await open('products')
    await page.getByLabel('Select all on this page').check()
    await page.getByRole('button', { name: 'Select all 27 that match' }).click()
    await page.getByRole('button', { name: 'Tags …' }).click()
    await page.getByRole('option', { name: 'Add the tag Winter' }).click()
    await page.getByText('Add the tag Winter: 27 products?').waitFor()
    await page.getByRole('button', { name: 'Change them' }).click()
    await page.getByRole('button', { name: 'Undo' }).and(page.locator(':focus')).waitFor()
    const tagged = async () =>
      ((await read(`products?tagId=${tag.id}`)) as { pagination: { total: number } }).pagination
        .total
    expect(await tagged()).toBe(27)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('The change was undone.').first().waitFor()
    expect(await tagged()).toBe(0)
    await choose(page.getByLabel('Status'), 'Deleted')
    await page.getByLabel('Select Gone').check()
    await page
      .getByRole('group', { name: 'Actions' })
      .getByRole('button', { name: 'Restore' })
      .click()
    await page.getByText('One product changed').first().waitFor()
    expect(await read('products?search=Gone&status=ACTIVE')).toMatchObject({
      products: [{ name: 'Gone' }],
    })
  })
})

describe('the editor of a product', () => {
  test('has an input with the stored value for every text, number and choice of the contract', async () => {
    const values = exampleOf('ProductUpdate')
    const { id } = await givenProduct(shop, values)
    const page = await open(`products/${id}`)
    await page.getByLabel('Name').waitFor()
    const inputs = await page.locator('.field [name]').all()
    const shown = await Promise.all(
      inputs.map(async (input) => [
        await input.getAttribute('name'),
        await input.evaluate((element) => (element as unknown as { value: string }).value),
      ]),
    )
    const stored = Object.entries(values).flatMap(([field, value]) =>
      Array.isArray(value) ? [] : [[field, String(value)]],
    )
    expect(Object.fromEntries(shown)).toMatchObject(Object.fromEntries(stored))
  })

  test('reorders pictures with the keyboard and saves shops, tags and questions', async () => {
    const { id } = await givenProduct(shop, { name: 'Balm' })
    const page = await open(`products/${id}`)
    await page.locator('input[type=file]').setInputFiles([picture('a.png'), picture('b.png')])
    // Both files have the same bytes, but are separate pictures.
    await page.getByRole('img', { name: 'b.png' }).waitFor()
    const earlier = page.getByRole('button', { name: 'Move b.png earlier' })
    await earlier.press('Enter')
    await page.getByText('b.png is now picture 1 of 2.').waitFor()
    expect(await earlier.evaluate((button) => button.matches(':focus'))).toBe(true)
    await page.getByRole('button', { name: 'Add a shop' }).click()
    await page.getByLabel('Shop', { exact: true }).fill('Market')
    await page.getByLabel('Link').fill('https://market.example/balm')
    await page.getByPlaceholder('Add a tag').fill('Organic')
    await page.getByRole('button', { name: 'Create “Organic”' }).click()
    await page.getByText('Organic', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()

    const product = (await read(`products/${id}`)) as Product
    expect(product.images.map(({ fileName }) => fileName)).toEqual(['b.png', 'a.png'])
    expect(product.sales).toEqual([{ name: 'Market', link: 'https://market.example/balm' }])
    expect(product.tags.map(({ name }) => name)).toEqual(['Organic'])

    await page.getByRole('button', { name: 'Use its own questions' }).click()
    await page.getByRole('button', { name: 'Add a question' }).click()
    await page.getByLabel('Question 1', { exact: true }).fill('Is it vegan?')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Use the library again' }).waitFor()
    const set = await read(`products/${id}/questions`)
    expect(set).toMatchObject({ usesDefaults: false, questions: [{ text: 'Is it vegan?' }] })
  })

  test('shows a refusal at its field and focuses it', async () => {
    await givenProduct(shop, { name: 'Taken', sku: 'T-1' })
    const page = await open('products/new', [400, 409])
    await page.getByLabel('Name').fill('Taken')
    await page.getByLabel('Brand').fill('Ana')
    await page.getByLabel('SKU').fill('T-1')
    // A row that nobody filled in is not sent, and the errors of the others stay at their rows.
    await page.getByRole('button', { name: 'Add a shop' }).click()
    await page.getByRole('button', { name: 'Add a shop' }).click()
    await page.getByLabel('Link').last().fill('market.example')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Check the marked fields.').waitFor()
    await page.locator('[name="sales.0.name"]:focus').waitFor()
    const shopName = page.getByLabel('Shop', { exact: true }).last()
    expect(await shopName.getAttribute('aria-invalid')).toBe('true')
    await shopName.fill('Market')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Another product has this name.').waitFor()
    await page.getByText('Another product has this SKU.').waitFor()
  })

  test('shows refusals in Turkish to a Turkish account', async () => {
    await givenProduct(shop, { name: 'Gül', sku: 'G-1' })
    const account = { name: 'Ana', phone: null, language: 'tr' }
    await service.dashboard(shop.person).put('/api/account').send(account).expect(200)
    const page = await open('products/new', [400, 409])
    const faults = () => page.locator('.error').allInnerTexts()
    const save = page.getByRole('button', { name: 'Kaydet' })
    await page.getByLabel('Stok').fill('1.5')
    await save.click()
    await page.getByText('İşaretli alanları denetleyin.').waitFor()
    const empty = 'Boş bırakılamaz.'
    expect(await faults()).toEqual([empty, empty, 'Tam sayı olmalı.'])
    // A changed field loses its error until it is validated again.
    await page.getByLabel('Ad', { exact: true }).fill('Gül')
    await expect.poll(faults).toEqual([empty, 'Tam sayı olmalı.'])
    await page.getByLabel('Marka').fill('Ana')
    await page.getByLabel('Stok').fill('1')
    await page.getByLabel('SKU').fill('G-1')
    await save.click()
    await expect
      .poll(faults)
      .toEqual(['Bu adı taşıyan başka bir ürün var.', 'Bu SKU başka bir üründe kullanılıyor.'])
  })

  test('keeps what is typed while saving', async () => {
    const { id } = await givenProduct(shop, { name: 'Balm' })
    const page = await open(`products/${id}`)
    const release = await holdRequests(page, `**/products/${id}`, 'PUT')
    await page.getByLabel('Description').fill('Sent')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByLabel('Brand').fill('Typed meanwhile')
    release()
    await expect.poll(() => read(`products/${id}`)).toMatchObject({ description: 'Sent' })
    await page.getByRole('button', { name: 'Save' }).and(page.getByText('Save')).waitFor()
    expect(await page.getByLabel('Brand').inputValue()).toBe('Typed meanwhile')
    await page.getByText('Unsaved changes').waitFor()
    expect(await read(`products/${id}`)).toMatchObject({ description: 'Sent', brand: 'A brand' })
  })

  test('asks before unsaved changes are lost, however it is left', async () => {
    const { id } = await givenProduct(shop, { name: 'Balm' })
    const page = await open('products')
    await page.getByRole('link', { name: 'Balm' }).click()
    await page.getByLabel('Brand').fill('Another')
    await page.getByRole('link', { name: 'Tags' }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    expect(await page.getByLabel('Brand').inputValue()).toBe('Another')

    const closing = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    const question = await closing
    expect(question.type()).toBe('beforeunload')
    await question.dismiss()

    await page.goBack()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/w/${shop.workspaceId}/products/${id}`)
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await page.getByRole('heading', { name: 'Products', level: 1 }).waitFor()
    expect(await read(`products/${id}`)).toMatchObject({ brand: 'A brand' })
  })

  test('goes to the deleted ones after confirmation, and for good only from there', async () => {
    const { id } = await givenProduct(shop, { name: 'Balm', status: 'ACTIVE' })
    const page = await open(`products/${id}`)
    await page.getByRole('button', { name: 'Delete product' }).click()
    const question = page.getByRole('dialog', { name: 'Delete Balm?' })
    await question.getByText('goes to Deleted products').waitFor()
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Delete product' }).click()
    await question.getByRole('button', { name: 'Delete product' }).click()
    await page.getByText('Balm is in Deleted products.').waitFor()
    expect(await read(`products/${id}`)).toMatchObject({ status: 'DELETED' })

    await page.getByRole('button', { name: 'Deleted products' }).click()
    await page.getByRole('button', { name: 'Restore Balm' }).waitFor()
    await page.getByRole('button', { name: 'Delete for good: Balm' }).click()
    const last = page.getByRole('dialog', { name: 'Delete Balm for good?' })
    await last.getByText('For 30 days it can be brought back').waitFor()
    await last.getByRole('button', { name: 'Delete for good' }).click()
    await page.getByText('One product deleted').first().waitFor()
    await shop.api.get(shop.at(`products/${id}`)).expect(404)
  })
})

describe('the list of products', () => {
  test('is exported as it is filtered', async () => {
    const balm = await givenProduct(shop, { name: 'Balm', status: 'ACTIVE' })
    await givenProduct(shop, { name: 'Soap', status: 'ACTIVE' })
    await givenProduct(shop, { name: 'Old balm', status: 'DELETED' })
    const page = await open('products?search=balm')
    await page.getByRole('link', { name: 'Balm', exact: true }).waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Export as CSV' }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe('products.csv')
    const lines = (await readFile(await file.path(), 'utf8')).split('\r\n')
    expect(lines.map((line) => line.split(',')[0])).toEqual(['id', balm.id, ''])
  })
})

describe('the media library', () => {
  test('shows upload progress, refuses a file that is not an image, and replaces', async () => {
    const page = await open('media', [400])
    await page.getByText('No pictures yet').waitFor()
    const arrive = await holdRequests(page, '**/media/upload', 'POST')
    await page.locator('input[type=file]').setInputFiles(picture('rose.png'))
    await page.getByRole('progressbar', { name: 'Uploading rose.png' }).waitFor()
    arrive()
    await page.getByRole('button', { name: /^rose.png/ }).waitFor()

    const text = { name: 'fake.png', mimeType: 'image/png', buffer: Buffer.from('no image') }
    await page.locator('input[type=file]').setInputFiles(text)
    await page.getByRole('alert').waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()

    await page.getByRole('button', { name: /^rose.png/ }).click()
    const dialog = page.getByRole('dialog', { name: 'rose.png' })
    const replace = await holdRequests(page, '**/media/*', 'PUT')
    await dialog.locator('input[type=file]').setInputFiles(picture('lily.png'))
    await dialog.getByRole('progressbar', { name: 'Uploading lily.png' }).waitFor()
    replace()
    await page.getByRole('dialog', { name: 'lily.png' }).waitFor()
    const { media } = (await read('media')) as { media: { fileName: string }[] }
    expect(media.map(({ fileName }) => fileName)).toEqual(['lily.png'])
  })
})

describe('collections and tags', () => {
  test('are created, filled, renamed and deleted', async () => {
    const { id } = await givenProduct(shop, { name: 'Balm' })
    const page = await open('collections')
    await page.getByRole('link', { name: 'New collection' }).first().click()
    await page.getByLabel('Name').fill('Gifts')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Gifts', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Add products' }).click()
    await page.getByRole('button', { name: 'Add Balm' }).click()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('link', { name: 'Balm' }).waitFor()
    const { id: soap } = await givenProduct(shop, { name: 'Soap' })
    await page.getByRole('button', { name: 'Add products' }).click()
    await page.getByRole('button', { name: 'Add Soap' }).click()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Move Soap earlier' }).press('Enter')
    await page.getByText('Soap is now product 1 of 2.').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Save' }).click()
    const order = async () =>
      ((await read('collections')) as { collections: { productIds: string[] }[] }).collections
    await expect.poll(order).toMatchObject([{ name: 'Gifts', productIds: [soap, id] }])
    await page.getByRole('button', { name: 'Delete collection' }).click()
    const question = page.getByRole('dialog', { name: 'Delete Gifts for good?' })
    await question.getByRole('button', { name: 'Delete collection' }).click()
    await page.getByText('No collections yet').waitFor()
    expect(await read('collections')).toMatchObject({ collections: [] })
    await read(`products/${id}`)

    await page.getByRole('link', { name: 'Tags' }).click()
    await page.getByRole('button', { name: 'New tag' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('Vegn')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Edit Vegn' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Vegan')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Edit Vegan' }).waitFor()
    expect(await read('tags')).toMatchObject({ tags: [{ name: 'Vegan' }] })

    // A second one of the same name is made by nobody unawares, nor by renaming.
    const dialog = page.getByRole('dialog')
    const told = dialog.getByText(
      'There is a tag called Vegan already. Save again to have a second one.',
    )
    await page.getByRole('button', { name: 'New tag' }).click()
    await page.getByLabel('Name', { exact: true }).fill('VEGAN ')
    await page.keyboard.press('Enter')
    await told.waitFor()
    expect(await read('tags')).toMatchObject({ tags: [{ name: 'Vegan' }] })
    await page.getByLabel('Name', { exact: true }).fill('Veg')
    await told.waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Edit Veg', exact: true }).click()
    await page.getByLabel('Name', { exact: true }).fill('vegan')
    await page.keyboard.press('Enter')
    await told.waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Edit vegan', exact: true }).waitFor()
    // Its own name is no other's.
    await page.getByRole('button', { name: 'Edit vegan', exact: true }).click()
    await page.getByLabel('Name', { exact: true }).fill('vegan x')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Edit vegan x', exact: true }).waitFor()
  })
})
