import { contactSite } from '../src/adapters/bot_challenge.ts'
import { ApiError } from '../src/core/errors.ts'
import { normaliseEmail, requireAllowedEmail } from '../src/domain/people/email_addresses.ts'
import { codeMail } from '../src/domain/upkeep/mail_texts.ts'
import { consumeTry, requestCode, useCode } from '../src/domain/people/one_time_codes.ts'
import { openSession, readSession } from '../src/domain/people/sessions.ts'
import type { Handler } from '../src/operation.ts'
import { findLanguageOf } from '../src/queries/people/accounts.ts'
import {
  deleteOtherSessions,
  deleteSession,
  listSessions,
} from '../src/queries/people/dashboard_sessions.ts'
import { bestLanguage } from '../src/texts/languages.ts'

export const get_config: Handler<'get_config'> = (_input, { config, botChallenge }) =>
  Promise.resolve({
    environment: config.environment,
    challengeSiteKey: botChallenge.siteKey(contactSite),
    oidcEnabled: config.oidc !== undefined,
  })

export const request_session_code: Handler<'request_session_code'> = async ({ body }, caller) => {
  const email = requireAllowedEmail(body.email)
  const address = { purpose: 'sign_in', subject: '', email } as const
  // The account's own language; the browser's for a person without one.
  const language = await findLanguageOf(caller.db, email)
  const languages = language === undefined ? caller.languages : [language]
  return requestCode(caller, address, (code) => codeMail(bestLanguage(languages), 'signIn', code))
}

export const create_session: Handler<'create_session'> = async ({ body }, caller) => {
  const email = normaliseEmail(body.email)
  const address = { purpose: 'sign_in', subject: '', email } as const
  await consumeTry(caller, address)

  // Refuse after the commit, so that a wrong code stays counted and a right one stays used.
  const outcome = await caller.transaction(async (trx) => {
    if (!(await useCode(trx, caller, address, body.code))) return 'wrong code'
    const [language] = caller.languages
    const person = { email, name: email.slice(0, email.lastIndexOf('@')), language }
    const circumstances = { environment: caller.config.environment, now: caller.now }
    return (await openSession(trx, circumstances, person)) ?? 'suspended'
  })
  if (outcome === 'wrong code') throw new ApiError('code_invalid', 'codeInvalid')
  if (outcome === 'suspended') throw new ApiError('account_inactive', 'accountSuspended')
  caller.signIn(outcome.token, outcome.expiresAt)
  return outcome.session
}

export const get_session: Handler<'get_session'> = (_input, { db, accountId, sessionId }) =>
  readSession(db, accountId, sessionId)

export const list_sessions: Handler<'list_sessions'> = async (_input, caller) => {
  const { db, accountId, sessionId, now } = caller
  const sessions = await listSessions(db, accountId, now)
  return { sessions: sessions.map((one) => ({ ...one, isCurrent: one.id === sessionId })) }
}

export const end_other_sessions: Handler<'end_other_sessions'> = async (_input, caller) => ({
  ended: await deleteOtherSessions(caller.db, caller.accountId, caller.sessionId),
})

export const delete_session: Handler<'delete_session'> = async (_input, caller) => {
  await deleteSession(caller.db, caller.sessionId)
  caller.signOut()
  return { id: caller.sessionId, deleted: true }
}
