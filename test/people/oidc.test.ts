import { parseSetCookie, type SetCookie } from 'cookie'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { oidcClient } from '../../src/adapters/oidc.ts'
import { clientId, clientSecret, type Issuer, startIssuer } from '../kit/peers/oidc_issuer.ts'
import { startService, type TestService, unique } from '../kit/service.ts'

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

function oidcSettings(url: string) {
  return { OIDC_ISSUER: url, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret }
}

function someEmail(): string {
  return `${unique('person')}@example.com`
}

interface BrowserAnswer {
  status: number
  location: string
  headers: Headers
  body: string
}

/** A browser: it keeps cookies and goes where it is sent, one step at a time. */
function openBrowser(at: TestService = service) {
  const jar = new Map<string, SetCookie>()
  const { dashboardUrl } = at.config

  async function visit(address: string): Promise<BrowserAnswer> {
    const url = new URL(address, dashboardUrl)
    const ours = url.origin === dashboardUrl
    const sent = [...jar.values()].filter(({ path }) => ours && url.pathname.startsWith(path ?? ''))
    const cookie = sent.map(({ name, value }) => `${name}=${value}`).join('; ')
    // The public address of the dashboard leads to the server of this test.
    const target = ours ? at.urls.dashboard + url.pathname + url.search : url.href
    const response = await fetch(target, {
      redirect: 'manual',
      headers: cookie ? { Cookie: cookie } : {},
    })
    for (const header of response.headers.getSetCookie()) keep(parseSetCookie(header))
    const { status, headers } = response
    return { status, headers, location: headers.get('location') ?? '', body: await response.text() }
  }

  function keep(cookie: SetCookie): void {
    const gone = cookie.maxAge === 0 || (cookie.expires && cookie.expires < new Date())
    if (gone) jar.delete(cookie.name)
    else jar.set(cookie.name, cookie)
  }

  /** From the start to the address at which the issuer sends the browser back. */
  async function startedFlow(query = ''): Promise<string> {
    const { location } = await visit(`/auth/oidc/start${query}`)
    return (await visit(location)).location
  }

  return {
    jar,
    visit,
    startedFlow,
    signIn: async (query = '') => visit(await startedFlow(query)),
    session: async () => {
      const { status, body } = await visit('/api/session')
      return { status, body: JSON.parse(body) }
    },
  }
}

function verified(email: string, more: Record<string, unknown> = {}) {
  return { claims: { email, email_verified: true, ...more } }
}

async function counts(at: TestService = service) {
  const { accounts, sessions } = await at.db
    .selectNoFrom((eb) => [
      eb.selectFrom('accounts').select(eb.fn.countAll<number>().as('n')).as('accounts'),
      eb.selectFrom('dashboard_sessions').select(eb.fn.countAll<number>().as('n')).as('sessions'),
    ])
    .executeTakeFirstOrThrow()
  return { accounts, sessions }
}

/** A page for a person: the status, one of our sentences, nothing created, nothing signed in. */
async function expectRefusal(
  attempt: () => Promise<BrowserAnswer>,
  status: number,
  sentence: string,
) {
  const before = await counts()
  const answer = await attempt()
  expect(answer.status).toBe(status)
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  )
  expect(/<h1>(.*)<\/h1>\s*<p>(.*)<\/p>/.exec(answer.body)?.slice(1)).toEqual([
    'You are not signed in',
    sentence,
  ])
  const cookies = answer.headers.getSetCookie().map((header) => parseSetCookie(header).name)
  expect(cookies).not.toContain('vitrine_session')
  expect(await counts()).toEqual(before)
  return answer
}

const damagedLink = 'The link to this sign-in is damaged. Sign in from the dashboard instead.'
const outdated =
  'This sign-in took too long, was finished before or began in another tab. Sign in again.'
const malformed = 'The answer of your sign-in provider is damaged. Sign in again.'
const declined = 'Your sign-in provider did not let you in. Sign in again, and allow it there.'
const unproven = 'The answer of your sign-in provider does not prove who you are. Sign in again.'
const misbehaved =
  'Your sign-in provider gave no valid answer. Sign in with a code by email instead.'
const unavailable = 'Your sign-in provider does not answer at the moment. Try again in a minute.'
const unverified =
  'Your sign-in provider has not verified your email address. Verify it there, then sign in again.'

describe('a third-party sign-in', () => {
  test('creates the account of a new address, with the name that the issuer tells', async () => {
    const email = someEmail()
    issuer.behave(verified(email.toUpperCase(), { name: 'Ada Lovelace' }))
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
    issuer.behave(verified(person.email, { name: 'Somebody else' }))
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
    issuer.behave(verified(email, { name }))
    const browser = openBrowser()
    await browser.signIn()
    const { body } = await browser.session()
    expect(body.account.name).toBe(expected(email.split('@')[0] ?? ''))
  })

  test('sets the cookie of a session as the sign-in by code does', async () => {
    const email = someEmail()
    issuer.behave(verified(email))
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

  test('takes the address from UserInfo where the ID token has none', async () => {
    const email = someEmail()
    const known = await startService({ env: oidcSettings(issuer.url) })
    issuer.behave({ userInfo: { email, email_verified: 'true', name: 'Ada' } })
    const browser = openBrowser(known)
    const { status } = await browser.signIn()
    const { body } = await browser.session()
    issuer.behave({ userInfo: { email: someEmail(), email_verified: true, sub: 'another' } })
    const foreign = await openBrowser(known).signIn()
    await known.close()
    expect(status).toBe(303)
    expect(body.account).toMatchObject({ email, name: 'Ada' })
    expect(foreign.status).toBe(401)
    expect(foreign.body).toContain(unproven)
  })

  test('sends the secret in the body to an issuer that takes no other way', async () => {
    const metadata = { token_endpoint_auth_methods_supported: ['client_secret_post'] }
    issuer.behave({ ...verified(someEmail()), metadata })
    const known = await startService({ env: oidcSettings(issuer.url) })
    const { status } = await openBrowser(known).signIn()
    await known.close()
    expect(status).toBe(303)
  })

  test('keeps its flow in a cookie of ten minutes that only these pages get', async () => {
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

  test('marks its cookies as secure where the dashboard is served over https', async () => {
    const env = { ...oidcSettings(issuer.url), DASHBOARD_URL: 'https://dashboard.example' }
    const known = await startService({ env })
    issuer.behave(verified(someEmail()))
    const browser = openBrowser(known)
    const back = await browser.startedFlow()
    expect(back).toMatch(/^https:\/\/dashboard\.example\/auth\/oidc\/callback\?/)
    expect(browser.jar.get('__Host-vitrine_oidc')?.secure).toBe(true)
    await browser.visit(back)
    expect([...browser.jar.values()].map(({ name, secure }) => [name, secure])).toEqual([
      ['__Host-vitrine_session', true],
    ])
    await known.close()
  })
})

describe('the way back after a sign-in', () => {
  test.each([
    ['/products?page=2#first', '/products?page=2#first'],
    ['/ürün', '/%C3%BCr%C3%BCn'],
    ['/consent/abc/../def', '/consent/def'],
  ])('leads to the local path %s', async (returnTo, expected) => {
    issuer.behave(verified(someEmail()))
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
  test('is used once, even by a browser that kept its cookie', async () => {
    issuer.behave(verified(someEmail()))
    const browser = openBrowser()
    const back = await browser.startedFlow()
    const kept = browser.jar.get('vitrine_oidc')
    await browser.visit(back)
    expect([...browser.jar.keys()]).toEqual(['vitrine_session'])
    await expectRefusal(() => browser.visit(back), 400, outdated)

    const asked = issuer.requested().length
    if (kept) browser.jar.set(kept.name, kept)
    await expectRefusal(() => browser.visit(back), 400, outdated)
    expect(issuer.requested().length).toBe(asked)
  })

  test('ends with a refusal, too', async () => {
    issuer.behave(verified(someEmail(), { nonce: 'another' }))
    const browser = openBrowser()
    await browser.signIn()
    expect([...browser.jar.keys()]).toEqual([])
  })

  test('of another browser is refused', async () => {
    issuer.behave(verified(someEmail()))
    const back = await openBrowser().startedFlow()
    await expectRefusal(() => openBrowser().visit(back), 400, outdated)
  })

  test('lives for ten minutes', async () => {
    issuer.behave(verified(someEmail()))
    const [late, inTime] = [openBrowser(), openBrowser()]
    const tooLate = await late.startedFlow()
    service.advance(1)
    const justInTime = await inTime.startedFlow()
    service.advance(10 * 60_000 - 1)
    await expectRefusal(() => late.visit(tooLate), 400, outdated)
    expect((await inTime.visit(justInTime)).status).toBe(303)
  })

  test('goes on when an earlier tab comes back, which is refused', async () => {
    issuer.behave(verified(someEmail()))
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
    issuer.behave({ ...verified(someEmail()), callback })
    await expectRefusal(() => openBrowser().signIn(), 400, sentence)
  })

  test('with a code given twice is refused', async () => {
    const browser = openBrowser()
    const back = await browser.startedFlow()
    await expectRefusal(() => browser.visit(`${back}&code=another`), 400, malformed)
  })

  test('with the code of another flow is refused', async () => {
    issuer.behave(verified(someEmail()))
    const stolen = new URL(await openBrowser().startedFlow()).searchParams.get('code') ?? ''
    const browser = openBrowser()
    const back = new URL(await browser.startedFlow())
    back.searchParams.set('code', stolen)
    await expectRefusal(() => browser.visit(back.href), 401, unproven)
  })
})

describe('an issuer', () => {
  const past = Math.floor(Date.now() / 1000) - 3600

  test.each([
    ['for another flow', { nonce: 'another' }],
    ['without a nonce', { nonce: undefined }],
    ['for another client', { aud: 'another' }],
    ['for several clients, given to another', { aud: [clientId, 'another'], azp: 'another' }],
    ['of another issuer', { iss: 'https://another.example' }],
    ['that has expired', { iat: past, exp: past + 300 }],
    ['without an expiry', { exp: undefined }],
    ['without a subject', { sub: undefined }],
  ])('that sends an ID token %s signs nobody in', async (_which, claims) => {
    issuer.behave(verified(someEmail(), claims))
    await expectRefusal(() => openBrowser().signIn(), 401, unproven)
  })

  test.each([
    ['with a key that is not its own', { foreignKey: true }],
    ['with nothing', { unsigned: true }],
  ])('that signs %s signs nobody in', async (_how, behaviour) => {
    issuer.behave({ ...verified(someEmail()), ...behaviour })
    await expectRefusal(() => openBrowser().signIn(), 401, unproven)
  })

  test.each([
    ['an address that is not verified', { email_verified: false }],
    ['an address without saying whether it is verified', { email_verified: undefined }],
    ['an address that is verified in other words', { email_verified: 'yes' }],
    ['no address', { email: undefined }],
    ['an address that is no text', { email: ['a@example.com'] }],
  ])('that tells %s signs nobody in', async (_which, claims) => {
    issuer.behave(verified(someEmail(), claims))
    await expectRefusal(() => openBrowser().signIn(), 403, unverified)
  })

  test.each([
    ['ada+shop@example.com', 'An email address with a plus sign is not accepted.'],
    ['ada@mailinator.com', 'Addresses of disposable email services are not accepted.'],
    ['not an address', 'This is not a valid email address.'],
  ])('that has verified %s signs nobody in', async (email, sentence) => {
    issuer.behave(verified(email))
    const signIn = () => openBrowser().signIn()
    await expectRefusal(signIn, 403, `${sentence} Sign in with another one.`)
  })

  test('cannot sign a suspended account in', async () => {
    const { email, accountId } = await service.givenPerson()
    const suspend = service.db.updateTable('accounts').set({ status: 'SUSPENDED' })
    await suspend.where('id', '=', accountId).execute()
    issuer.behave(verified(email))
    const sentence =
      'This account is suspended. Write to our support if you think it should not be.'
    await expectRefusal(() => openBrowser().signIn(), 403, sentence)
  })

  test.each([
    ['access_denied', 401, declined],
    ['login_required', 401, declined],
    ['unauthorized_client', 502, misbehaved],
    ['temporarily_unavailable', 503, unavailable],
    ['<script>alert(1)</script>', 502, misbehaved],
  ])('that sends the browser back with %s is %i', async (error, status, sentence) => {
    issuer.behave({ error })
    await expectRefusal(() => openBrowser().signIn(), status, sentence)
  })

  test.each([
    [{ status: 500 }, 503, unavailable],
    [{ status: 429 }, 503, unavailable],
    [{ status: 400, error: 'invalid_grant' }, 401, unproven],
    [{ status: 401, error: 'invalid_client' }, 502, misbehaved],
    [{ status: 302 }, 502, misbehaved],
    [{ status: 200 }, 401, unproven],
  ])('that answers the token request with %j is %i', async (token, status, sentence) => {
    issuer.behave({ token })
    await expectRefusal(() => openBrowser().signIn(), status, sentence)
  })

  test('that never answers the token request is waited for in vain', async () => {
    issuer.behave({ token: 'silence' })
    const { headers } = await expectRefusal(() => openBrowser().signIn(), 503, unavailable)
    expect(headers.get('retry-after')).toBe('60')
  })
})

describe('a service whose issuer is down', () => {
  test('runs, says so, and signs in as soon as the issuer is back', async () => {
    issuer.behave({ down: true })
    const known = await startService({ env: oidcSettings(issuer.url) })
    const browser = openBrowser(known)
    expect((await browser.visit('/readyz')).status).toBe(200)
    const { status, headers, body } = await browser.visit('/auth/oidc/start')
    expect([status, headers.get('retry-after')]).toEqual([503, '60'])
    expect(body).toContain(unavailable)
    expect(browser.jar.size).toBe(0)

    issuer.behave(verified(someEmail()))
    expect((await browser.signIn()).status).toBe(303)
    await known.close()
  })

  test('asks once for the metadata of the issuer, and again after an hour', async () => {
    const known = await startService({ env: oidcSettings(issuer.url) })
    const asked = () => issuer.requested().filter((path) => path.startsWith('/.well-known/')).length
    const before = asked()
    const start = () => openBrowser(known).visit('/auth/oidc/start')
    await Promise.all([start(), start(), start()])
    expect(asked()).toBe(before + 1)
    known.advance(3600_000 - 1)
    await start()
    expect(asked()).toBe(before + 1)
    known.advance(1)
    await start()
    expect(asked()).toBe(before + 2)
    await known.close()
  })
})

describe('the settings of third-party sign-in', () => {
  test.each([
    ['names another issuer', { issuer: 'https://another.example' }],
    ['names no authorization endpoint', { authorization_endpoint: undefined }],
    [
      'names an authorization endpoint of no web',
      { authorization_endpoint: 'javascript:alert(1)' },
    ],
  ])('lead to no issuer whose metadata %s', async (_how, metadata) => {
    issuer.behave({ metadata })
    const known = await startService({ env: oidcSettings(issuer.url) })
    const { status, body } = await openBrowser(known).visit('/auth/oidc/start')
    await known.close()
    expect(status).toBe(502)
    expect(body).toContain(misbehaved)
  })

  test('lead to no issuer that takes no client secret', async () => {
    const metadata = { token_endpoint_auth_methods_supported: ['private_key_jwt'] }
    issuer.behave({ ...verified(someEmail()), metadata })
    const known = await startService({ env: oidcSettings(issuer.url) })
    const { status } = await openBrowser(known).signIn()
    await known.close()
    expect(status).toBe(502)
  })

  test('allow plain http to this machine alone', async () => {
    await expect(startService({ env: oidcSettings('http://issuer.example') })).rejects.toThrow(
      'OIDC_ISSUER must be https (http only on loopback in development).',
    )
  })

  test('allow no plain http in production, not even to this machine', async () => {
    const client = oidcClient({
      issuer: issuer.url,
      clientId,
      clientSecret,
      environment: 'production',
      redirectUri: 'https://dashboard.example/auth/oidc/callback',
      clock: () => new Date(),
    })
    const asked = issuer.requested().length
    await expect(client.start()).rejects.toMatchObject({ failure: 'misbehaved' })
    expect(issuer.requested().length).toBe(asked)
  })

  test('may be left out: the pages are then paths like any unknown one', async () => {
    const known = await startService()
    const answers = [
      await known.dashboard().get('/auth/oidc/start'),
      await known.dashboard().get('/auth/oidc/callback?code=a&state=b'),
    ]
    await known.close()
    for (const { status, body } of answers) {
      expect(status).toBe(404)
      expect(body).toEqual({ status: 404, code: 'not_found', message: 'There is no such path.' })
    }
  })
})

describe('the log of third-party sign-in', () => {
  test('says why a sign-in was refused', async () => {
    issuer.behave(verified(someEmail(), { nonce: 'another' }))
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
    issuer.behave(verified(someEmail()))
    await browser.signIn()
    const lines = JSON.stringify(service.logged())
    const secrets = [...issuer.secrets(), clientSecret, browser.jar.get('vitrine_session')?.value]
    expect(secrets.length).toBeGreaterThan(5)
    expect(secrets.filter((secret) => lines.includes(secret ?? ''))).toEqual([])
  })
})
