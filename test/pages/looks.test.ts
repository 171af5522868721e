import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  choose,
  expectAccessible,
  expectFits,
  type Page,
  phone,
  startPages,
  type TestBrowser,
} from './browser.ts'
import { givenMember } from '../every_operation/fixtures.ts'
import type { Person, TestService } from '../kit/service.ts'
import {
  type FilledShop,
  givenFilledShop,
  pages,
  type Sight,
  sightOf,
  sights,
} from './owners/every_page.ts'

let service: TestService
let browser: TestBrowser
let shop: FilledShop
let owner: Person
let workspaceId: string
beforeAll(async () => {
  ;({ service, browser } = await startPages())
  shop = await givenFilledShop(service)
  ;({ person: owner, workspaceId } = shop)
})
afterAll(() => browser.close())

describe('every page', () => {
  // A page for each way of seeing, which stays as it is.
  const inEnglish = new Map<Sight, Page>()
  let inTurkish: Page
  beforeAll(async () => {
    for (const sight of sights)
      inEnglish.set(sight, await browser.open({ cookie: owner.cookie, ...sight }))
    const { cookie } = await givenTurk()
    inTurkish = await browser.open({ cookie, phone: true, scheme: 'dark' })
  })

  const givenTurk = async () => {
    const person = await service.givenPerson()
    await givenMember({ service, workspace: { id: workspaceId } }, person, 'owner')
    const profile = { name: 'Elif', phone: null, language: 'tr' }
    await service.dashboard(person).put('/api/account').send(profile).expect(200)
    return person
  }

  test.for(pages)('%s shows its content, is accessible and fits', async ([path, heading, text]) => {
    const page = inEnglish.get(sightOf(path))!
    await page.goto(shop.addressOf(path))
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
    await page.getByText(text).first().waitFor()
    await expectAccessible(page)
    await expectFits(page)
  })

  // So that each page is seen on a phone, in one of the languages.
  const wideInEnglish = pages.filter(([path]) => !sightOf(path).phone)

  test.for(wideInEnglish)(
    '%s is accessible in Turkish, with spoken names as they are written, and fits a phone',
    async ([path]) => {
      await inTurkish.goto(shop.addressOf(path))
      await inTurkish.getByRole('heading', { level: 1 }).waitFor()
      await expect.poll(() => inTurkish.locator('main .loading').count()).toBe(0)
      expect(await inTurkish.getAttribute('html', 'lang')).toBe('tr')
      await expectAccessible(inTurkish)
      await expectFits(inTurkish)
    },
  )
})

describe('the sidebar', () => {
  const linksOf = (page: Page) => page.getByRole('navigation', { name: 'Menu' }).getByRole('link')

  test('leads an owner only to pages that are looked at above', async () => {
    const page = await browser.open({ cookie: owner.cookie })
    await page.goto(shop.addressOf('home'))
    await linksOf(page).first().waitFor()
    await expectAccessible(page, { menu: true })
    const links = await linksOf(page).all()
    const addresses = await Promise.all(links.map((link) => link.getAttribute('href')))
    const visited = pages.map(([path]) => shop.addressOf(path))
    expect(addresses.length).toBeGreaterThan(15)
    expect(addresses.filter((address) => !visited.includes(address ?? ''))).toEqual([])
  })

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
    await expectAccessible(page, { menu: true })
    await page.keyboard.press('Escape')
    expect(await linksOf(page).first().isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('link', { name: 'Tags' }).click()
    await page.getByRole('heading', { name: 'Tags', level: 1 }).waitFor()
    expect(await linksOf(page).first().isVisible()).toBe(false)
  })
})

describe('what waits', () => {
  test('leaves room for the whole sidebar at 900 pixels, and is seen on a phone', async () => {
    const invited = await service.givenWorkspace(await service.givenPerson())
    await givenMember({ service, workspace: invited }, owner, 'staff', 'INVITED')
    const page = await browser.open({ cookie: owner.cookie })
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(shop.addressOf('tags'))
    await page.getByRole('link', { name: 'Invitations 1' }).waitFor()
    const hidden = 'document.querySelector("#sidebar").scrollHeight - innerHeight'
    expect(await page.evaluate<number>(hidden)).toBeLessThanOrEqual(0)

    await page.setViewportSize(phone)
    await page.getByRole('button', { name: 'Notices: one thing waits' }).click()
    await page.getByRole('link', { name: 'You are invited to a workspace' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Menu' }).click()
    expect(await page.getByRole('button', { name: /^Notices/ }).count()).toBe(1)
  })
})

describe('the theme', () => {
  test('follows the system until another is chosen, which is kept', async () => {
    const page = await browser.open({ cookie: owner.cookie, scheme: 'dark' })
    await page.goto('/account')
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    expect(await ground()).toBe('rgb(20, 19, 17)')
    await choose(page.getByLabel('Theme'), 'Light theme')
    expect(await ground()).toBe('rgb(247, 246, 244)')
    await page.reload()
    await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
    expect(await ground()).toBe('rgb(247, 246, 244)')
  })
})
