import type { Transaction } from 'kysely'
import { type Environment, hashToken, isToken, newToken } from '../../core/secrets.ts'
import { day } from '../../core/time.ts'
import type { Database } from '../../db/schema.ts'
import type { PublicCaller } from '../../operation.ts'
import {
  deleteOldBrowsers,
  findKnownBrowser,
  insertKnownBrowser,
  moveKnownBrowser,
  type SignInAddress,
} from '../../queries/people/known_browsers.ts'

const knownMilliseconds = 365 * day

/** Of one address: each has tries of its own, so their number must not grow without end. */
const browsersOfAddress = 10

export interface BrowserToken {
  token: string
  expiresAt: Date
}

/** The id of the caller's browser, if this address has signed in there. */
export async function browserOf(
  { db, now, config, browserToken }: PublicCaller,
  address: SignInAddress,
): Promise<string | undefined> {
  if (!isBrowserToken(browserToken, config.environment)) return undefined
  return findKnownBrowser(db, address, hashToken(browserToken), now)
}

/**
 * Remembers that an address has signed in with a browser. The browser gets a new token each time: one
 * that somebody else has planted there would otherwise be known from now on.
 */
export async function rememberBrowser(
  trx: Transaction<Database>,
  { environment, now }: { environment: Environment; now: Date },
  address: SignInAddress,
  oldToken: string | undefined,
): Promise<BrowserToken> {
  const token = newToken('knownBrowser', environment)
  const tokenHash = hashToken(token)
  const expiresAt = new Date(now.getTime() + knownMilliseconds)
  if (isBrowserToken(oldToken, environment))
    await moveKnownBrowser(trx, hashToken(oldToken), tokenHash)
  await insertKnownBrowser(trx, address, { tokenHash, now, expiresAt })
  await deleteOldBrowsers(trx, address, browsersOfAddress)
  return { token, expiresAt }
}

function isBrowserToken(token: string | undefined, environment: Environment): token is string {
  return token !== undefined && isToken(token, 'knownBrowser', environment)
}
