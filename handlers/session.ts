import { contactSite } from '../src/adapters/bot_challenge.ts'
import { ApiError } from '../src/core/errors.ts'
import { hashToken } from '../src/core/secrets.ts'
import { normaliseEmail, requireAllowedEmail } from '../src/domain/people/email_addresses.ts'
import { rememberBrowser } from '../src/domain/people/known_browsers.ts'
import { nameOf, openSession, readSession } from '../src/domain/people/sessions.ts'
import {
  admitTry,
  refusedCode,
  requestSignIn,
  useSignInCode,
} from '../src/domain/people/sign_ins.ts'
import type { Handler } from '../src/operation.ts'
import { findLanguageOf, getAccount } from '../src/queries/people/accounts.ts'
import {
  deleteOtherSessions,
  deleteSession,
  listSessions,
} from '../src/queries/people/dashboard_sessions.ts'
import { deleteKnownBrowsers } from '../src/queries/people/known_browsers.ts'
import { bestLanguage } from '../src/texts/languages.ts'

export const get_config: Handler<'get_config'> = (_input, { config, botChallenge }) =>
  Promise.resolve({
    environment: config.environment,
    challengeSiteKey: botChallenge.siteKey(contactSite),
    oidcEnabled: config.oidc !== undefined,
  })

export const request_session_code: Handler<'request_session_code'> = async ({ body }, caller) => {
  const email = requireAllowedEmail(body.email)
  // The account's own language; the browser's for a person without one.
  const language = await findLanguageOf(caller.db, email)
  return requestSignIn(caller, {
    purpose: 'sign_in',
    email,
    language: bestLanguage(language === undefined ? caller.languages : [language]),
    origin: caller.config.dashboardUrl,
    isMailed: true,
  })
}

export const create_session: Handler<'create_session'> = async ({ body }, caller) => {
  const email = normaliseEmail(body.email)
  const address = { purpose: 'sign_in', email } as const
  const entered = await admitTry(caller, { ...address, code: body.code })

  // Refuse after the commit, so that a wrong code stays counted and a right one stays used.
  const outcome = await caller.transaction(async (trx) => {
    const verdict = await useSignInCode(trx, caller, entered)
    if (verdict !== 'right') return verdict
    const [language] = caller.languages
    const circumstances = { environment: caller.config.environment, now: caller.now }
    const person = { email, name: nameOf(email), language }
    const opened = await openSession(trx, circumstances, person, caller.userAgent)
    if (!opened) return 'suspended'
    const browser = await rememberBrowser(trx, circumstances, address, caller.browserToken)
    return { opened, browser }
  })
  if (outcome === 'suspended') throw new ApiError('account_inactive', 'accountSuspended')
  if (typeof outcome === 'string') throw refusedCode(outcome, caller.now)
  caller.signIn(outcome.opened, outcome.browser)
  return outcome.opened.session
}

export const get_session: Handler<'get_session'> = (_input, { db, accountId, sessionId }) =>
  readSession(db, accountId, sessionId)

export const list_sessions: Handler<'list_sessions'> = async (_input, caller) => {
  const { db, accountId, sessionId, now } = caller
  const sessions = await listSessions(db, accountId, now)
  return { sessions: sessions.map((one) => ({ ...one, isCurrent: one.id === sessionId })) }
}

/** Other browsers are unknown again, too; this one stays known. */
export const end_other_sessions: Handler<'end_other_sessions'> = async (_input, caller) => {
  const { accountId, sessionId, browserToken } = caller
  return caller.transaction(async (trx) => {
    const { email } = await getAccount(trx, accountId)
    await deleteKnownBrowsers(
      trx,
      { purpose: 'sign_in', email },
      browserToken === undefined ? null : hashToken(browserToken),
    )
    return { ended: await deleteOtherSessions(trx, accountId, sessionId) }
  })
}

export const delete_session: Handler<'delete_session'> = async (_input, caller) => {
  await deleteSession(caller.db, caller.sessionId)
  caller.signOut()
  return { id: caller.sessionId, deleted: true }
}
