import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestService, unique } from '../../kit/service.ts'
import { countActions, onePixel, startPages, type TestBrowser } from '../browser.ts'

let service: TestService
let browser: TestBrowser
beforeAll(async () => {
  ;({ service, browser } = await startPages())
})
afterAll(() => browser.close())

const photos = Array.from({ length: 12 }, (_, at) => ({
  name: `Soap ${at + 1}.png`,
  mimeType: 'image/png',
  buffer: onePixel,
}))

test('a shop with twelve products, a collection, a website, a team and a tried chat takes at most 90 actions', async () => {
  const page = await browser.open()
  const { act, count } = countActions()
  const counts: Record<string, number> = {}
  const counted = (part: string) => {
    const before = Object.values(counts).reduce((sum, one) => sum + one, 0)
    counts[part] = count() - before
  }
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const go = (name: string) => act(page.getByRole('link', { name, exact: true }).click())

  const email = `${unique('owner')}@example.com`
  await page.goto('/')
  await act(page.getByLabel('Email address').fill(email))
  await act(page.keyboard.press('Enter'))
  await page.getByLabel('Code').waitFor()
  await act(page.getByLabel('Code').fill(await service.codeFor(email)))
  await act(page.getByLabel('Name').fill('Rose Garden'))
  await act(button('Create workspace').click())
  await page.getByText('0 of 6 done').waitFor()
  counted('workspace')

  await go('Products')
  await act(page.getByLabel('Add photos').setInputFiles(photos))
  const links = page.locator('tbody td.main a')
  await expect.poll(() => links.count()).toBe(12)
  const names = await links.allInnerTexts()
  await act(page.getByRole('link', { name: names[0]!, exact: true }).click())
  for (const [at, name] of names.entries()) {
    await page.getByRole('heading', { name, level: 1, exact: true }).waitFor()
    await act(page.getByLabel('Description').fill(`${name} cleans gently.`))
    await act(page.getByLabel('Details for the assistant').fill('Weight: 100 g'))
    await act(page.getByLabel('Stock').fill('20'))
    await act(button(at === 11 ? 'Save' : 'Save and next').click())
  }
  await page.getByText('Saved', { exact: true }).waitFor()
  await go('Products')
  await act(page.getByLabel('Select all on this page').check())
  await act(button('Set Active').click())
  await page.getByText('12 active, 0 inactive, 0 without stock.').waitFor()
  counted('products')

  await go('Collections')
  await act(page.getByRole('link', { name: 'New collection' }).first().click())
  await act(page.getByLabel('Name').fill('Gifts'))
  await act(button('Add products').click())
  for (const name of names.slice(0, 5)) await act(button(`Add ${name}`).click())
  await act(button('Close').click())
  await act(button('Save').click())
  await page.getByRole('heading', { name: 'Gifts', level: 1 }).waitFor()
  counted('collection')

  await go('Website')
  await act(page.getByLabel('Template').click())
  await act(page.getByRole('option', { name: 'Beauty' }).click())
  await act(page.getByLabel('Headline').fill('Soaps of the rose garden'))
  await act(page.getByLabel('Contact email').fill(email))
  await act(button('Save').click())
  await page.getByText('Saved', { exact: true }).waitFor()
  counted('website')

  await go('Members')
  for (const role of ['Staff', 'Billing']) {
    await act(button('Invite').click())
    const dialog = page.getByRole('dialog')
    const invitee = `${unique('member')}@example.com`
    await act(dialog.getByLabel('Email address').fill(invitee))
    if (role !== 'Staff') {
      await act(dialog.getByLabel('Role').click())
      await act(dialog.getByRole('option', { name: role }).click())
    }
    await act(dialog.getByRole('button', { name: 'Invite', exact: true }).click())
    await page.getByText(`${invitee} was invited.`).waitFor()
  }
  counted('members')

  await go('Try the chat')
  await act(button('Start the trial').click())
  await act(page.getByLabel('Your question').fill('What is the weight?'))
  await act(page.keyboard.press('Enter'))
  await page.getByText('100 g').first().waitFor()
  counted('chat')
  expect(counts).toEqual({
    workspace: 5,
    products: 54,
    collection: 11,
    website: 6,
    members: 9,
    chat: 4,
  })
  expect(count()).toBeLessThanOrEqual(90)
})
