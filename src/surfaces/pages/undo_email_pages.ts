import express, { type Request, type Router } from 'express'
import { ApiError } from '../../core/errors.ts'
import { languageOf } from '../../core/languages.ts'
import { rateLimits } from '../../core/rate_limits.ts'
import { requireEnvironment } from '../../core/secrets.ts'
import { findUndo, undoEmailChange } from '../../domain/people/email_changes.ts'
import { emailUndoneMail } from '../../domain/upkeep/mail_texts.ts'
import { insertMail } from '../../queries/upkeep/mails.ts'
import { fill } from '../../texts/fill.ts'
import { bestLanguage, type Language, serviceTexts } from '../../texts/languages.ts'
import type { Service } from '../call/call.ts'
import { consumeLimit } from '../call/limits.ts'
import { html, type HtmlPage, sendPage } from './html.ts'
import { exchangeOf, serveGet, servePost } from './pages.ts'

/**
 * The page behind the link that is mailed to an account's old address. It asks first: mail programs open
 * links to check them, which must not take a change back.
 */
export function createUndoEmailPages(service: Service): Router {
  const { db, config } = service
  const router = express.Router()
  const tokenOf = (request: Request) => {
    const token = String(request.params.token)
    requireEnvironment(token, 'emailUndo', config.environment)
    return token
  }
  serveGet(router, '/:token', async (request, response) => {
    await consumeLimit(service, rateLimits.triesOfClient, exchangeOf(response).clientIp)
    const language = languageOf(request.headers['accept-language'])
    const change = await findUndo(db, tokenOf(request), service.clock())
    if (!change) sendPage(response, 404, goneOf(language))
    else sendPage(response, 200, questionOf(language, tokenOf(request), change))
  })
  servePost(router, '/:token/confirm', async (request, response) => {
    if (request.get('Origin') !== config.dashboardUrl)
      throw new ApiError('origin_refused', ['sendFromOrigin', { origin: config.dashboardUrl }])
    await consumeLimit(service, rateLimits.triesOfClient, exchangeOf(response).clientIp)
    const language = languageOf(request.headers['accept-language'])
    const now = service.clock()
    if (!(await findUndo(db, tokenOf(request), now)))
      return sendPage(response, 404, goneOf(language))
    const email = await db.transaction().execute(async (trx) => {
      const undone = await undoEmailChange(trx, tokenOf(request), now)
      const mail = emailUndoneMail(bestLanguage([undone.language]), undone.lostEmail)
      await insertMail(trx, { ...mail, to: undone.lostEmail })
      return undone.email
    })
    service.outbox.kick()
    sendPage(response, 200, doneOf(language, email))
  })
  return router
}

function questionOf(
  language: Language,
  token: string,
  { oldEmail, newEmail }: { oldEmail: string; newEmail: string },
): HtmlPage {
  const t = serviceTexts[language].undoEmail
  const body = html`<p>${fill(language, t.changed, { oldEmail, newEmail })}</p>
    <p>${t.consequences}</p>
    <form method="post" action="/undo-email/${token}/confirm">
      <button class="primary">${t.takeBack}</button>
    </form>`
  return { language, title: t.title, body }
}

function doneOf(language: Language, email: string): HtmlPage {
  const t = serviceTexts[language].undoEmail
  const body = html`<p class="notice good" role="status">${fill(language, t.done, { email })}</p>
    <p>${t.doneHint}</p>
    <div class="actions"><a class="button primary" href="/sign-in">${t.signIn}</a></div>`
  return { language, title: t.doneTitle, body }
}

function goneOf(language: Language): HtmlPage {
  const t = serviceTexts[language].undoEmail
  return { language, title: t.goneTitle, body: html`<p>${t.gone}</p>` }
}
