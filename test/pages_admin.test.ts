import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  countActions,
  expectAccessibleInBothSchemes,
  expectFitsPhone,
  type Page,
  startBrowser,
  tabTo,
  type TestBrowser,
} from './browser.ts'
import { type StaffMember, startService, type TestService, unique } from './service.ts'

let service: TestService
let browser: TestBrowser
let staff: StaffMember
beforeAll(async () => {
  service = await startService({ atOwnAddress: true })
  browser = await startBrowser(service)
  staff = await service.givenStaff()
})
afterAll(async () => {
  await browser.close()
  await service.close()
})

const openAdmin = (options: Parameters<TestBrowser['open']>[0] = {}) =>
  browser.open({ origin: service.config.adminUrl, cookie: staff.cookie, ...options })

/** Waits for the heading of a page, and for what it says once its data are there. */
async function expectPage(page: Page, heading: string, content: string): Promise<void> {
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
  await page.getByRole('main').getByText(content).and(page.locator(':visible')).first().waitFor()
}

const said = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor()

describe('the sign-in of staff', () => {
  test('takes an address and a code, by the keyboard alone, and shows the page that was asked for', async () => {
    const { email } = await service.givenStaff()
    const page = await browser.open({ origin: service.config.adminUrl, expectedStatuses: [401] })
    await page.goto('/audit')
    await page.getByRole('heading', { name: 'Administration' }).waitFor()
    await expectAccessibleInBothSchemes(page)
    await expectFitsPhone(page)
    await page.keyboard.type(email)
    await page.keyboard.press('Enter')
    await page.getByLabel('Code').waitFor()
    await page.keyboard.type('000000')
    await page.getByText('The code is wrong, expired or used.').waitFor()
    expect(await page.getByLabel('Code').getAttribute('aria-invalid')).toBe('true')
    await page.keyboard.press('Control+A')
    await page.keyboard.type(await service.codeFor(email))
    await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor()

    await tabTo(page, 'Sign out')
    await page.keyboard.press('Enter')
    await page.getByLabel('Email address').waitFor()
  })

  test('is asked for by whoever has only a session of the dashboard', async () => {
    const { cookie } = await service.givenPerson()
    const page = await browser.open({ origin: service.config.adminUrl, cookie })
    await page.goto('/accounts')
    await page.getByText('For platform staff only.').waitFor()
  })

  test('speaks Turkish to a browser that does', async () => {
    const page = await openAdmin({ locale: 'tr-TR' })
    await page.goto('/sources')
    await page.getByRole('heading', { name: 'Kaynaklar', level: 1 }).waitFor()
    expect(await page.getAttribute('html', 'lang')).toBe('tr')
  })
})

describe('the page of accounts', () => {
  let page: Page
  let email: string
  let accountId: string
  beforeAll(async () => {
    email = `${unique('ana')}@example.com`
    ;({ accountId } = await service.givenPerson({ email }))
    page = await openAdmin({ expectedStatuses: [400] })
    await page.goto('/')
    await expectPage(page, 'Accounts', email)
  })

  const account = () =>
    service.db
      .selectFrom('accounts')
      .select(['status', 'workspace_limit as limit'])
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow()

  test('is accessible in both schemes and fits a phone', async () => {
    await expectAccessibleInBothSchemes(page)
    await expectFitsPhone(page)
  })

  test('finds an account and says when there is none', async () => {
    await page.getByRole('searchbox').fill('nobody at all')
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor()
    await page.getByRole('searchbox').fill(email)
    await page.getByText('1–1 of 1').waitFor()
    expect(new URL(page.url()).searchParams.get('search')).toBe(email)
  })

  test('sets a limit from 1 to 1000 and says at the field what is wrong with another', async () => {
    await page.getByRole('button', { name: `Workspace limit of ${email}` }).click()
    const field = page.getByLabel('How many workspaces')
    await field.fill('many')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Give a whole number.').waitFor()
    await field.fill('1001')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.error').getByText('1000').waitFor()
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    await expectAccessibleInBothSchemes(page)
    await field.fill('1000')
    await page.keyboard.press('Enter')
    await said(page, `The limit of ${email} is 1,000.`)
    await page.getByText('0 of 1,000').waitFor()
    expect((await account()).limit).toBe(1000)
  })

  test('suspends after saying what will stop, and restores', async () => {
    await page.getByRole('button', { name: `Suspend ${email}` }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('its API keys and connected agents stop').waitFor()
    await page.keyboard.press('Escape')
    expect((await account()).status).toBe('ACTIVE')
    await page.getByRole('button', { name: `Suspend ${email}` }).click()
    await dialog.getByRole('button', { name: 'Suspend' }).click()
    await said(page, `${email} is suspended.`)
    expect((await account()).status).toBe('SUSPENDED')
    await page.getByRole('button', { name: `Restore ${email}` }).click()
    await dialog.getByRole('button', { name: 'Restore' }).click()
    await said(page, `${email} is active again.`)
    expect((await account()).status).toBe('ACTIVE')
  })
})

describe('the page of workspaces', () => {
  let page: Page
  let workspaceId: string
  beforeAll(async () => {
    const owner = await service.givenPerson()
    ;({ id: workspaceId } = await service.givenWorkspace(owner))
    page = await openAdmin({ expectedStatuses: [400] })
    await page.goto(`/workspaces?search=${workspaceId}`)
    await expectPage(page, 'Workspaces', owner.email)
  })

  test('is accessible in both schemes and fits a phone', async () => {
    await expectAccessibleInBothSchemes(page)
    await expectFitsPhone(page)
  })

  test('adjusts credits for a reason, which the ledger and the audit keep', async () => {
    await page.getByRole('button', { name: 'Adjust the credits of A workspace' }).click()
    await page.getByRole('textbox', { name: 'Credits' }).fill('250')
    await page.getByRole('button', { name: 'Add 250 credits' }).click()
    const reason = page.getByLabel('Reason')
    await expect.poll(() => reason.getAttribute('aria-invalid')).toBe('true')
    await reason.fill('Goodwill')
    await page.getByRole('button', { name: 'Add 250 credits' }).click()
    await said(page, 'Adjusted. A workspace now has 250 credits.')
    const entries = await service.db
      .selectFrom('wallet_entries')
      .select(['credits', 'reason'])
      .where('workspace_id', '=', workspaceId)
      .execute()
    expect(entries).toEqual([{ credits: 250, reason: 'Goodwill' }])
  })

  test('suspends a workspace after saying what will stop', async () => {
    await page.getByRole('button', { name: 'Suspend A workspace' }).click()
    await page.getByText('its site answers no visitor').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
    await said(page, 'A workspace is suspended.')
    await page.getByRole('button', { name: 'Restore A workspace' }).waitFor()
  })

  test('leads to the history, where each change is told before and after', async () => {
    await page.getByRole('link', { name: 'History of A workspace' }).click()
    await expectPage(page, 'Audit', 'Credits adjusted')
    const changes = page.getByRole('row').filter({ hasText: staff.email }).locator('.change')
    expect(await changes.allTextContents()).toEqual([
      'Statusbefore: Active → , after: Suspended',
      'Balancebefore: 0 → , after: 250ReasonGoodwillCredits250',
    ])
    await expectAccessibleInBothSchemes(page)
    await expectFitsPhone(page)
    await page.goto('/audit')
    await page.getByRole('combobox', { name: 'Action' }).selectOption('adjust_credits')
    await page.getByText('1–1 of 1').waitFor()
  })
})

describe('the page of sources', () => {
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
    await dialog.getByText('Its one connection is refused from the very next request on.').waitFor()
    await dialog.getByText('every call with its keys is refused').waitFor()
    await expectAccessibleInBothSchemes(page)
    await act(dialog.getByRole('button', { name: 'Block' }).click())
    await said(page, `${name} is blocked.`)
    expect([count(), await callStatus()]).toEqual([2, 403])
  })

  test('blocks and unblocks by the keyboard, from the page of its connections', async () => {
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
    await said(page, `${name} is blocked.`)
    expect(await callStatus()).toBe(403)
    // The focus is back where it was, on what is now the way back.
    await page
      .getByRole('button', { name: `Unblock ${name}` })
      .and(page.locator(':focus'))
      .waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await tabTo(page, 'Unblock')
    await page.keyboard.press('Enter')
    await said(page, `${name} is approved again.`)
    expect(await callStatus()).toBe(200)
  })
})

describe('the page of contact requests', () => {
  test('shows what people wrote and marks it as read', async () => {
    const id = unique('contact')
    await service.db
      .insertInto('contact_requests')
      .values({
        ...{ id, name: 'Elif', email: 'elif@example.com', created_at: service.now() },
        message: 'Three shops.\nWe need more workspaces.',
      })
      .execute()
    const page = await openAdmin()
    await page.goto('/contact-requests')
    await expectPage(page, 'Contact requests', 'We need more workspaces.')
    await expectAccessibleInBothSchemes(page)
    await expectFitsPhone(page)
    await page.getByRole('button', { name: 'Mark the message of Elif as read' }).click()
    await said(page, 'Marked as read. Elif may write again.')
    const read = await service.db
      .selectFrom('contact_requests')
      .select('read_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(read.read_at).not.toBeNull()
  })
})

describe('an administration that cannot be reached', () => {
  test('says so, and goes on when it is back', async () => {
    const page = await openAdmin()
    await page.goto('/accounts')
    await page.getByText('of').first().waitFor()
    await page.route('**/api/admin/audit*', (route) => route.abort())
    await page.getByRole('link', { name: 'Audit' }).click()
    await page.getByRole('alert').getByText('You are offline').waitFor()
    await page.unroute('**/api/admin/audit*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('table').waitFor()
  })
})
