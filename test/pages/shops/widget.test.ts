import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adjustCredits } from '../../../src/domain/credits/wallet.ts'
import { givenProduct, type Product } from '../../kit/catalogue.ts'
import { type TestService, unique } from '../../kit/service.ts'
import { write } from '../../kit/wallets.ts'
import { givenOpenShop, type OpenShop } from '../../site/window/shop_pages.ts'
import { type Page, startPages, type TestBrowser } from '../browser.ts'

let service: TestService
let browser: TestBrowser
let shop: OpenShop
let balm: Product
const hostile = '<img src=x onerror="document.title=1">'

beforeAll(async () => {
  ;({ service, browser } = await startPages())
  shop = await givenOpenShop(service)
  await shop.design({ contactEmail: 'hello@example.com' })
  balm = await givenProduct(shop, {
    name: `Rose balm ${hostile}`,
    description: `It is made for dry skin.\n\n${hostile} smells of roses.\n\nUse it at night.`,
  })
  const questions = [{ text: 'Is it made for dry skin?' }, { text: `${hostile}?` }]
  await shop.api.put(shop.at('questions')).send({ questions }).expect(200)
  await give(20)
})
afterAll(() => browser.close())

async function give(credits: number): Promise<void> {
  const gift = { credits, reason: 'A gift', reference: unique('gift'), now: service.now() }
  await write(service, (trx) => adjustCredits(trx, shop.workspaceId, gift))
}

const balance = async () => (await shop.api.get(shop.at('wallet')).expect(200)).body.balance

/** A site of the owner's own, with a strict policy, and one of a stranger. */
async function startHost(
  policy: string,
  product = balm.slug,
): Promise<{ server: Server; origin: string }> {
  const server = createServer((_request, response) => {
    response.writeHead(200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
    })
    response.end(
      `<!doctype html><html lang="en"><title>A shop</title><body><main><h1>Rose balm</h1></main>
       <script src="${shop.url}/widget.js" async data-product="${product}"></script></body></html>`,
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const openHost = (origin: string, options: Parameters<TestBrowser['open']>[0] = {}) =>
  browser.open({ origin, elsewhere: [shop.url, origin], ...options })

/** A visitor opens it with the keyboard: nobody but us sees inside the closed root. */
async function openWidget(page: Page): Promise<void> {
  if (new URL(page.url()).pathname !== '/') await page.goto('/')
  await page.locator('body > div').waitFor({ state: 'attached' })
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
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

  test('leads to the shop where the product is unknown, or the assistant is off', async () => {
    const policy = `script-src ${shop.url}; style-src 'none'`
    const [host, lost] = [await startHost(policy), await startHost(policy, 'sold-long-ago')]
    await shop.design({ embedOrigins: [host.origin, lost.origin] })
    const settings = shop.at('ai-settings')
    const { body: usual } = await shop.api.get(settings).expect(200)
    const off = { ...usual, fastEnabled: false, comprehensiveEnabled: false }
    await shop.api.put(settings).send(off).expect(200)
    for (const [{ origin }, says, path] of [
      [
        host,
        'The assistant is not answering at the moment. You can ask us by email.',
        `/p/${balm.slug}`,
      ],
      [lost, 'The shop does not show this product at the moment.', '/'],
    ] as const) {
      const page = await openHost(origin, { expectedStatuses: [404] })
      await openWidget(page)
      await expect.poll(() => textsOf(page)).toContain(says)
      expect([...(await buttonsOf(page)).keys()]).toEqual(['×'])
      await page.keyboard.press('Enter')
      await page.waitForURL(shop.url + path)
      await page.context().close()
    }
    await shop.api.put(settings).send(usual).expect(200)
    for (const { server } of [host, lost]) server.close()
  })

  test('goes, and tells the owner why, on a page that they do not list', async () => {
    const stranger = await startHost(`script-src ${shop.url}`)
    const warning = `Pages of ${stranger.origin} may not show the widget of this shop. `
    const page = await openHost(stranger.origin, {
      expectedStatuses: [403],
      expectedWarning: warning,
    })
    const warned = page.waitForEvent('console', (message) => message.type() === 'warning')
    await openWidget(page)
    expect((await warned).text()).toBe(`${warning}Add this origin to embedOrigins of the website.`)
    await page.locator('body > div').waitFor({ state: 'detached' })
    await page.context().close()
    stranger.server.close()
  })

  test('says that nothing is answered before anything is typed', async () => {
    const host = await startHost(`script-src ${shop.url}`)
    await shop.design({ embedOrigins: [host.origin] })
    await give(-(await balance()))
    const page = await openHost(host.origin)
    await openWidget(page)
    await expect
      .poll(() => textsOf(page))
      .toContain('The assistant is not answering at the moment. You can ask us by email.')
    expect([...(await buttonsOf(page)).keys()]).toEqual(['×'])
    await page.context().close()
    host.server.close()
    await give(20)
  })

  test('goes on after a reload', async () => {
    const host = await startHost(`script-src ${shop.url}`)
    await shop.design({ embedOrigins: [host.origin] })
    const page = await openHost(host.origin)
    await openWidget(page)
    await expect.poll(async () => [...(await buttonsOf(page)).keys()]).toContain('Ask')
    const answered = page.waitForResponse((response) => response.url().endsWith('/chat/product'))
    await page.keyboard.type('Is it made for dry skin?')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect((await answered).status()).toBe(200)
    await expect.poll(() => textsOf(page)).toContain('“It is made for dry skin.”')
    await page.reload()
    await openWidget(page)
    await expect.poll(() => textsOf(page)).toContain('“It is made for dry skin.”')
    await page.context().close()
    host.server.close()
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
    const page = await openHost(host.origin)
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
    expect([seen.status, seen.body.code]).toEqual([403, 'origin_refused'])
    for (const { server } of [host, stranger, other]) server.close()
  })
})
