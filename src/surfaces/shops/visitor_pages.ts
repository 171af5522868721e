import { maxBodyBytes } from '../call/request_parts.ts'
import { showAccount, takeAccount } from './account.ts'
import { pathIn } from './forms.ts'
import { sendFeedback, sendReport, showFeedback, showReport } from './letters.ts'
import type { OwnRequest, VisitorContext } from './own_request.ts'
import { showSignIn, takeSignIn } from './sign_in.ts'

/*
 * Pages of one visitor: sign-in, account and feedback, as forms that need no script of ours but for the
 * challenge. Every step calls an experience operation through the pipeline, with its limits, its check
 * of the Origin and its refusals.
 */

export type OwnKind = 'signIn' | 'account' | 'feedback' | 'report'

/** The form to sign in with, in the place of a page for customers. */
export function askToSignIn(context: VisitorContext, own: OwnRequest): Promise<void> {
  return showSignIn(context, own, pathIn(own.request.originalUrl), { status: 401 })
}

export function showOwnPage(
  context: VisitorContext,
  own: OwnRequest,
  kind: OwnKind,
): Promise<void> {
  const query = new URLSearchParams(own.request.originalUrl.split('?')[1] ?? '')
  if (kind === 'signIn') return showSignIn(context, own, pathIn(query.get('to')))
  if (kind === 'account') return showAccount(context, own, { done: query.has('saved') })
  const attempt = { done: query.has('sent') }
  return kind === 'report' ? showReport(context, own, attempt) : showFeedback(context, own, attempt)
}

export async function takeOwnForm(
  context: VisitorContext,
  own: OwnRequest,
  kind: OwnKind,
): Promise<void> {
  const form = await context.readForm(own, maxBodyBytes.pages)
  if (kind === 'feedback') return sendFeedback(context, own, form)
  if (kind === 'report') return sendReport(context, own, form)
  if (kind === 'account') return takeAccount(context, own, form)
  return takeSignIn(context, own, form)
}
