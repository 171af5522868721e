import express, { type Request, type Router } from 'express'
import { languageOf } from '../../core/languages.ts'
import { rateLimits } from '../../core/rate_limits.ts'
import { memberToStop } from '../../domain/people/digests.ts'
import { stopDigest } from '../../queries/people/digests.ts'
import { type Language, serviceTexts } from '../../texts/languages.ts'
import type { Service } from '../call/call.ts'
import { consumeLimit } from '../call/limits.ts'
import { html, type HtmlPage, sendPage } from './html.ts'
import { exchangeOf, serveGet } from './pages.ts'

/**
 * The page behind the link that stops digest mails. Mail programs open links to check them, so only a POST
 * stops anything: that of the page's button, or the mail program's own on behalf of its reader (RFC 8058),
 * which has no origin.
 */
export function createStopMailPages(service: Service): Router {
  const { db, config } = service
  const router = express.Router()
  const memberOf = (request: Request) =>
    memberToStop(config.secretKey, String(request.params.token))
  router.post('/:token', async (request, response) => {
    await consumeLimit(service, rateLimits.triesOfClient, exchangeOf(response).clientIp)
    const language = languageOf(request.headers['accept-language'])
    const id = memberOf(request)
    if (id === undefined) return sendPage(response, 404, goneOf(language))
    await stopDigest(db, id)
    sendPage(response, 200, doneOf(language))
  })
  serveGet(router, '/:token', async (request, response) => {
    await consumeLimit(service, rateLimits.triesOfClient, exchangeOf(response).clientIp)
    const language = languageOf(request.headers['accept-language'])
    if (memberOf(request) === undefined) sendPage(response, 404, goneOf(language))
    else sendPage(response, 200, questionOf(language, String(request.params.token)))
  })
  return router
}

function questionOf(language: Language, token: string): HtmlPage {
  const t = serviceTexts[language].stopMails
  const body = html`<p>${t.question}</p>
    <form method="post" action="/stop-mails/${token}">
      <button class="primary">${t.stop}</button>
    </form>`
  return { language, title: t.title, body }
}

function doneOf(language: Language): HtmlPage {
  const t = serviceTexts[language].stopMails
  const body = html`<p class="notice good" role="status">${t.done}</p>`
  return { language, title: t.doneTitle, body }
}

function goneOf(language: Language): HtmlPage {
  const t = serviceTexts[language].stopMails
  return { language, title: t.goneTitle, body: html`<p>${t.gone}</p>` }
}
