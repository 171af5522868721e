import express, { type Request, type Response, type Router as Pages } from 'express'
import type { FieldErrors } from '../core/errors.ts'
import { operations } from '../generated/operations.ts'
import type { components } from '../generated/types.ts'
import type { OperationId } from '../operation.ts'
import { apiErrorFor } from './answers.ts'
import { codePage, consentPage, emailPage, onwardPage, refusalPage } from './consent_pages.ts'
import { type Page, pageStyle, sendPage } from './html.ts'
import { sendOn } from './oauth_http.ts'
import { exchangeOf, serveGet } from './pages.ts'
import { type Door, type Incoming, runCall, type Service } from './pipeline.ts'
import { maxBodyBytes, readFormBody } from './request_parts.ts'
import type { Router } from './router.ts'

type ConsentRequest = components['schemas']['ConsentRequest']
type ConsentOutcome = components['schemas']['ConsentOutcome']

/** What the pages do everything with: the operations of the contract, as any other client has them. */
interface Desk {
  service: Service
  door: Door
  router: Router
}

/** One person at the page of one request. */
interface Visitor {
  desk: Desk
  request: Request
  response: Response
  requestId: string
}

interface Refused {
  status: number
  message: string
  fieldErrors: FieldErrors
  retryAfter: string | undefined
}

/** What an operation answered. */
type Answer<T> = { output: T } | Refused

/**
 * Sign-in and consent for a person at a browser, without a script. Every step is a call of the
 * dashboard's own operations through the pipeline, so that limits, the check of the Origin and the
 * refusals are theirs.
 */
export function createConsentPages(service: Service, router: Router, door: Door): Pages {
  const desk: Desk = { service, door, router }
  const pages = express.Router()
  serveGet(pages, pageStyle.path, pageStyle.handler)
  pages.all('/consent/:requestId', async (request, response) => {
    const visitor = { desk, request, response, requestId: String(request.params.requestId) }
    try {
      if (request.method === 'POST') await takeStep(visitor)
      else if (request.method === 'GET' || request.method === 'HEAD') await showRequest(visitor)
      else {
        response.set('Allow', 'GET, HEAD, POST')
        sendPage(response, 405, refusalPage('This page takes GET, HEAD and POST.'))
      }
    } catch (thrown) {
      exchangeOf(response).error = thrown
      const { status, message } = apiErrorFor(thrown)
      sendPage(response, status, refusalPage(message))
    }
  })
  return pages
}

async function showRequest(visitor: Visitor, fault?: string): Promise<void> {
  const { response, requestId } = visitor
  const answer = await call<ConsentRequest>(visitor, 'get_consent_request', { requestId })
  const status = fault === undefined ? 200 : 400
  if ('output' in answer) return sendPage(response, status, consentPage(answer.output, fault))
  refuse(visitor, answer)
}

async function takeStep(visitor: Visitor): Promise<void> {
  const form = new URLSearchParams(await readFormBody(visitor.request, maxBodyBytes.pages))
  const step = form.get('step')
  if (step === 'code') return requestCode(visitor, form)
  if (step === 'session') return signIn(visitor, form)
  if (step === 'sign_out') return signOut(visitor)
  if (step === 'decide') return decide(visitor, form)
  sendPage(visitor.response, 400, refusalPage('This form is not one of this page. Reload it.'))
}

async function requestCode(visitor: Visitor, form: URLSearchParams): Promise<void> {
  const { response } = visitor
  const email = form.get('email') ?? ''
  const answer = await call(visitor, 'request_session_code', {}, { email })
  if ('output' in answer) return sendPage(response, 200, codePage({ email }))
  if (answer.status === 403) return refuse(visitor, answer)
  retryAfter(visitor, answer)
  sendPage(response, answer.status, signInPage(visitor, faultOf(answer)))
}

async function signIn(visitor: Visitor, form: URLSearchParams): Promise<void> {
  const { response, requestId } = visitor
  const [email, code] = [form.get('email') ?? '', (form.get('code') ?? '').trim()]
  const answer = await call(visitor, 'create_session', {}, { email, code })
  if ('output' in answer) return sendOn(response, `/consent/${encodeURIComponent(requestId)}`)
  if (answer.status === 403) return refuse(visitor, answer)
  retryAfter(visitor, answer)
  sendPage(response, answer.status, codePage({ email, fault: faultOf(answer) }))
}

async function signOut(visitor: Visitor): Promise<void> {
  const { response, requestId } = visitor
  const answer = await call(visitor, 'delete_session', {})
  if ('output' in answer || answer.status === 401)
    return sendOn(response, `/consent/${encodeURIComponent(requestId)}`)
  refuse(visitor, answer)
}

async function decide(visitor: Visitor, form: URLSearchParams): Promise<void> {
  const { response, requestId } = visitor
  const decision = form.get('decision')
  const scopes = form.getAll('scopes')
  if (decision === 'allow' && scopes.length === 0)
    return showRequest(visitor, 'Tick at least one thing that it may do, or deny it all.')
  const body = decision === 'allow' ? { decision, scopes } : { decision }
  const answer = await call<ConsentOutcome>(visitor, 'decide_consent', { requestId }, body)
  if ('output' in answer) return sendPage(response, 200, onwardPage(answer.output.redirectTo))
  refuse(visitor, answer)
}

/** Nobody who is signed in: sign in first. Everything else is said as it is. */
function refuse(visitor: Visitor, refused: Refused): void {
  const { response } = visitor
  if (refused.status === 401) return sendPage(response, 200, signInPage(visitor))
  const gone = 'This request has expired or is finished. Connect again from the agent.'
  retryAfter(visitor, refused)
  const sentence = refused.status === 404 ? gone : faultOf(refused)
  sendPage(response, refused.status, refusalPage(sentence))
}

function signInPage({ desk, requestId }: Visitor, fault?: string): Page {
  const returnTo = encodeURIComponent(`/consent/${requestId}`)
  const thirdParty = desk.service.config.oidc && `/auth/oidc/start?returnTo=${returnTo}`
  return emailPage({ thirdParty, fault })
}

function faultOf({ message, fieldErrors }: Refused): string {
  const [reason] = Object.values(fieldErrors)
  return reason ?? message
}

function retryAfter({ response }: Visitor, refused: Refused): void {
  if (refused.retryAfter !== undefined) response.set('Retry-After', refused.retryAfter)
}

/** Runs an operation as though the page had called it over HTTP. */
async function call<T>(
  { desk, request, response }: Visitor,
  operationId: OperationId,
  params: Record<string, string>,
  body?: unknown,
): Promise<Answer<T>> {
  const { service, router, door } = desk
  const { requestId, clientIp } = exchangeOf(response)
  const { method, path } = operations[operationId]
  const incoming: Incoming = {
    ...{ method, path, search: '', headers: request.headers, clientIp, requestId },
    bodyArrived: () => true,
    readFiles: () => Promise.resolve([]),
    readBody: () => Promise.resolve(body),
    readBytes: () => Promise.reject(new Error('A page sends no raw bytes.')),
  }
  const route = { operationId, params, flat: false }
  const answer = await runCall(router, service, door, incoming, route)
  const cookies = answer.headers['Set-Cookie']
  if (cookies !== undefined) response.append('Set-Cookie', cookies)
  exchangeOf(response).connectionId ??= answer.connectionId
  const read: unknown = JSON.parse(answer.body ?? 'null')
  if (answer.status < 400) return { output: read as T }
  exchangeOf(response).error = answer.error
  const { message, fieldErrors = {} } = read as { message: string; fieldErrors?: FieldErrors }
  const wait = answer.headers['Retry-After']
  return { status: answer.status, message, fieldErrors, retryAfter: wait?.toString() }
}
