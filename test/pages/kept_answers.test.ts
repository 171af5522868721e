import { afterAll, beforeAll, expect, test } from 'vitest'
import { adjustCredits } from '../../src/domain/credits/wallet.ts'
import { givenProduct, givenShop } from '../kit/catalogue.ts'
import { startService, type TestService, unique } from '../kit/service.ts'
import { write } from '../kit/wallets.ts'
import { expectAccessibleInBothSchemes, startBrowser, type TestBrowser } from './browser.ts'

let service: TestService
let browser: TestBrowser
beforeAll(async () => {
  service = await startService({ atOwnAddress: true })
  browser = await startBrowser(service)
})
afterAll(async () => {
  await browser.close()
  await service.close()
})

test('an owner sees the price, and has the questions of a product answered once', async () => {
  const shop = await givenShop(service)
  const gift = { credits: 5, reason: 'A gift', reference: unique('gift'), now: service.now() }
  await write(service, (trx) => adjustCredits(trx, shop.workspaceId, gift))
  const { id } = await givenProduct(shop, { name: 'Rose balm', description: 'Made for dry skin.' })
  const questions = [{ text: 'Is it made for dry skin?' }, { text: 'Is it from Mars?' }]
  await shop.api
    .put(shop.at(`products/${id}/questions`))
    .send({ questions })
    .expect(200)
  const page = await browser.open({ cookie: shop.person.cookie })
  await page.goto(`/w/${shop.workspaceId}/products/${id}`)
  const card = page.getByRole('region', { name: 'Kept answers' })
  await card.getByRole('button', { name: 'Answer for 2 credits' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('This uses 2 credits at most.').waitFor()
  await expectAccessibleInBothSchemes(page)
  await dialog.getByRole('button', { name: 'Answer for 2 credits' }).click()
  await card.getByText('“Made for dry skin.”').waitFor()
  await card.getByText('The product does not say').waitFor()
  const { body } = await shop.api.get(shop.at('wallet')).expect(200)
  expect(body).toMatchObject({ balance: 4, reserved: 0 })
})
