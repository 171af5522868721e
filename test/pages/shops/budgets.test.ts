import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { templates } from '../../../src/domain/site/templates.ts'
import { givenProduct } from '../../kit/catalogue.ts'
import { givenOpenShop, type OpenShop } from '../../site/window/shop_pages.ts'
import { startPages, type TestBrowser } from '../browser.ts'

/* How much a page of a shop may load, in bytes as they are sent. */

const kilobyte = 1024
const budgets = {
  scriptBeforePaint: 0.5,
  scriptAtFirst: 4,
  scriptAfterTouch: 15,
  style: 5,
  fonts: 40,
}

let browser: TestBrowser
let shop: OpenShop
let product: string
beforeAll(async () => {
  const pages = await startPages()
  browser = pages.browser
  shop = await givenOpenShop(pages.service)
  // The customized template is for owners who can be called.
  const phone = { billingPhone: '+905551234567' }
  await shop.api.put(shop.at('workspace')).send(phone).expect(200)
  await shop.design({ headline: 'Şık, ılık, yağsız', about: 'İğde ve gül.', language: 'tr' })
  const { slug } = await givenProduct(shop, {
    name: 'Gül yağı',
    description: 'Kuru ciltler için “İğde” – ışıl ışıl.',
    information: 'Ağırlık: 50 g',
  })
  product = `/p/${slug}`
})
afterAll(() => browser.close())

/** The bytes of a file of the shop, compressed as browsers ask for it. */
async function sizeOf(path: string): Promise<number> {
  const { status, headers } = await shop.visit(path, { 'Accept-Encoding': 'br' })
  expect([path, status, headers['content-encoding']]).toEqual([path, 200, 'br'])
  return Number(headers['content-length'])
}

/** The paths of a script and of everything that it imports at once. */
async function scriptsOf(path: string, seen = new Set<string>()): Promise<Set<string>> {
  if (seen.has(path)) return seen
  seen.add(path)
  const { body, text } = await shop.visit(path)
  const source = text ?? String(body)
  for (const [, name] of source.matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g))
    await scriptsOf(`/assets/${name}`, seen)
  return seen
}

async function total(paths: Iterable<string>): Promise<number> {
  let bytes = 0
  for (const path of paths) bytes += await sizeOf(path)
  return bytes
}

describe('the script of a page', () => {
  test('is small before a visitor touches anything, and after', async () => {
    await shop.design({ templateKey: 'beauty' })
    let withScript = 0
    for (const path of ['/', '/products', product, '/routine', '/face', '/sign-in']) {
      const { text, status } = await shop.visit(path)
      expect([path, status]).toEqual([path, 200])
      const [, held] = /<script src="([^"]+)"/.exec(text) ?? []
      const beforePaint = await scriptsOf(held!)
      expect(await total(beforePaint)).toBeLessThanOrEqual(budgets.scriptBeforePaint * kilobyte)
      const tags = [...text.matchAll(/<script type="module" src="([^"]+)" data-parts="([^"]+)"/g)]
      // All that a page runs stands in these elements.
      const others = text.match(/<script(?! type="application\/ld\+json")/g) ?? []
      expect([path, others.length]).toEqual([path, tags.length + 1])
      if (tags.length === 0) continue
      withScript++
      const [, script, parts] = tags[0]!
      const atFirst = await scriptsOf(script!, beforePaint)
      expect(await total(atFirst)).toBeLessThanOrEqual(budgets.scriptAtFirst * kilobyte)
      const after = await scriptsOf(parts!, atFirst)
      expect(after.size).toBeGreaterThan(2)
      expect(await total(after)).toBeLessThanOrEqual(budgets.scriptAfterTouch * kilobyte)
    }
    expect(withScript).toBeGreaterThanOrEqual(3)
  })
})

describe.each(templates.map(({ key, theme }) => [key, theme] as const))('%s', (key, theme) => {
  test('has a small stylesheet, of which a page loads one', async () => {
    await shop.design({ templateKey: key, theme })
    for (const path of ['/', product]) {
      const { text } = await shop.visit(path)
      const links = [...text.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)]
      const sheets = new Set(links.map(([, href]) => href!))
      expect([...sheets]).toEqual([expect.stringMatching(`^/assets/${key}\\.`)])
      expect(await total(sheets)).toBeLessThanOrEqual(budgets.style * kilobyte)
    }
  })

  test('loads few bytes of fonts on Turkish pages', async () => {
    await shop.design({ templateKey: key, theme })
    for (const path of ['/', product]) {
      const page = await browser.open({ origin: shop.url, elsewhere: [shop.url] })
      const fonts = new Set<string>()
      page.on('response', (response) => {
        if (response.url().endsWith('.woff2')) fonts.add(new URL(response.url()).pathname)
      })
      await page.goto(path, { waitUntil: 'networkidle' })
      await page.evaluate('document.fonts.ready')
      let bytes = 0
      for (const file of fonts) bytes += Number((await shop.visit(file)).headers['content-length'])
      expect(fonts.size).toBeGreaterThan(0)
      expect(bytes).toBeLessThanOrEqual(budgets.fonts * kilobyte)
      await page.context().close()
    }
  })
})
