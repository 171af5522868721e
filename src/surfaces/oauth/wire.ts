import type { Request, RequestHandler, Response, Router } from 'express'
import { OAuthError } from '../../oauth/errors.ts'
import { type OAuthParameters, readParameters, requireUnrepeated } from '../../oauth/parameters.ts'
import { fieldsInWords } from '../../core/errors.ts'
import { languageOf } from '../../core/languages.ts'
import { defaultLanguage, serviceTexts } from '../../texts/languages.ts'
import { inWords, type Reason } from '../../texts/refusals.ts'
import { apiErrorFor } from '../call/answers.ts'
import { lingerUnread } from '../http/exchange.ts'
import { html, sendPage } from '../pages/html.ts'
import { exchangeOf } from '../pages/pages.ts'
import { maxBodyBytes, readFormBody } from '../call/request_parts.ts'

/** A step of the flow; anything it throws is answered as an OAuth error. */
export type OAuthStep = (request: Request, response: Response) => Promise<void>

interface WireRefusal {
  status: number
  error: string
  /** For programs, in English. */
  description: string
  /** For a person at the page, in their language. */
  reason: Reason
  retryAfter: number | undefined
}

/** Serves a path for one method. Refusals are JSON, for programs. */
export function serveProgram(pages: Router, path: string, method: 'POST', step: OAuthStep): void {
  pages.all(path, handlerFor(method, step, sendRefusal))
}

/** Serves a path for a browser. Refusals are pages, for people. */
export function servePerson(pages: Router, path: string, method: 'GET', step: OAuthStep): void {
  pages.all(path, handlerFor(method, step, showRefusal))
}

function handlerFor(
  method: string,
  step: OAuthStep,
  refuse: (request: Request, response: Response, refusal: WireRefusal) => void,
): RequestHandler {
  return async (request, response) => {
    response.set({ 'Cache-Control': 'no-store', Pragma: 'no-cache' })
    // Do not read the rest of a refused body.
    response.once('finish', () => lingerUnread(request))
    try {
      if (request.method === method) return await step(request, response)
      response.set('Allow', method)
      const error_description = `This path takes ${method}.`
      response.status(405).json({ error: 'invalid_request', error_description })
    } catch (error) {
      exchangeOf(response).error = error
      refuse(request, response, refusalOf(error))
    }
  }
}

function refusalOf(cause: unknown): WireRefusal {
  if (cause instanceof OAuthError) {
    const { status, code: error, description, reason, retryAfter } = cause
    return { status, error, description, reason, retryAfter }
  }
  const { status, message, reason, fieldErrors = {}, retryAfter } = apiErrorFor(cause)
  const fields = Object.entries(fieldsInWords(fieldErrors, defaultLanguage))
  const details = fields.map(([field, words]) => `${field}: ${words}`)
  const isTemporary = status === 429 || status === 503
  const error = isTemporary
    ? 'temporarily_unavailable'
    : status < 500
      ? 'invalid_request'
      : 'server_error'
  return { status, error, description: [message, ...details].join(' '), reason, retryAfter }
}

function sendRefusal(request: Request, response: Response, refusal: WireRefusal): void {
  const { status, error, description, retryAfter } = refusal
  if (retryAfter !== undefined) response.set('Retry-After', String(retryAfter))
  // RFC 6749, 5.2: if the client used the Authorization header, the answer must name that scheme.
  if (status === 401 && request.headers.authorization !== undefined)
    response.set('WWW-Authenticate', 'Basic realm="oauth"')
  response.status(status).json({ error, error_description: description })
}

/** Never 401: an unknown client does not mean that the person lacks a credential. */
function showRefusal(request: Request, response: Response, refusal: WireRefusal): void {
  const status = refusal.status === 401 ? 400 : refusal.status
  response.vary('Accept')
  if (!request.accepts(['json', 'html']) || request.accepts(['json', 'html']) === 'json')
    return sendRefusal(request, response, { ...refusal, status })
  if (refusal.retryAfter !== undefined) response.set('Retry-After', String(refusal.retryAfter))
  const language = languageOf(request.headers['accept-language'])
  const t = serviceTexts[language].consent
  const tryAgain = html`<div class="actions">
    <a class="button" href="${request.originalUrl}">${t.tryAgain}</a>
  </div>`
  // The agent's developer needs the protocol's own error text, which is English.
  const body = html`<p>${inWords(language, refusal.reason)}</p>
    <p>${t.nothingAllowed}</p>
    ${refusal.error === 'temporarily_unavailable' ? tryAgain : ''}
    <p class="aside" lang="en"><code>${refusal.error}</code> ${refusal.description}</p>`
  sendPage(response, status, { language, title: t.refused, body })
}

export function queryOf({ originalUrl }: Request): OAuthParameters {
  const at = originalUrl.indexOf('?')
  return readParameters(at < 0 ? '' : originalUrl.slice(at + 1))
}

/** Reads the form sent to the token or revocation endpoint. */
export async function readForm(request: Request): Promise<OAuthParameters> {
  const form = readParameters(await readFormBody(request, maxBodyBytes.oauth))
  requireUnrepeated(form)
  return form
}

/** Redirects a browser with 303, so that it always continues with GET. */
export function seeOther(response: Response, location: string): void {
  response.status(303).set('Location', location).end()
}
