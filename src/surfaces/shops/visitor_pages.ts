import type { Request, Response } from 'express'
import { contactSite } from '../../adapters/bot_challenge.ts'
import { findShopVisitor, keepSignedIn } from '../../access/visitors.ts'
import type { SiteFigures } from '../../domain/site/site_figures.ts'
import { operations } from '../../generated/operations.ts'
import type { components } from '../../generated/types.ts'
import type { OperationId } from '../../operation.ts'
import type { FoundSite } from '../../queries/site/found_sites.ts'
import { asPage } from '../../site/draw.tsx'
import type { SiteNames } from '../../site/hosts.ts'
import { drawNotice } from '../../site/notices.tsx'
import { accountPage } from '../../site/pages/account.tsx'
import {
  type Attempt,
  feedbackPage,
  reportPage,
  signInPage,
  type SigningIn,
} from '../../site/pages/visitor.tsx'
import type { Shop, ShopPage } from '../../site/shop.ts'
import { maxBodyBytes } from '../call/request_parts.ts'
import { mailedAddressAt } from '../pages/mailed_address.ts'
import { callFromPage, type CallParts, type Refusal } from '../pages/page_calls.ts'
import { exchangeOf } from '../pages/pages.ts'
import { pathIn, type ReadForm, textIn } from './forms.ts'
import { sendOwnPage } from './sending.ts'
import type { VisitorCookies } from './visitor_cookies.ts'

type Profile = components['schemas']['CustomerProfile']
type ThreadList = components['schemas']['ThreadList']
type Thread = components['schemas']['Thread']
type Credential = components['schemas']['CustomerCredential']

/** A request to a shop for a page of its visitor. */
export interface OwnRequest {
  site: FoundSite
  request: Request
  response: Response
}

interface Parts extends CallParts {
  cookies: VisitorCookies
  figures: SiteFigures
  readForm: ReadForm
  urlOf: (names: SiteNames) => string
  shopOf: (site: FoundSite) => Promise<Shop>
}

/** Visitors are mailed at one address at a time, whatever they sign in for. */
const anyRequest = 'shop'

/**
 * Pages of one visitor: sign-in, account and feedback, as forms that need no script of ours but for the
 * challenge. Every step calls an experience operation through the pipeline, with its limits, its check
 * of the Origin and its refusals.
 */
export function createVisitorPages(parts: Parts) {
  const { service, cookies, figures, readForm, urlOf, shopOf } = parts
  const { config, db } = service
  const mailed = mailedAddressAt(urlOf({ subDomain: 'shop', domain: null }))

  /** The customer who is signed in here, whose session is extended. */
  async function customerOf({ site, request }: Pick<OwnRequest, 'site' | 'request'>) {
    const { workspaceId } = site
    const circumstances = { config, now: service.clock(), workspaceId }
    const credentials = cookies.read(request.headers.cookie)
    if (credentials.session === undefined) return undefined
    const visitor = await findShopVisitor(db, circumstances, credentials)
    if (visitor?.type !== 'CUSTOMER') return undefined
    await keepSignedIn(db, { site: { workspaceId }, visitor }, circumstances)
    return visitor
  }

  function call<T>(
    own: OwnRequest,
    operationId: OperationId,
    body?: unknown,
    names: Record<string, string> = {},
  ) {
    const isInShop = operations[operationId].path.includes('{workspaceId}')
    const params = isInShop ? { workspaceId: own.site.workspaceId, ...names } : names
    // Refusals and mails speak the shop's language, as the page does.
    const headers = { 'accept-language': own.site.website.language }
    return callFromPage<T>(parts, own, { operationId, params, body, headers })
  }

  async function draw(own: OwnRequest, make: (shop: Shop) => ShopPage, status = 200) {
    const { site, response } = own
    const shop = await shopOf(site)
    const page = await asPage(shop, make(shop), config)
    sendOwnPage(response, { ...page, status })
  }

  /** A shop for customers shows its name and the form alone. */
  async function showSignIn(own: OwnRequest, to: string, attempt: Attempt = {}, status = 200) {
    const { site, request, response } = own
    const state: SigningIn = {
      ...attempt,
      to,
      mailed: mailed.of(request, anyRequest),
      isChallenged: site.website.accessPolicy.challenge !== 'OFF',
    }
    if (site.website.accessPolicy.visibility !== 'SIGN_IN')
      return draw(own, (shop) => signInPage(shop, state), status)
    const { text, policy } = drawNotice('signIn', config.baseUrl, site, state)
    sendOwnPage(response, { status, plain: Buffer.from(text), policy })
  }

  async function requestCode(own: OwnRequest, form: URLSearchParams, to: string) {
    const values = { name: textIn(form, 'name'), email: textIn(form, 'email') }
    const challengeToken = form.get('challengeToken') || undefined
    const body = { ...values, ...(challengeToken !== undefined && { challengeToken }) }
    const answer = await call(own, 'request_customer_code', body)
    if (!('output' in answer)) {
      setRetryAfter(own, answer)
      return showSignIn(
        own,
        to,
        { values, ...faultsOf(answer, Object.keys(values)) },
        answer.status,
      )
    }
    mailed.remember(own.response, anyRequest, values.email)
    redirect(own, signInPath(to))
  }

  async function signIn(own: OwnRequest, form: URLSearchParams, to: string) {
    const email = mailed.of(own.request, anyRequest)
    // The address is forgotten when the code has ended.
    if (email === undefined) return redirect(own, signInPath(to))
    const code = textIn(form, 'code').replace(/\s/g, '')
    const answer = await call<Credential>(own, 'verify_customer_code', { email, code })
    if (!('output' in answer)) {
      setRetryAfter(own, answer)
      return showSignIn(own, to, faultsOf(answer, ['code']), answer.status)
    }
    mailed.forget(own.response)
    own.response.append('Set-Cookie', cookies.signIn(answer.output.token))
    redirect(own, to)
  }

  /** Who is not signed in is asked to; others are told what is in the way, and find what they typed by going back. */
  function standAside(own: OwnRequest, answer: Refusal) {
    const { status } = answer
    if (status === 401 || status === 403) return redirect(own, signInPath('/account'))
    setRetryAfter(own, answer)
    const { text, policy } = drawNotice(status === 429 ? 'busy' : 'away', config.baseUrl, own.site)
    sendOwnPage(own.response, { status, plain: Buffer.from(text), policy })
  }

  async function showAccount(
    own: OwnRequest,
    attempt: Attempt = {},
    { status = 200, threadId }: { status?: number; threadId?: string } = {},
  ) {
    const answer = await call<Profile>(own, 'get_customer_profile')
    if (!('output' in answer)) return standAside(own, answer)
    const threads = await call<ThreadList>(own, 'list_threads')
    const thread =
      threadId === undefined
        ? undefined
        : await call<Thread>(own, 'get_thread', undefined, { threadId })
    const conversations = {
      list: 'output' in threads ? threads.output.threads : [],
      ...(thread && 'output' in thread && { shown: thread.output }),
    }
    return draw(own, (shop) => accountPage(shop, answer.output, conversations, attempt), status)
  }

  async function forget(own: OwnRequest, threadId: string) {
    const answer = await call(own, 'delete_thread', undefined, { threadId })
    // One that is gone already is forgotten.
    if ('output' in answer || answer.status === 404) return redirect(own, '/account')
    return refuse(own, answer)
  }

  async function deleteCustomer(own: OwnRequest) {
    const answer = await call(own, 'delete_customer')
    if (!('output' in answer) && answer.status !== 401) return refuse(own, answer)
    const { site, request, response } = own
    const userAgent = request.headers['user-agent'] ?? ''
    const address = exchangeOf(response).clientIp
    await figures.forget({ workspaceId: site.workspaceId, address, userAgent })
    leave(own)
  }

  async function save(own: OwnRequest, form: URLSearchParams) {
    const before = await call<Profile>(own, 'get_customer_profile')
    if (!('output' in before)) return standAside(own, before)
    const values = {
      name: textIn(form, 'name'),
      phone: textIn(form, 'phone').replace(/[\s().-]/g, ''),
      language: textIn(form, 'language'),
    }
    const body = { ...values, phone: values.phone || null, email: before.output.email }
    const answer = await call<Profile>(own, 'update_customer_profile', body)
    if ('output' in answer) return redirect(own, '/account?saved')
    return showAccount(own, { values, ...faultsOf(answer, Object.keys(values)) }, answer)
  }

  async function signOut(own: OwnRequest) {
    const answer = await call(own, 'log_out_customer')
    if (!('output' in answer) && answer.status !== 401) return refuse(own, answer)
    leave(own)
  }

  function leave(own: OwnRequest) {
    own.response.append('Set-Cookie', cookies.signOut())
    own.response.set('Clear-Site-Data', '"cache"')
    redirect(own, '/')
  }

  async function refuse(own: OwnRequest, answer: Refusal) {
    return showAccount(own, faultsOf(answer, []), answer)
  }

  async function sendFeedback(own: OwnRequest, form: URLSearchParams) {
    const values = { message: textIn(form, 'message') }
    const answer = await call(own, 'create_feedback', values)
    if ('output' in answer) return redirect(own, '/feedback?sent')
    setRetryAfter(own, answer)
    const attempt = { values, ...faultsOf(answer, Object.keys(values)) }
    return draw(own, (shop) => feedbackPage(shop, attempt), answer.status)
  }

  function takeAccount(own: OwnRequest, step: string | null, form: URLSearchParams) {
    const threadId = textIn(form, 'threadId')
    if (step === 'signOut') return signOut(own)
    if (step === 'delete') return deleteCustomer(own)
    if (step === 'forget') return forget(own, threadId)
    if (step === 'conversation') return showAccount(own, {}, { threadId })
    return save(own, form)
  }

  const showReport = (own: OwnRequest, attempt: Attempt, status = 200) =>
    draw(own, (shop) => reportPage(shop, attempt, contactSite), status)

  /** To the people who run the service, with the address of the shop, and the id by which they find it. */
  async function sendReport(own: OwnRequest, form: URLSearchParams) {
    const [name, email, message] = ['name', 'email', 'message'].map((each) => textIn(form, each))
    const values = { name: name!, email: email!, message: message! }
    const told = message === '' ? '' : `${urlOf(own.site)}\n${own.site.workspaceId}\n\n${message}`
    const challengeToken = form.get('challengeToken') ?? ''
    const body = { ...values, message: told, challengeToken }
    const answer = await call(own, 'create_contact_request', body)
    if ('output' in answer) return redirect(own, '/report?sent')
    setRetryAfter(own, answer)
    return showReport(own, { values, ...faultsOf(answer, Object.keys(values)) }, answer.status)
  }

  return {
    customerOf,

    /** The form to sign in with, in the place of a page for customers. */
    askToSignIn: (own: OwnRequest) => showSignIn(own, pathIn(own.request.originalUrl), {}, 401),

    show(own: OwnRequest, kind: OwnKind): Promise<void> {
      const query = new URLSearchParams(own.request.originalUrl.split('?')[1] ?? '')
      if (kind === 'signIn') return showSignIn(own, pathIn(query.get('to')))
      if (kind === 'account') return showAccount(own, { done: query.has('saved') })
      if (kind === 'report') return showReport(own, { done: query.has('sent') })
      return draw(own, (shop) => feedbackPage(shop, { done: query.has('sent') }))
    },

    async take(own: OwnRequest, kind: OwnKind): Promise<void> {
      const form = await readForm(own, maxBodyBytes.pages)
      const step = form.get('step')
      if (kind === 'feedback') return sendFeedback(own, form)
      if (kind === 'report') return sendReport(own, form)
      if (kind === 'account') return takeAccount(own, step, form)
      const to = pathIn(form.get('to'))
      if (step === 'code') return requestCode(own, form, to)
      if (step === 'session') return signIn(own, form, to)
      mailed.forget(own.response)
      redirect(own, signInPath(to))
    },
  }
}

export type OwnKind = 'signIn' | 'account' | 'feedback' | 'report'

const signInPath = (to: string) =>
  to === '/' ? '/sign-in' : `/sign-in?to=${encodeURIComponent(to)}`

/** What is wrong, at the fields that the form shows, or else of the whole. */
function faultsOf({ message, fieldErrors }: Refusal, shown: readonly string[]): Attempt {
  const faults = Object.entries(fieldErrors)
  if (faults.length > 0 && faults.every(([name]) => shown.includes(name)))
    return { faults: fieldErrors }
  return { fault: faults[0]?.[1] ?? message }
}

function setRetryAfter({ response }: OwnRequest, { retryAfter }: Refusal): void {
  if (retryAfter !== undefined) response.set('Retry-After', retryAfter)
}

/** By a GET, which can be reloaded. */
function redirect({ response }: OwnRequest, path: string): void {
  response.set('Cache-Control', 'no-store').redirect(303, path)
}
