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
   * Whether the code may be known to the address. If not, the same work is done and the queued mail
   * is dropped: neither the answer nor its timing reveals it.
   */
  isMailed?: boolean
}

function limitsOfPages({ clientIp }: Caller, { email }: CodeAddress): CodeOptions['limits'] & {} {
  return [
    [rateLimits.codesOfClient, clientIp],
    [rateLimits.codesOfAddress, email],
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
  const { limits = limitsOfPages(caller, address), details = null, isMailed = true } = options
  const now = caller.now
  const sentAt = await findCodeSentAt(caller.db, address)
  if (sentAt) refuseResend(sentAt.getTime() + resendMilliseconds - now.getTime())
  for (const [limit, key] of limits) await caller.consume(limit, key)

  const code = newOneTimeCode()
  await caller.transaction(async (trx) => {
    const replaced = await replaceCode(trx, address, {
      codeHash: hashOf(caller, address, code),
      sentAt: now,
      expiresAt: new Date(now.getTime() + liveMilliseconds),
      resendBefore: new Date(now.getTime() - resendMilliseconds),
      details,
    })
    if (!replaced) refuseResend(resendMilliseconds)
    await caller.sendMail(trx, { to: isMailed ? address.email : null, ...mailFor(code) })
  })
  if (isMailed && caller.config.environment === 'development')
    caller.log.info({ email: address.email, sixDigits: code }, 'A code was mailed.')
  return { accepted: true }
}

/**
 * Consumes the code in the transaction, or counts a failure. A caller that refuses a wrong code
 * must commit first, or the failure is not counted.
 */
export function useCode(
  trx: Transaction<Database>,
  caller: Caller,
  address: CodeAddress,
  code: string,
): Promise<boolean> {
  const codeHash = hashOf(caller, address, code)
  return tryCode(trx, address, { codeHash, now: caller.now, failuresAllowed })
}

function hashOf(caller: Caller, { purpose, subject, email }: CodeAddress, code: string): Buffer {
  return hashOneTimeCode(caller.config.secretKey, [purpose, subject, email, code])
}

function refuseResend(milliseconds: number): void {
  if (milliseconds <= 0) return
  const seconds = Math.ceil(milliseconds / 1000)
  throw new ApiError('rate_limited', ['codeOnItsWay', { count: seconds }], undefined, seconds)
}
