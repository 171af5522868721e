import type { Transaction } from 'kysely'
import { ApiError } from '../../core/errors.ts'
import { hashOneTimeCode, newOneTimeCode } from '../../core/secrets.ts'
import type { Database } from '../../db/schema.ts'
import type { Caller } from '../../operation.ts'
import {
  type CodeAddress,
  findCodeSentAt,
  replaceCode,
  type ResendWindow,
  tryCode,
  tryCodeAsStranger,
} from '../../queries/people/one_time_codes.ts'
import { type RateLimit, rateLimits } from '../../core/rate_limits.ts'
import { minute } from '../../core/time.ts'

/** How long a code, or a link in its place, can be used. */
export const liveMilliseconds = 10 * minute
const resendMilliseconds = minute
const failuresAllowed = 5

/** The words of the mail; what else it carries is stored in the transaction. */
export type CodeMail = (code: string, trx: Transaction<Database>) => MailText | Promise<MailText>

interface MailText {
  subject: string
  text: string
}

export interface CodeOptions {
  /** Rate limits of the request; by default those of the dashboard's codes. */
  limits?: [limit: RateLimit, key: string][]
  /** Kept with the code until it is used. */
  details?: object | null
  /**
   * Whether the mail goes out, asked once the limits allow the request. If not, the same work is done
   * and the queued mail is dropped: neither the answer nor its timing reveals it.
   */
  isMailed?: () => Promise<boolean>
}

function limitsOfPages(
  { clientIp }: Caller,
  { purpose, subject, email }: CodeAddress,
): CodeOptions['limits'] & {} {
  return [
    [rateLimits.codesOfClient, clientIp],
    [rateLimits.codesOfAddress, `${purpose}/${email}/${subject}`],
    [rateLimits.codesOfAddressInAll, `${purpose}/${email}`],
  ]
}

/**
 * Mails a six-digit code. Known and unknown addresses take the same steps and get the same answer,
 * so that the call does not reveal who has an account.
 */
export async function requestCode(
  caller: Caller,
  address: CodeAddress,
  mailFor: CodeMail,
  options: CodeOptions = {},
): Promise<{ accepted: true }> {
  const { limits = limitsOfPages(caller, address) } = options
  await requireResendDue(caller, address)
  for (const [limit, key] of limits) await caller.consume(limit, key)
  return mailCode(caller, address, mailFor, options)
}

/** Refuses while the code before is on its way. */
export async function requireResendDue(caller: Caller, address: CodeAddress): Promise<void> {
  const { db, now } = caller
  const sentAt = await findCodeSentAt(db, address, resendWindow(now))
  if (sentAt) refuseResend(sentAt.getTime() + resendMilliseconds - now.getTime())
}

/** Mails a code that the limits allow. */
export async function mailCode(
  caller: Caller,
  address: CodeAddress,
  mailFor: CodeMail,
  { details = null, isMailed: mayBeMailed }: Omit<CodeOptions, 'limits'>,
): Promise<{ accepted: true }> {
  const { now, config } = caller
  const isMailed = (await mayBeMailed?.()) ?? true
  const code = newOneTimeCode()
  await caller.transaction(async (trx) => {
    const fresh = freshCode(config.secretKey, address, code, now)
    const replaced = await replaceCode(trx, address, { ...fresh, details }, resendWindow(now))
    if (!replaced) refuseResend(resendMilliseconds)
    await caller.sendMail(trx, {
      ...(await mailFor(code, trx)),
      to: isMailed ? address.email : null,
      ...(isSignIn(address) ? { isUrgent: true } : { sender: address.subject }),
    })
  })
  if (isMailed && caller.config.environment === 'development')
    caller.log.info({ email: address.email, sixDigits: code }, 'A code was mailed.')
  return { accepted: true }
}

/** Whether a code is for our own pages, and not of an account or a workspace. */
function isSignIn({ purpose }: CodeAddress): boolean {
  return purpose === 'sign_in' || purpose === 'staff_sign_in'
}

/** A code that is handed over by other means than a mail, in place of any live one. */
export async function issueCode(
  trx: Transaction<Database>,
  { secretKey, now }: { secretKey: string; now: Date },
  address: CodeAddress,
): Promise<string> {
  const code = newOneTimeCode()
  const fresh = freshCode(secretKey, address, code, now)
  await replaceCode(trx, address, { ...fresh, details: null }, undefined)
  return code
}

/**
 * Consumes the code in the transaction, or counts a failure. A caller that refuses a wrong code
 * must commit first, or the failure is not counted.
 */
export function useCode(
  trx: Transaction<Database>,
  { config, now }: Pick<Caller, 'config' | 'now'>,
  address: CodeAddress,
  code: string,
  failures = failuresAllowed,
): Promise<boolean> {
  const codeHash = hashOf(config.secretKey, address, code)
  return tryCode(trx, address, { codeHash, ...tryAt(now, failures) })
}

/**
 * Consumes the code that one of these known browsers asked for, tried without its cookie, or counts a
 * failure apart from those of the browser: a stranger can end it for strangers alone.
 */
export async function useBrowsersCode(
  trx: Transaction<Database>,
  { config, now }: Pick<Caller, 'config' | 'now'>,
  addresses: CodeAddress[],
  code: string,
): Promise<boolean> {
  for (const address of addresses) {
    const codeHash = hashOf(config.secretKey, address, code)
    if (await tryCodeAsStranger(trx, address, { codeHash, ...tryAt(now, failuresAllowed) }))
      return true
  }
  return false
}

function tryAt(now: Date, failures: number) {
  const sentBefore = new Date(now.getTime() + resendMilliseconds)
  return { now, sentBefore, failuresAllowed: failures }
}

function freshCode(secretKey: string, address: CodeAddress, code: string, now: Date) {
  return {
    codeHash: hashOf(secretKey, address, code),
    sentAt: now,
    expiresAt: new Date(now.getTime() + liveMilliseconds),
  }
}

/**
 * A code that was sent in this time, and not ended by failures, holds back the next one. It ends a
 * minute from now, because a later time was written by a clock that ran ahead and must not hold a code back.
 */
function resendWindow(now: Date): ResendWindow {
  return {
    after: new Date(now.getTime() - resendMilliseconds),
    before: new Date(now.getTime() + resendMilliseconds),
    failuresAllowed,
  }
}

function hashOf(secretKey: string, { purpose, subject, email }: CodeAddress, code: string): Buffer {
  return hashOneTimeCode(secretKey, [purpose, subject, email, code])
}

function refuseResend(milliseconds: number): void {
  if (milliseconds <= 0) return
  const seconds = Math.ceil(milliseconds / 1000)
  throw new ApiError('rate_limited', ['codeOnItsWay', { count: seconds }], undefined, seconds)
}
