import { afterAll, beforeAll, expect, test } from 'vitest'
import { importTestClient } from '../../../scripts/test_clients.mjs'
import { adjustCredits } from '../../../src/domain/credits/wallet.ts'
import { templates } from '../../../src/domain/site/templates.ts'
import { givenCollection, givenProduct, givenTag, type Media } from '../../kit/catalogue.ts'
import { type TestService, unique } from '../../kit/service.ts'
import { write } from '../../kit/wallets.ts'
import { givenOpenShop, linksIn, type OpenShop, signIn } from '../../site/window/shop_pages.ts'
import { onePixel, type Page, startPages, type TestBrowser, violationsIn } from '../browser.ts'

/*
 * Every page in every template and language, light and dark, at the width of a phone and of a desk: valid
 * HTML, no finding of axe, and all of it without a script. A browser takes minutes for all of these, so that
 * it looks at every page in two templates, which have nothing in common: one narrow, one wide, one light, one
 * dark, one English, one Turkish. It reads each page without a script in one look; ALL_LOOKS=1 looks at all.
 */

const isWhole = process.env.ALL_LOOKS === '1'
const languages = ['en', 'tr'] as const
const widths = [390, 1440] as const
const looks = templates.flatMap(({ key, theme }) =>
  languages.map((language) => ({ templateKey: key, theme, language })),
)

interface Sight {
  width: (typeof widths)[number]
  colorScheme: 'light' | 'dark'
}

/** How a page of a look is seen; not at all where it is the turn of others. */
function sightsOf(look: number, place: number): Sight[] {
  const schemes = ['light', 'dark'] as const
  if (isWhole)
    return schemes.flatMap((colorScheme) => widths.map((width) => ({ width, colorScheme })))
  const template = Math.floor(look / languages.length)
  const turn = [place, place + 2].findIndex((at) => at % templates.length === template)
  // Both turns of a page differ in everything, and a template has both widths, schemes and languages.
  const round = Math.floor(place / templates.length)
  if (turn < 0 || look % languages.length !== (turn + round) % 2) return []
  const width = widths[(turn + Math.floor(round / 2)) % 2]!
  return [{ width, colorScheme: schemes[(turn + place) % 2]! }]
}

let service: TestService
let browser: TestBrowser
let shop: OpenShop
let closed: OpenShop
let members: OpenShop
let session: { Cookie: string }
let paths: string[]

beforeAll(async () => {
  ;({ service, browser } = await startPages())
  shop = await givenOpenShop(service)
  const upload = shop.api.post(shop.at('media/upload')).attach('files', onePixel, 'rose.png')
  const { media } = (await upload.expect(200)).body as { media: Media[] }
  const tag = await givenTag(shop, 'Rose')
  const sales = [{ name: 'Market', link: 'https://market.example/balm' }]
  for (const name of ['Rose balm', 'Rose soap', 'Olive soap'])
    await givenProduct(shop, {
      name,
      sales,
      brand: 'Ana',
      stock: name.length % 2,
      imageIds: [media[0]!.id],
      tagIds: [tag.id],
      description: `${name} is made for dry skin.\n\nUse it at night.`,
      information: `Material: olive oil\nWeight: 50 g\n${'Long. '.repeat(4000)}`,
    })
  const gifts = await givenCollection(shop, { name: 'Gifts', description: 'For friends.' })
  const { products } = (await shop.api.get(shop.at('products'))).body
  for (const { id } of products)
    await shop.api.post(shop.at(`collections/${gifts.id}/products/${id}`)).expect(200)
  const questions = { questions: [{ text: 'Is it vegan?' }, { text: 'Is it made for dry skin?' }] }
  await shop.api.put(shop.at('questions')).send(questions).expect(200)
  const entries = [{ question: 'Is shipping free?', answer: 'From 50 euros on.' }]
  await shop.api.put(shop.at('shop-knowledge')).send({ entries }).expect(200)
  const phone = { billingPhone: '+905551234567' }
  await shop.api.put(shop.at('workspace')).send(phone).expect(200)
  await shop.api
    .put(shop.at('ai-settings'))
    .send({ fastEnabled: true, comprehensiveEnabled: true, sector: 'BEAUTY' })
    .expect(200)
  await shop.design({ accessPolicy: { challenge: 'OFF' } })
  session = await signIn(service, shop, 'ece@example.com')
  await shop.design({
    headline: 'From roses',
    tagline: 'Since 1923',
    about: 'We make soap.\n\nIn Isparta.',
    contactEmail: 'hello@example.com',
    socialLinks: ['https://social.example/ana'],
    accessPolicy: { challenge: 'GUESTS' },
  })
  closed = await givenOpenShop(service)
  await closed.design({ accessPolicy: { visibility: 'CLOSED' }, contactEmail: 'hi@example.com' })
  members = await givenOpenShop(service)
  await members.design({ accessPolicy: { visibility: 'SIGN_IN' } })
  const { id, slug } = products[0]
  await keepAnswers(id)
  // So that what looks at all pages looks at answers with their sources, too.
  expect((await shop.visit(`/p/${slug}`)).text).toMatch(/<details>.*<q>/s)
  paths = [
    '/',
    '/products',
    '/collections',
    `/c/${gifts.slug}`,
    `/t/${tag.id}`,
    `/p/${slug}`,
    `/p/${slug}/information`,
    '/search?q=rose',
    '/search?q=lavender',
    '/about',
    '/faq',
    '/privacy',
    '/routine',
    '/face',
    '/sign-in',
    '/account',
    '/feedback',
    '/report',
    '/nothing-here',
  ]
})
afterAll(() => browser.close())

/** Has a product's questions answered for all visitors, as far as its texts do. */
async function keepAnswers(productId: string): Promise<void> {
  const gift = { credits: 5, reason: 'A gift', reference: unique('gift'), now: service.now() }
  await write(service, (trx) => adjustCredits(trx, shop.workspaceId, gift))
  const path = `/api/workspaces/${shop.workspaceId}/products/${productId}/kept-answers`
  await service.dashboard(shop.person).post(path).send({ credits: 5 }).expect(200)
}

/** What the tests use of html-validate, whose types are not installed where the compiler runs. */
interface Validator {
  validateString(html: string): Promise<{
    results: { messages: { ruleId: string; message: string; line: number; column: number }[] }[]
  }>
}

async function openValidator(): Promise<Validator> {
  const { HtmlValidate } = await importTestClient('html-validate')
  return new HtmlValidate({
    extends: ['html-validate:standard', 'html-validate:a11y', 'html-validate:document'],
    rules: {
      // Scripts and styles come from the shop's own host.
      'require-sri': ['error', { target: 'crossorigin' }],
      'aria-label-misuse': ['error', { allowAnyNamable: true }],
    },
  }) as Validator
}

async function faultsIn(validator: Validator, html: string): Promise<string[]> {
  const { results } = await validator.validateString(html)
  return results
    .flatMap(({ messages }) => messages)
    .map(
      ({ ruleId, message, column }) =>
        `${ruleId}: ${message} ${html.slice(column - 1, column + 80)}`,
    )
}

test('every page is valid HTML, and links to nothing that is not there', async () => {
  const validator = await openValidator()
  const found = new Map<string, string>()
  const check = async (where: string, html: string) => {
    for (const fault of await faultsIn(validator, html)) found.set(fault, where)
  }
  for (const [index, look] of looks.entries()) {
    await shop.design(look)
    const reached = new Set<string>()
    for (const [place, path] of paths.entries()) {
      if (look !== looks[0] && sightsOf(index, place).length === 0) continue
      const page = await shop.visit(path, session)
      await check(`${look.templateKey} ${look.language} ${path}`, page.text)
      for (const link of linksIn(page.text)) reached.add(link)
    }
    for (const link of look === looks[0] ? reached : []) {
      const { status } = await shop.visit(link, session)
      if (![200, 302].includes(status)) found.set(`${link} answers ${status}`, look.templateKey)
    }
  }
  await check('closed', (await closed.visit('/')).text)
  await check('members', (await members.visit('/products')).text)
  await check('report of members', (await members.visit('/report')).text)
  await check('nowhere', (await shop.visit('/', { Host: 'nobody.localhost:3003' })).text)
  expect([...found].map(([fault, where]) => `${where}: ${fault}`)).toEqual([])
})

/** What is wrong with the page as it is seen: findings of axe, and what does not fit. */
async function findingsOn(page: Page, { width, colorScheme }: Sight): Promise<string[]> {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize({ width, height: 900 })
  const found = await violationsIn(page)
  const scrolled = await page.evaluate<number>('document.documentElement.scrollWidth')
  if (scrolled > width) found.push(`is ${scrolled} wide`)
  return found.map((finding) => `${colorScheme} ${width} ${finding}`)
}

async function openAt(origin: string, script: boolean): Promise<Page> {
  const page = await browser.open({
    origin,
    elsewhere: [origin],
    expectedStatuses: [401, 403, 404],
    script,
  })
  const [name = '', value = ''] = session.Cookie.split('=')
  await page.context().addCookies([{ name, value, url: shop.url }])
  return page
}

test.each(templates.map(({ key }) => key))('axe finds nothing in %s', async (templateKey) => {
  const page = await openAt(shop.url, true)
  const found: string[] = []
  for (const [index, look] of looks.entries()) {
    if (look.templateKey !== templateKey) continue
    await shop.design(look)
    for (const [place, path] of paths.entries()) {
      const sights = sightsOf(index, place)
      if (sights.length === 0) continue
      await page.goto(path, { waitUntil: 'domcontentloaded' })
      for (const sight of sights) {
        const findings = await findingsOn(page, sight)
        found.push(...findings.map((finding) => `${path} ${finding}`))
      }
    }
  }
  expect(found).toEqual([])
  await page.context().close()
})

test('axe finds nothing where a shop is not open', async () => {
  for (const { url } of [closed, members]) {
    const page = await openAt(url, true)
    for (const path of ['/', '/report']) {
      await page.goto(path)
      for (const width of widths)
        expect(await findingsOn(page, { width, colorScheme: 'light' })).toEqual([])
    }
    await page.context().close()
  }
})

test('a shop that is not open can be reported without a script', async () => {
  const page = await openAt(closed.url, false)
  await page.goto('/')
  await page.getByRole('link', { name: 'Report this shop' }).click()
  await page.getByLabel('Your name').fill('Ece Demir')
  await page.getByLabel('Email address').fill(`${unique('visitor')}@example.com`)
  await page.getByLabel('What is wrong?').fill('It pretends to be a bank.')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Thank you. We will look at it.').waitFor()
  await page.context().close()
})

test('every page can be read without a script', async () => {
  const page = await openAt(shop.url, false)
  const empty: string[] = []
  for (const [index, look] of looks.entries()) {
    await shop.design(look)
    for (const [place, path] of paths.entries()) {
      // What a page says does not hang on its template: each is read in one of them.
      if (!isWhole && place % looks.length !== index) continue
      await page.goto(path, { waitUntil: 'domcontentloaded' })
      const isShown = await page.getByRole('heading', { level: 1 }).isVisible()
      const words = (await page.getByRole('main').innerText()).trim().length
      if (!isShown || words < 20) empty.push(`${look.templateKey} ${path}`)
    }
  }
  expect(empty).toEqual([])
  await page.context().close()
})
