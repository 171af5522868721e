import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  choose,
  countActions,
  expectAccessible,
  startBrowser,
  type TestBrowser,
} from './browser.ts'
import { consent, registerAgent } from '../kit/agent_flow.ts'
import { givenShop, type Shop } from '../kit/catalogue.ts'
import { changeEmail } from '../../src/domain/people/email_changes.ts'
import { insertUsageEvent } from '../../src/queries/credits/usage_events.ts'
import { startService, type TestService, unique } from '../kit/service.ts'

let service: TestService
let browser: TestBrowser
let shop: Shop
beforeAll(async () => {
  service = await startService({ atOwnAddress: true })
  browser = await startBrowser(service)
})
afterAll(async () => {
  await browser.close()
  await service.close()
})
beforeEach(async () => {
  shop = await givenShop(service)
})

async function open(path: string, expectedStatuses: number[] = []) {
  const page = await browser.open({ cookie: shop.person.cookie, expectedStatuses })
  await page.goto(path.startsWith('/') ? path : `/w/${shop.workspaceId}/${path}`)
  return page
}

describe('integrations', () => {
  test('lead from sign-in to a key and its first call in six actions', async () => {
    const email = `${unique('owner')}@example.com`
    const owner = await service.givenPerson({ email })
    await service.givenWorkspace(owner)
    const page = await browser.open()
    const { act, count } = countActions()
    await page.goto('/')
    await act(page.getByLabel('Email address').fill(email))
    await act(page.getByRole('button', { name: 'Send me a code' }).click())
    await page.getByLabel('Code').waitFor()
    await act(page.getByLabel('Code').fill(await service.codeFor(email)))
    await act(page.getByRole('link', { name: 'Integrations' }).click())
    await act(page.getByRole('button', { name: 'Create key' }).click())
    await page.getByRole('heading', { name: 'Copy your key now' }).waitFor()
    await expectAccessible(page)
    await act(page.getByRole('button', { name: 'Make your first call' }).click())
    await page.getByText('The API answered 200:').waitFor()
    expect(count()).toBeLessThanOrEqual(6)

    await page.getByRole('button', { name: 'Copy key' }).click()
    await page.getByText('Copied', { exact: true }).waitFor()
    const key = await page.evaluate<string>('navigator.clipboard.readText()')
    await service.api(key).get('/v1/workspaces').expect(200)
    await service.api(key).post('/v1/workspaces').send({}).expect(403)
    await page.getByRole('button', { name: 'I have copied it' }).click()
    expect(await page.getByText(key).count()).toBe(0)

    await page.getByRole('button', { name: 'Revoke My first key' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.locator('summary', { hasText: 'one revoked or expired' }).click()
    await page.getByText('Revoked', { exact: true }).waitFor()
    await service.api(key).get('/v1/workspaces').expect(401)
  })

  test('show every key by pages', async () => {
    const person = await service.givenPerson()
    for (let key = 1; key <= 27; key++) await service.givenKey(person, { name: `Key ${key}` })
    const page = await browser.open({ cookie: person.cookie })
    await page.goto('/integrations')
    const keys = page.getByRole('region', { name: 'API keys' })
    await keys.getByText('1–25 of 27').waitFor()
    expect(await keys.getByRole('button', { name: /^Revoke / }).count()).toBe(25)
    await keys.getByRole('button', { name: 'Next page' }).click()
    await keys.getByText('26–27 of 27').waitFor()
    await keys.getByRole('button', { name: 'Revoke Key 1', exact: true }).waitFor()
    await expectAccessible(page)
  })

  test('show a connected agent with its scopes, and disconnect it', async () => {
    const { token } = await service.givenAgent(shop.person, {
      name: 'Helper',
      scopes: ['products:read'],
    })
    const page = await open('/integrations')
    const agents = page.getByRole('region', { name: 'Connected agents' })
    await agents.getByText('Active', { exact: true }).waitFor()
    await agents.locator('summary', { hasText: 'one permission' }).click()
    await agents.getByText('See products, inactive ones too').waitFor()
    await agents.getByRole('button', { name: /^Revoke / }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
    await agents.locator('summary', { hasText: 'one revoked or expired' }).click()
    await agents.getByText('Revoked', { exact: true }).waitFor()
    expect(token).toMatch(/^wsa_/)
  })

  test('name the only workspace of an agent that is limited to one', async () => {
    const person = await service.givenPerson()
    const { id } = await service.givenWorkspace(person)
    await service.givenAgent(person)
    const agent = await registerAgent(service)
    const pending = await agent.begin({ scope: 'products:read' })
    const choice = { decision: 'allow', workspaceId: id } as const
    await agent.exchange(pending, await consent(service, person, pending, choice))
    const page = await browser.open({ cookie: person.cookie })
    await page.goto('/integrations')
    const agents = page.getByRole('region', { name: 'Connected agents' })
    await agents.getByText('Only in A workspace', { exact: true }).waitFor()
    expect(await agents.getByRole('button', { name: /^Revoke / }).count()).toBe(2)
    expect(await agents.getByText(/^Only in/).count()).toBe(1)
    await expectAccessible(page)
  })
})

describe('a change of the account’s address', () => {
  test('is taken back from the mail to the old address', async () => {
    const { notice } = await service.db
      .transaction()
      .execute((trx) =>
        changeEmail(
          trx,
          { environment: 'development', now: service.now() },
          shop.person.accountId,
          `${unique('thief')}@example.com`,
        ),
      )
    const page = await browser.open()
    await page.goto(`/undo-email/${notice!.token}`)
    await page.getByRole('heading', { name: 'Take back the change of address?' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Take the change back' }).click()
    await page.getByText(`The account signs in with ${shop.person.email} again.`).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('Email address').waitFor()
  })
})

describe('the wallet', () => {
  test('gets credits in four actions', async () => {
    const page = await open('products')
    const { act, count } = countActions()
    await act(page.getByRole('link', { name: 'Wallet' }).click())
    await act(page.getByRole('button', { name: 'Buy credits: 500' }).click())
    await act(page.getByRole('button', { name: 'Pay' }).click())
    await act(page.getByRole('link', { name: 'Back to the dashboard' }).click())
    await page.getByText('Paid. The credits are in your wallet.').waitFor()
    await page.getByRole('cell', { name: '+500' }).waitFor()
    expect(count()).toBeLessThanOrEqual(4)
    const figure = page.locator('.figure').filter({ hasText: 'Available credits' })
    expect(await figure.innerText()).toMatch(/500$/)
    const { pathname, search } = new URL(page.url())
    expect(pathname + search).toBe(`/w/${shop.workspaceId}/wallet`)
  })
})

describe('usage', () => {
  test('is a chart with its numbers, which can be downloaded', async () => {
    const guest = { actorType: 'GUEST', userId: null } as const
    const record = (eventName: 'visit' | 'chat.product', creditDelta = 0) =>
      insertUsageEvent(
        service.db,
        shop.workspaceId,
        { ...guest, eventName, creditDelta },
        service.now(),
      )
    await record('visit')
    await record('chat.product', -4)
    const page = await open('usage')
    const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
    const shown = async (label: string) =>
      new Date(`${await page.getByRole('button', { name: `${label}: ` }).innerText()} UTC`)
    const range = days.formatRange(await shown('From'), await shown('To'))
    await page.getByText(`${range}, compared with`).waitFor()
    await page
      .getByRole('img', { name: `Visits, product views, questions and clicks per day, ${range}.` })
      .waitFor()
    await page.getByLabel('Show what everybody did').check()
    await page.getByRole('img', { name: `Events per day, ${range}.` }).waitFor()
    const numbers = page.getByRole('table', { name: 'Numbers' })
    expect(await numbers.locator('thead').innerText()).toMatch(/Day\s+Guests\s+Total/)
    expect(await numbers.locator('tbody').innerText()).toMatch(/\s2\s+2$/)

    await choose(page.getByLabel('Group by'), 'By operation')
    await choose(page.getByLabel('Show', { exact: true }), 'Credits used')
    await page.getByRole('img', { name: /^Credits used per day/ }).waitFor()
    await expect.poll(() => numbers.locator('thead').innerText()).toMatch(/Product chat/)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const file = readFileSync(await (await download).path(), 'utf8')
    expect(file.split('\r\n').slice(0, 1)).toEqual(['\uFEFFDay,Product chat,Total'])
    expect(file.trim().split('\r\n').at(-1)).toBe(`${service.now().toISOString().slice(0, 10)},4,4`)
  })
})

describe('members', () => {
  test('are invited by an owner, accept, and change their role', async () => {
    const invitee = await service.givenPerson()
    const page = await open('members', [409])
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByRole('dialog').getByLabel('Email address').fill(invitee.email)
    await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
    await page.getByText('Invited', { exact: true }).waitFor()

    const theirs = await browser.open({ cookie: invitee.cookie })
    await theirs.goto('/')
    await theirs.getByText('A workspace invites you as Staff.').waitFor()
    await theirs.getByRole('button', { name: 'Accept' }).click()
    await theirs.getByRole('link', { name: 'Products', exact: true }).waitFor()

    await choose(page.getByLabel(`Role of ${shop.person.email}`), 'Staff')
    const question = page.getByRole('dialog', { name: `Make ${shop.person.email} Staff?` })
    await question.getByRole('button', { name: 'Change role' }).click()
    await question.getByText('This is the last active owner.').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect(await page.getByLabel(`Role of ${shop.person.email}`).textContent()).toBe('Owner')
  })
})

describe('the profile of a workspace', () => {
  test('changes the billing address with a code mailed to it', async () => {
    const email = `${unique('billing')}@example.com`
    const page = await open('profile', [400])
    await page.getByLabel('Billing email').fill(email)
    await page.getByRole('button', { name: 'Send a code to the new address' }).click()
    await page.getByText(`A code was sent to ${email}.`).first().waitFor()
    await page.getByLabel('Code', { exact: true }).fill('000000')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Check the marked fields.').waitFor()
    await page.getByLabel('Code', { exact: true }).fill(await service.codeFor(email))
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    const { body } = await shop.api.get(shop.at('workspace')).expect(200)
    expect(body).toMatchObject({ billingEmail: email })
  })
})

describe('the account', () => {
  test('chooses the language of every page', async () => {
    const page = await open('/account')
    await choose(page.getByLabel('Language'), 'Türkçe')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Hesap', level: 1 }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('tr')
    await page.getByRole('link', { name: 'Ürünler' }).click()
    await page.getByText('Henüz ürün yok').waitFor()
    await expectAccessible(page)
  })

  test('signs out and leaves nothing for the next person', async () => {
    const page = await open('products')
    await page.getByText('No products yet').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.goto(`/w/${shop.workspaceId}/products`)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })
})

describe('a session that has ended elsewhere', () => {
  test('is renewed over the requested page', async () => {
    const page = await open('tags', [401])
    await page.getByText('No tags yet').waitFor()
    await service.dashboard(shop.person).delete('/api/session').expect(200)
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByRole('button', { name: 'Send me a code' }).click()
    await page.getByLabel('Code').waitFor()
    await page.getByLabel('Code').fill(await service.codeFor(shop.person.email))
    await page.getByRole('table', { name: 'Members' }).waitFor()
  })
})

describe('a new person', () => {
  test('creates a workspace from a template, given only a name', async () => {
    const person = await service.givenPerson({ workspaceLimit: 1 })
    const page = await browser.open({ cookie: person.cookie })
    await page.goto('/')
    const name = `Işık ${unique('Çini')}`
    await page.getByLabel('Name').fill(name)
    await page.getByText('Beauty').click()
    await page.getByRole('button', { name: 'Create workspace' }).click()
    await page.getByRole('heading', { name: 'Set up your shop' }).waitFor()
    await page.getByRole('combobox', { name: 'Workspace' }).click()
    const choices = page.getByRole('listbox').getByRole('option')
    expect(await choices.allInnerTexts()).toEqual([name, '+ New workspace'])
    await choices.last().click()
    await page.getByText('You own the one workspace that you can have.').waitFor()
  })
})

describe('without a network', () => {
  test('a page says so, keeps the input and continues when it is back', async () => {
    const page = await open('tags', [])
    await page.getByText('No tags yet').waitFor()
    await page.context().setOffline(true)
    await page.getByText('You are offline. Changes cannot be saved').waitFor()
    await page.context().setOffline(false)
    await page.getByText('You are offline.').waitFor({ state: 'detached' })
  })
})
