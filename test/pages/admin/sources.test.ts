import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  choose,
  countActions,
  expectAccessibleInBothSchemes,
  expectFitsPhone,
  expectPage,
  type Page,
  expectStatus,
  startPages,
  tabTo,
  type TestBrowser,
} from '../browser.ts'
import { type StaffMember, type TestService, unique } from '../../kit/service.ts'
import { givenOpenShop } from '../../site/window/shop_pages.ts'

let service: TestService
let browser: TestBrowser
let staff: StaffMember
beforeAll(async () => {
  ;({ service, browser } = await startPages())
  staff = await service.givenStaff()
})
afterAll(() => browser.close())

const openAdmin = () => browser.open({ origin: service.config.adminUrl, cookie: staff.cookie })

describe('the sources page', () => {
  let page: Page
  let name: string
  let key: string
  let keyId: string
  beforeEach(async () => {
    name = unique('till')
    const owner = await service.givenPerson()
    ;({ key, id: keyId } = await service.givenKey(owner, { name }))
    page = await openAdmin()
    await page.goto('/sources')
    await expectPage(page, 'Sources', name)
  })

  const callStatus = async () => (await service.api(key).get('/v1/workspaces')).status

  test('blocks a source in two actions, after saying what will stop', async () => {
    expect(await callStatus()).toBe(200)
    await expectAccessibleInBothSchemes(page)
    await expectFitsPhone(page)
    const { act, count } = countActions()
    await act(page.getByRole('button', { name: `Block ${name}` }).click())
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Its one connection stops immediately.').waitFor()
    await dialog.getByText('every call with its keys is refused').waitFor()
    await expectAccessibleInBothSchemes(page)
    await act(dialog.getByRole('button', { name: 'Block' }).click())
    await expectStatus(page, `${name} is blocked.`)
    expect([count(), await callStatus()]).toEqual([2, 403])
  })

  test('filters by status, keeps the choice in the address and clears it', async () => {
    const kept = unique('scale')
    await service.givenKey(await service.givenPerson(), { name: kept })
    await page.goto('/sources')
    await expectPage(page, 'Sources', kept)
    await page.getByRole('button', { name: `Block ${name}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Block' }).click()
    await expectStatus(page, `${name} is blocked.`)
    await choose(page.getByLabel('Status'), 'Blocked')
    await page.getByRole('link', { name: kept }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name }).waitFor()
    expect(new URL(page.url()).search).toBe('?status=BLOCKED')
    await expectAccessibleInBothSchemes(page)
    await expectFitsPhone(page)
    await page.reload()
    await page.getByRole('link', { name }).waitFor()
    expect(await page.getByRole('link', { name: kept }).count()).toBe(0)
    await page.goto('/sources?status=BLOCKED&search=nothing-like-this')
    await page.getByRole('heading', { name: 'No results' }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expectPage(page, 'Sources', kept)
  })

  test('blocks and unblocks with the keyboard, from the page of its connections', async () => {
    await tabTo(page, name)
    await page.keyboard.press('Enter')
    await expectPage(page, name, keyId)
    await expectAccessibleInBothSchemes(page)
    await expectFitsPhone(page)
    await tabTo(page, `Block ${name}`)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await tabTo(page, 'Block')
    await page.keyboard.press('Enter')
    await expectStatus(page, `${name} is blocked.`)
    expect(await callStatus()).toBe(403)
    // The focus returns to the same button, which now undoes the action.
    await page
      .getByRole('button', { name: `Unblock ${name}` })
      .and(page.locator(':focus'))
      .waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await tabTo(page, 'Unblock')
    await page.keyboard.press('Enter')
    await expectStatus(page, `${name} is approved again.`)
    expect(await callStatus()).toBe(200)
  })
})

describe('the page of a source that does not exist', () => {
  test('says so and links to all sources', async () => {
    const page = await openAdmin()
    await page.goto('/sources/src_nothing')
    await page.getByRole('heading', { name: 'Source not found' }).waitFor()
    await expectAccessibleInBothSchemes(page)
    await page.getByRole('link', { name: 'All sources' }).click()
    await page.getByRole('heading', { name: 'Sources', level: 1 }).waitFor()
  })
})

describe('the contact requests page', () => {
  test('shows the messages and marks them as read', async () => {
    const id = unique('contact')
    await service.db
      .insertInto('contact_requests')
      .values({
        id,
        name: 'Elif',
        email: 'elif@example.com',
        created_at: service.now(),
        message: 'Three shops.\nWe need more workspaces.',
      })
      .execute()
    const page = await openAdmin()
    await page.goto('/contact-requests')
    await expectPage(page, 'Contact requests', 'We need more workspaces.')
    await expectAccessibleInBothSchemes(page)
    await expectFitsPhone(page)
    await page.getByRole('button', { name: 'Mark as read: the message from Elif' }).click()
    await expectStatus(page, 'Marked as read. Elif can write again.')
    await page.getByRole('article', { name: 'Elif' }).and(page.locator(':focus')).waitFor()
    const row = await service.db
      .selectFrom('contact_requests')
      .select('read_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row.read_at).not.toBeNull()
  })

  test('suspends the shop of a report with one click, and restores it with another', async () => {
    const shop = await givenOpenShop(service)
    const { name } = (await shop.api.get(shop.at('workspace')).expect(200)).body
    const message = `${shop.url}\n${shop.workspaceId}\n\nIt pretends to be a bank.`
    const mention = `My workspace ${shop.workspaceId} needs more credits.`
    for (const [sender, said] of [
      ['Ece', message],
      ['Can', mention],
    ] as const) {
      const letter = { id: unique('contact'), name: sender, email: `${sender}@example.com` }
      await service.db
        .insertInto('contact_requests')
        .values({ ...letter, message: said, created_at: service.now() })
        .execute()
    }
    const page = await openAdmin()
    await page.goto('/contact-requests')
    const report = page.getByRole('article', { name: 'Ece' })
    await report.getByRole('link', { name, exact: true }).waitFor()
    await expectAccessibleInBothSchemes(page)
    await expectFitsPhone(page)
    // Who writes of a shop does not report it.
    expect(await page.getByRole('button', { name: `Suspend ${name}` }).count()).toBe(1)
    await report.getByRole('button', { name: `Suspend ${name}` }).click()
    await expectStatus(page, `${name} is suspended.`)
    expect((await shop.visit('/')).status).toBe(403)
    await report.getByText('Suspended', { exact: true }).waitFor()
    await report.getByRole('button', { name: `Restore ${name}` }).click()
    await expectStatus(page, `${name} is active again.`)
    expect((await shop.visit('/')).status).toBe(200)
  })
})
