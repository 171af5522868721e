import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AgentLogin, openLogin } from '../../scripts/agent_login.ts'
import { readTools } from '../../src/core/contract_documents.ts'
import { registerAgent } from '../kit/agent_flow.ts'
import {
  countActions,
  expectAccessibleInBothSchemes,
  expectFitsPhone,
  type Page,
  startPages,
  tabTo,
  type TestBrowser,
} from './browser.ts'
import { libraries } from '../kit/real_agents.ts'
import { type Person, type TestService, unique } from '../kit/service.ts'

const manifest = readTools()

let service: TestService
let browser: TestBrowser
let person: Person
let agentOrigin: string
/** The agent's callback. Its icon is empty, so that the browser asks for no other. */
const callback = createServer((request, response) => {
  const answer = request.url?.includes('error=') ? 'Denied.' : 'Allowed.'
  response.setHeader('Content-Type', 'text/html')
  response.end(`<link rel="icon" href="data:," />${answer}`)
})
beforeAll(async () => {
  ;({ service, browser } = await startPages())
  person = await service.givenPerson()
  await once(callback.listen(0, '127.0.0.1'), 'listening')
  agentOrigin = `http://127.0.0.1:${(callback.address() as AddressInfo).port}`
})
afterAll(async () => {
  await browser.close()
  callback.close()
})

const publicUri = 'https://agent.example.com/callback'

/** A consent page that an agent has sent a person to. */
async function openConsent(
  options: Parameters<TestBrowser['open']>[0] = {},
  redirectUri = `${agentOrigin}/callback`,
): Promise<Page> {
  const agent = await registerAgent(service, { redirect_uris: [redirectUri] })
  const page = await browser.open({ elsewhere: [agentOrigin], ...options })
  const scope = 'workspaces:read products:read products:write'
  await page.goto((await agent.begin({ scope })).url.href)
  return page
}

describe('the consent page', () => {
  test('lets a signed-in person admit a waiting agent in two actions', async () => {
    const library = libraries.at(-1)!
    const address = new URL(`${service.config.baseUrl}/mcp`)
    let authorizeUrl: URL | undefined
    const login: AgentLogin = await openLogin({
      name: 'Shelf assistant',
      open: (url) => void (authorizeUrl = url),
    })
    const attempt = library.attempt(address, login, fetch)
    await expect(attempt.connect()).rejects.toBeInstanceOf(library.unauthorized)

    const elsewhere = [new URL(login.redirectUri).origin]
    // The agent's callback page has no favicon.
    const expectedStatuses = [404]
    const page = await browser.open({ cookie: person.cookie, elsewhere, expectedStatuses })
    const { act, count } = countActions()
    await page.goto(authorizeUrl!.href)
    await page.getByRole('heading', { name: 'Shelf assistant asks for access' }).waitFor()
    await act(page.getByRole('button', { name: 'Allow' }).click())
    await page.getByText('The agent has your answer.').waitFor()
    expect(count()).toBeLessThanOrEqual(2)

    await attempt.finish(await login.callback())
    const connected = library.attempt(address, login, fetch)
    await connected.connect()
    expect((await connected.client.listTools()).tools).toHaveLength(manifest.length)
    await connected.client.close()
    await login.close()
  })

  test('states who asks, from where, for what and for which account', async () => {
    const page = await openConsent({ cookie: person.cookie })
    const facts = await page.locator('.facts').innerText()
    for (const fact of [person.email, 'Shelf assistant', 'client_', new URL(agentOrigin).host])
      expect(facts).toContain(fact)
    await page.getByText('runs on your own computer').waitFor()
    const labels = await page.locator('.check').allInnerTexts()
    expect(labels.map((text) => text.replaceAll(/\s+/g, ' ').trim())).toEqual([
      'Ask me before anything is lost I am asked before it deletes something, replaces the content of an image, clears a text or all pictures, tags or links at once, takes more than half out of a collection, the questions or the synonyms, or closes the shop. It makes other changes without asking.',
      'List the workspaces you own and whether you may create more. workspaces:read',
      'See products, inactive ones too, and their questions. products:read',
      'Create, change and permanently delete products and their questions. products:write changes things',
    ])
    await expectAccessibleInBothSchemes(page)
    await expectFitsPhone(page)
  })

  test('does not warn of loopback if the answer goes to a site', async () => {
    const page = await openConsent({ cookie: person.cookie }, publicUri)
    await page.getByText('agent.example.com').waitFor()
    expect(await page.getByText('runs on your own computer').count()).toBe(0)
  })

  test('grants fewer scopes, using only the keyboard, and requires at least one', async () => {
    const page = await openConsent({ cookie: person.cookie, expectedStatuses: [400] })
    for (const scope of ['workspaces:read', 'products:read', 'products:write'])
      await page.getByLabel(scope).uncheck()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('alert').getByText('Tick at least one thing').waitFor()
    // No box is silently ticked again, and the first one has the focus.
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0)
    await expectAccessibleInBothSchemes(page)
    await page.keyboard.press('Space')
    await tabTo(page, 'Allow')
    const submission = page.waitForRequest((request) => request.method() === 'POST')
    await page.keyboard.press('Enter')
    expect((await submission).postData()).toBe(
      'step=decide&scopes=workspaces%3Aread&decision=allow',
    )
    await page.getByText('Allowed.').waitFor()
  })

  test('denies with one action', async () => {
    const page = await openConsent({ cookie: person.cookie })
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByText('Denied.').waitFor()
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')
  })

  test('is reached with a code, with errors shown at the field', async () => {
    const email = `${unique('person')}@example.com`
    const page = await openConsent({ expectedStatuses: [400, 401] })
    const address = page.getByLabel('Email address')
    await address.fill('ana+shop@example.com')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('plus sign').waitFor()
    expect(await address.getAttribute('aria-invalid')).toBe('true')
    expect(await address.inputValue()).toBe('ana+shop@example.com')
    await expectAccessibleInBothSchemes(page)
    await expectFitsPhone(page)
    await address.fill(email)
    await page.keyboard.press('Enter')
    await page.getByLabel('Code').fill('000000')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('The code is wrong').waitFor()
    await page.getByLabel('Code').fill(await service.codeFor(email))
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Allow' }).waitFor()
  })

  test('works without JavaScript, from the address to an answer with fewer scopes', async () => {
    const email = `${unique('person')}@example.com`
    const page = await openConsent({ script: false })
    await page.getByLabel('Email address').fill(email)
    await page.getByRole('button', { name: 'Send me a code' }).click()
    await page.getByLabel('Code').fill(await service.codeFor(email))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('products:write').uncheck()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByText('Allowed.').waitFor()
    const { scopes } = await service.db
      .selectFrom('grants')
      .innerJoin('accounts', 'accounts.id', 'grants.account_id')
      .select('grants.scopes')
      .where('accounts.email', '=', email)
      .executeTakeFirstOrThrow()
    expect(scopes).toEqual(['workspaces:read', 'products:read'])
  })

  test('uses the language of the browser, then that of the account', async () => {
    const turkish = await service.givenPerson()
    await service
      .dashboard(turkish)
      .put('/api/account')
      .send({ name: 'Elif', phone: null, language: 'tr' })
      .expect(200)
    const page = await openConsent({ cookie: turkish.cookie })
    await page.getByRole('heading', { name: 'Shelf assistant erişim istiyor' }).waitFor()
    await page.getByText('Etkin olmayanlarla birlikte ürünleri').waitFor()
    expect(await page.getAttribute('html', 'lang')).toBe('tr')
    const stranger = await openConsent({ locale: 'tr-TR', expectedStatuses: [400] })
    const refusals = {
      'elif+dukkan@example.com': 'Artı işareti olan e-posta adresleri kabul edilmiyor.',
      'elif@mailinator.com': 'Tek kullanımlık e-posta hizmetlerinin adresleri kabul edilmiyor.',
      elif: 'Bir e-posta adresi girin.',
      [`${'e'.repeat(65)}@example.com`]: 'Geçerli bir e-posta adresi değil.',
    }
    for (const [address, refusal] of Object.entries(refusals)) {
      await stranger.getByLabel('E-posta adresi').fill(address)
      await stranger.keyboard.press('Enter')
      await stranger.getByRole('alert').getByText(refusal).waitFor()
    }
  })
})

describe('the development checkout', () => {
  async function givenCheckout(): Promise<{ id: string; url: string }> {
    const { id } = await service.givenWorkspace(person)
    const checkout = service.dashboard(person).post(`/api/workspaces/${id}/checkout`)
    const { url } = (await checkout.send({ pack: 500 }).expect(201)).body as { url: string }
    return { id, url }
  }
  const balanceOf = async (id: string) => {
    const wallet = await service.dashboard(person).get(`/v1/workspaces/${id}/wallet`).expect(200)
    return (wallet.body as { balance: number }).balance
  }

  test('is paid in two actions, and the wallet has the credits', async () => {
    const { id, url } = await givenCheckout()
    const page = await browser.open({ cookie: person.cookie })
    const { act, count } = countActions()
    await page.goto(url)
    await page.getByRole('heading', { name: 'Buy 500 AI credits' }).waitFor()
    await expectAccessibleInBothSchemes(page)
    await expectFitsPhone(page)
    await act(page.getByRole('button', { name: 'Pay $10.00' }).click())
    await page.getByRole('status').getByText('Paid. The credits are in the wallet.').waitFor()
    await expectAccessibleInBothSchemes(page)
    await act(page.getByRole('link', { name: 'Back to the dashboard' }).click())
    await page.getByRole('heading', { name: 'Wallet', level: 1 }).waitFor()
    // With choosing a pack in the wallet that makes three of the four allowed actions.
    expect(count()).toBe(2)
    expect(await balanceOf(id)).toBe(500)
  })

  test('can be left and then paid without JavaScript', async () => {
    const { id, url } = await givenCheckout()
    const page = await browser.open({ cookie: person.cookie, script: false })
    await page.goto(url)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.waitForURL('**/wallet?checkout=cancelled')
    expect(await balanceOf(id)).toBe(0)
    await page.goto(url)
    await page.getByRole('button', { name: 'Pay $10.00' }).click()
    await page.getByRole('status').getByText('Paid. The credits are in the wallet.').waitFor()
    expect(await balanceOf(id)).toBe(500)
  })
})

describe('an unknown address', () => {
  test('has a page with a link back', async () => {
    const page = await browser.open({ expectedStatuses: [404] })
    await page.goto('/nothing')
    await page.getByRole('heading', { name: 'Nothing is here' }).waitFor()
    await expectAccessibleInBothSchemes(page)
    await expectFitsPhone(page)
    await page.getByRole('link', { name: 'To the first page' }).click()
    await page.getByLabel('Email address').waitFor()
  })
})
