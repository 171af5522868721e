import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { givenProduct, givenShop, givenTag, type Shop } from '../kit/catalogue.ts'
import type { TestService } from '../kit/service.ts'
import { expectAccessibleInBothSchemes, startPages, type TestBrowser } from './browser.ts'

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

async function openHistory(productId: string) {
  const { cookie } = shop.person
  const page = await browser.open({ cookie, expectedStatuses: [409] })
  await page.goto(`/w/${shop.workspaceId}/activity?resourceId=${productId}`)
  return page
}

const productOf = async (id: string) =>
  (await shop.api.get(shop.at(`products/${id}`)).expect(200)).body

describe('an entry of the history', () => {
  test('puts a change back, texts whole, and says so where it cannot', async () => {
    const description = 'Soothes. '.repeat(200).trim()
    const product = await givenProduct(shop, { name: 'Balm', stock: 3, description })
    const patch = (body: object) =>
      shop.api
        .patch(shop.at(`products/${product.id}`))
        .send(body)
        .expect(200)
    await patch({ stock: 8, description: 'Short.' })
    service.advance(1000)
    await patch({ information: 'i'.repeat(70_000) })
    service.advance(1000)
    await patch({ information: 'Kept dry.' })
    const page = await openHistory(product.id)
    await page.getByText('The values before this change were not kept').waitFor()
    await expectAccessibleInBothSchemes(page)
    await page.getByRole('button', { name: 'Put back to this: Balm' }).last().click()
    const dialog = page.getByRole('dialog', { name: 'Put Balm back?' })
    await dialog.getByText('These fields get the values').waitFor()
    await expectAccessibleInBothSchemes(page)
    await dialog.getByRole('button', { name: 'Put back to this' }).click()
    await page.getByText('Balm is as it was.').waitFor()
    expect(await productOf(product.id)).toMatchObject({
      stock: 3,
      description,
      information: 'Kept dry.',
    })
  })

  test('brings a deleted product back, without a tag that is gone only if told so', async () => {
    const tag = await givenTag(shop, 'Vegan')
    const product = await givenProduct(shop, { name: 'Balm', tagIds: [tag.id] })
    await shop.api.delete(shop.at(`products/${product.id}`)).expect(200)
    await shop.api.delete(shop.at(`tags/${tag.id}`)).expect(200)
    const page = await openHistory(product.id)
    await page.getByRole('button', { name: 'Put back to this: Balm' }).click()
    const dialog = page.getByRole('dialog', { name: 'Bring Balm back?' })
    await dialog.getByRole('button', { name: 'Put back to this' }).click()
    await dialog.getByRole('button', { name: 'Bring back without them' }).click()
    await page.getByText('Balm is as it was.').waitFor()
    await page.getByText('Brought back', { exact: true }).waitFor()
    await page.getByText('it is back already, or 30 days have passed').waitFor()
    expect(await productOf(product.id)).toMatchObject({ name: 'Balm', tags: [] })
  })

  test('speaks Turkish', async () => {
    const account = { name: 'Ana', phone: null, language: 'tr' }
    await service.dashboard(shop.person).put('/api/account').send(account).expect(200)
    const product = await givenProduct(shop, { name: 'Gül suyu' })
    await shop.api.delete(shop.at(`products/${product.id}`)).expect(200)
    const page = await openHistory(product.id)
    await page.getByRole('button', { name: 'Buna geri döndür: Gül suyu' }).click()
    const dialog = page.getByRole('dialog', { name: 'Gül suyu geri getirilsin mi?' })
    await dialog.getByRole('button', { name: 'Buna geri döndür' }).click()
    await page.getByText('Gül suyu eskisi gibi.').waitFor()
    expect(await productOf(product.id)).toMatchObject({ slug: product.slug })
  })
})
