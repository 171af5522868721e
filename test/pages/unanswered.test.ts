import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordUnanswered } from '../../src/queries/assistant/unanswered_questions.ts'
import { givenProduct, givenShop } from '../kit/catalogue.ts'
import { startService, type TestService } from '../kit/service.ts'
import { choose, expectAccessibleInBothSchemes, startBrowser, type TestBrowser } from './browser.ts'

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

test('an owner replies to what visitors asked, and dismisses the rest', async () => {
  const shop = await givenShop(service)
  const product = await givenProduct(shop, { name: 'Rose balm', information: 'For dry skin.' })
  const { workspaceId } = shop
  for (const message of ['Does it contain zinc?', 'Is it made on Mars?', 'Is shipping free?'])
    await service.db
      .transaction()
      .execute((trx) =>
        recordUnanswered(trx, { workspaceId, productId: product.id, message }, service.now()),
      )
  const page = await browser.open({ cookie: shop.person.cookie })
  await page.goto(`/w/${workspaceId}/unanswered`)
  const rowOf = (table: string, text: string) =>
    page.getByRole('table', { name: table }).getByRole('row', { name: text })
  const row = (text: string) => rowOf('Unanswered questions', text)
  const reply = (text: string) => rowOf('Your replies', text)
  await row('Does it contain zinc?').waitFor()
  await expectAccessibleInBothSchemes(page)

  await row('Does it contain zinc?').getByRole('button', { name: 'Reply' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('ask this about Rose balm').waitFor()
  await dialog.locator('textarea:focus').waitFor()
  await dialog.getByLabel('Reply', { exact: true }).fill('It contains no zinc.')
  await dialog.getByRole('button', { name: 'Save the reply' }).click()
  await page.getByText('The assistant now answers this question.').waitFor()
  await row('Does it contain zinc?').waitFor({ state: 'detached' })

  // What is asked of the shop goes where every product's chat finds it.
  await row('Is shipping free?').getByRole('button', { name: 'Reply' }).click()
  await choose(dialog.getByLabel('The reply is about'), 'The shop: shipping, returns and the like')
  await dialog.getByText('ask this about any product').waitFor()
  await dialog.getByLabel('Reply', { exact: true }).fill('Always.')
  await expectAccessibleInBothSchemes(page)
  await dialog.getByRole('button', { name: 'Save the reply' }).click()
  await page.getByText('You find it under Shop answers.').waitFor()
  const { body } = await shop.api.get(shop.at('shop-knowledge')).expect(200)
  expect(body).toEqual({ entries: [{ question: 'Is shipping free?', answer: 'Always.' }] })

  await row('Is it made on Mars?').getByRole('button', { name: 'Dismiss' }).click()
  await page.getByText('No unanswered questions').waitFor()

  // The reply can be changed and deleted.
  await reply('It contains no zinc.').getByRole('button', { name: 'Edit' }).click()
  await dialog.getByLabel('Reply', { exact: true }).fill('A trace of zinc.')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await reply('A trace of zinc.').getByRole('button', { name: 'Delete the reply' }).click()
  await expectAccessibleInBothSchemes(page)
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('Replies that you give appear here.').waitFor()
})

test('a reply that is half written is lost by no slip', async () => {
  const shop = await givenShop(service)
  const product = await givenProduct(shop)
  const { workspaceId } = shop
  const asked = { workspaceId, productId: product.id, message: 'Does it contain zinc?' }
  await service.db.transaction().execute((trx) => recordUnanswered(trx, asked, service.now()))
  const page = await browser.open({ cookie: shop.person.cookie })
  await page.goto(`/w/${workspaceId}/unanswered`)
  const open = page.getByRole('button', { name: 'Reply', exact: true })
  const dialog = page.getByRole('dialog', { name: 'Reply', exact: true })
  const question = page.getByRole('dialog', { name: 'Close without saving?' })
  const text = dialog.getByLabel('Reply', { exact: true })

  // Nothing is typed yet: a click beside it closes it, and so does Escape.
  await open.click()
  await dialog.waitFor()
  await page.mouse.click(2, 2)
  await dialog.waitFor({ state: 'detached' })
  await open.click()
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  await open.click()
  await text.fill('It contains no')
  await page.mouse.click(2, 2)
  expect(await text.inputValue()).toBe('It contains no')
  // However often: the browser does not let a page refuse Escape each time.
  for (let time = 0; time < 4; time++) {
    await page.keyboard.press('Escape')
    await question.getByText('What you have entered here has not been saved.').waitFor()
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    expect(await text.isVisible()).toBe(true)
  }
  await page.keyboard.press('Escape')
  await question.waitFor()
  await expectAccessibleInBothSchemes(page)
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()
  await question.getByRole('button', { name: 'Keep editing' }).click()
  expect(await text.inputValue()).toBe('It contains no')

  // The browser's Back asks as it does for a page.
  await page.evaluate("history.pushState({}, '', '#later')")
  await page.goBack()
  const leaving = page.getByRole('dialog', { name: 'Leave without saving?' })
  await leaving.getByRole('button', { name: 'Keep editing' }).click()
  expect(await text.inputValue()).toBe('It contains no')

  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Discard changes' }).click()
  await dialog.waitFor({ state: 'detached' })
  await open.click()
  expect(await text.inputValue()).toBe('')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
})
