import { createHmac, timingSafeEqual } from 'node:crypto'
import express, { type Request, type Response, type Router } from 'express'
import {
  type OidcClient,
  oidcClient,
  OidcError,
  type OidcFailure,
  type OidcFlow,
  type OidcIdentity,
} from '../../adapters/oidc.ts'
import type { Config } from '../../core/config.ts'
import { ApiError } from '../../core/errors.ts'
import { preferredLanguages } from '../../core/languages.ts'
import { requireAllowedEmail } from '../../domain/people/email_addresses.ts'
import { openSession } from '../../domain/people/sessions.ts'
import { limits } from '../../generated/limits.ts'
import { apiErrorFor } from '../call/answers.ts'
import { ownCookie, type OwnCookie } from '../http/cookies.ts'
import { html, type HtmlPage, sendPage } from '../pages/html.ts'
import { languageOf, type PageText, say } from '../pages/page_texts.ts'
import { exchangeOf, serveGet } from '../pages/pages.ts'
import type { Service } from '../call/call.ts'

/** The `Set-Cookie` of a dashboard session. */
export type SessionCookie = (token: string, expiresAt: Date) => string

const flowSeconds = 10 * 60
const maxReturnTo = 2000
const maxName = limits.PersonName.maxLength

/** A flow has one point, and a point comes back only after the flow has expired. */
const uses = { name: 'oidc-flow', points: 1, seconds: flowSeconds }

/** A flow on its way, as the browser keeps it. */
interface KeptFlow extends OidcFlow {
  returnTo: string
  expiresAt: number
}

/** Says no to a person at a browser: a status, and a sentence that tells what to do. */
class SignInRefusal extends Error {
  readonly status: number
  readonly sentence: PageText

  constructor(status: number, sentence: PageText, reason: string) {
    super(reason)
    this.status = status
    this.sentence = sentence
  }
}

/** Sign-in to the dashboard through an OpenID Connect issuer, for a browser to walk through. */
export function createOidcPages(
  service: Service,
  settings: NonNullable<Config['oidc']>,
  sessionCookie: SessionCookie,
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
    answer(service, response, () => finish(service, client, sessionCookie, request, response)),
  )
  return pages
}

async function start(
  service: Service,
  client: OidcClient,
  request: Request,
  response: Response,
): Promise<void> {
  const wanted = parametersOf(request).get('returnTo')
  const returnTo = wanted === null ? '/' : localPath(wanted, service.config.dashboardUrl)
  if (returnTo === undefined) throw new SignInRefusal(400, damagedLink, 'returnTo is not local')
  const { url, flow } = await client.start()
  const expiresAt = service.clock().getTime() + flowSeconds * 1000
  // One flow a browser: of two tabs, the one that started later can finish.
  const cookie = seal(service, { ...flow, returnTo, expiresAt })
  response.append('Set-Cookie', flowCookie(service).set(cookie, { maxAge: flowSeconds }))
  response.redirect(302, url)
}

async function finish(
  service: Service,
  client: OidcClient,
  sessionCookie: SessionCookie,
  request: Request,
  response: Response,
): Promise<void> {
  const parameters = parametersOf(request)
  const flow = openFlow(service, flowCookie(service).read(request.headers.cookie))
  // Another answer than the one this browser waits for leaves the flow alone, so that neither an
  // earlier tab nor a stranger's link can end it.
  if (flow === undefined || parameters.get('state') !== flow.state)
    throw new SignInRefusal(400, outdated, 'no live flow of this browser has this state')
  response.append('Set-Cookie', flowCookie(service).set('', { maxAge: 0 }))
  const { allowed } = await service.rateStore.consume(uses, flow.state)
  if (!allowed) throw new SignInRefusal(400, outdated, 'the flow was used before')

  const [language] = preferredLanguages(request.headers['accept-language'] ?? '')
  const person = { ...personOf(await client.finish(parameters, flow)), language }
  const circumstances = { environment: service.config.environment, now: service.clock() }
  const opened = await service.db
    .transaction()
    .execute((trx) => openSession(trx, circumstances, person))
  if (!opened) throw new SignInRefusal(403, suspended, 'the account is suspended')
  response.append('Set-Cookie', sessionCookie(opened.token, opened.expiresAt))
  response.redirect(303, flow.returnTo)
}

const damagedLink: PageText = [
  'The link to this sign-in is damaged. Sign in from the dashboard instead.',
  'Bu girişin bağlantısı bozuk. Bunun yerine panodan girin.',
]
const outdated: PageText = [
  'This sign-in took too long, was finished before or began in another tab. Sign in again.',
  'Bu giriş çok uzun sürdü, daha önce bitti ya da başka bir sekmede başladı. Yeniden girin.',
]
const suspended: PageText = [
  'This account is suspended. Write to our support if you think it should not be.',
  'Bu hesap askıya alındı. Yanlışlık olduğunu düşünüyorsanız desteğe yazın.',
]
const unverified: PageText = [
  'Your sign-in provider has not verified your email address. Verify it there, then sign in again.',
  'Giriş sağlayıcınız e-posta adresinizi doğrulamamış. Orada doğrulayıp yeniden girin.',
]

/** Only a verified address signs in, and only one that could have asked for a code. */
function personOf(identity: OidcIdentity): { email: string; name: string } {
  if (identity.email === undefined || !identity.emailVerified) {
    const reason = identity.email === undefined ? 'there is no email' : 'the email is not verified'
    throw new SignInRefusal(403, unverified, reason)
  }
  const email = allowedEmail(identity.email)
  return { email, name: nameOf(identity) ?? email.slice(0, email.lastIndexOf('@')) }
}

function allowedEmail(email: string): string {
  try {
    return requireAllowedEmail(email)
  } catch (error) {
    const sentence = error instanceof ApiError ? error.fieldErrors?.email : undefined
    if (sentence === undefined) throw error
    const turkish = 'Bu e-posta adresiyle girilemez. Başka bir adresle girin.'
    throw new SignInRefusal(403, [`${sentence} Sign in with another one.`, turkish], sentence)
  }
}

/** A name that the account may have: not empty, storable and not too long. */
function nameOf({ name = '' }: OidcIdentity): string | undefined {
  const text = name.toWellFormed().replaceAll(/\p{Cc}+/gu, ' ')
  return [...text.trim()].slice(0, maxName).join('').trim() || undefined
}

/** A path of this origin, in the form in which the browser will read it; undefined for all else. */
function localPath(wanted: string, ownOrigin: string): string | undefined {
  if (!/^\/(?![/\\])/.test(wanted) || wanted.length > maxReturnTo) return undefined
  const url = URL.canParse(wanted, ownOrigin) ? new URL(wanted, ownOrigin) : undefined
  // Dropped tabs and resolved dots can make another origin of what began with a single slash.
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

function seal(service: Service, flow: KeptFlow): string {
  const payload = Buffer.from(JSON.stringify(flow)).toString('base64url')
  return `${payload}.${signatureOf(service, payload).toString('base64url')}`
}

/** The flow that was sealed, unless it has expired or is not of our making. */
function openFlow(service: Service, cookie = ''): KeptFlow | undefined {
  const [payload = '', signature = ''] = cookie.split('.')
  const given = Buffer.from(signature, 'base64url')
  const expected = signatureOf(service, payload)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  const flow = JSON.parse(Buffer.from(payload, 'base64url').toString()) as KeptFlow
  return service.clock().getTime() < flow.expiresAt ? flow : undefined
}

function signatureOf({ config }: Service, payload: string): Buffer {
  const parts = JSON.stringify(['oidc_flow', config.environment, payload])
  return createHmac('sha256', config.secretKey).update(parts).digest()
}

interface Refusal {
  status: number
  sentence: PageText
  retryAfter?: number | undefined
}

const failures: Record<OidcFailure, Refusal> = {
  malformed: {
    status: 400,
    sentence: [
      'The answer of your sign-in provider is damaged. Sign in again.',
      'Giriş sağlayıcınızın yanıtı bozuk. Yeniden girin.',
    ],
  },
  declined: {
    status: 401,
    sentence: [
      'Your sign-in provider did not let you in. Sign in again, and allow it there.',
      'Giriş sağlayıcınız izin vermedi. Yeniden girin ve orada izin verin.',
    ],
  },
  unproven: {
    status: 401,
    sentence: [
      'The answer of your sign-in provider does not prove who you are. Sign in again.',
      'Giriş sağlayıcınızın yanıtı kim olduğunuzu kanıtlamıyor. Yeniden girin.',
    ],
  },
  misbehaved: {
    status: 502,
    sentence: [
      'Your sign-in provider gave no valid answer. Sign in with a code by email instead.',
      'Giriş sağlayıcınız geçerli bir yanıt vermedi. Bunun yerine e-posta koduyla girin.',
    ],
  },
  unavailable: {
    status: 503,
    sentence: [
      'Your sign-in provider does not answer at the moment. Try again in a minute.',
      'Giriş sağlayıcınız şu anda yanıt vermiyor. Bir dakika sonra yeniden deneyin.',
    ],
    retryAfter: 60,
  },
}

/** Runs a step of the sign-in. Whatever goes wrong, a person reads a page about it. */
async function answer(
  { log }: Service,
  response: Response,
  step: () => Promise<void>,
): Promise<void> {
  response.set('Cache-Control', 'no-store')
  try {
    await step()
  } catch (error) {
    const page = pageFor(error)
    // The line of a request tells its error from 500 on; below, a line of its own says why.
    const exchange = exchangeOf(response)
    exchange.error = error
    if (page.status < 500) {
      const { requestId } = exchange
      const reason = error instanceof Error ? error.message : undefined
      log.info({ requestId, reason }, 'A third-party sign-in was refused.')
    }
    if (page.retryAfter !== undefined) response.set('Retry-After', String(page.retryAfter))
    sendPage(response, page.status, notSignedIn(response.req, page.sentence))
  }
}

function pageFor(error: unknown): Refusal {
  if (error instanceof SignInRefusal) return error
  if (error instanceof OidcError) return failures[error.failure]
  const { status, message, retryAfter } = apiErrorFor(error)
  return { status, sentence: [message, message], retryAfter }
}

const title: PageText = ['You are not signed in', 'Giriş yapmadınız']
const back: PageText = ['Back to the dashboard', 'Panoya dön']

function notSignedIn({ headers }: Request, sentence: PageText): HtmlPage {
  const language = languageOf(headers['accept-language'])
  const body = html`<p>${say(language, sentence)}</p>
    <div class="actions"><a class="button" href="/">${say(language, back)}</a></div>`
  return { language, title: say(language, title), body }
}
