import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { oidcClient } from '../../src/adapters/oidc.ts'
import { clientId, clientSecret, type Issuer, startIssuer } from '../kit/peers/oidc_issuer.ts'
import { startService, type TestService } from '../kit/service.ts'
import {
  declined,
  expectRefusalAt,
  misbehaved,
  oidcSettings,
  openBrowser as openBrowserAt,
  someEmail,
  unavailable,
  unproven,
  unverified,
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
  ])('that sends an ID token %s cannot sign in a person', async (_which, claims) => {
    issuer.behave(verifiedClaims(someEmail(), claims))
    await expectRefusal(() => openBrowser().signIn(), 401, unproven)
  })

  test.each([
    ['with a key that is not its own', { foreignKey: true }],
    ['with nothing', { unsigned: true }],
  ])('that signs %s cannot sign in a person', async (_how, behaviour) => {
    issuer.behave({ ...verifiedClaims(someEmail()), ...behaviour })
    await expectRefusal(() => openBrowser().signIn(), 401, unproven)
  })

  test.each([
    ['an address that is not verified', { email_verified: false }],
    ['an address without saying whether it is verified', { email_verified: undefined }],
    ['an address that is verified in other words', { email_verified: 'yes' }],
    ['no address', { email: undefined }],
    ['an address that is not a text', { email: ['a@example.com'] }],
  ])('that reports %s cannot sign in a person', async (_which, claims) => {
    issuer.behave(verifiedClaims(someEmail(), claims))
    await expectRefusal(() => openBrowser().signIn(), 403, unverified)
  })

  test.each([
    ['ada+shop@example.com', 'An email address with a plus sign is not accepted.'],
    ['ada@mailinator.com', 'Addresses of disposable email services are not accepted.'],
    ['not an address', 'Not a valid email address.'],
  ])('that has verified %s cannot sign in its owner', async (email, sentence) => {
    issuer.behave(verifiedClaims(email))
    const signIn = () => openBrowser().signIn()
    await expectRefusal(signIn, 403, `${sentence} Sign in with another one.`)
  })

  test('cannot sign in a suspended account', async () => {
    const { email, accountId } = await service.givenPerson()
    const suspend = service.db.updateTable('accounts').set({ status: 'SUSPENDED' })
    await suspend.where('id', '=', accountId).execute()
    issuer.behave(verifiedClaims(email))
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

  test('that never answers the token request times out', async () => {
    issuer.behave({ token: 'silence' })
    const { headers } = await expectRefusal(() => openBrowser().signIn(), 503, unavailable)
    expect(headers.get('retry-after')).toBe('60')
  })
})

describe('a service whose issuer is down', () => {
  test('runs, says so, and works as soon as the issuer is back', async () => {
    issuer.behave({ down: true })
    const own = await startService({ env: oidcSettings(issuer.url) })
    const browser = openBrowser(own)
    expect((await browser.visit('/readyz')).status).toBe(200)
    const { status, headers, body } = await browser.visit('/auth/oidc/start')
    expect([status, headers.get('retry-after')]).toEqual([503, '60'])
    expect(body).toContain(unavailable)
    expect(browser.jar.size).toBe(0)

    issuer.behave(verifiedClaims(someEmail()))
    expect((await browser.signIn()).status).toBe(303)
    await own.close()
  })

  test('caches the metadata of the issuer for an hour', async () => {
    const own = await startService({ env: oidcSettings(issuer.url) })
    const discoveries = () =>
      issuer.requested().filter((path) => path.startsWith('/.well-known/')).length
    const before = discoveries()
    const start = () => openBrowser(own).visit('/auth/oidc/start')
    await Promise.all([start(), start(), start()])
    expect(discoveries()).toBe(before + 1)
    own.advance(3600_000 - 1)
    await start()
    expect(discoveries()).toBe(before + 1)
    own.advance(1)
    await start()
    expect(discoveries()).toBe(before + 2)
    await own.close()
  })
})

describe('the settings of third-party sign-in', () => {
  test.each([
    ['names another issuer', { issuer: 'https://another.example' }],
    ['names no authorization endpoint', { authorization_endpoint: undefined }],
    [
      'names an authorization endpoint that is not on the web',
      { authorization_endpoint: 'javascript:alert(1)' },
    ],
  ])('reject an issuer whose metadata %s', async (_how, metadata) => {
    issuer.behave({ metadata })
    const own = await startService({ env: oidcSettings(issuer.url) })
    const { status, body } = await openBrowser(own).visit('/auth/oidc/start')
    await own.close()
    expect(status).toBe(502)
    expect(body).toContain(misbehaved)
  })

  test('reject an issuer that does not support client secrets', async () => {
    const metadata = { token_endpoint_auth_methods_supported: ['private_key_jwt'] }
    issuer.behave({ ...verifiedClaims(someEmail()), metadata })
    const own = await startService({ env: oidcSettings(issuer.url) })
    const { status } = await openBrowser(own).signIn()
    await own.close()
    expect(status).toBe(502)
  })

  test('allow plain http only to localhost', async () => {
    await expect(startService({ env: oidcSettings('http://issuer.example') })).rejects.toThrow(
      'OIDC_ISSUER must be https (http only on loopback in development).',
    )
  })

  test('allow no plain http in production, not even to localhost', async () => {
    const client = oidcClient({
      issuer: issuer.url,
      clientId,
      clientSecret,
      environment: 'production',
      redirectUri: 'https://dashboard.example/auth/oidc/callback',
      clock: () => new Date(),
    })
    const before = issuer.requested().length
    await expect(client.start()).rejects.toMatchObject({ failure: 'misbehaved' })
    expect(issuer.requested().length).toBe(before)
  })

  test('are optional: without them the pages are 404', async () => {
    const own = await startService()
    const answers = [
      await own.dashboard().get('/auth/oidc/start'),
      await own.dashboard().get('/auth/oidc/callback?code=a&state=b'),
    ]
    await own.close()
    for (const { status, body } of answers) {
      expect(status).toBe(404)
      expect(body).toEqual({ status: 404, code: 'not_found', message: 'There is no such path.' })
    }
  })
})
