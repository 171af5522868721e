import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { components } from '../../../src/generated/types.ts'
import { givenProduct, givenShop, givenTag, type Shop } from '../../kit/catalogue.ts'
import type { TestService } from '../../kit/service.ts'
import {
  choose,
  expectAccessibleInBothSchemes,
  expectFitsPhone,
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

async function open(path: string) {
  const page = await browser.open({ cookie: shop.person.cookie, expectedStatuses: [400] })
  await page.goto(`/w/${shop.workspaceId}/${path}`)
  return page
}

const read = async <T>(path: string) => (await shop.api.get(shop.at(path)).expect(200)).body as T
const productsOf = async () =>
  (await read<{ products: Schemas['Product'][] }>('products?sort=name')).products
const setsOf = async () => (await read<Schemas['ChangeSetList']>('change-sets')).changeSets

const file = (text: string, name = 'spring.csv') => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(text),
})
const chooser = (page: Page) => page.getByLabel(/^Drop a file here/)

describe('the import page', () => {
  test('matches columns, shows problems at their row and column, applies and undoes', async () => {
    const balm = await givenProduct(shop, { name: 'Balm', sku: 'B-1', stock: 3 })
    await givenTag(shop, 'Vegan')
    const before = await read(`products/${balm.id}`)
    const page = await open('products')
    await page.getByRole('link', { name: 'Import' }).click()
    await page.getByText('What a file says').waitFor()
    await expectAccessibleInBothSchemes(page)
    await expectFitsPhone(page)
    await chooser(page).setInputFiles(
      file(
        'Stok Kodu;Ürün;marka;barkod;Adet;etiketler\n' +
          'B-1;;;;12;Vegan|Yaz\n' +
          'L-1;Lily;Ana;77;viele;\n' +
          'R-1;Rose;Ana;78;4;Yaz\n',
      ),
    )
    await page.getByText('spring.csv · 3 rows').waitFor()
    const field = (column: string) => page.getByLabel(`Field of ${column}`, { exact: true })
    expect(await field('Stok Kodu').textContent()).toBe('SKU')
    expect(await field('Adet').textContent()).toBe('Leave out')
    await page.getByText('12 · viele · 4').waitFor()
    await choose(field('Adet'), 'Stock')
    await choose(field('Stok Kodu'), 'Leave out')
    await page
      .getByText(
        'every row becomes a new product. SKUs and barcodes that are missing are generated.',
      )
      .waitFor()
    const noName = page.getByText('No column is the name, without which no product can be created.')
    await noName.waitFor()
    await choose(field('Ürün'), 'SKU')
    await choose(field('Stok Kodu'), 'SKU')
    expect(await field('Ürün').textContent()).toBe('Leave out')
    await choose(field('Ürün'), 'Name')
    await expectAccessibleInBothSchemes(page)
    await expectFitsPhone(page)

    await page.reload()
    expect(await field('Adet').textContent()).toBe('Stock')
    await page.getByLabel('Make tags that do not exist yet').uncheck()
    await page.getByRole('button', { name: 'Check 3 rows' }).click()
    await page.getByText('3 with problems').waitFor()
    await page.getByRole('link', { name: 'Match columns again' }).click()
    await page.getByLabel('Make tags that do not exist yet').check()
    await page.getByRole('button', { name: 'Check 3 rows' }).click()
    await page.getByText('1 new, 1 changed, one with a problem').waitFor()
    await choose(page.getByLabel('Show'), 'Only problems')
    const row = page.getByRole('row').filter({ hasText: 'Lily' })
    await row.getByText('Row 3 · L-1').waitFor()
    await row.getByText('Adet', { exact: true }).waitFor()
    await expectAccessibleInBothSchemes(page)
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('button', { name: 'Apply the others' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    expect(await productsOf()).toMatchObject([
      { name: 'Balm', stock: 12, tags: [{ name: 'Vegan' }, { name: 'Yaz' }] },
      { name: 'Rose', stock: 4, status: 'INACTIVE', tags: [{ name: 'Yaz' }] },
    ])
    await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone', { exact: true }).first().waitFor()
    expect(await productsOf()).toHaveLength(1)
    expect(await read(`products/${balm.id}`)).toEqual(before)
    // The first plan gave way to the second, and the file is done with.
    expect((await setsOf()).map(({ state }) => state)).toEqual(['UNDONE', 'CANCELLED'])
    await page.goto(`/w/${shop.workspaceId}/changes/new`)
    await page.getByText('What a file says').waitFor()
    await page.goto(`/w/${shop.workspaceId}/activity`)
    const deeds = async (product: string) => {
      const entries = page.getByRole('listitem').filter({ hasText: `${product} Product` })
      await entries.first().waitFor()
      return (await entries.allInnerTexts()).map((text) => text.split('\n')[0]?.trim())
    }
    expect(await deeds('Rose')).toEqual(['Undone', 'Created'])
    expect(await deeds('Balm')).toEqual(['Undone', 'Changed', 'Created'])
  })

  test('says what is wrong with a file, and takes another', async () => {
    const page = await open('changes')
    await page.getByRole('link', { name: 'Import' }).first().click()
    await chooser(page).setInputFiles(file('PK', 'list.xlsx'))
    await page.getByRole('alert').getByText('Save a spreadsheet as CSV first.').waitFor()
    await chooser(page).setInputFiles(file('sku,name\n'))
    await page.getByRole('alert').getByText('The file has no rows.').waitFor()
    await expectAccessibleInBothSchemes(page)
    await chooser(page).setInputFiles(file('[{"sku": "A-1", "stock": 4}]', 'list.json'))
    await page.getByText('list.json · one row').waitFor()
    await page.getByRole('button', { name: 'Choose another file' }).click()
    await chooser(page).waitFor({ state: 'attached' })
  })

  test('takes a table that is dropped on the products, and gives back what was exported', async () => {
    await givenProduct(shop, { name: 'Balm' })
    const exported = await shop.api.get(shop.at('products/export?format=csv')).expect(200)
    const page = await open('products')
    await page.getByRole('link', { name: 'Balm' }).waitFor()
    await page.evaluate(`{
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([${JSON.stringify(exported.text)}], 'all.csv', { type: 'text/csv' }))
      const drag = (type) => new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })
      document.querySelector('h1').dispatchEvent(drag('dragover'))
      document.querySelector('h1').dispatchEvent(drag('drop'))
    }`)
    await page.getByRole('button', { name: 'Check one row' }).click()
    await page.getByText('1 as before').waitFor()
    expect(await page.getByRole('button', { name: 'Apply' }).count()).toBe(0)
  })

  test('speaks Turkish', async () => {
    const account = { name: 'Ana', phone: null, language: 'tr' }
    await service.dashboard(shop.person).put('/api/account').send(account).expect(200)
    const page = await open('changes/new')
    await page.getByLabel(/^Dosyayı buraya bırakın/).setInputFiles(file('ad,stok kodu\nGül,G-1\n'))
    await page.getByRole('button', { name: '1 satırı denetle' }).click()
    await page.getByText('1 sorunlu').waitFor()
    await page.getByText('2. satır · G-1').waitFor()
  })
})
