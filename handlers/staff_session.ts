import { normaliseEmail, requireAllowedEmail } from '../src/domain/people/email_addresses.ts'
import { rememberBrowser } from '../src/domain/people/known_browsers.ts'
import {
  admitTry,
  refusedCode,
  requestSignIn,
  useSignInCode,
} from '../src/domain/people/sign_ins.ts'
import { openStaffSession, useOperatorCode } from '../src/domain/administration/staff.ts'
import type { Handler } from '../src/operation.ts'
import {
  deleteStaffSession,
  findStaff,
  getStaffSession,
} from '../src/queries/administration/staff.ts'
import { bestLanguage } from '../src/texts/languages.ts'

export const request_staff_code: Handler<'request_staff_code'> = async ({ body }, caller) => {
  const email = requireAllowedEmail(body.email)
  const staff = await findStaff(caller.db, email)
  return requestSignIn(caller, {
    purpose: 'staff_sign_in',
    email,
    language: bestLanguage(caller.languages),
    origin: caller.config.adminUrl,
    isMailed: staff !== undefined,
  })
}

export const create_staff_session: Handler<'create_staff_session'> = async ({ body }, caller) => {
  const email = normaliseEmail(body.email)
  const address = { purpose: 'staff_sign_in', email } as const
  const entered = await admitTry(caller, { ...address, code: body.code })

  // Refuse after the commit, so that a wrong code stays counted and a right one stays used.
  const outcome = await caller.transaction(async (trx) => {
    // First: it has a count of its own, and works when strangers have used up the day's tries.
    if (!(await useOperatorCode(trx, caller, email, body.code))) {
      const verdict = await useSignInCode(trx, caller, entered)
      if (verdict !== 'right') return verdict
    }
    const circumstances = { environment: caller.config.environment, now: caller.now }
    const opened = await openStaffSession(trx, circumstances, email)
    if (!opened) return 'wrong'
    const browser = await rememberBrowser(trx, circumstances, address, caller.browserToken)
    return { opened, browser }
  })
  if (typeof outcome === 'string') throw refusedCode(outcome, caller.now)
  caller.signIn(outcome.opened, outcome.browser)
  return outcome.opened.session
}

export const get_staff_session: Handler<'get_staff_session'> = (_input, { db, sessionId }) =>
  getStaffSession(db, sessionId)

export const delete_staff_session: Handler<'delete_staff_session'> = async (_input, caller) => {
  await deleteStaffSession(caller.db, caller.sessionId)
  caller.signOut()
  return { id: caller.sessionId, deleted: true }
}
