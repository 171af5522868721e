import type { components } from '../../generated/types.ts'
import { drawNotice } from '../../site/notices.tsx'
import { accountPage } from '../../site/pages/account.tsx'
import type { SentForm } from '../../site/pages/visitor.tsx'
import type { Shop } from '../../site/shop.ts'
import type { Refusal } from '../pages/page_calls.ts'
import { exchangeOf } from '../pages/pages.ts'
import { textIn } from './forms.ts'
import {
  call,
  draw,
  faultsOf,
  type OwnRequest,
  redirect,
  setRetryAfter,
  type VisitorContext,
} from './own_request.ts'
import { sendOwnPage } from './sending.ts'
import { signInPath } from './sign_in.ts'

type Profile = components['schemas']['CustomerProfile']
type ThreadList = components['schemas']['ThreadList']
type Thread = components['schemas']['Thread']

export async function showAccount(
  context: VisitorContext,
  own: OwnRequest,
  attempt: SentForm = {},
  { status = 200, threadId }: { status?: number; threadId?: string } = {},
): Promise<void> {
  const answer = await call<Profile>(context, own, 'get_customer_profile')
  if (!('output' in answer)) return standAside(context, own, answer)
  const threads = await call<ThreadList>(context, own, 'list_threads')
  const thread =
    threadId === undefined
      ? undefined
      : await call<Thread>(context, own, 'get_thread', { names: { threadId } })
  const conversations = {
    list: 'output' in threads ? threads.output.threads : [],
    ...(thread && 'output' in thread && { shown: thread.output }),
  }
  const make = (shop: Shop) => accountPage(shop, answer.output, conversations, attempt)
  return draw(context, own, make, status)
}

export function takeAccount(
  context: VisitorContext,
  own: OwnRequest,
  form: URLSearchParams,
): Promise<void> {
  const step = form.get('step')
  const threadId = textIn(form, 'threadId')
  if (step === 'signOut') return signOut(context, own)
  if (step === 'delete') return deleteCustomer(context, own)
  if (step === 'forget') return forget(context, own, threadId)
  if (step === 'conversation') return showAccount(context, own, {}, { threadId })
  return save(context, own, form)
}

/** Who is not signed in is asked to; others are told what is in the way, and find what they typed by going back. */
function standAside({ service }: VisitorContext, own: OwnRequest, answer: Refusal): void {
  const { status } = answer
  if (status === 401 || status === 403) return redirect(own, signInPath('/account'))
  setRetryAfter(own, answer)
  const kind = status === 429 ? 'busy' : 'away'
  const { text, policy } = drawNotice(kind, service.config.baseUrl, own.site)
  sendOwnPage(own.response, { status, plain: Buffer.from(text), policy })
}

async function save(
  context: VisitorContext,
  own: OwnRequest,
  form: URLSearchParams,
): Promise<void> {
  const before = await call<Profile>(context, own, 'get_customer_profile')
  if (!('output' in before)) return standAside(context, own, before)
  const values = {
    name: textIn(form, 'name'),
    phone: textIn(form, 'phone').replace(/[\s().-]/g, ''),
    language: textIn(form, 'language'),
  }
  const body = { ...values, phone: values.phone || null, email: before.output.email }
  const answer = await call<Profile>(context, own, 'update_customer_profile', { body })
  if ('output' in answer) return redirect(own, '/account?saved')
  return showAccount(context, own, { values, ...faultsOf(answer, Object.keys(values)) }, answer)
}

async function forget(context: VisitorContext, own: OwnRequest, threadId: string): Promise<void> {
  const answer = await call(context, own, 'delete_thread', { names: { threadId } })
  // One that is gone already is forgotten.
  if ('output' in answer || answer.status === 404) return redirect(own, '/account')
  return refuse(context, own, answer)
}

async function deleteCustomer(context: VisitorContext, own: OwnRequest): Promise<void> {
  const answer = await call(context, own, 'delete_customer')
  if (!('output' in answer) && answer.status !== 401) return refuse(context, own, answer)
  const { site, request, response } = own
  const userAgent = request.headers['user-agent'] ?? ''
  const address = exchangeOf(response).clientIp
  await context.figures.forget({ workspaceId: site.workspaceId, address, userAgent })
  leave(context, own)
}

async function signOut(context: VisitorContext, own: OwnRequest): Promise<void> {
  const answer = await call(context, own, 'log_out_customer')
  if (!('output' in answer) && answer.status !== 401) return refuse(context, own, answer)
  leave(context, own)
}

/** The next visitor at this browser is another person: what was said as a guest before signing in must go, too. */
function leave({ cookies }: VisitorContext, own: OwnRequest): void {
  own.response.append('Set-Cookie', cookies.signOut())
  own.response.append('Set-Cookie', cookies.forgetGuest())
  own.response.set('Clear-Site-Data', '"cache", "storage"')
  redirect(own, '/')
}

function refuse(context: VisitorContext, own: OwnRequest, answer: Refusal): Promise<void> {
  return showAccount(context, own, faultsOf(answer, []), answer)
}
