import { contactSite } from '../../adapters/bot_challenge.ts'
import { type SentForm, feedbackPage, reportPage } from '../../site/pages/visitor.tsx'
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

export function showFeedback(
  context: VisitorContext,
  own: OwnRequest,
  { status = 200, ...attempt }: SentForm & { status?: number },
): Promise<void> {
  return draw(context, own, (shop) => feedbackPage(shop, attempt), status)
}

export async function sendFeedback(
  context: VisitorContext,
  own: OwnRequest,
  form: URLSearchParams,
): Promise<void> {
  const values = { message: textIn(form, 'message') }
  const answer = await call(context, own, 'create_feedback', { body: values })
  if ('output' in answer) return redirect(own, '/feedback?sent')
  setRetryAfter(own, answer)
  const faults = faultsOf(answer, Object.keys(values))
  return showFeedback(context, own, { values, ...faults, status: answer.status })
}

export function showReport(
  context: VisitorContext,
  own: OwnRequest,
  { status = 200, ...attempt }: SentForm & { status?: number },
): Promise<void> {
  return draw(context, own, (shop) => reportPage(shop, attempt, contactSite), status)
}

/** To the people who run the service, with the address of the shop, and the id by which they find it. */
export async function sendReport(
  context: VisitorContext,
  own: OwnRequest,
  form: URLSearchParams,
): Promise<void> {
  const [name, email, message] = ['name', 'email', 'message'].map((each) => textIn(form, each))
  const values = { name: name!, email: email!, message: message! }
  const url = context.urlOf(own.site)
  const told = message === '' ? '' : `${url}\n${own.site.workspaceId}\n\n${message}`
  const challengeToken = form.get('challengeToken') ?? ''
  const body = { ...values, message: told, challengeToken }
  const answer = await call(context, own, 'create_contact_request', { body })
  if ('output' in answer) return redirect(own, '/report?sent')
  setRetryAfter(own, answer)
  const faults = faultsOf(answer, Object.keys(values))
  return showReport(context, own, { values, ...faults, status: answer.status })
}
