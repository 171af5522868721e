import { afterAll, beforeAll, expect, test } from 'vitest'
import { adjustCredits } from '../../../src/domain/credits/wallet.ts'
import { type TestService, unique } from '../../kit/service.ts'
import { write } from '../../kit/wallets.ts'
import {
  foreignIn,
  givenHostileShop,
  type HostileShop,
  payloads,
} from '../../site/window/hostile_shop.ts'
import { linksIn } from '../../site/window/shop_pages.ts'
import { type Page, startPages, type TestBrowser } from '../browser.ts'

/*
 * What owners write, in a browser without the policy of the pages: text must be text by itself. A request to
 * another host, an error or a dialog fails the file, too.
 */

let service: TestService
let browser: TestBrowser
let shop: HostileShop
beforeAll(async () => {
  ;({ service, browser } = await startPages())
  shop = await givenHostileShop(service)
  const first = (length: number) => payloads.find((text) => text.length <= length)!
  const [name, headline, tagline] = payloads.slice(20).filter((text) => text.length <= 80)
  await shop.api.put(shop.at('workspace')).send({ name }).expect(200)
  const seo = { title: first(120), description: payloads.slice(0, 6).join(' ') }
  await shop.design({ headline, tagline, seo, about: payloads.join('\n\n'), templateKey: 'beauty' })
  const gift = { credits: 50, reason: 'A gift', reference: unique('gift'), now: service.now() }
  await write(service, (trx) => adjustCredits(trx, shop.workspaceId, gift))
})
afterAll(() => browser.close())

/** A page of the shop whose policy the browser does not hold. */
async function openUnguarded(): Promise<Page> {
  const page = await browser.open({
    origin: shop.url,
    elsewhere: [shop.url],
    expectedStatuses: [404],
  })
  const session = await page.context().newCDPSession(page)
  await session.send('Page.setBypassCSP', { enabled: true })
  page.on('dialog', (dialog) => void dialog.dismiss())
  return page
}

/** What has run in a page, and what is in it that is not of our own drawing. */
async function harmIn(page: Page): Promise<string[]> {
  const ran = await page.evaluate<string>('typeof ran')
  return [...(ran === 'undefined' ? [] : ['a payload ran']), ...foreignIn(await page.content())]
}

test('a payload in markup would run here', async () => {
  const page = await openUnguarded()
  await page.goto('/privacy')
  await page.evaluate(`document.querySelector('h1').innerHTML = '<details open ontoggle=proof=1>'`)
  await page.waitForFunction('window.proof === 1')
  expect(await harmIn(page)).toEqual(['details ontoggle'])
  await page.context().close()
})

test('nothing runs in any kind of page', async () => {
  const page = await openUnguarded()
  const slugs = shop.products.slice(0, 4).map(({ slug }) => slug)
  const [collection] = linksIn((await shop.visit('/collections')).text).filter((path) =>
    path.startsWith('/c/'),
  )
  const tag = linksIn((await shop.visit(`/p/${slugs[0]}`)).text).find((path) =>
    path.startsWith('/t/'),
  )
  const paths = [
    '/',
    '/products',
    '/products?page=2',
    '/collections',
    collection!,
    tag!,
    ...slugs.map((slug) => `/p/${slug}`),
    `/p/${slugs[0]}/information`,
    '/about',
    '/faq',
    '/routine',
    '/sign-in',
    '/feedback',
    '/report',
    '/nothing-here',
    ...payloads.slice(0, 20).map((text) => `/search?q=${encodeURIComponent(text)}`),
  ]
  for (const path of paths) {
    await page.goto(path, { waitUntil: 'load' })
    expect([path, await harmIn(page)]).toEqual([path, []])
  }
  await page.goto(`/p/${slugs[2]}`)
  expect(await page.locator('.kept details').count()).toBeGreaterThan(10)
  for (const summary of await page.locator('.kept summary').all()) await summary.click()
  expect(await harmIn(page)).toEqual([])
  await page.context().close()
})

test('nothing runs in a conversation', async () => {
  const page = await openUnguarded()
  await page.goto(`/p/${shop.products[0]!.slug}`)
  const answers = page.locator('.them:not([aria-busy]) .said')
  for (const [index, question] of [...shop.asked, payloads[11]!].entries()) {
    await page.locator('textarea[name=message]').fill(question)
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await answers.nth(index).waitFor()
  }
  // The first is the shop's own words, as they were written.
  expect(await answers.first().innerText()).toContain(payloads[0])
  await page.locator('.asked button').first().click()
  await answers.nth(shop.asked.length + 1).waitFor()
  expect(await harmIn(page)).toEqual([])
  await page.context().close()
})
