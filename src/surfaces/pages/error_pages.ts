import type { Response } from 'express'
import type { ApiError } from '../../core/errors.ts'
import { languageOf } from '../../core/languages.ts'
import { type Language, serviceTexts } from '../../texts/languages.ts'
import { inWords } from '../../texts/refusals.ts'
import type { Exchange } from '../http/exchange.ts'
import { html, type Html, type HtmlPage, sendPage } from './html.ts'

/** Whether a person in a browser reads the answer. Paths of the contract are for programs. */
export function isForPerson({ request, path }: Exchange): boolean {
  if (path.startsWith('/v1/') || path.startsWith('/api/')) return false
  return request.headers.accept?.includes('text/html') ?? false
}

/** Tells a person what went wrong and where to go next. */
export function sendErrorPage({ request, response, requestId }: Exchange, error: ApiError): void {
  const language = languageOf(request.headers['accept-language'])
  if (error.retryAfter !== undefined) response.setHeader('Retry-After', error.retryAfter)
  // Express has already extended this response when an error occurs.
  sendPage(response as Response, error.status, errorPage(language, error, requestId))
}

function errorPage(language: Language, error: ApiError, requestId: string): HtmlPage {
  const { status, reason } = error
  const t = serviceTexts[language].errorPage
  const page = (title: string, message: Html, link: Html) => ({
    language,
    title,
    body: html`${message}
      <div class="actions">${link}</div>`,
  })
  const home = html`<a class="button" href="/">${t.home}</a>`
  const again = html`<a class="button" href="">${t.again}</a>`
  if (status === 404) return page(t.gone, html`<p>${t.goneHint}</p>`, home)
  if (status === 503) return page(t.away, html`<p>${t.awayHint}</p>`, again)
  if (status < 500) return page(t.refused, html`<p>${inWords(language, reason)}</p>`, home)
  const message = html`<p>${t.faultHint}</p>
    <p><code>${requestId}</code></p>`
  return page(t.fault, message, again)
}
