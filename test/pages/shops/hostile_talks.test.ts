import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
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
import { type Page, startPages, type TestBrowser } from '../browser.ts'

/*
 * What scripts draw of texts of strangers, in pages without a policy: the widget on a page of others, and
 * conversations that go on after a reload. A request to another host, an error or a dialog fails the file, too.
 */

let service: TestService
let browser: TestBrowser
let shop: HostileShop
let host: Server
let origin: string
beforeAll(async () => {
  ;({ service, browser } = await startPages())
  shop = await givenHostileShop(service)
  const name = payloads.find((text) => text.includes('<img') && text.length <= 80)
  await shop.api.put(shop.at('workspace')).send({ name }).expect(200)
  const gift = { credits: 50, reason: 'A gift', reference: unique('gift'), now: service.now() }
  await write(service, (trx) => adjustCredits(trx, shop.workspaceId, gift))
  host = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
    response.end(
      `<!doctype html><html lang="en"><title>A blog</title><body><main><h1>A blog</h1></main>
       <script src="${shop.url}/widget.js" async data-product="${shop.products[0]!.slug}"></script></body></html>`,
    )
  })
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
  await shop.design({ embedOrigins: [origin] })
})
afterAll(async () => {
  await browser.close()
  host.close()
})

/** Makes every conversation of the shop one that says every payload, and cites it. */
async function sayEverything(): Promise<void> {
  const productId = shop.products[0]!.id
  const turns = payloads.flatMap((text) => [
    { role: 'visitor', text },
    { role: 'assistant', text, citations: [{ productId, sentence: text }] },
  ])
  await service.db
    .updateTable('threads')
    .set({ turns: JSON.stringify(turns) })
    .where('workspace_id', '=', shop.workspaceId)
    .execute()
}

const hasRun = (page: Page) => page.evaluate<boolean>(`typeof ran !== 'undefined'`)

interface DrawnNode {
  nodeName: string
  nodeValue: string
  attributes?: string[]
  children?: DrawnNode[]
  shadowRoots?: (DrawnNode & { shadowRootType?: string })[]
}

/** All nodes of a page, also those in closed roots, but for what the browser draws in its own elements. */
async function nodesOf(page: Page): Promise<DrawnNode[]> {
  const session = await page.context().newCDPSession(page)
  const { root } = await session.send('DOM.getDocument', { depth: -1, pierce: true })
  await session.detach()
  return nodesIn(root)
}

function nodesIn(node: DrawnNode): DrawnNode[] {
  const roots = (node.shadowRoots ?? []).filter((each) => each.shadowRootType !== 'user-agent')
  return [node, ...[...(node.children ?? []), ...roots].flatMap(nodesIn)]
}

const textsOf = async (page: Page) => (await nodesOf(page)).map(({ nodeValue }) => nodeValue)

const drawnByUs = new Set(
  'HTML HEAD TITLE BODY MAIN H1 SCRIPT DIV SECTION HEADER STRONG BUTTON OL UL LI P A FORM TEXTAREA'.split(
    ' ',
  ),
)

/** Elements and attributes that neither the widget nor the page around it has drawn. */
function foreignAmong(nodes: DrawnNode[]): string[] {
  return nodes.flatMap(({ nodeName, attributes = [] }) => {
    if (/^#|^html$/.test(nodeName)) return []
    const found = drawnByUs.has(nodeName) ? [] : [nodeName]
    for (let at = 0; at < attributes.length; at += 2) {
      const [name = '', value = ''] = attributes.slice(at, at + 2)
      const leads = ['href', 'src', 'action'].includes(name)
      const isOurs = !leads || new URL(value, origin).origin === shop.url
      if (name.startsWith('on') || name === 'style' || !isOurs)
        found.push(`${nodeName} ${name}=${value}`)
    }
    return found
  })
}

async function openWidget(page: Page): Promise<void> {
  await page.locator('body > div').waitFor({ state: 'attached' })
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
}

const open = () => browser.open({ origin, elsewhere: [shop.url, origin] })

test('what would run in the root of the widget is noticed here', async () => {
  const page = await open()
  await page.goto('/')
  await page.locator('body > div').waitFor({ state: 'attached' })
  await page.evaluate(
    `document.body.append(Object.assign(document.createElement('div'), { id: 'other' }))
     const root = document.querySelector('#other').attachShadow({ mode: 'closed' })
     root.innerHTML = '<details open ontoggle=ran=1></details>'`,
  )
  await page.waitForFunction('window.ran === 1')
  expect(foreignAmong(await nodesOf(page))).toEqual(['DETAILS', 'DETAILS ontoggle=ran=1'])
  await page.context().close()
})

test('nothing runs in the widget, nor in a conversation that it goes on with', async () => {
  const page = await open()
  await page.goto('/')
  await openWidget(page)
  const { name } = (await shop.api.get(shop.at('workspace'))).body as { name: string }
  const { body } = await shop.visit(`/widget/${shop.products[0]!.slug}`)
  const [question] = (body as { questions: string[] }).questions
  await expect.poll(() => textsOf(page)).toEqual(expect.arrayContaining([name, question]))
  expect(foreignAmong(await nodesOf(page))).toEqual([])
  await page.keyboard.type(shop.asked[0]!)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const kept = `vitrine ${shop.workspaceId} ${shop.products[0]!.id}`
  await page.waitForFunction(`sessionStorage.getItem('${kept}') !== null`)

  await sayEverything()
  const restored = page.waitForResponse((response) => response.url().includes('/threads/'))
  await page.reload()
  await openWidget(page)
  expect((await restored).status()).toBe(200)
  await expect.poll(() => textsOf(page)).toContain(`“${payloads.at(-1)}”`)
  const texts = new Set(await textsOf(page))
  expect(payloads.filter((text) => !texts.has(text) || !texts.has(`“${text}”`))).toEqual([])
  expect(foreignAmong(await nodesOf(page))).toEqual([])
  expect(await hasRun(page)).toBe(false)
  await page.context().close()
})

test('nothing runs in a conversation that a page of the shop goes on with', async () => {
  const page = await browser.open({ origin: shop.url, elsewhere: [shop.url] })
  const session = await page.context().newCDPSession(page)
  await session.send('Page.setBypassCSP', { enabled: true })
  await page.goto(`/p/${shop.products[0]!.slug}`)
  await page.locator('textarea[name=message]').fill(shop.asked[0]!)
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await page.locator('.them:not([aria-busy]) .said').waitFor()
  await sayEverything()
  await page.reload()
  await page
    .locator('.talk > li')
    .nth(2 * payloads.length - 1)
    .waitFor()
  const said = await page.locator('.talk > li > p:first-child').allTextContents()
  expect(said).toEqual(payloads.flatMap((text) => [text, text]))
  expect(foreignIn(await page.content())).toEqual([])
  expect(await hasRun(page)).toBe(false)
  await page.context().close()
})
