import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  givenCollection,
  givenProduct,
  givenShop,
  givenTag,
  type Media,
  type Shop,
} from '../kit/catalogue.ts'
import {
  expectAccessible,
  expectAccessibleInBothSchemes,
  expectFitsPhone,
  onePixel,
  type Page,
  startPages,
  type TestBrowser,
} from './browser.ts'
import { givenMember } from '../every_operation/fixtures.ts'
import type { Person, TestService } from '../kit/service.ts'

let service: TestService
let browser: TestBrowser
let shop: Shop
let owner: Person
let workspaceId: string
let productId: string
let collectionId: string
beforeAll(async () => {
  ;({ service, browser } = await startPages())
  shop = await givenShop(service)
  ;({ person: owner, workspaceId } = shop)
  const tag = await givenTag(shop, 'Vegan')
  const upload = shop.api.post(shop.at('media/upload')).attach('files', onePixel, 'rose.png')
  const { media } = (await upload.expect(200)).body as { media: Media[] }
  const product = { name: 'Rose balm', imageIds: [media[0]!.id], tagIds: [tag.id] }
  productId = (await givenProduct(shop, product)).id
  collectionId = (await givenCollection(shop, { name: 'Gifts' })).id
  await shop.api.post(shop.at(`collections/${collectionId}/products/${productId}`)).expect(200)
})
afterAll(() => browser.close())

/** Every page with its heading and a text that it shows once its data are loaded. */
const pages: [path: string, heading: string, content: string][] = [
  ['home', 'A workspace', 'Set up your shop'],
  ['activity', 'Activity', 'Created'],
  ['products', 'Products', 'Rose balm'],
  ['products/new', 'New product', 'Details for the assistant'],
  ['products/{productId}', 'Rose balm', 'Cover'],
  ['collections', 'Collections', 'Gifts'],
  ['collections/{collectionId}', 'Gifts', 'Rose balm'],
  ['collections/new', 'New collection', 'Choose from the library'],
  ['tags', 'Tags', 'Vegan'],
  ['media', 'Media', 'rose.png'],
  ['changes', 'Changes', 'No changes yet'],
  ['website', 'Website', 'Ask the assistant'],
  ['ai', 'AI and questions', 'Add a question'],
  ['unanswered', 'Unanswered questions', 'No unanswered questions'],
  ['knowledge', 'Shop answers', 'No answers yet'],
  ['chat', 'Try the chat', 'Start the trial'],
  ['feedback', 'Feedback', 'No feedback yet'],
  ['wallet', 'Wallet', '5,000 credits'],
  ['usage', 'Usage', 'Numbers'],
  ['members', 'Members', 'Active'],
  ['profile', 'Workspace profile', 'Instructions for the assistant'],
  ['/integrations', 'Integrations', 'No agents are connected'],
  ['/account', 'Account', 'New email address'],
  ['/new-workspace', 'New workspace', 'Minimal'],
  ['/invitations', 'Invitations', 'No invitations'],
  ['/w/ws_nobodys/products', 'Workspace', 'You are not an active member of this workspace.'],
]

describe('every page', () => {
  let page: Page
  beforeAll(async () => {
    page = await browser.open({ cookie: owner.cookie })
  })

  test.for(pages)(
    '%s shows its content, is accessible in both schemes and fits a phone',
    async ([path, heading, content]) => {
      const filled = path.replace('{productId}', productId).replace('{collectionId}', collectionId)
      await page.goto(path.startsWith('/') ? path : `/w/${workspaceId}/${filled}`)
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
      await page.getByText(content).first().waitFor()
      await expectAccessibleInBothSchemes(page)
      await expectFitsPhone(page)
    },
  )
})

describe('the sidebar', () => {
  const linksOf = (page: Page) => page.getByRole('navigation', { name: 'Menu' }).getByRole('link')

  test('offers each role what it is allowed to do', async () => {
    const catalogue = ['Products', 'Collections', 'Tags', 'Media', 'Changes']
    const assistant = ['AI and questions', 'Unanswered questions', 'Shop answers']
    const linksByRole = {
      staff: ['Home', 'Activity', ...catalogue, ...assistant, 'Feedback', 'Usage'],
      billing: ['Home', 'Wallet', 'Usage'],
    }
    for (const role of ['staff', 'billing'] as const) {
      const links = linksByRole[role]
      const person = await service.givenPerson()
      await givenMember({ service, workspace: { id: workspaceId } }, person, role)
      const page = await browser.open({ cookie: person.cookie })
      await page.goto('/')
      await page.getByRole('heading', { name: 'A workspace', level: 1 }).waitFor()
      expect(await linksOf(page).allInnerTexts()).toEqual(links)
      await page.goto(`/w/${workspaceId}/members`)
      await page.getByText(`Ask an owner of A workspace to give you another role.`).waitFor()
    }
  })

  test('opens over the page on a phone, and Escape closes it', async () => {
    const page = await browser.open({ cookie: owner.cookie, phone: true })
    await page.goto(`/w/${workspaceId}/products`)
    await page.getByText('Rose balm').waitFor()
    expect(await linksOf(page).first().isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Menu' }).click()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    expect(await linksOf(page).first().isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('link', { name: 'Tags' }).click()
    await page.getByRole('heading', { name: 'Tags', level: 1 }).waitFor()
    expect(await linksOf(page).first().isVisible()).toBe(false)
  })
})

describe('the theme', () => {
  test('follows the system until another is chosen, which is kept', async () => {
    const page = await browser.open({ cookie: owner.cookie, scheme: 'dark' })
    await page.goto('/account')
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    expect(await ground()).toBe('rgb(20, 19, 17)')
    await page.getByLabel('Theme').selectOption('Light theme')
    expect(await ground()).toBe('rgb(247, 246, 244)')
    await page.reload()
    await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
    expect(await ground()).toBe('rgb(247, 246, 244)')
  })
})
