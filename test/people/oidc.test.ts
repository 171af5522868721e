import { parseSetCookie } from 'cookie'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { clientSecret, type Issuer, startIssuer } from '../kit/peers/oidc_issuer.ts'
import { startService, type TestService } from '../kit/service.ts'
import {
  damagedLink,
  expectRefusalAt,
  malformed,
  oidcSettings,
  openBrowser as openBrowserAt,
  outdated,
  someEmail,
  unproven,
  verifiedClaims,
  type BrowserAnswer,
} from './oidc_browser.ts'

let issuer: Issuer
let service: TestService
beforeAll(async () => {
  issuer = await startIssuer()
  service = await startService({ env: oidcSettings(issuer.url) })
})
beforeEach(() => issuer.behave({}))
afterAll(async () => {
  await service.close()
  await issuer.close()
})

const openBrowser = (at = service) => openBrowserAt(at)
const expectRefusal = (attempt: () => Promise<BrowserAnswer>, status: number, sentence: string) =>
  expectRefusalAt(service, attempt, status, sentence)

describe('a third-party sign-in', () => {
  test('creates an account for a new address, with the name from the issuer', async () => {
    const email = someEmail()
    issuer.behave(verifiedClaims(email.toUpperCase(), { name: 'Ada Lovelace' }))
    const browser = openBrowser()
    const { status, location, headers } = await browser.signIn()
    expect([status, location]).toEqual([303, '/'])
    expect(headers.get('cache-control')).toBe('no-store')
    const { status: sessionStatus, body } = await browser.session()
    expect(sessionStatus).toBe(200)
    expect(body.account).toMatchObject({ email, name: 'Ada Lovelace' })
  })

  test('signs a known account in and keeps its name', async () => {
    const person = await service.givenPerson()
    issuer.behave(verifiedClaims(person.email, { name: 'Somebody else' }))
    const browser = openBrowser()
    await browser.signIn()
    const { body } = await browser.session()
    expect(body.account).toMatchObject({ id: person.accountId, name: 'A person' })
  })

  test.each([
    ['the local part of the address without a name', undefined, (local: string) => local],
    ['the local part of the address with a blank name', ' \u0000\n ', (local: string) => local],
    ['the first 120 characters of a long name', '🛍'.repeat(121), () => '🛍'.repeat(120)],
    ['the storable part of a name', 'Ada\u0000\ud800 Lovelace', () => 'Ada \ufffd Lovelace'],
  ])('names a new account with %s', async (_which, name, expected) => {
    const email = someEmail()
    issuer.behave(verifiedClaims(email, { name }))
    const browser = openBrowser()
    await browser.signIn()
    const { body } = await browser.session()
    expect(body.account.name).toBe(expected(email.split('@')[0] ?? ''))
  })

  test('sets the same session cookie as a sign-in by code', async () => {
    const email = someEmail()
    issuer.behave(verifiedClaims(email))
    const browser = openBrowser()
    await browser.signIn()
    const { post } = service.dashboard()
    await post('/api/session/code').send({ email })
    const code = await service.codeFor(email)
    const { headers } = await post('/api/session').send({ email, code })
    const byCode = parseSetCookie(headers['set-cookie']?.[0] ?? '')
    const { value } = browser.jar.get('vitrine_session') ?? {}
    expect(browser.jar.get('vitrine_session')).toEqual({ ...byCode, value })
    expect(value).not.toBe(byCode.value)
  })

  test('takes the address from UserInfo if the ID token has none', async () => {
    const email = someEmail()
    const own = await startService({ env: oidcSettings(issuer.url) })
    issuer.behave({ userInfo: { email, email_verified: 'true', name: 'Ada' } })
    const browser = openBrowser(own)
    const { status } = await browser.signIn()
    const { body } = await browser.session()
    issuer.behave({ userInfo: { email: someEmail(), email_verified: true, sub: 'another' } })
    const foreign = await openBrowser(own).signIn()
    await own.close()
    expect(status).toBe(303)
    expect(body.account).toMatchObject({ email, name: 'Ada' })
    expect(foreign.status).toBe(401)
    expect(foreign.body).toContain(unproven)
  })

  test('sends the secret in the body if the issuer requires it', async () => {
    const metadata = { token_endpoint_auth_methods_supported: ['client_secret_post'] }
    issuer.behave({ ...verifiedClaims(someEmail()), metadata })
    const own = await startService({ env: oidcSettings(issuer.url) })
    const { status } = await openBrowser(own).signIn()
    await own.close()
    expect(status).toBe(303)
  })

  test('keeps its flow in a ten-minute cookie limited to these pages', async () => {
    const { headers } = await openBrowser().visit('/auth/oidc/start')
    const [cookie, ...more] = headers.getSetCookie().map((header) => parseSetCookie(header))
    expect(more).toEqual([])
    const { value, ...attributes } = cookie ?? {}
    expect(value).toMatch(/^[\w-]+\.[\w-]{43}$/)
    expect(attributes).toEqual({
      name: 'vitrine_oidc',
      path: '/',
      maxAge: 600,
      httpOnly: true,
      sameSite: 'lax',
    })
  })

  test('marks its cookies Secure if the dashboard is on https', async () => {
    const env = { ...oidcSettings(issuer.url), DASHBOARD_URL: 'https://dashboard.example' }
    const own = await startService({ env })
    issuer.behave(verifiedClaims(someEmail()))
    const browser = openBrowser(own)
    const back = await browser.startedFlow()
    expect(back).toMatch(/^https:\/\/dashboard\.example\/auth\/oidc\/callback\?/)
    expect(browser.jar.get('__Host-vitrine_oidc')?.secure).toBe(true)
    await browser.visit(back)
    expect([...browser.jar.values()].map(({ name, secure }) => [name, secure])).toEqual([
      ['__Host-vitrine_session', true],
      ['__Host-vitrine_known_browser', true],
    ])
    await own.close()
  })
})

describe('the redirect after a sign-in', () => {
  test.each([
    ['/products?page=2#first', '/products?page=2#first'],
    ['/ürün', '/%C3%BCr%C3%BCn'],
    ['/consent/abc/../def', '/consent/def'],
  ])('leads to the local path %s', async (returnTo, expected) => {
    issuer.behave(verifiedClaims(someEmail()))
    const { status, location } = await openBrowser().signIn(
      `?returnTo=${encodeURIComponent(returnTo)}`,
    )
    expect([status, location]).toEqual([303, expected])
  })

  test.each([
    '',
    'products',
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n\\evil.example',
    '\t//evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    'javascript:alert(1)',
  ])('never leads to %j', async (returnTo) => {
    const browser = openBrowser()
    const query = `?returnTo=${encodeURIComponent(returnTo)}`
    const start = () => browser.visit(`/auth/oidc/start${query}`)
    await expectRefusal(start, 400, damagedLink)
    expect(browser.jar.size).toBe(0)
  })

  test('never leads to a path of more than 2000 characters', async () => {
    const start = (length: number) =>
      openBrowser().visit(`/auth/oidc/start?returnTo=/${'a'.repeat(length - 1)}`)
    await expectRefusal(() => start(2001), 400, damagedLink)
    expect((await start(2000)).status).toBe(302)
  })
})

describe('a flow', () => {
  test('works once, even in a browser that kept its cookie', async () => {
    issuer.behave(verifiedClaims(someEmail()))
    const browser = openBrowser()
    const back = await browser.startedFlow()
    const cookie = browser.jar.get('vitrine_oidc')
    await browser.visit(back)
    expect([...browser.jar.keys()]).toEqual(['vitrine_session', 'vitrine_known_browser'])
    await expectRefusal(() => browser.visit(back), 400, outdated)

    const before = issuer.requested().length
    if (cookie) browser.jar.set(cookie.name, cookie)
    await expectRefusal(() => browser.visit(back), 400, outdated)
    expect(issuer.requested().length).toBe(before)
  })

  test('ends with a refusal too', async () => {
    issuer.behave(verifiedClaims(someEmail(), { nonce: 'another' }))
    const browser = openBrowser()
    await browser.signIn()
    expect([...browser.jar.keys()]).toEqual([])
  })

  test('of another browser is refused', async () => {
    issuer.behave(verifiedClaims(someEmail()))
    const back = await openBrowser().startedFlow()
    await expectRefusal(() => openBrowser().visit(back), 400, outdated)
  })

  test('lives for ten minutes', async () => {
    issuer.behave(verifiedClaims(someEmail()))
    const [late, inTime] = [openBrowser(), openBrowser()]
    const tooLate = await late.startedFlow()
    service.advance(1)
    const justInTime = await inTime.startedFlow()
    service.advance(10 * 60_000 - 1)
    await expectRefusal(() => late.visit(tooLate), 400, outdated)
    expect((await inTime.visit(justInTime)).status).toBe(303)
  })

  test('survives the refused return of an earlier tab', async () => {
    issuer.behave(verifiedClaims(someEmail()))
    const browser = openBrowser()
    const earlier = await browser.startedFlow()
    const later = await browser.startedFlow()
    await expectRefusal(() => browser.visit(earlier), 400, outdated)
    expect((await browser.visit(later)).status).toBe(303)
  })

  test.each([
    ['has another payload', (value: string) => `e30${value.slice(value.indexOf('.'))}`],
    ['has another signature', (value: string) => value.replace(/\..*/, `.${'A'.repeat(43)}`)],
    ['has no signature', (value: string) => value.replace(/\..*/, '')],
    ['is empty', () => ''],
  ])('whose cookie %s is refused', async (_how, change) => {
    const browser = openBrowser()
    const back = await browser.startedFlow()
    const cookie = browser.jar.get('vitrine_oidc')
    if (cookie) browser.jar.set(cookie.name, { ...cookie, value: change(cookie.value ?? '') })
    await expectRefusal(() => browser.visit(back), 400, outdated)
  })

  test.each([
    ['state is another', { state: 'x'.repeat(43) }, outdated],
    ['state is missing', { state: undefined }, outdated],
    ['issuer is another', { iss: 'https://another.example' }, malformed],
    ['issuer is missing', { iss: undefined }, malformed],
    ['code is missing', { code: undefined }, malformed],
  ])('whose %s in the answer is refused', async (_which, callback, sentence) => {
    issuer.behave({ ...verifiedClaims(someEmail()), callback })
    await expectRefusal(() => openBrowser().signIn(), 400, sentence)
  })

  test('with a code given twice is refused', async () => {
    const browser = openBrowser()
    const back = await browser.startedFlow()
    await expectRefusal(() => browser.visit(`${back}&code=another`), 400, malformed)
  })

  test('with the code of another flow is refused', async () => {
    issuer.behave(verifiedClaims(someEmail()))
    const stolen = new URL(await openBrowser().startedFlow()).searchParams.get('code') ?? ''
    const browser = openBrowser()
    const back = new URL(await browser.startedFlow())
    back.searchParams.set('code', stolen)
    await expectRefusal(() => browser.visit(back.href), 401, unproven)
  })
})

describe('the log of third-party sign-in', () => {
  test('says why a sign-in was refused', async () => {
    issuer.behave(verifiedClaims(someEmail(), { nonce: 'another' }))
    const { headers } = await openBrowser().signIn()
    const requestId = headers.get('x-request-id')
    const line = service
      .logged()
      .find(({ reason, ...rest }) => reason && rest.requestId === requestId)
    expect(line).toMatchObject({
      msg: 'A third-party sign-in was refused.',
      reason:
        'token response: unexpected ID Token "nonce" claim value, OAUTH_JWT_CLAIM_COMPARISON_FAILED',
    })
  })

  test('holds no secret of any sign-in', async () => {
    const browser = openBrowser()
    issuer.behave(verifiedClaims(someEmail()))
    await browser.signIn()
    const lines = JSON.stringify(service.logged())
    const secrets = [...issuer.secrets(), clientSecret, browser.jar.get('vitrine_session')?.value]
    expect(secrets.length).toBeGreaterThan(5)
    expect(secrets.filter((secret) => lines.includes(secret ?? ''))).toEqual([])
  })
})
