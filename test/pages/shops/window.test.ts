import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoSubDomain, readDemo, seedDemo } from '../../../src/demo/demo.ts'
import { diskMediaStore } from '../../../src/adapters/media_store.ts'
import { join } from 'node:path'
import { templates } from '../../../src/domain/site/templates.ts'
import type { Client, TestService } from '../../kit/service.ts'
import { expectFits, type Page, startPages, type TestBrowser } from '../browser.ts'

let service: TestService
let browser: TestBrowser
let address: string
let api: Client
let at: (path: string) => string

beforeAll(async () => {
  ;({ service, browser } = await startPages())
  const { config, db } = service
  await seedDemo(db, config, diskMediaStore(join(config.dataDir, 'media')))
  const { apiKey, workspaceId } = readDemo(config)!
  address = `http://${demoSubDomain}.${config.siteDomain}`
  api = service.api(apiKey)
  at = (path) => `/v1/workspaces/${workspaceId}/${path}`
  await api.put(at('workspace')).send({ billingPhone: '+905551234567' }).expect(200)
})
afterAll(() => browser.close())

const openShop = (options: { script?: boolean } = {}) =>
  browser.open({ origin: address, elsewhere: [address], ...options })

const paths = async (): Promise<string[]> => {
  const [product] = (await api.get(at('products?sort=name&pageSize=20'))).body.products
  const [collection] = (await api.get(at('collections'))).body.collections
  return ['/', '/products', `/p/${product.slug}`, `/c/${collection.slug}`, '/faq', '/nothing-here']
}

describe('the pages of a shop', () => {
  test.each(templates.map(({ key, theme }) => [key, theme] as const))(
    'have one heading, fit a phone and stay within their policy as %s',
    async (templateKey, theme) => {
      const language = templateKey === 'boutique' || templateKey === 'textile' ? 'tr' : 'en'
      await api.put(at('website')).send({ templateKey, theme, language }).expect(200)
      const page = await browser.open({
        origin: address,
        elsewhere: [address],
        expectedStatuses: [404],
        phone: true,
      })
      for (const path of await paths()) {
        await page.goto(path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
        await expectFits(page)
      }
      await page.context().close()
    },
  )

  test('are laid out by their stylesheet alone, once it is there', async () => {
    const page = await openShop()
    for (const { key, theme } of templates) {
      await api.put(at('website')).send({ templateKey: key, theme }).expect(200)
      for (const path of [(await paths())[0]!, (await paths())[2]!]) {
        await page.goto(path)
        for (const width of [390, 768, 1280]) {
          await page.setViewportSize({ width, height: 900 })
          const painted = await boxesOf(page)
          expect(painted.length).toBeGreaterThan(60)
          await page.evaluate(withoutFirstRules)
          expect([key, path, width, await boxesOf(page)]).toEqual([key, path, width, painted])
          await page.reload()
        }
      }
    }
    await page.context().close()
  })

  test('look like five shops', async () => {
    const page = await openShop()
    const looks = new Set<string>()
    for (const { key, theme } of templates) {
      const grey = { ...theme, primaryColor: '#333333', accentColor: '#bbbbbb', font: 'system-ui' }
      await api.put(at('website')).send({ templateKey: key, theme: grey }).expect(200)
      await page.goto('/')
      looks.add(await layoutOf(page))
    }
    expect(looks.size).toBe(5)
    await page.context().close()
  })

  test('stay where they are when their fonts arrive', async ({ skip }) => {
    const page = await browser.open({ origin: address, elsewhere: [address], phone: true })
    await page.addInitScript(`
      window.moved = 0
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) window.moved += value
      }).observe({ type: 'layout-shift', buffered: true })`)
    for (const { key, theme } of templates) {
      await api.put(at('website')).send({ templateKey: key, theme }).expect(200)
      let send = () => {}
      const held = new Promise<void>((resolve) => (send = resolve))
      await page.route('**/*.woff2', async (route) => {
        await held
        await route.continue()
      })
      await page.goto('/', { waitUntil: 'domcontentloaded' })
      const device =
        'document.fonts.load("20px \'Inter Arial\'").then(({ length }) => length, () => 0)'
      // A face of the device's own stands in; a machine may have none of those that are known.
      if ((await page.evaluate(device)) === 0) skip()
      await page.evaluate(
        'new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))',
      )
      const arrived = page.waitForResponse('**/*.woff2')
      send()
      await arrived
      await page.evaluate('document.fonts.ready')
      await page.evaluate(
        'new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))',
      )
      // Capitals are less alike than small letters: boutique's links move when all arrives in one frame.
      const moved = await page.evaluate<number>('moved')
      expect([key, moved <= 0.01, moved]).toEqual([key, true, moved])
      await page.unroute('**/*.woff2')
    }
    await page.context().close()
  })

  test('have their top in its place on a phone before the stylesheet is here', async () => {
    const page = await browser.open({ origin: address, elsewhere: [address], phone: true })
    const [home, , product] = await paths()
    for (const { key, theme } of templates) {
      const plain = { ...theme, font: 'system-ui' }
      await api.put(at('website')).send({ templateKey: key, theme: plain }).expect(200)
      for (const path of [home!, product!]) {
        let send = () => {}
        const held = new Promise<void>((resolve) => (send = resolve))
        await page.route('**/*.css', async (route) => {
          await held
          await route.continue()
        })
        await page.goto(path, { waitUntil: 'commit' })
        await page.locator('main link').waitFor({ state: 'attached' })
        const first = await placesOf(page)
        send()
        await page.waitForLoadState()
        const last = (await placesOf(page)).slice(0, first.length)
        expect([key, path, first]).toEqual([key, path, last])
        await page.unroute('**/*.css')
      }
    }
    await page.context().close()
  })

  test('can be read, searched and left without a script and without a cookie', async () => {
    const page = await openShop({ script: false })
    await page.goto('/')
    await page.getByRole('link', { name: 'Products' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Products' }).waitFor()
    await page.getByRole('link', { name: 'Next' }).click()
    await page.getByText('Page 2 of').waitFor()
    await page.getByRole('searchbox').first().fill('gül')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /products for “gül”/ }).waitFor()
    await page.locator('.card a').first().click()
    await page.locator('.product h1').waitFor()
    const out = page.locator('.buy a').first()
    expect(await out.getAttribute('href')).toMatch(/^\/out\/[\w-]+\/0$/)
    expect(await page.context().cookies()).toEqual([])
    await page.context().close()
  })
})

/** Where the main things of a page stand and how large they are, without colours and words. */
function layoutOf(page: Page): Promise<string> {
  return page.evaluate(`
    JSON.stringify(['.shop', '.nav', '.find', '.hero h1', '.shots img', '.card', '.card .picture'].map(
      (selector) => {
        const found = document.querySelector(selector)?.getBoundingClientRect()
        return found && [found.x, found.y, found.width, found.height].map(Math.round)
      }))`)
}

/** Where the parts of a page are that are here, in the order of the page. */
const placesOf = (page: Page) =>
  page.evaluate<
    string[]
  >(`[...document.querySelectorAll('.top *, main :not(link)')].map((element) => {
    const { x, y, width } = element.getBoundingClientRect()
    return [element.className || element.tagName, x, y, width].join(' ')
  })`)

/** Where everything on a page is. */
const boxesOf = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('body *')].map((each) => {
    const { x, y, width, height } = each.getBoundingClientRect()
    return [each.tagName, each.getAttribute('class'), x, y, width, height].join(' ')
  })`)

/** Takes the rules for the top of a page out of it, which paint it before the stylesheet has come. */
const withoutFirstRules = `(() => {
  const { sheet } = document.querySelector('head > style')
  const isTheme = ({ cssText }) => /^(@font-face|:root|@media[^{]*color-scheme)/.test(cssText)
  for (let place = sheet.cssRules.length - 1; place >= 0; place--)
    if (!isTheme(sheet.cssRules[place])) sheet.deleteRule(place)
})()`
