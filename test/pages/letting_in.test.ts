import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { givenMember } from '../every_operation/fixtures.ts'
import { recordUnanswered } from '../../src/queries/assistant/unanswered_questions.ts'
import { givenCollection, givenProduct, givenShop, givenTag, type Shop } from '../kit/catalogue.ts'
import { type TestService, unique } from '../kit/service.ts'
import { write } from '../kit/wallets.ts'
import { expectAccessible, phone, startPages, type TestBrowser } from './browser.ts'

let service: TestService
let browser: TestBrowser
let shop: Shop
beforeAll(async () => {
  ;({ service, browser } = await startPages())
})
afterAll(() => browser.close())
beforeEach(async () => {
  shop = await givenShop(service)
})

const invite = (email: string) =>
  service
    .dashboard(shop.person)
    .post(`/api/workspaces/${shop.workspaceId}/members`)
    .send({ email, role: 'staff' })
    .expect(201)

describe('an invitation', () => {
  test('is seen on every page of somebody who has a workspace, and says who invites', async () => {
    const other = await givenShop(service)
    await invite(other.person.email)
    const page = await browser.open({ cookie: other.person.cookie })
    await page.goto('/')
    await page.getByText('A workspace invites you as Staff.').waitFor()
    await page.getByRole('link', { name: 'Invitations 1' }).waitFor()
    await page.getByRole('link', { name: 'See the invitation' }).click()
    await page.getByText(`A person (${shop.person.email})`).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Decline' }).click()
    await page.getByRole('heading', { name: 'No invitations' }).waitFor()
    expect(await page.getByRole('link', { name: /^Invitations/ }).count()).toBe(0)
  })

  test('is the first page of a new person, by the link in the mail', async () => {
    const email = `${unique('new')}@example.com`
    await invite(email)
    const [mail] = await service.mailsTo(email)
    const page = await browser.open()
    await page.goto(/https?:\S+/.exec(mail!.text)![0])
    await page.getByLabel('Email address').fill(email)
    await page.keyboard.press('Enter')
    await page.getByLabel('Code').waitFor()
    await page.getByLabel('Code').fill(await service.codeFor(email))
    await page.getByText('A workspace invites you as Staff.').waitFor()
    await page.goto('/')
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByRole('heading', { name: 'A workspace', level: 1 }).waitFor()
  })
})

describe('a page that is refused', () => {
  test('says to each role why, and offers nobody what would be refused', async () => {
    const staff = await service.givenPerson()
    await givenMember({ service, workspace: { id: shop.workspaceId } }, staff, 'staff')
    const page = await browser.open({ cookie: staff.cookie })
    await page.goto(`/w/${shop.workspaceId}/wallet`)
    await page.getByText('Your role in A workspace is Staff').waitFor()
    await page.getByText('Ask an owner of A workspace to give you another role.').waitFor()
    expect(await page.getByRole('link', { name: 'Integrations' }).count()).toBe(0)
    await page.goto('/integrations')
    await page.getByText('Keys and agents act for the owner').waitFor()
    expect(await page.getByRole('button', { name: 'Create key' }).count()).toBe(0)
  })

  test('tells a suspended member, a suspended workspace and a lost connection apart', async () => {
    const staff = await service.givenPerson()
    const member = await givenMember(
      { service, workspace: { id: shop.workspaceId } },
      staff,
      'staff',
    )
    const { id } = await givenProduct(shop, { name: 'Balm' })
    const page = await browser.open({
      cookie: staff.cookie,
      expectedStatuses: [403],
      losesConnection: true,
    })
    await page.goto(`/w/${shop.workspaceId}/products/${id}`)
    await page.getByLabel('Brand').fill('Ana')
    const change = service.db.updateTable('members').set({ status: 'SUSPENDED' })
    await change.where('workspace_id', '=', shop.workspaceId).where('id', '=', member).execute()
    await page.getByRole('button', { name: 'Save' }).click()
    // The refused form may say so, and what the page reads beside it.
    await page.getByText('You are not an active member of this workspace.').first().waitFor()

    const owner = await browser.open({ cookie: shop.person.cookie, losesConnection: true })
    await owner.goto(`/w/${shop.workspaceId}/products`)
    await owner.getByRole('link', { name: 'Balm' }).waitFor()
    await owner.route('**/assets/**', (route) => route.abort())
    await owner.getByRole('link', { name: 'Members' }).click()
    await owner.getByRole('heading', { name: 'You are offline' }).waitFor()

    const suspend = service.db.updateTable('workspaces').set({ status: 'SUSPENDED' })
    await suspend.where('id', '=', shop.workspaceId).execute()
    await owner.unroute('**/assets/**')
    await owner.reload()
    await owner.getByText('This workspace is suspended.').waitFor()
    await owner.getByRole('main').getByRole('link', { name: 'Write to us' }).waitFor()
  })
})

describe('a new workspace', () => {
  test('sends no hidden phone, takes a local number, and asks the team to call it', async () => {
    const person = await service.givenPerson()
    const page = await browser.open({ cookie: person.cookie, locale: 'tr-TR' })
    const language = { name: 'Ana', phone: null, language: 'en' }
    await service.dashboard(person).put('/api/account').send(language).expect(200)
    await page.goto('/new-workspace')
    await page.getByLabel('Name').fill('Rose Garden')
    await page.getByLabel('Customized').check()
    await page.getByRole('textbox', { name: 'Phone' }).fill('12')
    await page.getByLabel('Beauty').check()
    expect(await page.getByRole('textbox', { name: 'Phone' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Create workspace' }).click()
    await page.getByRole('heading', { name: 'Rose Garden', level: 1 }).waitFor()

    await page.goto('/new-workspace')
    await page.getByLabel('Name').fill('Rose Garden Two')
    await page.getByLabel('Customized').check()
    await page.getByRole('textbox', { name: 'Phone' }).fill('0532 123 45 67')
    await page.getByText('Saved as +905321234567.').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Create workspace' }).click()
    await page.getByRole('heading', { name: 'Rose Garden Two', level: 1 }).waitFor()
    const staff = await service.givenStaff()
    const { body } = await service
      .admin(staff)
      .get(`/api/admin/contact-requests?search=${person.email}`)
      .expect(200)
    expect(body.contactRequests).toMatchObject([
      { name: 'Ana', email: person.email, message: expect.stringContaining('+905321234567') },
    ])
  })
})

describe('long texts', () => {
  const word = 'w'.repeat(500)

  test('leave every list readable at every width', async () => {
    const tags = []
    for (let at = 0; at < 19; at++) tags.push(await givenTag(shop, `Tag number ${at}`))
    tags.push(await givenTag(shop, 'x'.repeat(160)))
    await givenTag(shop, 'y'.repeat(160))
    const tagIds = tags.map(({ id }) => id)
    await givenProduct(shop, { name: word, brand: 'b'.repeat(300), sku: 's'.repeat(300), tagIds })
    const { id: productId } = await givenProduct(shop, { name: 'Balm', tagIds })
    await givenCollection(shop, { name: 'c'.repeat(160), tagIds })
    const asked = { workspaceId: shop.workspaceId, productId, message: 'q'.repeat(300) }
    await write(service, (trx) => recordUnanswered(trx, asked, service.now()))
    const page = await browser.open({ cookie: shop.person.cookie })
    await page.goto(`/w/${shop.workspaceId}/products`)
    await page.getByRole('link', { name: 'Balm' }).waitFor()
    for (const width of [1440, 1024, phone.width]) {
      await page.setViewportSize({ width, height: 900 })
      const rows = await page.locator('tbody tr').all()
      for (const row of rows) expect((await row.boundingBox())!.height).toBeLessThan(140)
      const overflow =
        'document.querySelector(".table-scroll").scrollWidth - ' +
        'document.querySelector(".table-scroll").clientWidth'
      expect(await page.evaluate<number>(overflow), String(width)).toBeLessThanOrEqual(0)
      const stock = page.locator('tr', { hasText: 'Balm' }).locator('td.numeric')
      expect((await stock.boundingBox())!.x + 10).toBeLessThan(width)
    }
    for (const list of ['collections', 'tags', 'unanswered', 'activity', 'home', 'members']) {
      await page.goto(`/w/${shop.workspaceId}/${list}`)
      await page.locator('main li, main td').first().waitFor()
      for (const width of [1440, 1024, phone.width]) {
        await page.setViewportSize({ width, height: 900 })
        const overflow = `Math.max(document.documentElement.scrollWidth - innerWidth,
          ...[...document.querySelectorAll('.table-scroll')]
            .map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))`
        expect(await page.evaluate<number>(overflow), `${list} ${width}`).toBeLessThanOrEqual(0)
      }
    }
    await page.goto(`/w/${shop.workspaceId}/products`)
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByText('+17').first().waitFor()
    expect(await page.getByText('+17').first().isVisible()).toBe(true)

    await page.getByRole('link', { name: 'Balm' }).click()
    await page.getByPlaceholder('Add a tag').fill('y')
    await page
      .getByRole('button', { name: 'y'.repeat(160), exact: true })
      .waitFor({ state: 'attached' })
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    expect(width).toBeLessThanOrEqual(1440)
    const card = page.locator('.card', { has: page.getByPlaceholder('Add a tag') })
    const edge = (await card.boundingBox())!
    for (const chip of await card.locator('.chip').all()) {
      const box = (await chip.boundingBox())!
      expect(box.x + box.width).toBeLessThanOrEqual(edge.x + edge.width)
    }
  })

  test('are cut in questions and messages, which stay in the window', async () => {
    const { id } = await givenProduct(shop, { name: word })
    const page = await browser.open({ cookie: shop.person.cookie, phone: true })
    await page.goto(`/w/${shop.workspaceId}/products/${id}`)
    await page.getByRole('button', { name: 'Delete product' }).click()
    const question = page.getByRole('dialog')
    expect((await question.boundingBox())!.height).toBeLessThan(phone.height / 2)
    await question.getByRole('button', { name: 'Delete product' }).click()
    const message = page.locator('.toast', { hasText: 'is in Deleted products' })
    const box = (await message.boundingBox())!
    expect(box.x + box.width).toBeLessThanOrEqual(phone.width)
    expect(box.height).toBeLessThan(120)
    await message.getByRole('button', { name: 'Dismiss' }).click()
    await message.waitFor({ state: 'detached' })
  })

  test('have dates in the reader’s own form', async () => {
    await givenProduct(shop, { name: 'Balm' })
    const page = await browser.open({ cookie: shop.person.cookie, locale: 'en-GB' })
    await page.goto(`/w/${shop.workspaceId}/products`)
    const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' })
    await page.getByText(day.format(service.now())).first().waitFor()
  })
})
