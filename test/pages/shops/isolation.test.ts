import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { givenProduct } from '../../kit/catalogue.ts'
import { type TestService, unique } from '../../kit/service.ts'
import { givenOpenShop, type OpenShop, signIn } from '../../site/window/shop_pages.ts'
import { type Page, startPages, type TestBrowser } from '../browser.ts'

/*
 * What hostile code in a shop's page could do to other origins, in a browser that does not hold the page's
 * policy: whatever is refused here is refused by the other origin, and by the shops' hosts being apart.
 */

let service: TestService
let browser: TestBrowser
let shop: OpenShop
let sibling: OpenShop
/** A page of the shop in the browser of its owner, who is also a customer of the sibling. */
let page: Page
/** What other origins were asked, with the cookies that came along. */
let asked: [path: string, cookie: string | undefined][] = []

beforeAll(async () => {
  ;({ service, browser } = await startPages())
  shop = await givenOpenShop(service)
  sibling = await givenOpenShop(service)
  await givenProduct(sibling, { name: 'A secret of the sibling' })
  await sibling.design({ accessPolicy: { challenge: 'OFF' } })
  const session = await signIn(service, sibling, `${unique('visitor')}@example.com`)
  await sibling.design({ accessPolicy: { visibility: 'SIGN_IN' } })
  const watched = await browser.open({ origin: shop.url, elsewhere: [shop.url] })
  await watched.goto('/')
  const context = watched.context()
  const cookies: [string, string][] = [
    [shop.person.cookie, service.config.dashboardUrl],
    [(await service.givenStaff()).cookie, service.config.adminUrl],
    [session.Cookie, sibling.url],
  ]
  for (const [cookie, url] of cookies) {
    const [name = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }])
  }
  // Not watched: what is refused here is an error in its console.
  page = await context.newPage()
  const devTools = await context.newCDPSession(page)
  await devTools.send('Page.setBypassCSP', { enabled: true })
  const note = ({ url = '', headers }: IncomingMessage) => {
    const ours = [shop.url, sibling.url].find((each) => each.endsWith(headers.host ?? ''))
    if (ours !== shop.url) asked.push([url, headers.cookie])
  }
  const { api, dashboard, admin, site } = service.app
  for (const { server } of [api, dashboard, admin, site!]) server.prependListener('request', note)
})
afterAll(() => browser.close())
beforeEach(async () => {
  await page.goto(`${shop.url}/`)
  asked = []
})

/** What lies at other origins, and is for those who are signed in there. */
const elsewhere = () => ({
  dashboard: `${service.config.dashboardUrl}/api/session`,
  workspace: `${service.config.dashboardUrl}/api/workspaces/${shop.workspaceId}/members`,
  administration: `${service.config.adminUrl}/api/admin/session`,
  api: `${service.config.baseUrl}/v1/workspaces`,
  sibling: `${sibling.url}/products`,
  'call of the sibling': `${sibling.url}/v1/workspaces/${sibling.workspaceId}/experience/bootstrap`,
})

/** Runs a script in the page of the shop. */
const run = <T>(script: string) => page.evaluate<T>(script)

describe('a page of a shop', () => {
  test('can send requests of its own, without its policy', async () => {
    expect(await run(`fetch('/products').then(({ status }) => status)`)).toBe(200)
    await run(`document.cookie = 'own=1'`)
    expect(await run('document.cookie')).toContain('own=1')
  })

  test('sets no cookie for hosts beside its own', async () => {
    const domains = [
      'localhost',
      '.localhost',
      new URL(sibling.url).hostname,
      new URL(service.config.dashboardUrl).hostname,
    ]
    for (const domain of domains)
      for (const name of ['planted', 'vitrine_session', 'vitrine_customer'])
        await run(`document.cookie = '${name}=planted; Path=/; Domain=${domain}'`)
    const cookies = await page.context().cookies()
    expect(cookies.filter(({ value }) => value === 'planted')).toEqual([])
  })

  test('sees no cookie of others, nor those that are hidden from scripts', async () => {
    expect(await run('document.cookie')).not.toContain('vitrine')
    for (const store of ['localStorage', 'sessionStorage'])
      expect(await run(`Object.keys(${store})`)).toEqual([])
  })

  test('reads nothing of other origins, and takes nobody’s session along', async () => {
    for (const [what, url] of Object.entries(elsewhere())) {
      const read = await run(
        `fetch('${url}', { credentials: 'include' }).then((answer) => answer.text(), () => 'refused')`,
      )
      expect([what, read]).toEqual([what, 'refused'])
      const opaque = await run(
        `fetch('${url}', { credentials: 'include', mode: 'no-cors' }).then(
          async (answer) => [answer.type, await answer.text()], () => ['opaque', ''])`,
      )
      expect([what, opaque]).toEqual([what, ['opaque', '']])
    }
    expect(asked.length).toBeGreaterThan(5)
    expect(asked.filter(([, cookie]) => cookie !== undefined)).toEqual([])
  })

  test('writes nothing elsewhere', async () => {
    const { dashboardUrl } = service.config
    const path = `/api/workspaces/${shop.workspaceId}/site-budget`
    const before = (await service.dashboard(shop.person).get(path).expect(200)).body
    const sent = await run(`Promise.all([
      fetch('${dashboardUrl}${path}', { method: 'PUT', credentials: 'include',
        headers: { 'Content-Type': 'application/json' }, body: '{"dailyCredits":0}' }),
      fetch('${sibling.url}/feedback', { method: 'POST', credentials: 'include',
        headers: { 'Content-Type': 'application/json' }, body: '{"message":"Not mine"}' }),
    ].map((each) => each.then(() => 'read', () => 'refused')))`)
    expect(sent).toEqual(['refused', 'refused'])
    // A form needs no leave to be sent; the sibling refuses it by its origin.
    const form = `message=${encodeURIComponent('Not mine')}`
    await run(`fetch('${sibling.url}/feedback', { method: 'POST', credentials: 'include',
      mode: 'no-cors', body: new URLSearchParams('${form}') }).catch(() => undefined)`)
    expect(asked.at(-1)?.[0]).toBe('/feedback')
    expect((await service.dashboard(shop.person).get(path).expect(200)).body).toEqual(before)
    const { body } = await sibling.api.get(sibling.at('feedback')).expect(200)
    expect(body.feedbacks).toEqual([])
  })

  test('makes its reader no guest of another shop', async () => {
    const open = await givenOpenShop(service)
    const path = `/v1/workspaces/${open.workspaceId}/experience/bootstrap`
    // The page learns nothing of the answer, whatever it is.
    const answered = new Promise<number>((resolve) => {
      service.app.site!.server.prependOnceListener('request', (_request, response) =>
        response.once('finish', () => resolve(response.statusCode)),
      )
    })
    await run(`void (new Image().src = '${open.url}${path}')`)
    expect(await answered).toBe(403)
    await page.goto(`${open.url}/`)
    expect(await page.context().cookies(open.url)).toEqual([])
    expect(await run(`fetch('${path}').then(({ status }) => status)`)).toBe(200)
    expect((await page.context().cookies(open.url)).map(({ name }) => name)).toEqual([
      'vitrine_guest',
    ])
  })

  test('frames no page of others', async () => {
    for (const url of [service.config.dashboardUrl, service.config.adminUrl, sibling.url]) {
      await run(`new Promise((resolve) => {
        const frame = document.createElement('iframe')
        frame.onload = resolve
        frame.src = '${url}/'
        document.body.append(frame)
      })`)
      const shown = page.frames().at(-1)!
      await expect.poll(() => shown.url()).toMatch(/^chrome-error:/)
    }
  })

  test('reads nothing of a window that it opens, and that window nothing of it', async () => {
    const reach = (of: string) => `(() => { try {
      return [${of}.document.title, ${of}.localStorage.length].join()
    } catch { return 'nothing' } })()`
    for (const url of [service.config.dashboardUrl, sibling.url]) {
      const opening = page.waitForEvent('popup')
      await run(`void (window.other = window.open('${url}/'))`)
      const popup = await opening
      await popup.waitForLoadState()
      expect(await popup.evaluate(reach('window'))).not.toBe('nothing')
      expect([url, await run(reach('other'))]).toEqual([url, 'nothing'])
      expect([url, await popup.evaluate(reach('opener'))]).toEqual([url, 'nothing'])
      await popup.close()
    }
  })
})
