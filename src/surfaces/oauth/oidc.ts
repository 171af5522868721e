import { createHmac, timingSafeEqual } from 'node:crypto'
import express, { type Request, type Response, type Router } from 'express'
import { parsedUrl } from '../../core/urls.ts'
import {
  type OidcClient,
  oidcClient,
  OidcError,
  type OidcFailure,
  type OidcFlow,
  type OidcIdentity,
} from '../../adapters/oidc.ts'
import type { Config } from '../../settings/config.ts'
import { ApiError } from '../../core/errors.ts'
import { languageOf, preferredLanguages } from '../../core/languages.ts'
import { requireAllowedEmail } from '../../domain/people/email_addresses.ts'
import { rememberBrowser } from '../../domain/people/known_browsers.ts'
import { nameOf, openSession } from '../../domain/people/sessions.ts'
import { limits } from '../../generated/limits.ts'
import {
  defaultLanguage,
  type Language,
  type ServiceTexts,
  serviceTexts,
} from '../../texts/languages.ts'
import { inWords } from '../../texts/refusals.ts'
import { apiErrorFor } from '../call/answers.ts'
import { ownCookie } from '../http/cookies.ts'
import { html, type HtmlPage, sendPage } from '../pages/html.ts'
import { exchangeOf, serveGet } from '../pages/pages.ts'
import type { DoorCookies, OwnCookie, Service } from '../call/call.ts'

const flowSeconds = 10 * 60
const maxReturnTo = 2000
const maxName = limits.PersonName.maxLength

/** Single use: a flow has one point, which is restored only after the flow has expired. */
const singleUse = { name: 'oidc-flow', points: 1, seconds: flowSeconds }

/** A pending flow, kept in the browser's cookie. */
interface PendingFlow extends OidcFlow {
  returnTo: string
  expiresAt: number
}

type TextIn = (language: Language) => string

function text(key: keyof ServiceTexts['signIn']): TextIn {
  return (language) => serviceTexts[language].signIn[key]
}

/** A refusal shown to a person: a status, and a text that says what to do. */
class SignInRefusal extends Error {
  readonly status: number
  readonly words: TextIn

  constructor(status: number, words: TextIn, reason: string) {
    super(reason)
    this.status = status
    this.words = words
  }
}

/** Browser sign-in to the dashboard through an OpenID Connect issuer. */
export function createOidcPages(
  service: Service,
  settings: NonNullable<Config['oidc']>,
  cookies: DoorCookies,
): Router {
  const { environment, dashboardUrl } = service.config
  const client = oidcClient({
    ...settings,
    environment,
    redirectUri: `${dashboardUrl}/auth/oidc/callback`,
    clock: () => service.clock(),
  })
  const pages = express.Router()
  serveGet(pages, '/start', (request, response) =>
    answer(service, response, () => start(service, client, request, response)),
  )
  serveGet(pages, '/callback', (request, response) =>
    answer(service, response, () => finish(service, client, cookies, request, response)),
  )
  return pages
}

async function start(
  service: Service,
  client: OidcClient,
  request: Request,
  response: Response,
): Promise<void> {
  const requestedPath = parametersOf(request).get('returnTo')
  const returnTo =
    requestedPath === null ? '/' : localPath(requestedPath, service.config.dashboardUrl)
  if (returnTo === undefined)
    throw new SignInRefusal(400, text('damagedLink'), 'returnTo is not local')
  const { url, flow } = await client.start()
  const expiresAt = service.clock().getTime() + flowSeconds * 1000
  // One flow per browser: of two tabs, only the one that started last can finish.
  const cookie = seal(service, { ...flow, returnTo, expiresAt })
  response.append('Set-Cookie', flowCookie(service).set(cookie, { maxAge: flowSeconds }))
  response.redirect(302, url)
}

async function finish(
  service: Service,
  client: OidcClient,
  cookies: DoorCookies,
  request: Request,
  response: Response,
): Promise<void> {
  const parameters = parametersOf(request)
  const flow = openFlow(service, flowCookie(service).read(request.headers.cookie))
  // An answer that does not match the pending flow leaves it untouched, so that neither an earlier
  // tab nor a stranger's link can end it.
  if (flow === undefined || parameters.get('state') !== flow.state)
    throw new SignInRefusal(400, text('outdated'), 'no live flow of this browser has this state')
  response.append('Set-Cookie', flowCookie(service).set('', { maxAge: 0 }))
  const { allowed } = await service.rateStore.consume(singleUse, flow.state)
  if (!allowed) throw new SignInRefusal(400, text('outdated'), 'the flow was used before')

  const [language] = preferredLanguages(request.headers['accept-language'] ?? '')
  const person = { ...personOf(await client.finish(parameters, flow)), language }
  const circumstances = { environment: service.config.environment, now: service.clock() }
  const signedIn = await service.db.transaction().execute(async (trx) => {
    const session = await openSession(trx, circumstances, person, request.headers['user-agent'])
    if (!session) return undefined
    const address = { purpose: 'sign_in', email: person.email } as const
    const oldToken = cookies.browser.read(request.headers.cookie)
    return { session, browser: await rememberBrowser(trx, circumstances, address, oldToken) }
  })
  if (!signedIn) throw new SignInRefusal(403, text('suspended'), 'the account is suspended')
  const { session, browser } = signedIn
  response.append('Set-Cookie', [
    cookies.session.set(session.token, { expires: session.expiresAt }),
    cookies.browser.set(browser.token, { expires: browser.expiresAt }),
  ])
  response.redirect(303, flow.returnTo)
}

/** Only a verified address may sign in, and only one that could also request a code. */
function personOf(identity: OidcIdentity): { email: string; name: string } {
  if (identity.email === undefined || !identity.emailVerified) {
    const reason = identity.email === undefined ? 'there is no email' : 'the email is not verified'
    throw new SignInRefusal(403, text('unverified'), reason)
  }
  const email = allowedEmail(identity.email)
  return { email, name: statedNameOf(identity) ?? nameOf(email) }
}

function allowedEmail(email: string): string {
  try {
    return requireAllowedEmail(email)
  } catch (error) {
    const fault = error instanceof ApiError ? error.fieldErrors?.email : undefined
    if (fault === undefined) throw error
    const words: TextIn = (language) =>
      `${inWords(language, fault)} ${serviceTexts[language].signIn.otherAddress}`
    throw new SignInRefusal(403, words, inWords(defaultLanguage, fault))
  }
}

/** A valid account name: not empty, storable and within the limit. */
function statedNameOf({ name = '' }: OidcIdentity): string | undefined {
  const text = name.toWellFormed().replaceAll(/\p{Cc}+/gu, ' ')
  return [...text.trim()].slice(0, maxName).join('').trim() || undefined
}

/** A path on this origin as the browser will parse it; undefined for anything else. */
function localPath(path: string, ownOrigin: string): string | undefined {
  if (!/^\/(?![/\\])/.test(path) || path.length > maxReturnTo) return undefined
  const url = parsedUrl(path, ownOrigin)
  // Stripped tabs and resolved dots can turn a path with a single leading slash into another
  // origin.
  if (url?.origin !== ownOrigin || url.pathname.startsWith('//')) return undefined
  return url.pathname + url.search + url.hash
}

function parametersOf({ originalUrl }: Request): URLSearchParams {
  const at = originalUrl.indexOf('?')
  return new URLSearchParams(at < 0 ? '' : originalUrl.slice(at))
}

function flowCookie({ config }: Service): OwnCookie {
  return ownCookie('vitrine_oidc', config.dashboardUrl)
}

function seal(service: Service, flow: PendingFlow): string {
  const payload = Buffer.from(JSON.stringify(flow)).toString('base64url')
  return `${payload}.${signatureOf(service, payload).toString('base64url')}`
}

/** Opens a sealed flow; undefined if it has expired or was not sealed by us. */
function openFlow(service: Service, cookie = ''): PendingFlow | undefined {
  const [payload = '', signature = ''] = cookie.split('.')
  const actual = Buffer.from(signature, 'base64url')
  const expected = signatureOf(service, payload)
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return undefined
  const flow = JSON.parse(Buffer.from(payload, 'base64url').toString()) as PendingFlow
  return service.clock().getTime() < flow.expiresAt ? flow : undefined
}

function signatureOf({ config }: Service, payload: string): Buffer {
  const parts = JSON.stringify(['oidc_flow', config.environment, payload])
  return createHmac('sha256', config.secretKey).update(parts).digest()
}

interface OidcRefusal {
  status: number
  /** The message, in the reader's language. */
  words: TextIn
  retryAfter?: number | undefined
}

const failures: Record<OidcFailure, OidcRefusal> = {
  malformed: { status: 400, words: text('malformed') },
  declined: { status: 401, words: text('declined') },
  unproven: { status: 401, words: text('unproven') },
  misbehaved: { status: 502, words: text('misbehaved') },
  unavailable: { status: 503, words: text('unavailable'), retryAfter: 60 },
}

/** Runs a step of the sign-in. On any failure the person sees an error page. */
async function answer(
  { log }: Service,
  response: Response,
  step: () => Promise<void>,
): Promise<void> {
  response.set('Cache-Control', 'no-store')
  try {
    await step()
  } catch (error) {
    const refusal = refusalFor(error)
    // The request's log line includes errors from 500 up; log others separately.
    const exchange = exchangeOf(response)
    exchange.error = error
    if (refusal.status < 500) {
      const { requestId } = exchange
      const reason = error instanceof Error ? error.message : undefined
      log.info({ requestId, reason }, 'A third-party sign-in was refused.')
    }
    if (refusal.retryAfter !== undefined) response.set('Retry-After', String(refusal.retryAfter))
    sendPage(response, refusal.status, refusalPage(response.req, refusal.words))
  }
}

function refusalFor(error: unknown): OidcRefusal {
  if (error instanceof SignInRefusal) return error
  if (error instanceof OidcError) return failures[error.failure]
  const { status, reason, retryAfter } = apiErrorFor(error)
  return { status, words: (language) => inWords(language, reason), retryAfter }
}

function refusalPage({ headers }: Request, words: TextIn): HtmlPage {
  const language = languageOf(headers['accept-language'])
  const { title, back } = serviceTexts[language].signIn
  const body = html`<p>${words(language)}</p>
    <div class="actions"><a class="button" href="/">${back}</a></div>`
  return { language, title, body }
}
