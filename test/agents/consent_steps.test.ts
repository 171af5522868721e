import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Browser, openBrowser, openRequest, registerAgent } from '../kit/agent_flow.ts'
import { startService, type TestService, unique } from '../kit/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT_PER_MINUTE: '120' } })
})
afterAll(() => service.close())

/** The consent page of an agent's request, and a form that is sent to it. */
async function givenConsent(browser: Browser = openBrowser(service)) {
  const agent = await registerAgent(service)
  const authorization = await agent.begin({ scope: 'products:read products:write' })
  const page = `${service.config.dashboardUrl}/consent/${await openRequest(browser, authorization)}`
  return {
    browser,
    page,
    show: () => browser.visit(page),
    send: (fields: Record<string, string>) => browser.visit(page, new URLSearchParams(fields)),
  }
}

const newEmail = () => `${unique('person')}@example.com`

/** An address whose mails have a link alone, because strangers have guessed at its codes. */
async function givenGuessed(): Promise<string> {
  const email = newEmail()
  const today = service.now().toISOString().slice(0, 10)
  await service.db
    .insertInto('sign_in_attempts')
    .values({ purpose: 'sign_in', email, day: today, failures: 100 })
    .execute()
  return email
}

async function openLink(browser: Browser, email: string) {
  const { text } = (await service.mailsTo(email)).at(-1)!
  const [link = ''] = /http\S+\/sign-in-link\/\S+/.exec(text) ?? []
  const { status } = await browser.visit(`${link}/confirm`, new URLSearchParams())
  expect(status).toBe(303)
}

const asksForCode = 'autocomplete="one-time-code"'
const asksForAddress = 'name="email"\n'
const asksForConsent = 'value="decide"'

describe('signing in at the consent page', () => {
  test('keeps the page of the code over reloads, which mail nothing', async () => {
    const { send, show } = await givenConsent()
    const email = newEmail()
    expect((await send({ step: 'code', email })).status).toBe(303)
    for (const { body } of [await show(), await show()]) {
      expect(body).toContain(asksForCode)
      expect(body).toContain(`<strong>${email}</strong>`)
    }
    expect(await service.mailsTo(email)).toHaveLength(1)
    const { headers } = await send({ step: 'other_address' })
    expect(headers.getSetCookie().join()).toContain('Max-Age=0')
    expect((await show()).body).toContain(asksForAddress)
  })

  test('goes on to the consent by a reload after a mailed link was opened', async () => {
    const { browser, send, show } = await givenConsent()
    const email = await givenGuessed()
    await send({ step: 'code', email })
    expect((await show()).body).toContain('a mail with six digits or a link')
    await openLink(browser, email)
    expect((await show()).body).toContain(asksForConsent)
  })

  test.each([
    ['the code', { step: 'session', code: '000000' }],
    ['the address', { step: 'code' }],
  ])('goes on likewise where the reload sends %s again', async (_what, form) => {
    const { browser, page, send } = await givenConsent()
    const email = await givenGuessed()
    await send({ step: 'code', email })
    expect((await send({ ...form, email })).status).toBe(429)
    await openLink(browser, email)
    const again = await send({ ...form, email })
    expect([again.status, again.location]).toEqual([303, new URL(page).pathname])
    expect(await service.mailsTo(email)).toHaveLength(1)
  })

  test('asks for the address anew for another request, and after signing out', async () => {
    const { browser, send, show } = await givenConsent()
    const email = newEmail()
    await send({ step: 'code', email })
    const other = await givenConsent(browser)
    expect((await other.show()).body).toContain(asksForAddress)
    await send({ step: 'session', email, code: await service.codeFor(email) })
    expect((await show()).body).toContain(asksForConsent)
    await send({ step: 'sign_out' })
    expect((await show()).body).toContain(asksForAddress)
  })
})

test('a refused consent keeps the chosen workspace', async () => {
  const person = await service.givenPerson()
  const [, chosen] = [await service.givenWorkspace(person), await service.givenWorkspace(person)]
  const { browser, send } = await givenConsent()
  browser.signIn(person)
  const none = await send({ step: 'decide', decision: 'allow', workspaceId: chosen.id })
  expect(none.status).toBe(400)
  expect(none.body.match(/<option value="\w+" selected>/g)).toEqual([
    `<option value="${chosen.id}" selected>`,
  ])
})
