import { parseSetCookie, type SetCookie } from 'cookie'
import { expect } from 'vitest'
import { clientId, clientSecret } from '../kit/peers/oidc_issuer.ts'
import { type TestService, unique } from '../kit/service.ts'

export function oidcSettings(url: string) {
  return { OIDC_ISSUER: url, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret }
}

export function someEmail(): string {
  return `${unique('person')}@example.com`
}

export interface BrowserAnswer {
  status: number
  location: string
  headers: Headers
  body: string
}

/** A browser that keeps cookies and follows redirects one step at a time. */
export function openBrowser(at: TestService) {
  const jar = new Map<string, SetCookie>()
  const { dashboardUrl } = at.config

  async function visit(address: string): Promise<BrowserAnswer> {
    const url = new URL(address, dashboardUrl)
    const ours = url.origin === dashboardUrl
    const cookies = [...jar.values()].filter(
      ({ path }) => ours && url.pathname.startsWith(path ?? ''),
    )
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    // Map the dashboard's public URL to this test's server.
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
    const isExpired = cookie.maxAge === 0 || (cookie.expires && cookie.expires < new Date())
    if (isExpired) jar.delete(cookie.name)
    else jar.set(cookie.name, cookie)
  }

  /** Goes from the start to the URL the issuer redirects back to. */
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

export function verifiedClaims(email: string, more: Record<string, unknown> = {}) {
  return { claims: { email, email_verified: true, ...more } }
}

async function counts(at: TestService) {
  const { accounts, sessions } = await at.db
    .selectNoFrom((eb) => [
      eb.selectFrom('accounts').select(eb.fn.countAll<number>().as('n')).as('accounts'),
      eb.selectFrom('dashboard_sessions').select(eb.fn.countAll<number>().as('n')).as('sessions'),
    ])
    .executeTakeFirstOrThrow()
  return { accounts, sessions }
}

/** Expects an error page with this status and sentence, no account and no session. */
export async function expectRefusalAt(
  service: TestService,
  attempt: () => Promise<BrowserAnswer>,
  status: number,
  sentence: string,
) {
  const before = await counts(service)
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
  expect(await counts(service)).toEqual(before)
  return answer
}

export const damagedLink =
  'The link to this sign-in is damaged. Sign in from the dashboard instead.'
export const outdated =
  'This sign-in took too long, was finished before or began in another tab. Sign in again.'
export const malformed = 'The answer of your sign-in provider is damaged. Sign in again.'
export const declined =
  'Your sign-in provider did not let you in. Sign in again, and allow it there.'
export const unproven =
  'The answer of your sign-in provider does not prove who you are. Sign in again.'
export const misbehaved =
  'Your sign-in provider gave no valid answer. Sign in with a code by email instead.'
export const unavailable =
  'Your sign-in provider does not answer at the moment. Try again in a minute.'
export const unverified =
  'Your sign-in provider has not verified your email address. Verify it there, then sign in again.'
