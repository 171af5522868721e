import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  choose,
  expectAccessible,
  expectFitsPhone,
  startBrowser,
  type TestBrowser,
} from './browser.ts'
import { aFace } from '../every_operation/fixtures.ts'
import { givenProduct, givenShop, givenTag, type Shop } from '../kit/catalogue.ts'
import { startService, type TestService } from '../kit/service.ts'

let service: TestService
let browser: TestBrowser
let shop: Shop
beforeAll(async () => {
  service = await startService({ atOwnAddress: true })
  browser = await startBrowser(service)
  shop = await givenShop(service)
  await givenProduct(shop, {
    name: 'Night cream',
    description: 'A cream that calms redness of dry skin.',
  })
  await givenProduct(shop, { name: 'Rose balm', description: 'It is made for dry skin.' })
})
afterAll(async () => {
  await browser.close()
  await service.close()
})

async function trialKeys(): Promise<{ total: number; live: number }> {
  const rows = service.db.selectFrom('api_keys').where('is_trial', '=', true)
  const keys = await rows.select('revoked_at').execute()
  return { total: keys.length, live: keys.filter((key) => key.revoked_at === null).length }
}

describe('the trial of the chat', () => {
  test('asks what visitors tap and type, with proof of work, and is free at first', async () => {
    // A leftover from a browser that crashed during an earlier trial.
    await service.dashboard(shop.person).post('/api/trials').expect(201)
    const questions = [{ text: 'Is it made for dry skin?' }]
    await shop.api.put(shop.at('questions')).send({ questions }).expect(200)
    const page = await browser.open({ cookie: shop.person.cookie })
    await page.goto(`/w/${shop.workspaceId}/chat`)
    await page.getByText('recorded as a trial, not as a guest’s').waitFor()
    await page.getByRole('button', { name: 'Start the trial' }).click()
    await page.getByRole('button', { name: 'Is it made for dry skin?' }).click()
    await page.getByText('Free', { exact: true }).last().waitFor()
    await page.getByText('It is made for dry skin.').first().waitFor()
    // The source of the answer, as a visitor sees it.
    await page.getByRole('link', { name: '“It is made for dry skin.”' }).waitFor()
    await expectAccessible(page)
    const { body } = await shop.api.get(shop.at('wallet')).expect(200)
    expect(body).toMatchObject({ balance: 0, reserved: 0 })

    await choose(page.getByLabel('What to try'), 'A routine')
    await page.getByLabel('Skin type').fill('dry')
    await page
      .getByLabel('What the routine is for')
      .fill('A routine with a cream against redness, please.')
    await page.keyboard.press('Enter')
    await page.getByText('Free', { exact: true }).last().waitFor()
    await page.getByRole('link', { name: 'Night cream' }).waitFor()
    const routine = page.getByRole('list', { name: 'Conversation' }).locator('> li').last()
    expect((await routine.innerText()).match(/Night cream/g)).toHaveLength(1)
    await expectAccessible(page)
    await choose(page.getByLabel('What to try'), 'A face analysis')
    const face = {
      name: 'face.jpg',
      mimeType: 'image/jpeg',
      buffer: Buffer.from(await aFace(), 'base64'),
    }
    await page.locator('input[type=file]').setInputFiles(face)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Free', { exact: true }).last().waitFor()
    await page.getByText('What the picture shows, described and not judged').waitFor()
    await expectAccessible(page)

    await page.getByRole('link', { name: 'Usage' }).click()
    await page.getByLabel('Show what everybody did').check()
    const row = page.getByRole('table', { name: 'Who' }).getByRole('row', { name: /^Trials/ })
    await row.waitFor()
    const cells = await row.getByRole('cell').allInnerTexts()
    expect(cells.slice(0, 6)).toEqual(['Trials', '3', '3', '0', '0', '0'])
    expect(await page.getByRole('row', { name: /^Guests/ }).count()).toBe(0)
    await page.getByRole('link', { name: 'Wallet' }).click()
    await page.getByRole('heading', { name: 'Wallet', level: 1 }).waitFor()
    await expect.poll(trialKeys).toEqual({ total: 2, live: 0 })
  })

  test('shows products as the shop does, and teaches what the texts lack', async () => {
    const sunscreen = { name: 'Sunscreen', description: 'A sunscreen with zinc against the sun.' }
    const { slug } = await givenProduct(shop, sunscreen)
    const page = await browser.open({ cookie: shop.person.cookie })
    await page.goto(`/w/${shop.workspaceId}/chat`)
    await page.getByRole('button', { name: 'Start the trial' }).click()
    await page.getByRole('button', { name: 'Product: Sunscreen' }).click()
    await page.getByRole('option', { name: 'Rose balm' }).click()
    const ask = async (question: string) => {
      await page.getByLabel('Your question').fill(question)
      await page.keyboard.press('Enter')
      await page.locator('.chat > li').last().getByText('Free', { exact: true }).waitFor()
      return page.locator('.chat > li').last()
    }
    const other = await ask('Do you have a sunscreen instead?')
    const card = other.locator('.card').getByRole('link', { name: 'Sunscreen' })
    expect(await card.getAttribute('href')).toMatch(new RegExp(`^http.*/p/${slug}$`))
    expect(await card.getAttribute('target')).toBe('_blank')
    await expectFitsPhone(page)
    expect(await page.getByRole('button', { name: 'Teach this answer' }).count()).toBe(0)

    const missed = await ask('Does it contain lanolin?')
    await missed.getByRole('button', { name: 'Teach this answer' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reply', { exact: true }).fill('It contains no lanolin.')
    await dialog.getByRole('button', { name: 'Save the reply' }).click()
    await missed.getByText('Taught.').waitFor()
    await expectAccessible(page)
    const taught = await ask('Does it contain lanolin?')
    await taught.getByText('It contains no lanolin.').first().waitFor()
  })

  test('revokes its key when the page is closed', async () => {
    const page = await browser.open({ cookie: shop.person.cookie })
    await page.goto(`/w/${shop.workspaceId}/chat`)
    const before = await trialKeys()
    await page.getByRole('button', { name: 'Start the trial' }).click()
    await page.getByLabel('Your question').waitFor()
    expect(await trialKeys()).toEqual({ total: before.total + 1, live: 1 })
    await page.goto('about:blank')
    await expect.poll(trialKeys).toEqual({ total: before.total + 1, live: 0 })
  })
})

describe('the keyboard', () => {
  test('reaches everything: past the navigation, into a dialog, and back', async () => {
    const page = await browser.open({ cookie: shop.person.cookie })
    await page.goto(`/w/${shop.workspaceId}/tags`)
    await page.getByText('No tags yet').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.locator('button:focus', { hasText: 'New tag' }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('input[name=name]:focus').waitFor()
    // The focus stays within the dialog.
    for (let step = 0; step < 6; step++) await page.keyboard.press('Tab')
    await page.keyboard.press('Escape')
    await page.locator('button:focus', { hasText: 'New tag' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)

    // The button goes away with its row; the focus stays in the list.
    await givenTag(shop, 'Vegan')
    await givenTag(shop, 'Organic')
    await page.reload()
    await page.getByRole('button', { name: 'Delete Vegan' }).press('Enter')
    await page.locator('dialog button:focus', { hasText: 'Cancel' }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Delete Vegan' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.locator('button:focus', { hasText: 'Edit' }).waitFor()
  })
})
