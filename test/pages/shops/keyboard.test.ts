import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adjustCredits } from '../../../src/domain/credits/wallet.ts'
import { templates } from '../../../src/domain/site/templates.ts'
import { givenProduct, givenTag, type Media } from '../../kit/catalogue.ts'
import { type TestService, unique } from '../../kit/service.ts'
import { write } from '../../kit/wallets.ts'
import { givenOpenShop, type OpenShop } from '../../site/window/shop_pages.ts'
import { type Page, startPages, type TestBrowser } from '../browser.ts'

let service: TestService
let browser: TestBrowser
let shop: OpenShop
let product: string
beforeAll(async () => {
  ;({ service, browser } = await startPages())
  shop = await givenOpenShop(service)
  const imageIds: string[] = []
  for (const background of ['#a33', '#fff']) {
    const shape = { width: 600, height: 600, channels: 3, background } as const
    const bytes = await sharp({ create: shape }).png().toBuffer()
    const upload = shop.api.post(shop.at('media/upload')).attach('files', bytes, 'rose.png')
    imageIds.push(((await upload.expect(200)).body as { media: Media[] }).media[0]!.id)
  }
  const { id, slug } = await givenProduct(shop, {
    name: 'Rose balm',
    description: 'It is made for dry skin.',
    imageIds,
    tagIds: [(await givenTag(shop, 'Rose')).id],
    sales: [{ name: 'Market', link: 'https://market.example/balm' }],
  })
  product = `/p/${slug}`
  await shop.design({ contactEmail: 'hello@example.com', accessPolicy: { challenge: 'OFF' } })
  const texts = ['Is it made for dry skin?', 'Is it from Mars?']
  const questions = { questions: texts.map((text) => ({ text })) }
  await shop.api.put(shop.at('questions')).send(questions).expect(200)
  const gift = { credits: 20, reason: 'A gift', reference: unique('gift'), now: service.now() }
  await write(service, (trx) => adjustCredits(trx, shop.workspaceId, gift))
  const path = `/api/workspaces/${shop.workspaceId}/products/${id}/kept-answers`
  await service.dashboard(shop.person).post(path).send({ credits: 5 }).expect(200)
})
afterAll(() => browser.close())

const open = () => browser.open({ origin: shop.url, elsewhere: [shop.url] })

interface Focus {
  name: string
  /** Whether it is drawn around, in the window and under nothing else. */
  isSeen: boolean
}

/** What has the focus; undefined if nothing has. */
const focusOf = (page: Page) =>
  page.evaluate<Focus | undefined>(`(() => {
    const element = document.activeElement
    if (element === document.body) return undefined
    const text = element.textContent.trim()
    const name = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    const { left, top, bottom, width } = element.getBoundingClientRect()
    const middle = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2
    const shown = document.elementFromPoint(left + width / 2, middle)
    return {
      name: name ?? (text || element.querySelector('img')?.alt || element.tagName),
      isSeen: outlineStyle === 'solid' && parseFloat(outlineWidth) >= 2 &&
        element.contains(shown),
    }
  })()`)

/** Walks a page with the Tab key from its beginning to its end. */
async function walk(page: Page): Promise<Focus[]> {
  const seen: Focus[] = []
  for (let steps = 0; steps < 80; steps++) {
    await page.keyboard.press('Tab')
    const focus = await focusOf(page)
    if (!focus) return seen
    seen.push(focus)
  }
  throw new Error(`The Tab key does not leave the page: ${JSON.stringify(seen)}`)
}

/** Presses Tab until an element with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let steps = 0; steps < 80; steps++) {
    await page.keyboard.press('Tab')
    if ((await focusOf(page))?.name === name) return
  }
  throw new Error(`The Tab key does not reach ${name}.`)
}

const start = ['Skip to the content', 'A workspace', 'Products']
const ofBeauty = ['Routine', 'Face analysis']
const search = ['Questions', 'Search this shop', 'Search', 'Account']
const ofProduct = [
  'Home',
  'Products',
  'Rose balm, picture 1 of 2',
  'Rose balm, picture 2 of 2',
  'Buy at Marketmarket.example',
  'Rose',
  'Is it made for dry skin?',
  'Is it from Mars?',
  'What would you like to know?',
  'Ask',
]
const footer = [
  'hello@example.com',
  'Products',
  'Account',
  'Feedback',
  'Privacy',
  'Report this shop',
  'AppearanceSystemLightDark',
]

describe('with the keyboard alone', () => {
  test.each(templates.map(({ key, theme }) => [key, theme] as const))(
    'every part of a product’s page is reached in its order and is seen to be, as %s',
    async (templateKey, theme) => {
      const phone = { billingPhone: '+905551234567' }
      await shop.api.put(shop.at('workspace')).send(phone).expect(200)
      await shop.design({ templateKey, theme })
      const page = await open()
      await page.goto(product)
      const walked = await walk(page)
      const names = walked.map(({ name }) => name)
      const menu = [...start, ...(templateKey === 'beauty' ? ofBeauty : []), ...search]
      expect(names).toEqual([...menu, ...ofProduct, ...footer])
      expect(walked.filter(({ isSeen }) => !isSeen)).toEqual([])
      await page.context().close()
    },
  )

  test('a visitor skips the menu, and goes on in the content', async () => {
    const page = await open()
    await page.goto(product)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(new URL(page.url()).hash).toBe('#main')
    await page.keyboard.press('Tab')
    expect((await focusOf(page))?.name).toBe(ofProduct[0])
    await page.context().close()
  })

  test('a visitor takes a search back with Escape, searches, and opens what was found', async () => {
    const page = await open()
    await page.goto('/')
    await tabTo(page, 'Search this shop')
    const field = page.locator('#q')
    await page.keyboard.type('olive')
    await page.keyboard.press('Escape')
    expect(await field.inputValue()).toBe('')
    await page.keyboard.type('rose')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /“rose”/ }).waitFor()
    for (;;) {
      await page.keyboard.press('Tab')
      if ((await focusOf(page))?.name.startsWith('Rose balm')) break
    }
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Rose balm' }).waitFor()
    await page.context().close()
  })

  test('a visitor opens an answer and closes it, asks, and can ask again at once', async () => {
    const page = await open()
    await page.goto(product)
    await tabTo(page, 'Is it made for dry skin?')
    const answer = page.locator('details')
    for (const isOpen of [true, false]) {
      await page.keyboard.press('Enter')
      expect((await answer.getAttribute('open')) !== null).toBe(isOpen)
    }
    await tabTo(page, 'What would you like to know?')
    await page.keyboard.type('Is it good for dry skin?')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.locator('.them:not([aria-busy]) .said').waitFor()
    await expect.poll(async () => (await focusOf(page))?.name).toBe('What would you like to know?')
    await page.context().close()
  })
})

describe('a new workspace', () => {
  test.each(templates.map(({ key }) => key))('has its page as %s', async (templateKey) => {
    const person = await service.givenPerson()
    const { key } = await service.givenKey(person)
    const subDomain = unique('new')
    const name = `The shop of ${templateKey}`
    const body = { name, subDomain, templateKey, phone: '+905551234567' }
    await service.api(key).post('/v1/workspaces').send(body).expect(200)
    const origin = `http://${subDomain}.${service.config.siteDomain}`
    const page = await browser.open({ origin, elsewhere: [origin] })
    const answer = await page.goto('/')
    expect([answer?.status(), await page.title()]).toEqual([200, name])
    await page.locator(`body.t-${templateKey}`).waitFor()
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(name)
    await page.context().close()
  })
})
