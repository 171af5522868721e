import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defaultDesign } from '../../../src/domain/site/designs.ts'
import type { components } from '../../../src/generated/types.ts'
import { givenCollection, givenProduct, type Media } from '../../kit/catalogue.ts'
import { type StaffMember, type TestService, unique } from '../../kit/service.ts'
import { givenOpenShop, type OpenShop } from '../../site/window/shop_pages.ts'
import {
  choose,
  expectAccessibleInBothSchemes,
  expectFitsPhone,
  expectPage,
  onePixel,
  type Page,
  startPages,
  type TestBrowser,
  violationsIn,
} from '../browser.ts'

type Design = components['schemas']['WorkspaceDesign']

let service: TestService
let browser: TestBrowser
let staff: StaffMember
let shop: OpenShop
beforeAll(async () => {
  ;({ service, browser } = await startPages())
  staff = await service.givenStaff()
  shop = await givenOpenShop(service)
  const upload = shop.api.post(shop.at('media/upload')).attach('files', onePixel, 'rose.png')
  const { media } = (await upload.expect(200)).body as { media: Media[] }
  const imageIds = [media[0]!.id]
  const productIds: string[] = []
  for (const name of ['Rose balm', 'Rose soap', 'Olive soap', 'Laurel soap', 'Clay', 'Sponge'])
    productIds.push((await givenProduct(shop, { name, imageIds })).id)
  const { id } = await givenCollection(shop, { name: 'Gifts' })
  await shop.api
    .put(shop.at(`collections/${id}/products`))
    .send({ productIds })
    .expect(200)
  await shop.api.put(shop.at('workspace')).send({ billingPhone: '+905551234567' }).expect(200)
  await shop.design({
    templateKey: 'customized',
    theme: { primaryColor: '#7a2e4d', accentColor: '#f2c6d0' },
    headline: 'From roses',
    tagline: 'By hand',
    about: 'Since 1923.',
    contactEmail: 'hello@example.com',
  })
})
afterAll(() => browser.close())

const path = () => `/workspaces/${shop.workspaceId}/design`
const openAdmin = () =>
  browser.open({
    origin: service.config.adminUrl,
    cookie: staff.cookie,
    expectedStatuses: [400, 409],
    elsewhere: [shop.url],
  })
const openShop = () => browser.open({ origin: shop.url, elsewhere: [shop.url] })
const put = (change: Partial<Design>) =>
  service
    .admin(staff)
    .put(`/api/admin${path()}`)
    .send({ ...defaultDesign, ...change })
    .expect(200)
const stored = async () => (await service.admin(staff).get(`/api/admin${path()}`)).body.design

describe("a workspace's design", () => {
  test('is chosen in fields, seen in the shop, and told in the audit', async () => {
    const page = await openAdmin()
    await page.goto(`/workspaces/${shop.workspaceId}`)
    await page.getByRole('link', { name: 'Design', exact: true }).click()
    await expectPage(page, 'Design', 'Products in lists')
    await expectAccessibleInBothSchemes(page)
    await expectFitsPhone(page)
    // What stood there before goes where this one came from.
    await choose(page.getByLabel('Part 1'), 'About the shop')
    await choose(page.getByLabel('Part 2'), 'Nothing')
    await choose(page.getByLabel('Pictures beside the headline'), '3')
    await choose(page.getByLabel('Corners'), 'Very round')
    await page.getByLabel('Paper in the light').last().fill('#faf6ef')
    await page.getByLabel('Frame each product').uncheck()
    await page.getByLabel('Newest products').fill('25')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.error').getByText('24').waitFor()
    await page.getByLabel('Newest products').fill('6')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
    const design = {
      ...defaultDesign,
      sections: ['ABOUT', 'COLLECTIONS', 'HERO'],
      heroPictures: 3,
      corners: 'VERY_ROUND',
      paper: '#faf6ef',
      isFramed: false,
      newest: 6,
    }
    expect(await stored()).toEqual(design)

    const opened = page.waitForEvent('popup')
    await page.getByRole('link', { name: 'Visit the shop' }).click()
    const visited = await opened
    await visited.getByRole('heading', { level: 1, name: 'From roses' }).waitFor()
    await visited.close()

    await page.goto(`/audit?search=${shop.workspaceId}`)
    await expectPage(page, 'Audit', 'Design changed')
    const change = page.locator('.change')
    await change.getByText('About the shop, Collections, Headline').waitFor()
    await change.getByText('Very round').waitFor()
  })

  test('goes back to the defaults', async () => {
    await put({ corners: 'SQUARE', sections: ['HERO'] })
    const page = await openAdmin()
    await page.goto(path())
    const newest = page.getByLabel('Newest products')
    await newest.fill('25')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.error').getByText('24').waitFor()
    await page.getByRole('button', { name: 'Use the defaults' }).click()
    await expect.poll(() => newest.inputValue()).toBe('9')
    expect(await page.locator('.error').count()).toBe(0)
    expect(await newest.getAttribute('aria-invalid')).toBe(null)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
    expect(await stored()).toEqual(defaultDesign)
  })

  test('of two staff members keeps both changes, and lets one choose where they overlap', async () => {
    await put({})
    const page = await openAdmin()
    await page.goto(path())
    await page.getByLabel('Newest products').fill('7')
    await put({ columns: 3 })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
    expect(await stored()).toEqual({ ...defaultDesign, columns: 3, newest: 7 })

    await choose(page.getByLabel('Corners'), 'Square')
    await choose(page.getByLabel('Part 1'), 'Nothing')
    await put({ corners: 'VERY_ROUND', sections: ['ABOUT'], newest: 8 })
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'This was changed in the meantime' })
    await dialog.waitFor()
    const versions = async (name: string) =>
      dialog.getByRole('group', { name }).locator('.version').allTextContents()
    expect(await versions('Corners')).toEqual(['Very round', 'Square'])
    expect(await versions('Home page')).toEqual([
      'About the shop',
      'Newest products, Collections, About the shop',
    ])
    await dialog.getByRole('group', { name: 'Corners' }).getByLabel('Yours').check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
    const agreed = { corners: 'SQUARE', sections: ['ABOUT'], newest: 8 }
    expect(await stored()).toEqual({ ...defaultDesign, ...agreed })
    expect(await page.getByLabel('Newest products').inputValue()).toBe('8')
  })

  test('is said to wait while the shop has another template', async () => {
    await shop.design({ templateKey: 'minimal' })
    const page = await openAdmin()
    await page.goto(path())
    await page.getByText('The shop uses the template Minimal.').waitFor()
    await page.goto(`/workspaces/${shop.workspaceId}`)
    await page.getByText('Minimal', { exact: true }).waitFor()
    expect(await page.getByRole('link', { name: 'Design', exact: true }).count()).toBe(0)
    await shop.design({ templateKey: 'customized' })
  })

  test('is one click from the request to call its owner, for each of the shops', async () => {
    const owner = await service.givenPerson()
    const { key } = await service.givenKey(owner)
    const body = { name: 'Olive', templateKey: 'customized', phone: '+905551234567' }
    const subDomains = [unique('olive'), unique('laurel')]
    const ids: string[] = []
    for (const subDomain of subDomains) {
      const call = service.api(key).post('/v1/workspaces')
      ids.push((await call.send({ ...body, subDomain }).expect(200)).body.id)
    }
    const page = await openAdmin()
    const letters = `/contact-requests?search=${owner.email}`
    await page.goto(letters)
    const links = page.getByRole('link', { name: 'Design of' })
    await links.first().waitFor()
    expect(await links.allTextContents()).toEqual(subDomains.map((name) => `Design of ${name}`))
    for (const [index, name] of subDomains.entries()) {
      await page.goto(letters)
      await page.getByRole('link', { name: `Design of ${name}` }).click()
      await expectPage(page, 'Design', 'Products in lists')
      expect(new URL(page.url()).pathname).toBe(`/workspaces/${ids[index]}/design`)
    }
  })
})

/** What the browser makes of the pages: of the first element each, one computed value. */
async function seen(page: Page, selector: string, property: string): Promise<string> {
  const style = `getComputedStyle(document.querySelector('${selector}'))`
  return page.evaluate<string>(`${style}.getPropertyValue('${property}')`)
}

describe('the pages of a designed shop', () => {
  test('are drawn as they were before anything is chosen', async () => {
    await put({})
    const page = await openShop()
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto('/')
    for (const [selector, property, value] of [
      ['body', 'background-color', 'rgb(255, 255, 255)'],
      ['.top', 'background-color', 'rgb(122, 46, 77)'],
      ['.hero', 'color', 'rgb(255, 255, 255)'],
      ['.hero h1', 'font-size', '100px'],
      ['.hero h1', 'font-weight', '750'],
      ['.bar h2', 'font-size', '41.6px'],
      ['.card .picture', 'border-radius', '5.6px'],
      ['.card a', 'border-radius', '9.6px'],
      ['.card a', 'border-width', '2px'],
      ['.card a', 'padding', '9.6px 9.6px 14.4px'],
      ['.shots img', 'border-radius', '8px'],
      ['.first .card', 'grid-column-start', 'span 2'],
      ['.foot', 'background-color', 'rgb(23, 24, 26)'],
    ] as const)
      expect([selector, property, await seen(page, selector, property)]).toEqual([
        selector,
        property,
        value,
      ])
    expect((await seen(page, '.grid', 'grid-template-columns')).split(' ')).toHaveLength(4)
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await seen(page, 'body', 'background-color')).toBe('rgb(14, 14, 18)')
    expect(await seen(page, '.top', 'background-color')).toBe('rgb(24, 24, 28)')
  })

  test.each<[Partial<Design>, selector: string, property: string, value: string]>([
    [{ columns: 3 }, '.first .card', 'width', '844px'],
    [{ pictureRatio: '2:3' }, '.card + .card .picture', 'aspect-ratio', '2 / 3'],
    [{ corners: 'SQUARE' }, '.card .picture', 'border-radius', '0px'],
    [{ corners: 'VERY_ROUND' }, '.button', 'border-radius', '20px'],
    [{ isFramed: false }, '.card a', 'border-width', '0px'],
    [{ paper: '#faf6ef' }, 'body', 'background-color', 'rgb(250, 246, 239)'],
    [{ isHeadColored: false }, '.top', 'background-color', 'rgb(255, 255, 255)'],
    [{ headingSize: 'SMALL' }, '.hero h1', 'font-size', '70px'],
    [{ headingWeight: 'REGULAR' }, '.bar h2', 'font-weight', '400'],
  ])('show %o', async (change, selector, property, value) => {
    await put(change)
    const page = await openShop()
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto('/')
    expect(await seen(page, selector, property)).toBe(value)
  })

  test('show the night to readers who prefer the dark', async () => {
    await put({ night: '#10243a' })
    const page = await openShop()
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto('/')
    expect(await seen(page, 'body', 'background-color')).toBe('rgb(16, 36, 58)')
  })

  test('show pictures beside the headline, if any', async () => {
    const page = await openShop()
    for (const heroPictures of [0, 1] as const) {
      await put({ heroPictures })
      await page.goto('/')
      expect(await page.locator('.hero img').count()).toBe(heroPictures)
    }
  })

  test.each<Partial<Design>>([
    { paper: '#000000', night: '#ffffff', isHeadColored: false, heroPictures: 3 },
    { paper: '#808080', night: '#808080', columns: 5, isFramed: false, headingSize: 'SMALL' },
    { paper: '#ffff00', night: '#0000ff', sections: ['PRODUCTS', 'ABOUT'], newest: 1 },
  ])('have no finding of axe in %o, light and dark, on a phone and wide', async (change) => {
    await put(change)
    const page = await openShop()
    const found: string[] = []
    for (const address of ['/', '/products', '/p/rose-balm'])
      for (const [width, colorScheme] of [
        [390, 'light'],
        [390, 'dark'],
        [1440, 'light'],
        [1440, 'dark'],
      ] as const) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 900 })
        await page.goto(address)
        const violations = await violationsIn(page)
        const scrolled = await page.evaluate<number>('document.documentElement.scrollWidth')
        if (scrolled > width) violations.push(`is ${scrolled} wide`)
        found.push(...violations.map((one) => `${address} ${width} ${colorScheme} ${one}`))
      }
    expect(found).toEqual([])
  })
})
