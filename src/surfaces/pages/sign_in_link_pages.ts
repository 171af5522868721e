import type { IncomingHttpHeaders } from 'node:http'
import express, { type Request, type Router } from 'express'
import type { Transaction } from 'kysely'
import { ApiError } from '../../core/errors.ts'
import { hashToken, isToken } from '../../core/secrets.ts'
import { languageOf } from '../../core/languages.ts'
import type { Database } from '../../db/schema.ts'
import type { SignInPurpose } from '../../db/schema/people.ts'
import { rememberBrowser } from '../../domain/people/known_browsers.ts'
import { findSignInLink, takeSignInLink } from '../../queries/people/sign_ins.ts'
import { fill } from '../../texts/fill.ts'
import { type Language, serviceTexts } from '../../texts/languages.ts'
import type { DoorCookies, Service } from '../call/call.ts'
import { html, type HtmlPage, sendPage } from './html.ts'
import { serveGet, servePost } from './pages.ts'

/** An origin that people sign in to. */
export interface SignInDoor {
  purpose: SignInPurpose
  origin: string
  cookies: DoorCookies
  /** Opens a session for the address; undefined if the address has no access (any more). */
  open(
    trx: Transaction<Database>,
    email: string,
    headers: IncomingHttpHeaders,
  ): Promise<{ token: string; expiresAt: Date } | undefined>
}

/**
 * The page behind a mailed sign-in link. It asks first: mail programs open links to check them, which must
 * neither sign in nor use up the link. It names the address, so that people do not sign in to a stranger's
 * account with a link that the stranger sent them. No rate limit applies: 256 random bits cannot be
 * guessed, and strangers must not be able to use up anything that the link needs.
 */
export function createSignInLinkPages(service: Service, door: SignInDoor): Router {
  const { db, config } = service
  const router = express.Router()
  serveGet(router, '/:token', async (request, response) => {
    const language = languageOf(request.headers['accept-language'])
    const token = tokenOf(request)
    const email =
      isToken(token, 'signInLink', config.environment) &&
      (await findSignInLink(db, door.purpose, hashToken(token), service.clock()))
    if (!email) sendPage(response, 404, goneOf(language))
    else sendPage(response, 200, questionOf(language, token, email))
  })
  servePost(router, '/:token/confirm', async (request, response) => {
    if (request.get('Origin') !== door.origin)
      throw new ApiError('origin_refused', ['sendFromOrigin', { origin: door.origin }])
    const signedIn = await useLink(service, door, request)
    if (signedIn === 'gone')
      return sendPage(response, 404, goneOf(languageOf(request.headers['accept-language'])))
    if (!signedIn) throw new ApiError('account_inactive', 'accountSuspended')
    const { session, browser } = signedIn
    response.append('Set-Cookie', [
      door.cookies.session.set(session.token, { expires: session.expiresAt }),
      door.cookies.browser.set(browser.token, { expires: browser.expiresAt }),
    ])
    response.set('Cache-Control', 'no-store').redirect(303, '/')
  })
  return router
}

/** Uses up the link even if its address has no access, and then returns undefined. */
function useLink(service: Service, door: SignInDoor, request: Request) {
  const { db, config } = service
  const { environment } = config
  const token = tokenOf(request)
  if (!isToken(token, 'signInLink', environment)) return 'gone'
  const now = service.clock()
  return db.transaction().execute(async (trx) => {
    const email = await takeSignInLink(trx, door.purpose, hashToken(token), now)
    if (email === undefined) return 'gone'
    const session = await door.open(trx, email, request.headers)
    if (!session) return undefined
    const address = { purpose: door.purpose, email }
    const oldToken = door.cookies.browser.read(request.headers.cookie)
    const browser = await rememberBrowser(trx, { environment, now }, address, oldToken)
    return { session, browser }
  })
}

const tokenOf = (request: Request) => String(request.params.token)

function questionOf(language: Language, token: string, email: string): HtmlPage {
  const t = serviceTexts[language].signInLink
  const body = html`<p>${fill(language, t.question, { email })}</p>
    <form method="post" action="/sign-in-link/${token}/confirm">
      <button class="primary">${t.enter}</button>
    </form>`
  return { language, title: t.title, body }
}

function goneOf(language: Language): HtmlPage {
  const t = serviceTexts[language].signInLink
  const body = html`<p>${t.gone}</p>
    <div class="actions"><a class="button" href="/sign-in">${t.again}</a></div>`
  return { language, title: t.goneTitle, body }
}
