import { invalidInput } from '../src/core/errors.ts'
import { requireAllowedEmail } from '../src/domain/people/email_addresses.ts'
import { rateLimits } from '../src/core/rate_limits.ts'
import { requireEnvironment } from '../src/core/secrets.ts'
import { changeEmail, undoEmailChange } from '../src/domain/people/email_changes.ts'
import { requireReach } from '../src/domain/upkeep/mail_limits.ts'
import { codeMail, emailChangedMail, emailUndoneMail } from '../src/domain/upkeep/mail_texts.ts'
import { requestCode, useCode } from '../src/domain/people/one_time_codes.ts'
import type { Handler } from '../src/operation.ts'
import { getAccount, updateAccount } from '../src/queries/people/accounts.ts'
import { hasPaid } from '../src/queries/upkeep/mail_reach.ts'
import { bestLanguage } from '../src/texts/languages.ts'

export const get_account: Handler<'get_account'> = (_input, { db, accountId }) =>
  getAccount(db, accountId)

export const get_own_account: Handler<'get_own_account'> = (_input, { db, accountId }) =>
  getAccount(db, accountId)

export const update_own_account: Handler<'update_own_account'> = (
  { body },
  { transaction, accountId, now },
) => transaction((trx) => updateAccount(trx, accountId, body, now))

export const request_account_email_code: Handler<'request_account_email_code'> = async (
  { body },
  caller,
) => {
  const email = requireAllowedEmail(body.email)
  const address = { purpose: 'account_email', subject: caller.accountId, email } as const
  const { language } = await getAccount(caller.db, caller.accountId)
  return requestCode(
    caller,
    address,
    (code) => codeMail(bestLanguage([language]), 'newEmail', code),
    // Any account can ask for it: for the address it is a mail like those of workspaces.
    {
      isMailed: async () => {
        const { db, accountId } = caller
        await requireReach(caller, { accountId, hasPaid: await hasPaid(db, accountId) }, email)
        return caller.tryConsume(rateLimits.mailsOfAddress, email)
      },
    },
  )
}

export const update_account_email: Handler<'update_account_email'> = async ({ body }, caller) => {
  const { accountId, now, config } = caller
  const email = requireAllowedEmail(body.email)
  const address = { purpose: 'account_email', subject: accountId, email } as const
  const account = await caller.transaction(async (trx) => {
    if (!(await useCode(trx, caller, address, body.code))) return undefined
    const circumstances = { environment: config.environment, now }
    const changed = await changeEmail(trx, circumstances, accountId, email)
    const { notice } = changed
    if (notice) {
      const url = `${config.dashboardUrl}/undo-email/${notice.token}`
      const mail = emailChangedMail(bestLanguage([changed.account.language]), email, url)
      await caller.sendMail(trx, { ...mail, to: notice.to, isUrgent: true })
    }
    return changed.account
  })
  if (!account) throw invalidInput({ code: 'codeInvalid' })
  return account
}

export const undo_account_email: Handler<'undo_account_email'> = async ({ body }, caller) => {
  await caller.consume(rateLimits.triesOfClient, caller.clientIp)
  requireEnvironment(body.token, 'emailUndo', caller.config.environment)
  return caller.transaction(async (trx) => {
    const { email, lostEmail, language } = await undoEmailChange(trx, body.token, caller.now)
    const mail = emailUndoneMail(bestLanguage([language]), lostEmail)
    await caller.sendMail(trx, { ...mail, to: lostEmail })
    return { email }
  })
}
