import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { components } from '../../../src/generated/types.ts'
import { givenProduct, givenShop, type Shop } from '../../kit/catalogue.ts'
import type { TestService } from '../../kit/service.ts'
import {
  expectAccessibleInBothSchemes,
  expectFitsPhone,
  onePixel,
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

const read = async <T>(path: string) => (await shop.api.get(shop.at(path)).expect(200)).body as T
const listed = async () =>
  (await read<{ products: Schemas['Product'][] }>('products?sort=name&pageSize=100')).products

async function open(path: string) {
  const page = await browser.open({ cookie: shop.person.cookie, expectedStatuses: [400] })
  await page.goto(`/w/${shop.workspaceId}/${path}`)
  return page
}

describe('photos on the list of products', () => {
  test('dropped together become as many drafts in one set, which is undone as one', async () => {
    await givenProduct(shop, { name: 'Balm', brand: 'Gül' })
    const page = await open('products')
    await page.getByRole('link', { name: 'Balm' }).waitFor()
    const names = Array.from({ length: 11 }, (_, at) => `rose_soap ${at}.png`)
    const files = JSON.stringify([...names, 'rose_soap 0.jpg'])
    await page.evaluate(`{
      const bytes = Uint8Array.from(atob('${onePixel.toString('base64')}'), (c) => c.charCodeAt(0))
      const dataTransfer = new DataTransfer()
      for (const name of ${files})
        dataTransfer.items.add(new File([bytes], name, { type: 'image/png' }))
      const drag = (type) => new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })
      document.querySelector('h1').dispatchEvent(drag('dragover'))
      document.querySelector('h1').dispatchEvent(drag('drop'))
    }`)
    const bar = page.getByRole('group', { name: 'Last change' })
    await bar.getByText('12 products created').waitFor()
    await page.getByText('1 active, 12 inactive, 12 without stock.').waitFor()
    await expectAccessibleInBothSchemes(page)
    await expectFitsPhone(page)
    const drafts = (await listed()).filter(({ status }) => status === 'INACTIVE')
    expect(drafts.map(({ name }) => name)).toContain('rose soap 0 2')
    expect(drafts.find(({ name }) => name === 'rose soap 7')).toMatchObject({
      brand: 'Gül',
      stock: 0,
      description: '',
      images: [{ fileName: 'rose_soap 7.png' }],
    })
    await bar.getByRole('button', { name: 'Undo' }).click()
    await bar.getByText('The change was undone.').waitFor()
    expect((await listed()).map(({ name }) => name)).toEqual(['Balm'])
    expect(await read('media?pageSize=1')).toMatchObject({ pagination: { total: 12 } })
  })

  test('that are uploaded when the page is left become drafts when it is seen again', async () => {
    const page = await open('products')
    await page.getByText('No products yet').waitFor()
    let count = 0
    await page.route('**/media/upload', async (route) => {
      count += 1
      if (count === 1) await route.continue()
    })
    const photo = (name: string) => ({ name, mimeType: 'image/png', buffer: onePixel })
    await page.getByLabel('Add photos').setInputFiles([photo('rose.png'), photo('lily.png')])
    await expect.poll(() => count).toBe(2)
    page.on('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await page
      .getByRole('group', { name: 'Last change' })
      .getByText('One product created')
      .waitFor()
    expect((await listed()).map(({ name }) => name)).toEqual(['rose'])
  })

  test('are also chosen; what is no picture, or is there already, is named', async () => {
    await givenProduct(shop, { name: 'lily' })
    const page = await open('products')
    await page.getByRole('link', { name: 'lily' }).waitFor()
    const file = (name: string, buffer = onePixel) => ({ name, mimeType: 'image/png', buffer })
    await page
      .getByLabel('Add photos')
      .setInputFiles([file('rose.png'), file('note.png', Buffer.from('x')), file('lily.png')])
    const bar = page.getByRole('group', { name: 'Last change' })
    await bar.getByText('One product created').waitFor()
    await bar.getByText('lily: Another product has this name.').waitFor()
    await page.getByRole('listitem').filter({ hasText: 'note.png' }).getByRole('alert').waitFor()
    expect((await listed()).map(({ name }) => name)).toEqual(['lily', 'rose'])
  })
})
