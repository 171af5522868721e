import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adjustCredits } from '../../../src/domain/credits/wallet.ts'
import type { components } from '../../../src/generated/types.ts'
import { givenMediaRow, givenProduct, type Product } from '../../kit/catalogue.ts'
import { type TestService, unique } from '../../kit/service.ts'
import { write } from '../../kit/wallets.ts'
import { givenOpenShop, type OpenShop, signIn } from '../../site/window/shop_pages.ts'
import { onePixel, type Page, startPages, type TestBrowser } from '../browser.ts'

type Thread = components['schemas']['Thread']

const drySkin = 'Is it made for dry skin?'
const redness = 'Which cream calms redness?'

let service: TestService
let browser: TestBrowser
let shop: OpenShop
let balm: Product
let cream: Product

beforeAll(async () => {
  ;({ service, browser } = await startPages())
  shop = await givenOpenShop(service)
  const quotas = { guestDailyRequests: 50, customerDailyRequests: 50 }
  await shop.design({ accessPolicy: { challenge: 'OFF', ...quotas } })
  balm = await givenProduct(shop, {
    name: 'Rose balm',
    description: 'It is made for dry skin.\n\nUse it at night.',
  })
  const cover = await givenMediaRow(shop)
  cream = await givenProduct(shop, {
    name: 'Night cream',
    description: 'A cream that calms redness.',
    imageIds: [cover.id],
  })
  const gift = { credits: 100, reason: 'A gift', reference: unique('gift'), now: service.now() }
  await write(service, (trx) => adjustCredits(trx, shop.workspaceId, gift))
})
afterAll(() => browser.close())

async function open(options: { cookie?: string; expectedStatuses?: number[] } = {}): Promise<Page> {
  const page = await browser.open({ origin: shop.url, elsewhere: [shop.url], ...options })
  await page.route('**/media/**', (route) =>
    route.fulfill({
      contentType: 'image/png',
      body: onePixel,
      headers: { 'Cross-Origin-Resource-Policy': 'cross-origin' },
    }),
  )
  return page
}

/** Asks, and waits for the answer. */
async function ask(page: Page, question: string): Promise<Thread['threadId']> {
  await page.getByPlaceholder('What would you like to know?').fill(question)
  const answered = page.waitForResponse(
    (response) => response.url().endsWith('/chat/product') && response.status() === 200,
  )
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await answered
  await page.locator('.them:last-child:not([aria-busy]) .said').waitFor()
  const kept = await page.evaluate<string>(
    `sessionStorage.getItem(document.querySelector('[data-talk]').dataset.talk)`,
  )
  return kept
}

/** The link to a sentence of the other product. */
const toCream = () => `.sources a[href^="/p/${cream.slug}#"]`

const turnsOf = (page: Page) => page.locator('.talk > li > p:first-child').allInnerTexts()

describe('a conversation', () => {
  test('goes on after a reload, and after a source has led to another product and back', async () => {
    const page = await open()
    await page.goto(`/p/${balm.slug}`)
    const first = await ask(page, redness)
    const said = await turnsOf(page)
    expect(said[0]).toBe(redness)
    await page.locator(toCream()).click()
    await page.getByRole('heading', { level: 1, name: 'Night cream' }).waitFor()
    expect(await page.locator('.talk > li').count()).toBe(0)
    await page.goBack()
    await page.locator('.talk > li').nth(1).waitFor()
    expect(await turnsOf(page)).toEqual(said)

    await page.reload()
    await page.locator('.talk > li').nth(1).waitFor()
    expect(await turnsOf(page)).toEqual(said)
    await page.locator(toCream()).waitFor()
    await page.locator('.found').getByRole('link', { name: 'Night cream' }).waitFor()

    expect(await ask(page, drySkin)).toBe(first)
    expect(await page.locator('.talk > li').count()).toBe(4)
    await page.reload()
    await page.locator('.talk > li').nth(3).waitFor()
    await page.context().close()
  })

  test('begins anew for a visitor who has signed in or out meanwhile', async () => {
    const page = await open({ expectedStatuses: [404] })
    await page.goto(`/p/${balm.slug}`)
    const first = await ask(page, drySkin)
    const { Cookie } = await signIn(service, shop, `${unique('visitor')}@example.com`)
    const [name = '', value = ''] = Cookie.split('=')
    await page.context().addCookies([{ name, value, url: shop.url }])
    const read = page.waitForResponse((response) => response.url().includes('/threads/'))
    await page.reload()
    expect((await read).status()).toBe(404)
    expect(await page.locator('.talk > li').count()).toBe(0)
    const second = await ask(page, drySkin)
    expect(second).not.toBe(first)
    expect(await page.locator('.talk > li').count()).toBe(2)
    await page.context().close()
  })

  test.each([
    ['signs out', 'Sign out'],
    ['deletes their account', 'Delete everything'],
  ])('is not shown to who comes after a visitor who %s', async (_leaves, name) => {
    const page = await open()
    await page.goto(`/p/${balm.slug}`)
    await ask(page, drySkin)
    const { Cookie } = await signIn(service, shop, `${unique('visitor')}@example.com`)
    const [cookie = '', value = ''] = Cookie.split('=')
    await page.context().addCookies([{ name: cookie, value, url: shop.url }])
    await page.goto('/account')
    await page.getByText('Delete my account').click()
    await page.getByRole('button', { name, exact: true }).click()
    await page.waitForURL(`${shop.url}/`)
    expect(await page.evaluate('Object.keys(sessionStorage)')).toEqual([])
    expect(await page.context().cookies()).toEqual([])
    const calls: string[] = []
    page.on('request', (request) => void calls.push(new URL(request.url()).pathname))
    await page.goto(`/p/${balm.slug}`)
    await page.getByRole('heading', { name: 'Ask about this product' }).waitFor()
    expect(await page.locator('.talk > li').count()).toBe(0)
    expect(calls.filter((path) => path.startsWith('/v1/'))).toEqual([])
    await page.context().close()
  })

  test('is forgotten by the tab in browsers that do not clear what the answer tells them to', async () => {
    const { Cookie } = await signIn(service, shop, `${unique('visitor')}@example.com`)
    const page = await open({ cookie: Cookie })
    await page.goto(`/p/${balm.slug}`)
    await ask(page, drySkin)
    await page.goto('/account')
    // An answer without a word about it, which leaves the page as it is.
    await page.route('**/account', (route) => route.fulfill({ status: 204 }))
    for (const [name, kept] of [
      ['Save', 1],
      ['Sign out', 0],
    ] as const) {
      const answered = page.waitForResponse('**/account')
      await page.getByRole('button', { name, exact: true }).click()
      await answered
      expect([name, await page.evaluate('sessionStorage.length')]).toEqual([name, kept])
    }
    await page.context().close()
  })

  test('begins anew in the page where it has ended', async () => {
    const page = await open({ expectedStatuses: [404] })
    await page.goto(`/p/${balm.slug}`)
    const first = await ask(page, drySkin)
    await service.db.deleteFrom('threads').where('workspace_id', '=', shop.workspaceId).execute()
    expect(await ask(page, redness)).not.toBe(first)
    expect(await page.locator('.talk .refused').count()).toBe(0)
    await page.context().close()
  })

  test('goes on from the account', async () => {
    const { Cookie } = await signIn(service, shop, `${unique('visitor')}@example.com`)
    const page = await open({ cookie: Cookie })
    await page.goto(`/p/${balm.slug}`)
    const first = await ask(page, drySkin)
    const said = await turnsOf(page)
    await page.evaluate('sessionStorage.clear()')
    await page.goto('/account')
    await page.getByRole('button', { name: drySkin, exact: true }).click()
    await page.getByRole('link', { name: 'Go on with this conversation' }).click()
    await page.getByRole('heading', { level: 1, name: 'Rose balm' }).waitFor()
    await page.locator('.talk > li').nth(1).waitFor()
    expect(await turnsOf(page)).toEqual(said)
    expect(page.url()).toBe(`${shop.url}/p/${balm.slug}`)
    expect(await ask(page, redness)).toBe(first)
    await page.context().close()
  })

  test.each(['a'.repeat(161), 'wst_dev/../..', '%00', ''])(
    'goes on whatever a link names, such as #talk=%s',
    async (named) => {
      const page = await open()
      await page.goto(`/p/${balm.slug}?from=mail#talk=${named}`)
      await ask(page, drySkin)
      expect(page.url()).toBe(`${shop.url}/p/${balm.slug}?from=mail`)
      expect(await page.locator('.talk > li').count()).toBe(2)
      await page.context().close()
    },
  )

  test('begins anew where the tab keeps what is none', async () => {
    const page = await open({ expectedStatuses: [400] })
    await page.goto(`/p/${balm.slug}`)
    await page.evaluate(
      `sessionStorage.setItem(document.querySelector('[data-talk]').dataset.talk, 'a'.repeat(161))`,
    )
    const read = page.waitForResponse((response) => response.url().includes('/threads/'))
    await page.reload()
    expect((await read).status()).toBe(400)
    await ask(page, drySkin)
    expect(await page.locator('.talk .refused').count()).toBe(0)
    await page.context().close()
  })

  test('is asked by Enter, which begins a line with Shift', async () => {
    const page = await open()
    await page.goto(`/p/${balm.slug}`)
    // What is loaded at the first touch begins by asking whether there will be answers.
    const touched = page.waitForResponse('**/assistant.json')
    await page.getByPlaceholder('What would you like to know?').click()
    await touched
    await page.keyboard.type('Is it made')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('for dry skin?')
    const asked = page.waitForRequest((request) => request.url().endsWith('/chat/product'))
    await page.keyboard.press('Enter')
    const { message } = (await asked).postDataJSON() as { message: string }
    expect(message).toBe('Is it made\nfor dry skin?')
    await page.locator('.them:last-child:not([aria-busy]) .said').waitFor()
    await page.context().close()
  })

  test('is asked by Enter, also before what answers it has arrived', async () => {
    const page = await open()
    let arrive = () => {}
    const arrived = new Promise<void>((resolve) => (arrive = resolve))
    await page.route('**/assets/chat-*.js', async (route) => {
      await arrived
      await route.continue()
    })
    await page.goto(`/p/${balm.slug}`)
    await page.getByPlaceholder('What would you like to know?').fill(drySkin)
    await page.keyboard.press('Enter')
    const asked = page.waitForRequest((request) => request.url().endsWith('/chat/product'))
    arrive()
    expect(((await asked).postDataJSON() as { message: string }).message).toBe(drySkin)
    await page.locator('.them:last-child:not([aria-busy]) .said').waitFor()
    await page.context().close()
  })

  test('shows products by their small pictures', async () => {
    const page = await open()
    const asked: string[] = []
    page.on('request', (request) => void asked.push(new URL(request.url()).pathname))
    await page.goto(`/p/${balm.slug}`)
    await ask(page, redness)
    const [cover] = cream.images
    const { pathname } = new URL(cover!.url)
    const card = page.locator('.found img')
    await card.waitFor()
    const small = pathname.replace(/\.png$/, '-320.webp')
    expect(await card.getAttribute('src')).toBe(cover!.url.replace(pathname, small))
    await card.scrollIntoViewIfNeeded()
    await expect.poll(() => asked).toContain(small)
    expect(asked).not.toContain(pathname)
    await page.context().close()
  })
})
