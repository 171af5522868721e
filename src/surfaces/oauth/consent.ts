import express, { type Request, type Response, type Router as Pages } from 'express'
import { errorBody } from '../../core/errors.ts'
import { languageOf } from '../../core/languages.ts'
import type { components } from '../../generated/types.ts'
import type { OperationId } from '../../operation.ts'
import {
  bestLanguage,
  type Language,
  type ServiceTexts,
  serviceTexts,
} from '../../texts/languages.ts'
import { apiErrorFor } from '../call/answers.ts'
import { findClientName } from '../../oauth/consent.ts'
import {
  codePage,
  type ConsentChoice,
  consentPage,
  emailPage,
  onwardPage,
  readingScopes,
  refusalPage,
} from './consent_pages.ts'
import { type HtmlPage, pageStyle, sendPage } from '../pages/html.ts'
import { type MailedAddress, mailedAddressAt } from '../pages/mailed_address.ts'
import {
  callFromPage,
  type CallParts,
  type OperationAnswer,
  type Refusal,
} from '../pages/page_calls.ts'
import { seeOther } from './wire.ts'
import { exchangeOf, serveGet } from '../pages/pages.ts'
import type { Door, Service } from '../call/call.ts'
import { maxBodyBytes, readFormBody } from '../call/request_parts.ts'
import type { Router } from '../call/router.ts'

type ConsentRequest = components['schemas']['ConsentRequest']
type ConsentOutcome = components['schemas']['ConsentOutcome']
type Session = components['schemas']['Session']
type ConsentText = keyof ServiceTexts['consent']

interface ConsentParts extends CallParts {
  mailed: MailedAddress
}

/** A person at the consent page of one request. */
interface ConsentContext {
  parts: ConsentParts
  request: Request
  response: Response
  requestId: string
  /** The browser's language until the account is known, then the account's. */
  language: Language
}

/**
 * Sign-in and consent pages that work without scripts. Every step calls one of the dashboard's
 * operations through the pipeline, so their limits, Origin check and refusals apply.
 */
export function createConsentPages(service: Service, router: Router, door: Door): Pages {
  const mailed = mailedAddressAt(service.config.dashboardUrl)
  const parts: ConsentParts = { service, door, router, mailed }
  const pages = express.Router()
  serveGet(pages, pageStyle.path, pageStyle.handler)
  pages.all('/consent/:requestId', async (request, response) => {
    const language = languageOf(request.headers['accept-language'])
    const requestId = String(request.params.requestId)
    const context: ConsentContext = { parts, request, response, requestId, language }
    try {
      if (request.method === 'POST') await takeStep(context)
      else if (request.method === 'GET' || request.method === 'HEAD') await showRequest(context)
      else {
        response.set('Allow', 'GET, HEAD, POST')
        refuseWith(context, 405, 'otherMethod')
      }
    } catch (error) {
      exchangeOf(response).error = error
      const { status, message } = errorBody(apiErrorFor(error), language)
      sendPage(response, status, refusalPage(language, message))
    }
  })
  return pages
}

async function showRequest(
  context: ConsentContext,
  { fault, choice }: { fault?: ConsentText; choice?: ConsentChoice } = {},
): Promise<void> {
  const { response, requestId } = context
  const answer = await call<ConsentRequest>(context, 'get_consent_request', { requestId })
  if (!('output' in answer)) return refuse(context, answer)
  const language = await languageOfAccount(context)
  const faultText = fault && serviceTexts[language].consent[fault]
  const { askFirst } = answer.output
  const attempt = { fault: faultText, ...(choice ?? { askFirst, workspaceId: undefined }) }
  sendPage(response, fault ? 400 : 200, consentPage(language, answer.output, attempt))
}

/** The language chosen in the account, if someone is signed in. */
async function languageOfAccount(context: ConsentContext): Promise<Language> {
  const answer = await call<Session>(context, 'get_session', {})
  return 'output' in answer ? bestLanguage([answer.output.account.language]) : context.language
}

async function takeStep(context: ConsentContext): Promise<void> {
  const form = new URLSearchParams(await readFormBody(context.request, maxBodyBytes.pages))
  const step = form.get('step')
  if (step === 'code') return requestCode(context, form)
  if (step === 'session') return signIn(context, form)
  if (step === 'other_address') return askForAddress(context)
  if (step === 'sign_out') return signOut(context)
  if (step === 'decide') return decide(context, form)
  refuseWith(context, 400, 'otherForm')
}

/**
 * Redirects after a mail was sent, so that a reload does not send another. A person who has meanwhile
 * signed in with a mailed link needs no mail.
 */
async function requestCode(context: ConsentContext, form: URLSearchParams): Promise<void> {
  const { parts, response, requestId } = context
  if (await isSignedIn(context)) return showAgain(context)
  const email = form.get('email') ?? ''
  const answer = await call(context, 'request_session_code', {}, { email })
  if ('output' in answer) {
    parts.mailed.remember(response, requestId, email)
    return showAgain(context)
  }
  if (answer.status === 403) return refuse(context, answer)
  setRetryAfter(context, answer)
  const [agent, fault] = [await agentOf(context), faultOf(answer)]
  sendPage(response, answer.status, signInPage(context, { agent, email, fault }))
}

/** A refused code may come from a reload after a mailed link has signed the person in. */
async function signIn(context: ConsentContext, form: URLSearchParams): Promise<void> {
  const { parts, response, language } = context
  const [email, code] = [form.get('email') ?? '', (form.get('code') ?? '').trim()]
  const answer = await call(context, 'create_session', {}, { email, code })
  if ('output' in answer) {
    parts.mailed.forget(response)
    return showAgain(context)
  }
  if (answer.status === 403) return refuse(context, answer)
  if (await isSignedIn(context)) return showAgain(context)
  setRetryAfter(context, answer)
  const [agent, fault] = [await agentOf(context), faultOf(answer)]
  sendPage(response, answer.status, codePage(language, { agent, email, fault }))
}

async function isSignedIn(context: ConsentContext): Promise<boolean> {
  return 'output' in (await call<Session>(context, 'get_session', {}))
}

/** Redirects to the page of the request, which can be reloaded. */
function showAgain({ response, requestId }: ConsentContext): void {
  seeOther(response, `/consent/${encodeURIComponent(requestId)}`)
}

function askForAddress(context: ConsentContext): void {
  context.parts.mailed.forget(context.response)
  showAgain(context)
}

async function signOut(context: ConsentContext): Promise<void> {
  const answer = await call(context, 'delete_session', {})
  if ('output' in answer || answer.status === 401) return askForAddress(context)
  return refuse(context, answer)
}

async function decide(context: ConsentContext, form: URLSearchParams): Promise<void> {
  const { requestId } = context
  const [decision, scopes] = [form.get('decision'), form.getAll('scopes')]
  const workspaceId = form.get('workspaceId') || undefined
  const askFirst = form.get('askFirst') === 'true'
  const limit = { askFirst, ...(workspaceId !== undefined && { workspaceId }) }
  if (decision === 'read') {
    const asked = await call<ConsentRequest>(context, 'get_consent_request', { requestId })
    if (!('output' in asked)) return refuse(context, asked)
    return finish(context, { decision: 'allow', scopes: readingScopes(asked.output), ...limit })
  }
  if (decision === 'allow' && scopes.length === 0)
    return showRequest(context, { fault: 'pickOne', choice: { askFirst, workspaceId } })
  await finish(context, decision === 'allow' ? { decision, scopes, ...limit } : { decision })
}

async function finish(context: ConsentContext, body: object): Promise<void> {
  const { response, requestId } = context
  const answer = await call<ConsentOutcome>(context, 'decide_consent', { requestId }, body)
  if (!('output' in answer)) return refuse(context, answer)
  const language = await languageOfAccount(context)
  sendPage(response, 200, onwardPage(language, answer.output.redirectTo))
}

/** On a 401, shows the next step of signing in; any other refusal is shown as it is. */
async function refuse(context: ConsentContext, refusal: Refusal): Promise<void> {
  const { parts, request, response, requestId, language } = context
  if (refusal.status === 401) {
    const [agent, email] = [await agentOf(context), parts.mailed.of(request, requestId)]
    const page =
      email === undefined ? signInPage(context, { agent }) : codePage(language, { agent, email })
    return sendPage(response, 200, page)
  }
  if (refusal.status === 404) return refuseWith(context, 404, 'gone')
  setRetryAfter(context, refusal)
  sendPage(response, refusal.status, refusalPage(language, faultOf(refusal)))
}

function refuseWith(
  { response, language }: ConsentContext,
  status: number,
  text: ConsentText,
): void {
  sendPage(response, status, refusalPage(language, serviceTexts[language].consent[text]))
}

function signInPage(
  { parts, requestId, language }: ConsentContext,
  attempt: { agent: string | undefined; email?: string; fault?: string },
): HtmlPage {
  const returnTo = encodeURIComponent(`/consent/${requestId}`)
  const thirdParty = parts.service.config.oidc && `/auth/oidc/start?returnTo=${returnTo}`
  return emailPage(language, { thirdParty, ...attempt })
}

/** The name that the agent gave itself: people must recognise what they sign in for. */
function agentOf({ parts, requestId }: ConsentContext): Promise<string | undefined> {
  const { service } = parts
  return findClientName(service.db, requestId, service.clock())
}

/** The error of the form's only field, otherwise that of the call. */
function faultOf({ message, fieldErrors }: Refusal): string {
  const [reason = message] = Object.values(fieldErrors)
  return reason
}

function setRetryAfter({ response }: ConsentContext, refusal: Refusal): void {
  if (refusal.retryAfter !== undefined) response.set('Retry-After', refusal.retryAfter)
}

function call<T>(
  { parts, request, response }: ConsentContext,
  operationId: OperationId,
  params: Record<string, string>,
  body?: unknown,
): Promise<OperationAnswer<T>> {
  return callFromPage<T>(parts, { request, response }, { operationId, params, body })
}
