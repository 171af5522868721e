import type { Transaction } from 'kysely'
import { ApiError } from '../../core/errors.ts'
import { rateLimits, scaledLimit } from '../../core/rate_limits.ts'
import { hashToken, newToken } from '../../core/secrets.ts'
import { day, minute } from '../../core/time.ts'
import type { Database } from '../../db/schema.ts'
import type { Caller, PublicCaller } from '../../operation.ts'
import { listWaitingBrowsers, type SignInAddress } from '../../queries/people/known_browsers.ts'
import type { CodeAddress } from '../../queries/people/one_time_codes.ts'
import {
  claimLinkMail,
  countFailures,
  countTry,
  forgiveTry,
  insertSignInLink,
} from '../../queries/people/sign_ins.ts'
import type { Language } from '../../texts/languages.ts'
import { linkMail, signInMail } from '../upkeep/mail_texts.ts'
import { browserOf } from './known_browsers.ts'
import {
  liveMilliseconds,
  mailCode,
  requireResendDue,
  useBrowsersCode,
  useCode,
} from './one_time_codes.ts'

/*
 * Signing in to the dashboard and to administration. Anyone can ask for a code of any address and guess
 * at it, so:
 *
 * 1. Strangers together get 30 codes an hour and 100 wrong tries a day for an address.
 * 2. A browser in which the address has signed in before has codes and tries of its own. Strangers can
 *    neither replace nor end its code, nor use up its limits; whoever steals its cookie has those
 *    limits and no more.
 * 3. Once strangers have made themselves felt, mails have a link of 256 random bits. Links do not end
 *    each other, and one is mailed even when the codes are used up.
 */

/** Wrong codes of a day after which mails have a link, too. */
const failuresBeforeLinks = 20

/** Shorter than a link lives: an address that is under attack always has one that works. */
const linkMailMilliseconds = 5 * minute

/** How far the clocks of two processes may differ. */
const clockSlackMilliseconds = minute

const noLimit = 2_147_483_647

export interface SignInRequest extends SignInAddress {
  language: Language
  /** Where the page behind a link is. */
  origin: string
  /** Whether the address may sign in there at all; if not, its mails are dropped. */
  isMailed: boolean
}

/** Mails a code, a link or both. The answer and its timing are the same for every address. */
export async function requestSignIn(
  caller: PublicCaller,
  request: SignInRequest,
): Promise<{ accepted: true }> {
  const { purpose, email } = request
  const failures = await countFailures(caller.db, request, dayOf(caller.now))
  const options = { isMailed: () => Promise.resolve(request.isMailed) }
  const mailWith = (isLinked: boolean) => async (code: string, trx: Transaction<Database>) => {
    const url = isLinked ? await newLink(trx, caller, request) : undefined
    return signInMail(request.language, purpose, { code, url })
  }
  const mailFor = mailWith(failures >= failuresBeforeLinks)

  const browser = await browserOf(caller, request)
  if (browser !== undefined) {
    const own = { purpose, subject: browser, email }
    await requireResendDue(caller, own)
    if (await caller.tryConsume(rateLimits.codesOfAddress, `${purpose}/${email}/${browser}`))
      return mailCode(caller, own, mailFor, options)
  }

  const shared = sharedAddress(request)
  await requireResendDue(caller, shared)
  await caller.consume(rateLimits.codesOfClient, caller.clientIp)
  await caller.consume(rateLimits.codesOfAddress, `${purpose}/${email}/${caller.clientIp}`)
  const hasCodes =
    failures < failuresAllowed(caller) &&
    (await caller.tryConsume(rateLimits.codesOfAddressInAll, `${purpose}/${email}`))
  return hasCodes ? mailCode(caller, shared, mailFor, options) : mailLinkAlone(caller, request)
}

/** For an address whose codes are used up. */
async function mailLinkAlone(
  caller: PublicCaller,
  request: SignInRequest,
): Promise<{ accepted: true }> {
  const { now } = caller
  await caller.transaction(async (trx) => {
    const mailedAt = await claimLinkMail(trx, request, {
      now,
      day: dayOf(now),
      after: new Date(now.getTime() - linkMailMilliseconds),
      before: new Date(now.getTime() + clockSlackMilliseconds),
    })
    if (mailedAt) refuseLink(mailedAt.getTime() + linkMailMilliseconds - now.getTime())
    const mail = linkMail(request.language, request.purpose, await newLink(trx, caller, request))
    const to = request.isMailed ? request.email : null
    await caller.sendMail(trx, { ...mail, to, isUrgent: true })
  })
  return { accepted: true }
}

function refuseLink(milliseconds: number): never {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000))
  throw new ApiError('rate_limited', ['linkOnItsWay', { count: seconds }], undefined, seconds)
}

async function newLink(
  trx: Transaction<Database>,
  { config, now }: Caller,
  request: SignInRequest,
): Promise<string> {
  const token = newToken('signInLink', config.environment)
  const expiresAt = new Date(now.getTime() + liveMilliseconds)
  await insertSignInLink(trx, request, { tokenHash: hashToken(token), expiresAt })
  return `${request.origin}/sign-in-link/${token}`
}

/** A code that a person has entered. */
export interface EnteredCode extends SignInAddress {
  code: string
  /** The known browser whose tries this one counts against. */
  browser: string | undefined
  /** Whether the address's tries of the day were used up before: then none waits for its row. */
  isUsedUp: boolean
}

/** Counts a try before its transaction, right or wrong; refuses one too many of a client. */
export async function admitTry(
  caller: PublicCaller,
  { purpose, email, code }: SignInAddress & { code: string },
): Promise<EnteredCode> {
  const browser = await browserOf(caller, { purpose, email })
  const isOwn =
    browser !== undefined &&
    (await caller.tryConsume(rateLimits.triesOfAddress, `${purpose}/${email}/${browser}`))
  if (isOwn) return { purpose, email, code, browser, isUsedUp: false }
  await caller.consume(rateLimits.triesOfClient, caller.clientIp)
  await caller.consume(rateLimits.triesOfAddress, `${purpose}/${email}/${caller.clientIp}`)
  const failures = await countFailures(caller.db, { purpose, email }, dayOf(caller.now))
  const isUsedUp = failures >= failuresAllowed(caller)
  return { purpose, email, code, browser: undefined, isUsedUp }
}

/**
 * Consumes the code in the transaction, or counts a failure. The caller must commit before it refuses,
 * or the failure is not counted.
 */
export async function useSignInCode(
  trx: Transaction<Database>,
  caller: Caller,
  entered: EnteredCode,
): Promise<'right' | 'wrong' | 'used up'> {
  const { code, browser, isUsedUp } = entered
  if (isUsedUp) return 'used up'
  const limit = browser === undefined ? failuresAllowed(caller) : noLimit
  if (!(await countTry(trx, entered, dayOf(caller.now), limit))) return 'used up'
  const shared = sharedAddress(entered)
  const isRight =
    browser === undefined
      ? (await useCode(trx, caller, shared, code)) || (await useOthersCode(trx, caller, entered))
      : (await useCode(trx, caller, { ...shared, subject: browser }, code)) ||
        (await useCode(trx, caller, shared, code))
  if (!isRight) return 'wrong'
  await forgiveTry(trx, entered)
  return 'right'
}

/** A code may be asked for in a known browser and entered in another one. */
async function useOthersCode(
  trx: Transaction<Database>,
  caller: Caller,
  entered: EnteredCode,
): Promise<boolean> {
  const browsers = await listWaitingBrowsers(trx, entered, caller.now)
  const addresses = browsers.map((subject) => ({ ...sharedAddress(entered), subject }))
  return useBrowsersCode(trx, caller, addresses, entered.code)
}

/** Why a code was refused. */
export function refusedCode(outcome: 'wrong' | 'used up', now: Date): ApiError {
  if (outcome === 'wrong') return new ApiError('code_invalid', 'codeInvalid')
  const seconds = Math.ceil((day - (now.getTime() % day)) / 1000)
  return new ApiError('rate_limited', 'codesGuessed', undefined, seconds)
}

/** Of all unknown browsers: there is one code at a time for them. */
function sharedAddress({ purpose, email }: SignInAddress): CodeAddress {
  return { purpose, subject: '', email }
}

function failuresAllowed({ config }: Caller): number {
  return scaledLimit(rateLimits.failuresOfAddress, config.rateLimitPerMinute).points
}

function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10)
}
