import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  choose,
  desktop,
  expectAccessibleInBothSchemes,
  expectFitsPhone,
  expectPage,
  type Page,
  phone,
  expectStatus,
  startPages,
  tabTo,
  type TestBrowser,
} from '../browser.ts'
import { type StaffMember, type TestService, unique } from '../../kit/service.ts'

let service: TestService
let browser: TestBrowser
let staff: StaffMember
beforeAll(async () => {
  ;({ service, browser } = await startPages())
  staff = await service.givenStaff()
})
afterAll(() => browser.close())

const openAdmin = (options: Parameters<TestBrowser['open']>[0] = {}) =>
  browser.open({ origin: service.config.adminUrl, cookie: staff.cookie, ...options })

describe('staff sign-in', () => {
  test('takes an address and a code, using only the keyboard, and shows the requested page', async () => {
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

  test('is required of a person with only a dashboard session', async () => {
    const { cookie } = await service.givenPerson()
    const page = await browser.open({ origin: service.config.adminUrl, cookie })
    await page.goto('/accounts')
    await page.getByText('For platform staff only.').waitFor()
  })

  test('is in Turkish for a Turkish browser', async () => {
    const page = await openAdmin({ locale: 'tr-TR' })
    await page.goto('/sources')
    await page.getByRole('heading', { name: 'Kaynaklar', level: 1 }).waitFor()
    expect(await page.getAttribute('html', 'lang')).toBe('tr')
  })
})

describe('the accounts page', () => {
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

  test('keeps the buttons of a dialog visible, however long an address is', async () => {
    const long = `${'an.address.without.end.'.repeat(2)}${unique('x')}@${'department.'.repeat(12)}example.com`
    await service.givenPerson({ email: long })
    await page.goto(`/accounts?search=${long}`)
    await page.getByRole('button', { name: `Suspend ${long}` }).click()
    for (const size of [desktop, phone]) {
      await page.setViewportSize(size)
      const widths = '(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)'
      expect(await page.evaluate(`${widths}(document.querySelector('dialog'))`)).toBe(0)
    }
    await page.setViewportSize(desktop)
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  })

  test('says that a page of the list no longer exists, and links back', async () => {
    await page.goto('/accounts?page=99')
    await page.getByRole('heading', { name: 'No results' }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expectPage(page, 'Accounts', email)
  })

  test('finds an account and says when there is none', async () => {
    await page.getByRole('searchbox').fill('nobody at all')
    await page.getByRole('heading', { name: 'No results' }).waitFor()
    await page.getByRole('searchbox').fill(email)
    await page.getByText('1–1 of 1').waitFor()
    expect(new URL(page.url()).searchParams.get('search')).toBe(email)
  })

  test('sets a limit from 1 to 1000 and shows errors at the field', async () => {
    await page.getByRole('button', { name: `Change limit of ${email}` }).click()
    const field = page.getByLabel('Workspaces this account can own')
    await field.fill('many')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Enter a whole number.').waitFor()
    await field.fill('1001')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.error').getByText('1,000').waitFor()
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    await expectAccessibleInBothSchemes(page)
    await field.fill('1000')
    await page.keyboard.press('Enter')
    await expectStatus(page, `The limit of ${email} is now 1,000.`)
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
    await expectStatus(page, `${email} is suspended.`)
    expect((await account()).status).toBe('SUSPENDED')
    await page.getByRole('button', { name: `Restore ${email}` }).click()
    await dialog.getByRole('button', { name: 'Restore' }).click()
    await expectStatus(page, `${email} is active again.`)
    expect((await account()).status).toBe('ACTIVE')
  })
})

describe('the workspaces page', () => {
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

  test('adjusts credits with a reason, which the ledger and the audit record', async () => {
    await page.getByRole('button', { name: 'Adjust credits of A workspace' }).click()
    await page.getByText('The wallet has 0 credits now.').waitFor()
    await page.getByRole('textbox', { name: 'Credits' }).fill('250')
    await page.getByRole('button', { name: 'Add 250 credits' }).click()
    const reason = page.getByLabel('Reason')
    await expect.poll(() => reason.getAttribute('aria-invalid')).toBe('true')
    await reason.fill('Goodwill')
    await page.getByRole('button', { name: 'Add 250 credits' }).click()
    await expectStatus(page, 'Adjusted. A workspace now has 250 credits.')
    await page.getByRole('cell', { name: '250', exact: true }).waitFor()
    const entries = await service.db
      .selectFrom('wallet_entries')
      .select(['credits', 'reason'])
      .where('workspace_id', '=', workspaceId)
      .execute()
    expect(entries).toEqual([{ credits: 250, reason: 'Goodwill' }])
  })

  test('suspends a workspace after saying what will stop', async () => {
    await page.getByRole('button', { name: 'Suspend A workspace' }).click()
    await page.getByText('its site is closed to visitors').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
    await expectStatus(page, 'A workspace is suspended.')
    await page.getByRole('button', { name: 'Restore A workspace' }).waitFor()
  })

  test('leads to a workspace’s own page, to its owner’s and back', async () => {
    const owner = await service.givenPerson()
    const workspace = await service.givenWorkspace(owner, { templateKey: 'customized' })
    const own = await openAdmin()
    await own.goto(`/workspaces?search=${workspace.id}`)
    await choose(own.getByLabel('Status'), 'Suspended')
    await own.getByRole('heading', { name: 'No results' }).waitFor()
    expect(new URL(own.url()).searchParams.get('status')).toBe('SUSPENDED')
    await own.goto(`/workspaces?search=${workspace.id}`)
    await own.getByText('Customized · +905551234567').waitFor()
    await own.getByRole('link', { name: workspace.name, exact: true }).click()
    await own.getByRole('heading', { name: workspace.name, level: 1 }).waitFor()
    await own.getByText('Customized', { exact: true }).waitFor()
    await expectAccessibleInBothSchemes(own)
    await own.getByRole('link', { name: 'A person', exact: true }).click()
    await own.getByRole('heading', { name: 'A person', level: 1 }).waitFor()
    await own.getByText(owner.email).first().waitFor()
    await expectFitsPhone(own)
    await own.getByRole('button', { name: `Suspend ${owner.email}` }).click()
    await own.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
    await own.getByText('Suspended', { exact: true }).waitFor()
    await own.goto('/accounts?status=SUSPENDED')
    await own.getByRole('link', { name: 'A person', exact: true }).click()
    await own.getByRole('link', { name: workspace.name, exact: true }).click()
    await own.getByRole('heading', { name: workspace.name, level: 1 }).waitFor()
  })

  test('approves the domains that wait, and nothing that has changed since', async () => {
    const { id } = await service.givenWorkspace(await service.givenPerson())
    const waiting = { workspace_id: id, token: '', is_approved: false, created_at: service.now() }
    const name = `${unique('paypal')}.example`
    await service.db
      .insertInto('site_domains')
      .values({ ...waiting, id: unique('dom'), name })
      .execute()
    const own = await openAdmin({ expectedStatuses: [409] })
    await own.goto(`/workspaces/${id}`)
    await own.getByText(name).waitFor()
    await own.getByRole('button', { name: 'Approve the domains of A workspace' }).click()
    await expectStatus(own, 'The domains of A workspace are approved.')
    await own.getByText(name).waitFor({ state: 'detached' })
    await service.db
      .updateTable('workspaces')
      .set({ name: 'Another' })
      .where('id', '=', id)
      .execute()
    await own.getByRole('button', { name: 'Hide the pages of A workspace' }).click()
    await own.getByText('This has changed since you read it.').first().waitFor()
  })

  test('links to the history, which shows each change before and after', async () => {
    await page.getByRole('link', { name: 'History of A workspace' }).click()
    await expectPage(page, 'Audit', 'Credits adjusted')
    const changes = page.getByRole('row').filter({ hasText: staff.email }).locator('.change')
    expect(await changes.allTextContents()).toEqual([
      'Statusbefore: Active → , after: Suspended',
      'Credits+250Balancebefore: 0 → , after: 250ReasonGoodwill',
    ])
    await expectAccessibleInBothSchemes(page)
    await expectFitsPhone(page)
    await page.goto('/audit')
    await choose(page.getByRole('combobox', { name: 'Action' }), 'Credits adjusted')
    await page.getByText('1–1 of 1').waitFor()
  })
})

describe('an administration that cannot be reached', () => {
  test('says so at the start, too', async () => {
    const page = await openAdmin({ losesConnection: true })
    await page.route('**/api/admin/session', (route) => route.abort())
    await page.goto('/accounts')
    await page.getByRole('alert').getByText('You are offline').waitFor()
    await expectAccessibleInBothSchemes(page)
    await page.unroute('**/api/admin/session')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor()
  })

  test('says so, and continues when it is back', async () => {
    const { email } = await service.givenPerson()
    const page = await openAdmin({ losesConnection: true })
    await page.goto('/audit')
    await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor()
    await page.route('**/api/admin/accounts*', (route) => route.abort())
    await page.getByRole('link', { name: 'Accounts' }).click()
    await page.getByRole('alert').getByText('You are offline').waitFor()
    await page.unroute('**/api/admin/accounts*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expectPage(page, 'Accounts', email)
  })
})
