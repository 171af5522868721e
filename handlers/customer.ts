import { requireCustomer } from '../src/access/visitors.ts'
import { ApiError, invalidInput } from '../src/core/errors.ts'
import { requireChallenge } from '../src/domain/site/challenges.ts'
import {
  absenteeOf,
  codeAddressOf,
  openCustomerSession,
  sessionEnd,
} from '../src/domain/site/customers.ts'
import { normaliseEmail, requireAllowedEmail } from '../src/domain/people/email_addresses.ts'
import { mayMail } from '../src/domain/upkeep/mail_limits.ts'
import { customerCodeMail } from '../src/domain/upkeep/mail_texts.ts'
import { requestCode, useCode } from '../src/domain/people/one_time_codes.ts'
import { type RateLimit, rateLimits } from '../src/core/rate_limits.ts'
import type { Handler, VisitorCaller } from '../src/operation.ts'
import {
  deleteCustomer,
  extendCustomerSession,
  findCustomerLanguage,
  getCustomer,
  getCustomerSession,
  lockCustomer,
  revokeCustomerSession,
  updateCustomer,
} from '../src/queries/site/customers.ts'
import { forgetAsker } from '../src/queries/assistant/unanswered_questions.ts'
import { deleteThreadsOf } from '../src/queries/assistant/threads.ts'
import { forgetCustomerInUsage } from '../src/queries/credits/forgotten_people.ts'
import { setRequestsAside } from '../src/queries/credits/quotas.ts'
import { deleteCode } from '../src/queries/people/one_time_codes.ts'
import { deleteFeedbackOf } from '../src/queries/site/feedback.ts'
import { deleteVisitsOf } from '../src/queries/site/visits.ts'
import { deleteRecordsOf } from '../src/queries/upkeep/idempotency_records.ts'
import { deleteMailsTo } from '../src/queries/upkeep/mails.ts'
import { getSender } from '../src/queries/upkeep/mail_reach.ts'
import { bestLanguage } from '../src/texts/languages.ts'

export const request_customer_code: Handler<'request_customer_code'> = async ({ body }, caller) => {
  const { workspaceId, workspaceName } = caller.site
  const email = requireAllowedEmail(body.email)
  await requireChallenge(caller, body.challengeToken, 'sign_in')
  // Looked up for every address, so that timing does not reveal which ones are customers.
  const stored = await findCustomerLanguage(caller.db, workspaceId, email)
  const sender = await getSender(caller.db, workspaceId)
  const languages = [stored ?? [], caller.languages, sender.language].flat()
  const shop = { name: workspaceName, isTrusted: sender.hasPaid }
  const { name, phone = null } = body
  return requestCode(
    caller,
    codeAddressOf(workspaceId, email),
    (code) => customerCodeMail(bestLanguage(languages), shop, code),
    {
      limits: codeLimits(caller, email),
      isMailed: () => mayMail(caller, sender, email),
      details: { name, phone, language: caller.languages[0] ?? sender.language },
    },
  )
}

/**
 * An address has five codes an hour in a shop. Where anyone can ask, without a backend, they are counted by
 * asker, so that a stranger does not use up those of the address's owner, and all together.
 */
function codeLimits(
  { connectionId, clientIp, page, site: { workspaceId, from } }: VisitorCaller,
  email: string,
): [RateLimit, string][] {
  const address = `${workspaceId}/${email}`
  const ofConnection: [RateLimit, string] = page
    ? [rateLimits.pageCodesOfClient, `${connectionId}/${clientIp}`]
    : [rateLimits.codesOfKey, connectionId]
  if (!page && !from) return [ofConnection, [rateLimits.customerCodesOfAddress, address]]
  return [
    ofConnection,
    [rateLimits.customerCodesOfAddress, `${address}/${clientIp}`],
    [rateLimits.customerCodesOfAddressInAll, address],
  ]
}

export const verify_customer_code: Handler<'verify_customer_code'> = async ({ body }, caller) => {
  const address = codeAddressOf(caller.site.workspaceId, normaliseEmail(body.email))
  // Refuse after the commit, so that a wrong code stays counted.
  const session = await caller.transaction(async (trx) => {
    if (!(await useCode(trx, caller, address, body.code))) return undefined
    return openCustomerSession(trx, caller, address)
  })
  if (!session) throw new ApiError('code_invalid', 'codeInvalid')
  return session
}

export const get_customer_session: Handler<'get_customer_session'> = async (_input, caller) =>
  getCustomerSession(caller.db, caller.site.workspaceId, requireCustomer(caller).sessionId)

export const refresh_customer_session: Handler<'refresh_customer_session'> = async (
  _input,
  caller,
) => {
  const { sessionId, token } = requireCustomer(caller)
  const { now, site } = caller
  const { workspaceId } = site
  const session = await caller.transaction(async (trx) => {
    const until = sessionEnd(caller)
    const alive = await extendCustomerSession(trx, workspaceId, sessionId, { now, until })
    // Signed out between admission and this statement.
    if (!alive) throw new ApiError('token_revoked', 'customerSignedOut')
    return getCustomerSession(trx, workspaceId, sessionId)
  })
  return { token, ...session }
}

export const log_out_customer: Handler<'log_out_customer'> = async (_input, caller) => {
  const { sessionId } = requireCustomer(caller)
  await revokeCustomerSession(caller.db, caller.site.workspaceId, sessionId, caller.now)
}

/** The lock decides: a chat that is under way is stored before all is deleted, or not at all. */
export const delete_customer: Handler<'delete_customer'> = async (_input, caller) => {
  const { id } = requireCustomer(caller)
  const { workspaceId } = caller.site
  const visitor = { workspaceId, visitorId: id }
  await caller.transaction(async (trx) => {
    const { email } = await lockCustomer(trx, workspaceId, id)
    const to = absenteeOf(caller, email)
    await setRequestsAside(trx, { workspaceId, from: id, to, now: caller.now })
    await deleteThreadsOf(trx, visitor)
    await forgetAsker(trx, workspaceId, id)
    await deleteFeedbackOf(trx, workspaceId, id)
    await deleteVisitsOf(trx, visitor)
    await deleteRecordsOf(trx, visitor)
    await deleteCode(trx, codeAddressOf(workspaceId, email))
    await deleteMailsTo(trx, { recipient: email, sender: workspaceId })
    await deleteCustomer(trx, workspaceId, id)
    // Usage comes last, as in every transaction: reports wait for its locks.
    await forgetCustomerInUsage(trx, workspaceId, id)
  })
}

export const get_customer_profile: Handler<'get_customer_profile'> = async (_input, caller) =>
  getCustomer(caller.db, caller.site.workspaceId, requireCustomer(caller).id)

export const update_customer_profile: Handler<'update_customer_profile'> = async (
  { body },
  caller,
) => {
  const { id } = requireCustomer(caller)
  const { workspaceId } = caller.site
  return caller.transaction(async (trx) => {
    const current = await lockCustomer(trx, workspaceId, id)
    caller.requireCurrent(current)
    if (normaliseEmail(body.email) !== current.email)
      throw invalidInput({ email: 'emailUnchangeable' })
    return updateCustomer(trx, workspaceId, id, body, caller.now)
  })
}
