import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { adjustCredits } from '../../../src/domain/credits/wallet.ts'
import { drySkin, modelSettings } from '../../assistant/chats.ts'
import { givenProduct, type Product } from '../../kit/catalogue.ts'
import { type ModelServer, startModelServer } from '../../kit/peers/model_server.ts'
import { startService, type TestService, unique } from '../../kit/service.ts'
import { write } from '../../kit/wallets.ts'
import { givenOpenShop, type OpenShop } from '../../site/window/shop_pages.ts'
import { type Page, startBrowser, type TestBrowser } from '../browser.ts'

/*
 * A provider on loopback says half of its answer, and the other half only once a visitor has seen the first:
 * an answer that is shown when it is whole would never be shown.
 */

let model: ModelServer
let service: TestService
let browser: TestBrowser
let shop: OpenShop
let balm: Product
let host: Server
let origin: string
beforeAll(async () => {
  model = await startModelServer()
  service = await startService({ atOwnAddress: true, env: modelSettings(model) })
  browser = await startBrowser(service)
  shop = await givenOpenShop(service)
  balm = await givenProduct(shop, {
    name: 'Rose balm',
    description: 'Rich care for dry skin.',
    information: 'Apply to clean skin in the evening.',
  })
  const gift = { credits: 50, reason: 'A gift', reference: unique('gift'), now: service.now() }
  await write(service, (trx) => adjustCredits(trx, shop.workspaceId, gift))
  host = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
    response.end(
      `<!doctype html><html lang="en"><title>A blog</title><body><main><h1>A blog</h1></main>
       <script src="${shop.url}/widget.js" async data-product="${balm.slug}"></script></body></html>`,
    )
  })
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
  await shop.design({ embedOrigins: [origin], accessPolicy: { challenge: 'OFF' } })
})
afterAll(async () => {
  await browser.close()
  host.close()
  await service.close()
  await model.close()
})

const first = 'It is for dry skin.'
const whole = `${first} Use it in the evening.`
let goOn: () => void
beforeEach(() => {
  const until = new Promise<void>((resolve) => (goOn = resolve))
  const response = 'It is for dry skin [s1]. Use it in the evening [s2].'
  const says = { response, productIds: [], unanswered: false }
  model.behave({ says, pause: { at: 'Use', until } })
})

/** What the conversation of a page says, also in closed roots. */
async function saidIn(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  await session.send('DOM.enable')
  const whole = { depth: -1, pierce: true }
  const { nodes } = await session.send('DOM.getFlattenedDocument', whole)
  await session.detach()
  const said = nodes.filter(
    ({ nodeName, attributes = [] }) => nodeName === 'P' && attributes.includes('said'),
  )
  return said.map(
    ({ nodeId }) => nodes.find(({ parentId }) => parentId === nodeId)?.nodeValue ?? '',
  )
}

/** Holds that a page shows the first half while the provider keeps the second, and then both. */
async function expectStreamed(page: Page): Promise<void> {
  await expect.poll(() => saidIn(page)).toEqual([first])
  goOn()
  await expect.poll(() => saidIn(page)).toEqual([whole])
}

test('a page of the shop shows the first words before the answer has ended', async () => {
  const page = await browser.open({ origin: shop.url, elsewhere: [shop.url] })
  await page.goto(`/p/${balm.slug}`)
  await page.locator('textarea[name=message]').fill(drySkin)
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await expectStreamed(page)
  await page.locator('.talk .them:not([aria-busy]) .said').waitFor()
  await page.context().close()
})

test('so does the widget on a page of others', async () => {
  const page = await browser.open({ origin, elsewhere: [shop.url, origin] })
  await page.goto('/')
  await page.locator('body > div').waitFor({ state: 'attached' })
  const opened = page.waitForResponse((response) => response.url().includes('/widget/'))
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await opened
  await page.waitForFunction(`document.activeElement.matches('body > div')`)
  await page.keyboard.type(drySkin)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expectStreamed(page)
  await page.context().close()
})
