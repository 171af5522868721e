import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adjustCredits } from '../../../src/domain/credits/wallet.ts'
import { aFace } from '../../every_operation/fixtures.ts'
import { givenProduct, type Product } from '../../kit/catalogue.ts'
import { type TestService, unique } from '../../kit/service.ts'
import { entriesOf, write } from '../../kit/wallets.ts'
import { givenOpenShop, type OpenShop } from '../../site/window/shop_pages.ts'
import {
  expectAccessibleInBothSchemes,
  expectFitsPhone,
  holdRequests,
  type Page,
  startPages,
  type TestBrowser,
} from '../browser.ts'

let service: TestService
let browser: TestBrowser
let shop: OpenShop
let balm: Product
const hostile = '<img src=x onerror="document.title=1">'

beforeAll(async () => {
  ;({ service, browser } = await startPages())
  shop = await givenOpenShop(service)
  await shop.design({ contactEmail: 'hello@example.com', templateKey: 'beauty' })
  balm = await givenProduct(shop, {
    name: `Rose balm ${hostile}`,
    description: `It is made for dry skin.\n\n${hostile} smells of roses.\n\nUse it at night.`,
    information: 'Material: rose oil and beeswax\nWeight: 50 g',
  })
  await givenProduct(shop, { name: 'Night cream', description: 'A cream that calms redness.' })
  await givenProduct(shop, { name: 'Olive soap', description: 'A soap for every day.' })
  const questions = [{ text: 'Is it made for dry skin?' }, { text: `${hostile}?` }]
  await shop.api.put(shop.at('questions')).send({ questions }).expect(200)
})
afterAll(() => browser.close())

const open = (options: { expectedStatuses?: number[]; elsewhere?: string[] } = {}) =>
  browser.open({
    origin: shop.url,
    ...options,
    elsewhere: [shop.url, ...(options.elsewhere ?? [])],
  })

async function give(credits: number): Promise<void> {
  const gift = { credits, reason: 'A gift', reference: unique('gift'), now: service.now() }
  await write(service, (trx) => adjustCredits(trx, shop.workspaceId, gift))
}

/** What a page asks the shop beside its pages and files, by path. */
function callsOf(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/^\/(v1\/|challenge$|assistant\.json$)/.test(pathname)) calls.push(pathname)
  })
  return calls
}

const balance = async () => (await shop.api.get(shop.at('wallet')).expect(200)).body.balance
const ask = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

describe('a visitor of a product', () => {
  test('asks what others ask, and is led to the sentence of the answer', async () => {
    await give(20)
    const page = await open()
    const scripts: string[] = []
    page.on('request', (request) => void scripts.push(new URL(request.url()).pathname))
    await page.goto(`/p/${balm.slug}`)
    await page.getByRole('heading', { name: 'Ask about this product' }).waitFor()
    expect(scripts.filter((path) => path.endsWith('.js'))).toHaveLength(2)
    expect(await page.context().cookies()).toEqual([])
    await ask(page, 'Is it made for dry skin?')
    const source = page.locator('.sources a').first()
    await source.waitFor()
    expect(await source.innerText()).toContain('It is made for dry skin.')
    await source.click()
    expect(await page.evaluate(`[...CSS.highlights.get('cited')].map(String)`)).toEqual([
      'It is made for dry skin',
    ])
    expect(await balance()).toBe(19)
    expect(scripts.filter((path) => path.endsWith('.js'))).toHaveLength(4)
    const [guest] = await page.context().cookies()
    expect(guest).toMatchObject({ name: 'vitrine_guest', httpOnly: true, sameSite: 'Lax' })
    await expectAccessibleInBothSchemes(page)
    await expectFitsPhone(page)

    await page
      .getByPlaceholder('What would you like to know?')
      .fill(`What is it made of? ${hostile}`)
    await ask(page, 'Ask')
    await page.locator('.them:not([aria-busy])').nth(1).waitFor()
    expect(await page.locator('.talk img[src=x]').count()).toBe(0)
    expect(await page.title()).toContain('Rose balm')
    // What the catalogue does not know costs nothing.
    expect((await entriesOf(service, shop.workspaceId)).at(-1)).toBe('USAGE -1 = 19')
    await page.context().close()
  })

  test('is charged once for a double click, and told of the last question of the day', async () => {
    const allow = (guestDailyRequests: number) =>
      shop.design({ accessPolicy: { guestDailyRequests } })
    await allow(2)
    const before = await balance()
    const page = await open()
    await page.goto(`/p/${balm.slug}`)
    await page.getByRole('button', { name: 'Is it made for dry skin?' }).dblclick()
    await page.locator('.them:not([aria-busy]) .said').waitFor()
    expect(await page.locator('.them').count()).toBe(1)
    expect(await balance()).toBe(before - 1)
    await page.getByText('One question left today.').waitFor()
    await page.context().close()
    await allow(5)
  })

  test('finds questions and an address where the shop has no credits', async () => {
    await give(-(await balance()))
    const page = await open()
    const calls = callsOf(page)
    await page.goto(`/p/${balm.slug}`)
    await page.getByPlaceholder('What would you like to know?').focus()
    await page.getByText('You can ask us by email.').waitFor()
    // Nothing was asked, solved or kept for that.
    expect(calls).toEqual(['/assistant.json'])
    expect(await page.context().cookies()).toEqual([])
    const mail = page.getByRole('link', { name: 'Is it made for dry skin?' })
    expect(await mail.getAttribute('href')).toMatch(/^mailto:hello@example\.com\?subject=Rose/)
    expect(await page.locator('form.ask').isVisible()).toBe(false)
    await page.reload()
    await ask(page, 'Is it made for dry skin?')
    await page.getByText('You can ask us by email.').waitFor()
    expect(calls).toEqual(['/assistant.json', '/assistant.json'])
    await page.context().close()
    await give(50)
  })

  test('loses nothing that was typed before the shop said that it cannot answer', async () => {
    await give(-(await balance()))
    const page = await open()
    const answer = await holdRequests(page, '**/assistant.json', 'GET')
    await page.goto(`/p/${balm.slug}`)
    await page.getByPlaceholder('What would you like to know?').fill('A long question')
    answer()
    await page.locator('.talk .you', { hasText: 'A long question' }).waitFor()
    expect(await page.locator('form.ask').isVisible()).toBe(false)
    await page.context().close()
    await give(50)
  })

  test('is not sent to sign in when the budget of the shop is spent, and is when their own quota is', async () => {
    const budget = `/api/workspaces/${shop.workspaceId}/site-budget`
    const spend = (dailyCredits: number | null) =>
      service.dashboard(shop.person).put(budget).send({ dailyCredits }).expect(200)
    const page = await open({ expectedStatuses: [429] })
    await page.goto(`/p/${balm.slug}`)
    await page.getByPlaceholder('What would you like to know?').focus()
    await page.waitForResponse('**/assistant.json')
    await spend(0)
    await ask(page, 'Is it made for dry skin?')
    await page.getByText('You can ask us by email.').waitFor()
    expect(await page.locator('.talk').getByRole('link', { name: 'Sign in' }).count()).toBe(0)
    await page.reload()
    await page.getByPlaceholder('What would you like to know?').focus()
    await page.getByText('You can ask us by email.').waitFor()

    await spend(null)
    await shop.design({ accessPolicy: { guestDailyRequests: 0 } })
    await page.goto(`/p/${balm.slug}`)
    await ask(page, 'Is it made for dry skin?')
    await page.locator('.talk .refused').getByRole('link', { name: 'Sign in' }).waitFor()
    await shop.design({ accessPolicy: { guestDailyRequests: 5 } })
    await page.context().close()
  })

  test('reads the questions without a script, and that asking needs one', async () => {
    const page = await browser.open({ origin: shop.url, elsewhere: [shop.url], script: false })
    await page.goto(`/p/${balm.slug}`)
    await page.getByRole('link', { name: 'Is it made for dry skin?' }).waitFor()
    for (const path of [`/p/${balm.slug}`, '/routine', '/face']) {
      await page.goto(path)
      const hint = page.locator('.instead noscript p')
      await hint.waitFor()
      expect(await hint.innerText()).toContain('Asking the assistant needs JavaScript.')
      expect(await page.getByText('The assistant is not answering').count()).toBe(0)
      expect(await page.locator('form.ask').isVisible()).toBe(false)
    }
    await page.context().close()
  })

  test('is offered nothing where the owner has turned the modes off', async () => {
    const settings = { fastEnabled: false, comprehensiveEnabled: false, sector: 'AUTO' }
    await shop.api.put(shop.at('ai-settings')).send(settings).expect(200)
    const { text } = await shop.visit(`/p/${balm.slug}`)
    expect(text).not.toContain('data-live')
    expect(text).toContain('mailto:hello@example.com?subject=')
    expect((await shop.visit('/routine')).status).toBe(404)
    const on = { fastEnabled: true, comprehensiveEnabled: true, sector: 'AUTO' }
    await shop.api.put(shop.at('ai-settings')).send(on).expect(200)
  })
})

describe('a visitor of a shop for beauty', () => {
  test('gets a routine with a product for each step', async () => {
    const page = await open()
    await page.goto('/routine')
    await page.getByLabel('Skin type').fill('dry')
    await page
      .getByPlaceholder('What should your routine do')
      .fill('A cream against redness, please.')
    await ask(page, 'Ask')
    await page.locator('.steps').getByRole('link', { name: 'Night cream' }).waitFor()
    await expectAccessibleInBothSchemes(page)
    await expectFitsPhone(page)
    await page.context().close()
  })

  test('has a picture of a face looked at', async () => {
    const page = await open()
    await page.goto('/face')
    const buffer = Buffer.from(await aFace(), 'base64')
    const face = { name: 'face.jpg', mimeType: 'image/jpeg', buffer }
    await page.getByLabel('A photo of your face').setInputFiles(face)
    await ask(page, 'Analyse the photo')
    await page.getByText('What the picture shows, described and not judged').waitFor()
    await expectAccessibleInBothSchemes(page)
    await page.context().close()
  })
})

describe('a customer', () => {
  test('signs in with a code in a shop that shows nothing before', async () => {
    await shop.design({ accessPolicy: { visibility: 'SIGN_IN' } })
    const page = await open({ expectedStatuses: [401] })
    await page.goto('/products')
    const email = `${unique('visitor')}@example.com`
    await page.getByLabel('Your name').fill('Ece Demir')
    await page.getByLabel('Email address').fill(email)
    await expectAccessibleInBothSchemes(page)
    await page.getByRole('button', { name: 'Email me a code' }).click()
    await page.getByText(`We have emailed a code to ${email}.`).waitFor()
    await page.getByLabel('Code from the email').fill(await service.codeFor(email))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Products' }).waitFor()
    await page.getByRole('link', { name: 'Account' }).first().click()
    await page.getByText(`You are signed in as ${email}.`).waitFor()
    await expectAccessibleInBothSchemes(page)
    await expectFitsPhone(page)
    await page.goto('/feedback')
    await page.getByLabel('Your message').fill('A lovely shop.')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Thank you. Your message has arrived.').waitFor()
    await page.context().close()
    await shop.design({ accessPolicy: { visibility: 'PUBLIC' } })
  })
})
