import { minute } from '../../core/time.ts'
import { rateLimits } from '../../core/rate_limits.ts'
import { drawNotice } from '../../site/notices.tsx'
import {
  type SentForm,
  feedbackPage,
  longestReport,
  Report,
  reportPage,
} from '../../site/pages/visitor.tsx'
import { wordsOf } from '../../site/shop.ts'
import { inWords } from '../../texts/refusals.ts'
import type { Service } from '../call/call.ts'
import { consumeLimit } from '../call/limits.ts'
import { exchangeOf } from '../pages/pages.ts'
import { textIn } from './forms.ts'
import { isShutTo } from './opening.ts'
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
  const values = { message: messageIn(form) }
  const answer = await call(context, own, 'create_feedback', { body: values })
  if ('output' in answer) return redirect(own, '/feedback?sent')
  setRetryAfter(own, answer)
  const faults = faultsOf(answer, Object.keys(values))
  return showFeedback(context, own, { values, ...faults, status: answer.status })
}

/** To those who see nothing else of the shop, the form alone is shown, with the name that its notice shows. */
export async function showReport(
  context: VisitorContext,
  own: OwnRequest,
  { status = 200, ...attempt }: SentForm & { status?: number },
): Promise<void> {
  if (!(await isShutTo(context, own)))
    return draw(context, own, (shop) => reportPage(shop, attempt), status)
  const { baseUrl } = context.service.config
  const { text, policy } = drawNotice('report', baseUrl, own.site, ({ t }) =>
    Report({ t, attempt }),
  )
  sendOwnPage(own.response, { status, plain: Buffer.from(text), policy })
}

/** To the people who run the service, with the address of the shop, and the id by which they find it. */
export async function sendReport(
  context: VisitorContext,
  own: OwnRequest,
  form: URLSearchParams,
): Promise<void> {
  const message = messageIn(form)
  const values = { name: textIn(form, 'name'), email: textIn(form, 'email'), message }
  if ([...message].length > longestReport) {
    const fault = inWords(own.site.website.language, ['maxLength', { count: longestReport }])
    return showReport(context, own, { values, faults: { message: fault }, status: 400 })
  }
  const url = context.urlOf(own.site)
  const told = message === '' ? '' : `${url}\n${own.site.workspaceId}\n\n${message}`
  const body = { ...values, message: told, challengeToken: 'none' }
  const service = withReportLimits(context.service, own)
  const answer = await call({ ...context, service }, own, 'create_contact_request', { body })
  if ('output' in answer) return redirect(own, '/report?sent')
  setRetryAfter(own, answer)
  const { status, retryAfter } = answer
  const faults =
    status === 429
      ? { fault: waitingWords(own, Number(retryAfter)) }
      : faultsOf(answer, Object.keys(values))
  return showReport(context, own, { values, ...faults, status })
}

/** What was written. Browsers send the end of a line as two characters, which nobody counts. */
const messageIn = (form: URLSearchParams): string =>
  textIn(form, 'message').replaceAll('\r\n', '\n')

/** A service in which limits stand in the place of the challenge, where they count what is valid alone. */
function withReportLimits(service: Service, { site, response }: OwnRequest): Service {
  const { workspaceId } = site
  const { clientIp } = exchangeOf(response)
  async function verify(): Promise<boolean> {
    await consumeLimit(service, rateLimits.reportsOfClient, `${workspaceId} ${clientIp}`)
    await consumeLimit(service, rateLimits.reportsOfShop, workspaceId)
    return true
  }
  return { ...service, botChallenge: { ...service.botChallenge, verify } }
}

function waitingWords({ site }: OwnRequest, seconds: number): string {
  const count = Math.ceil((seconds * 1000) / minute)
  return wordsOf(site.website.language)('reportLater', { count })
}
