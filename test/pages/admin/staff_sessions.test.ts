import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { defaultDesign } from '../../../src/domain/site/designs.ts'
import { givenShop, type Shop } from '../../kit/catalogue.ts'
import type { StaffMember, TestService } from '../../kit/service.ts'
import {
  expectAccessibleInBothSchemes,
  type Page,
  startPages,
  type TestBrowser,
} from '../browser.ts'

let service: TestService
let browser: TestBrowser
let shop: Shop
let staff: StaffMember
beforeAll(async () => {
  ;({ service, browser } = await startPages())
})
afterAll(() => browser.close())
beforeEach(async () => {
  shop = await givenShop(service)
  staff = await service.givenStaff()
})

const path = () => `/workspaces/${shop.workspaceId}/design`
const newest = (page: Page) => page.getByLabel('Newest products')

/** The page of a design, half made. */
async function givenHalfMade(): Promise<Page> {
  const { adminUrl: origin } = service.config
  const page = await browser.open({ origin, cookie: staff.cookie, expectedStatuses: [401] })
  await page.goto(path())
  await newest(page).fill('7')
  return page
}

async function endSessions(): Promise<void> {
  await service.db.deleteFrom('staff_sessions').execute()
}

/** Leaves a page that asks whether to leave. */
async function reloadAnyway(page: Page): Promise<void> {
  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
}

async function signIn(page: Page, { email }: StaffMember): Promise<void> {
  await page.getByLabel('Email address').fill(email)
  await takeCode(page, email)
}

async function takeCode(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Send me a code' }).click()
  await page.getByLabel('Code').waitFor()
  await page.getByLabel('Code').fill(await service.codeFor(email))
}

describe('a staff session that ends', () => {
  test('is renewed over the page, and the interrupted save goes through', async () => {
    const page = await givenHalfMade()
    await endSessions()
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    expect(await dialog.getByLabel('Email address').inputValue()).toBe(staff.email)
    await expectAccessibleInBothSchemes(page)
    await takeCode(page, staff.email)
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
    const { body } = await service.admin(await service.givenStaff()).get(`/api/admin${path()}`)
    expect(body.design).toEqual({ ...defaultDesign, newest: 7 })
    expect(await dialog.count()).toBe(0)
  })

  test('keeps what was typed over a reload, for who signs in again', async () => {
    const page = await givenHalfMade()
    await endSessions()
    await reloadAnyway(page)
    await signIn(page, staff)
    await page.getByText('What you had typed is back').waitFor()
    expect(await newest(page).inputValue()).toBe('7')
  })

  test('gives nothing of it to another staff member', async () => {
    const page = await givenHalfMade()
    await endSessions()
    await reloadAnyway(page)
    await signIn(page, await service.givenStaff())
    await expect.poll(() => newest(page).inputValue()).toBe('9')
    expect(await page.getByText('What you had typed is back').count()).toBe(0)
  })
})

describe('signing out of administration', () => {
  test('asks about unsaved changes, and leaves none of them in the tab', async () => {
    const page = await givenHalfMade()
    await reloadAnyway(page)
    await page.getByText('What you had typed is back').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await page.getByLabel('Email address').waitFor()
    expect(await page.evaluate('Object.keys(sessionStorage)')).toEqual([])
    await signIn(page, staff)
    await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor()
    await page.goto(path())
    await expect.poll(() => newest(page).inputValue()).toBe('9')
  })
})
