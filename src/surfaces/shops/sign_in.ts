import { drawNotice } from '../../site/notices.tsx'
import { type SentForm, SignIn, signInPage, type SigningIn } from '../../site/pages/visitor.tsx'
import type { components } from '../../generated/types.ts'
import { pathIn, textIn } from './forms.ts'
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

type Credential = components['schemas']['CustomerCredential']

/** Visitors are mailed at one address at a time, whatever they sign in for. */
const anyRequest = 'shop'

/** A shop for customers shows its name and the form alone. */
export async function showSignIn(
  context: VisitorContext,
  own: OwnRequest,
  to: string,
  { status = 200, ...attempt }: SentForm & { status?: number } = {},
): Promise<void> {
  const { site, request, response } = own
  const state: SigningIn = {
    ...attempt,
    to,
    mailed: context.mailed.of(request, anyRequest),
    isChallenged: site.website.accessPolicy.challenge !== 'OFF',
  }
  if (site.website.accessPolicy.visibility !== 'SIGN_IN')
    return draw(context, own, (shop) => signInPage(shop, state), status)
  const { text, policy } = drawNotice('signIn', context.service.config.baseUrl, site, (shop) =>
    SignIn({ shop, state }),
  )
  sendOwnPage(response, { status, plain: Buffer.from(text), policy })
}

export async function takeSignIn(
  context: VisitorContext,
  own: OwnRequest,
  form: URLSearchParams,
): Promise<void> {
  const to = pathIn(form.get('to'))
  const step = form.get('step')
  if (step === 'code') return requestCode(context, own, form, to)
  if (step === 'session') return signIn(context, own, form, to)
  context.mailed.forget(own.response)
  redirect(own, signInPath(to))
}

async function requestCode(
  context: VisitorContext,
  own: OwnRequest,
  form: URLSearchParams,
  to: string,
): Promise<void> {
  const values = { name: textIn(form, 'name'), email: textIn(form, 'email') }
  const challengeToken = form.get('challengeToken') || undefined
  const body = { ...values, ...(challengeToken !== undefined && { challengeToken }) }
  const answer = await call(context, own, 'request_customer_code', { body })
  if (!('output' in answer)) {
    setRetryAfter(own, answer)
    const faults = faultsOf(answer, Object.keys(values))
    return showSignIn(context, own, to, { values, ...faults, status: answer.status })
  }
  context.mailed.remember(own.response, anyRequest, values.email)
  redirect(own, signInPath(to))
}

async function signIn(
  context: VisitorContext,
  own: OwnRequest,
  form: URLSearchParams,
  to: string,
): Promise<void> {
  const { mailed, cookies } = context
  const email = mailed.of(own.request, anyRequest)
  // The address is forgotten when the code has ended.
  if (email === undefined) return redirect(own, signInPath(to))
  const code = textIn(form, 'code').replace(/\s/g, '')
  const body = { email, code }
  const answer = await call<Credential>(context, own, 'verify_customer_code', { body })
  if (!('output' in answer)) {
    setRetryAfter(own, answer)
    const { status } = answer
    const faults = faultsOf(answer, ['code'])
    return showSignIn(context, own, to, { values: { code }, ...faults, status })
  }
  mailed.forget(own.response)
  own.response.append('Set-Cookie', cookies.signIn(answer.output.token))
  redirect(own, to)
}

export const signInPath = (to: string): string =>
  to === '/' ? '/sign-in' : `/sign-in?to=${encodeURIComponent(to)}`
