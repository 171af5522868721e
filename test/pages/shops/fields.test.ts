import { afterAll, beforeAll, expect, test } from 'vitest'
import { templates } from '../../../src/domain/site/templates.ts'
import { givenProduct, type Media } from '../../kit/catalogue.ts'
import { givenOpenShop, type OpenShop } from '../../site/window/shop_pages.ts'
import { onePixel, type Page, startPages, type TestBrowser } from '../browser.ts'

/*
 * Each field of a website that visitors see, in pictures of the pages. A browser takes a picture of each field in
 * one template in turn; ALL_LOOKS=1 of all in all.
 */

const isWhole = process.env.ALL_LOOKS === '1'

let browser: TestBrowser
let shop: OpenShop
let page: Page
let logoImageId: string
beforeAll(async () => {
  const pages = await startPages()
  browser = pages.browser
  shop = await givenOpenShop(pages.service)
  const upload = shop.api.post(shop.at('media/upload')).attach('files', onePixel, 'rose.png')
  const { media } = (await upload.expect(200)).body as { media: Media[] }
  logoImageId = media[0]!.id
  for (const name of ['Rose balm', 'Rose soap'])
    await givenProduct(shop, { name, sales: [{ name: 'Market', link: 'https://market.example' }] })
  const phone = { billingPhone: '+905551234567' }
  await shop.api.put(shop.at('workspace')).send(phone).expect(200)
  page = await browser.open({ origin: shop.url, elsewhere: [shop.url], phone: true })
})
afterAll(() => browser.close())

/** What every field is before one of them is changed. */
const plain = {
  logoImageId: null,
  headline: 'From roses',
  tagline: 'By hand',
  about: 'Since 1923.',
  contactEmail: 'hello@example.com',
  socialLinks: ['https://social.example/ana'],
  language: 'en',
}

const product = '/p/rose-balm'

/** Changes of fields, and a page that shows them. */
const changes: Record<string, [path: string, change: (theme: { font: string }) => object]> = {
  'theme.primaryColor': [product, () => ({ primaryColor: '#006644' })],
  'theme.accentColor': ['/', () => ({ accentColor: '#3355ff' })],
  'theme.font': ['/', ({ font }) => ({ font: font === 'Inter' ? 'Work Sans' : 'Inter' })],
  logoImageId: ['/', () => ({ logoImageId })],
  headline: ['/', () => ({ headline: 'From olives' })],
  tagline: ['/', () => ({ tagline: 'From the mill' })],
  about: ['/about', () => ({ about: 'Since 1924.' })],
  contactEmail: ['/', () => ({ contactEmail: 'shop@example.com' })],
  socialLinks: ['/', () => ({ socialLinks: [] })],
  language: ['/', () => ({ language: 'tr' })],
}

async function pictureOf(path: string, website: object): Promise<string> {
  await shop.design(website)
  await page.goto(path)
  await page.evaluate('document.fonts.ready')
  return (await page.screenshot({ fullPage: true })).toString('base64')
}

test.each(templates.map((template, turn) => ({ ...template, turn })))(
  'what an owner writes is seen in $key',
  async ({ key: templateKey, theme, turn }) => {
    const usual = { templateKey, theme, ...plain }
    const seen = new Map<string, string>()
    for (const [place, [field, [path, change]]] of Object.entries(changes).entries()) {
      if (!isWhole && place % templates.length !== turn) continue
      const before = seen.get(path) ?? (await pictureOf(path, usual))
      seen.set(path, before)
      const changed = field.startsWith('theme.')
        ? { ...usual, theme: { ...theme, ...change(theme) } }
        : { ...usual, ...change(theme) }
      const after = await pictureOf(path, changed)
      expect([field, after === before]).toEqual([field, false])
      // What differs is the field, and nothing that comes and goes.
      expect([field, (await pictureOf(path, usual)) === before]).toEqual([field, true])
    }
  },
)

/** What search engines and messengers read of a page, in the document of a browser. */
async function headAt(path: string): Promise<Record<string, string | null>> {
  await page.goto(path)
  return page.evaluate<Record<string, string | null>>(`(() => {
    const said = (selector) => document.querySelector(selector)?.content ?? null
    return {
      title: document.title,
      description: said('meta[name=description]'),
      shared: said('meta[property="og:title"]') + ': ' + said('meta[property="og:description"]'),
      robots: said('meta[name=robots]'),
    }
  })()`)
}

test('what an owner writes for search engines is in the document of the home page', async () => {
  const { name } = (await shop.api.get(shop.at('workspace')).expect(200)).body as { name: string }
  const seo = { title: '', description: '' }
  await shop.design({ templateKey: 'minimal', ...plain, seo })
  const own = 'From roses By hand'
  const usual = { title: name, description: own, shared: `${name}: ${own}`, robots: 'noindex' }
  expect(await headAt('/')).toEqual(usual)
  await shop.design({ seo: { title: 'Roses of Isparta' } })
  const titled = { ...usual, title: 'Roses of Isparta', shared: `Roses of Isparta: ${own}` }
  expect(await headAt('/')).toEqual(titled)
  const description = 'Soap & balm "by hand".'
  await shop.design({ seo: { title: '', description } })
  expect(await headAt('/')).toEqual({ ...usual, description, shared: `${name}: ${description}` })
  await shop.design({ seo })
  expect(await headAt('/')).toEqual(usual)
  // The third product ends the time in which a new shop is not listed.
  await givenProduct(shop, { name: 'Olive soap' })
  expect(await headAt('/')).toEqual({ ...usual, robots: null })
})
