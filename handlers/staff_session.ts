import { ApiError } from '../src/core/errors.ts'
import { normaliseEmail, requireAllowedEmail } from '../src/domain/people/email_addresses.ts'
import { codeMail } from '../src/domain/upkeep/mail_texts.ts'
import { consumeTry, requestCode, useCode } from '../src/domain/people/one_time_codes.ts'
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
  const address = { purpose: 'staff_sign_in', subject: '', email } as const
  const staff = await findStaff(caller.db, email)
  return requestCode(
    caller,
    address,
    (code) => codeMail(bestLanguage(caller.languages), 'staffSignIn', code),
    { isMailed: () => Promise.resolve(staff !== undefined) },
  )
}

export const create_staff_session: Handler<'create_staff_session'> = async ({ body }, caller) => {
  const email = normaliseEmail(body.email)
  const address = { purpose: 'staff_sign_in', subject: '', email } as const
  await consumeTry(caller, address)

  // Refuse after the commit, so that a wrong code stays counted and a right one stays used.
  const signIn = await caller.transaction(async (trx) => {
    const isRight =
      (await useCode(trx, caller, address, body.code)) ||
      (await useOperatorCode(trx, caller, email, body.code))
    if (!isRight) return undefined
    const circumstances = { environment: caller.config.environment, now: caller.now }
    return openStaffSession(trx, circumstances, email)
  })
  if (!signIn) throw new ApiError('code_invalid', 'codeInvalid')
  caller.signIn(signIn.token, signIn.expiresAt)
  return signIn.session
}

export const get_staff_session: Handler<'get_staff_session'> = (_input, { db, sessionId }) =>
  getStaffSession(db, sessionId)

export const delete_staff_session: Handler<'delete_staff_session'> = async (_input, caller) => {
  await deleteStaffSession(caller.db, caller.sessionId)
  caller.signOut()
  return { id: caller.sessionId, deleted: true }
}
