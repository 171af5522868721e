import type { Transaction } from 'kysely'
import type { RateLimit } from '../../core/rate_limits.ts'
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
} from '../../queries/people/one_time_codes.ts'
import { rateLimits } from '../../core/rate_limits.ts'
import { minute } from '../../core/time.ts'

const liveMilliseconds = 10 * minute
const resendMilliseconds = minute
const failuresAllowed = 5

export interface CodeOptions {
  /** Rate limits of the request; by default those for our own pages. */
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
  // Who asks: the account or workspace it is for; before the sign-in, the client's address.
  const asker = subject || clientIp
  return [
    [rateLimits.codesOfClient, clientIp],
    [rateLimits.codesOfAddress, `${purpose}/${email}/${asker}`],
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
  mailFor: (code: string) => { subject: string; text: string },
  options: CodeOptions = {},
): Promise<{ accepted: true }> {
  const { limits = limitsOfPages(caller, address), details = null } = options
  const { now, config } = caller
  const sentAt = await findCodeSentAt(caller.db, address, resendWindow(now))
  if (sentAt) refuseResend(sentAt.getTime() + resendMilliseconds - now.getTime())
  for (const [limit, key] of limits) await caller.consume(limit, key)

  const isMailed = (await options.isMailed?.()) ?? true
  const code = newOneTimeCode()
  await caller.transaction(async (trx) => {
    const fresh = freshCode(config.secretKey, address, code, now)
    const replaced = await replaceCode(trx, address, { ...fresh, details }, resendWindow(now))
    if (!replaced) refuseResend(resendMilliseconds)
    await caller.sendMail(trx, {
      ...mailFor(code),
      to: isMailed ? address.email : null,
      sender: address.subject,
      // Of no account or workspace: a code to sign in to our own pages.
      isUrgent: address.subject === '',
    })
  })
  if (isMailed && caller.config.environment === 'development')
    caller.log.info({ email: address.email, sixDigits: code }, 'A code was mailed.')
  return { accepted: true }
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

/** Counts a try at our own pages, right or wrong; refuses one too many. */
export async function consumeTry(caller: Caller, { purpose, email }: CodeAddress): Promise<void> {
  const { clientIp } = caller
  await caller.consume(rateLimits.triesOfClient, clientIp)
  await caller.consume(rateLimits.triesOfAddress, `${purpose}/${email}/${clientIp}`)
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
  const sentBefore = new Date(now.getTime() + resendMilliseconds)
  return tryCode(trx, address, { codeHash, now, sentBefore, failuresAllowed: failures })
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
