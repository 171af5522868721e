import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync } from 'node:zlib'
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
    expect(scripts.filter((path) => path.endsWith('.js'))).toHaveLength(1)
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
    expect(scripts.filter((path) => path.endsWith('.js'))).toHaveLength(3)
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
    const page = await open({ expectedStatuses: [402] })
    await page.goto(`/p/${balm.slug}`)
    await ask(page, 'Is it made for dry skin?')
    await page.getByText('You can ask us by email.').waitFor()
    const mail = page.getByRole('link', { name: 'Is it made for dry skin?' })
    expect(await mail.getAttribute('href')).toMatch(/^mailto:hello@example\.com\?subject=Rose/)
    expect(await page.locator('form.ask').isVisible()).toBe(false)
    await page.context().close()
    await give(50)
  })

  test('reads the questions without a script', async () => {
    const page = await browser.open({ origin: shop.url, elsewhere: [shop.url], script: false })
    await page.goto(`/p/${balm.slug}`)
    await page.getByRole('link', { name: 'Is it made for dry skin?' }).waitFor()
    expect(await page.locator('form.ask').isVisible()).toBe(false)
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

/** A site of the owner's own, with a strict policy, and one of a stranger. */
async function startHost(policy: string): Promise<{ server: Server; origin: string }> {
  const server = createServer((_request, response) => {
    response.writeHead(200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
    })
    response.end(
      `<!doctype html><html lang="en"><title>A shop</title><body><main><h1>Rose balm</h1></main>
       <script src="${shop.url}/widget.js" async data-product="${balm.slug}"></script></body></html>`,
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** All texts of a page, also in closed roots. */
async function textsOf(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  await session.send('DOM.enable')
  const whole = { depth: -1, pierce: true }
  const { nodes } = await session.send('DOM.getFlattenedDocument', whole)
  await session.detach()
  return nodes.map(({ nodeValue }) => nodeValue)
}

interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

/** Where the buttons of a page are, by what they say, also in closed roots; without those that are hidden. */
async function buttonsOf(page: Page): Promise<Map<string, Box>> {
  const session = await page.context().newCDPSession(page)
  await session.send('DOM.enable')
  const { nodes } = await session.send('DOM.getFlattenedDocument', { depth: -1, pierce: true })
  const buttons = new Map<string, Box>()
  for (const { nodeId } of nodes.filter(({ nodeName }) => nodeName === 'BUTTON')) {
    const text = nodes.find(({ parentId }) => parentId === nodeId)?.nodeValue ?? ''
    const found = await session.send('DOM.getBoxModel', { nodeId }).catch(() => undefined)
    const [left, top, , , right, bottom] = found?.model.border ?? []
    if (left !== undefined) buttons.set(text, { left, top: top!, right: right!, bottom: bottom! })
  }
  await session.detach()
  return buttons
}

const lieApart = (one: Box, other: Box) =>
  one.right <= other.left ||
  other.right <= one.left ||
  one.bottom <= other.top ||
  other.bottom <= one.top

/** The size of a file of the shop as browsers load it, and of all modules that it needs. */
async function loadedWith(path: string, seen = new Set<string>()): Promise<number> {
  if (seen.has(path)) return 0
  seen.add(path)
  const { body, text } = await shop.visit(path)
  const source = text ?? String(body)
  const needed = [...source.matchAll(/(?:from|import)\s*"(\.?\/[\w./-]+\.js)"/g)]
  let bytes = brotliCompressSync(source).length
  for (const [, name] of needed)
    bytes += await loadedWith(`/assets/${name!.split('/').at(-1)}`, seen)
  return bytes
}

describe('the widget', () => {
  beforeAll(() => give(20))

  test('is a kilobyte on the page of another, and fifteen once it is opened', async () => {
    const { text } = await shop.visit('/widget.js')
    expect(brotliCompressSync(text).length).toBeLessThanOrEqual(1024)
    const [, script] = /"script":"(\/assets\/[^"]+)"/.exec(text)!
    const seen = new Set<string>()
    const opened = await loadedWith(script!, seen)
    const subject = await shop.visit(`/widget/${balm.slug}`)
    expect(seen.size).toBeGreaterThan(1)
    expect(opened + brotliCompressSync(JSON.stringify(subject.body)).length).toBeLessThanOrEqual(
      15 * 1024,
    )
  })

  test('has buttons that can be clicked, and asks the shop again where that failed', async () => {
    const host = await startHost(`script-src ${shop.url}; style-src 'none'`)
    await shop.design({ embedOrigins: [host.origin] })
    const page = await browser.open({
      origin: host.origin,
      elsewhere: [shop.url, host.origin],
      losesConnection: true,
    })
    const click = async (name: string) => {
      await expect.poll(async () => [...(await buttonsOf(page)).keys()]).toContain(name)
      const { left, top, right, bottom } = (await buttonsOf(page)).get(name)!
      await page.mouse.click((left + right) / 2, (top + bottom) / 2)
    }
    await page.goto('/')
    await page.route('**/widget/**', (route) => route.abort(), { times: 1 })
    const failed = page.waitForEvent('requestfailed')
    await click('Ask about this product')
    await failed
    await click('Ask about this product')
    await expect
      .poll(async () => [...(await buttonsOf(page)).keys()])
      .toEqual(['×', 'Is it made for dry skin?', `${hostile}?`, 'Ask'])
    const boxes = [...(await buttonsOf(page)).values()]
    for (const [index, box] of boxes.entries())
      for (const other of boxes.slice(index + 1)) expect(lieApart(box, other)).toBe(true)
    await click('Is it made for dry skin?')
    await expect.poll(() => textsOf(page)).toContain('“It is made for dry skin.”')
    await click('×')
    expect([...(await buttonsOf(page)).keys()]).toEqual(['Ask about this product'])
    await click('Ask about this product')
    expect([...(await buttonsOf(page)).keys()]).toEqual(['×', 'Ask'])
    await page.context().close()
    host.server.close()
  })

  test('answers under a strict policy on pages that the owner lists, and on no others', async () => {
    const policy = [
      "default-src 'none'",
      `script-src ${shop.url}`,
      `connect-src ${shop.url}`,
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; ')
    const host = await startHost(policy)
    const stranger = await startHost(policy)
    await shop.design({ embedOrigins: [host.origin] })
    const before = await balance()
    const page = await browser.open({ origin: host.origin, elsewhere: [shop.url, host.origin] })
    await page.goto('/')
    await page.locator('body > div').waitFor({ state: 'attached' })
    // Nobody but us sees inside the closed root: a visitor uses it with the keyboard.
    expect(await page.evaluate(`document.querySelector('body > div').shadowRoot`)).toBe(null)
    await page.keyboard.press('Tab')
    const opened = page.waitForResponse((response) => response.url().includes('/widget/'))
    await page.keyboard.press('Enter')
    await opened
    await page.waitForFunction(`document.activeElement.matches('body > div')`)
    const answered = page.waitForResponse((response) => response.url().endsWith('/chat/product'))
    await page.keyboard.type('Is it made for dry skin?')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    const answer = await answered
    expect(answer.status()).toBe(200)
    await expect.poll(() => textsOf(page)).toContain('“It is made for dry skin.”')
    expect(await balance()).toBe(before - 1)
    expect(await page.context().cookies()).toEqual([])

    await page.context().close()

    const sent = answer.request().headers()
    const stolen = {
      'X-Guest-Device-Id': sent['x-guest-device-id']!,
      'X-Guest-Token': sent['x-guest-token']!,
    }
    const other = await startHost(policy)
    await shop.design({ embedOrigins: [host.origin, other.origin] })
    const question = { message: 'Is it made for dry skin?', productId: balm.id }
    const call = (Origin: string) => shop.call('chat/product', question, { Origin, ...stolen })
    const statuses = [host.origin, other.origin, shop.url, stranger.origin].map(call)
    // 403: known, but without a solved challenge. 401: nobody. 403: refused by its origin.
    expect((await Promise.all(statuses)).map(({ body }) => body.code)).toEqual([
      'challenge_required',
      'visitor_required',
      'visitor_required',
      'origin_refused',
    ])
    const seen = await shop.visit(`/widget/${balm.slug}`, { Origin: stranger.origin })
    expect(seen.headers['access-control-allow-origin']).toBeUndefined()
    for (const { server } of [host, stranger, other]) server.close()
  })
})
