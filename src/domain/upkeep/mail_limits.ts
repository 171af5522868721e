import { ApiError } from '../../core/errors.ts'
import { rateLimits, scaledLimit } from '../../core/rate_limits.ts'
import { day } from '../../core/time.ts'
import type { Caller } from '../../operation.ts'
import { countMailedAddress, type Sender } from '../../queries/upkeep/mail_reach.ts'

/** Addresses that a workspace may mail to in a day, by its age in days. */
const reachByAge = [
  { days: 90, addresses: 5000 },
  { days: 30, addresses: 2000 },
  { days: 7, addresses: 1000 },
]
const firstReach = 500
const addressesOfCredit = 2
const lastReach = 100_000

/** More with age and with credits that were bought and not taken back. */
export function reachOf(
  { createdAt, boughtCredits }: Pick<Sender, 'createdAt' | 'boughtCredits'>,
  now: Date,
): number {
  const age = (now.getTime() - Date.parse(createdAt)) / day
  const byAge = reachByAge.find(({ days }) => age >= days)?.addresses ?? firstReach
  return Math.min(lastReach, byAge + addressesOfCredit * Math.max(0, boughtCredits))
}

/** Addresses that an account may mail to in a day while it has paid nothing. */
const reachOfFreeAccount = 50

/**
 * Counts a mail that a workspace causes, against what the address gets from all workspaces and what
 * the workspace may reach. The caller who asks for a code is not told: the answer is the same
 * without a mail. An account that has paid nothing is refused openly. Call it outside a transaction,
 * because it may need a connection of its own.
 */
export async function mayMail(caller: Caller, sender: Sender, address: string): Promise<boolean> {
  const { db, now, log } = caller
  const { workspaceId } = sender
  await requireReach(caller, sender, address)
  const limit = scaled(caller, reachOf(sender, now))
  const mailed = { id: workspaceId, day: dayOf(now), address }
  if (!(await countMailedAddress(db, 'workspace', mailed, limit))) {
    log.warn({ workspaceId }, 'A workspace has mailed to as many addresses as it may today.')
    return false
  }
  return caller.tryConsume(rateLimits.mailsOfAddress, address)
}

/**
 * Counts an address for an account that has paid nothing, over all that it owns, and refuses one too
 * many. An address that was mailed to that day may be mailed to again.
 */
export async function requireReach(
  caller: Caller,
  { accountId, hasPaid }: Pick<Sender, 'accountId' | 'hasPaid'>,
  address: string,
): Promise<void> {
  if (hasPaid) return
  const { db, now } = caller
  const count = scaled(caller, reachOfFreeAccount)
  const mailed = { id: accountId, day: dayOf(now), address }
  if (await countMailedAddress(db, 'account', mailed, count)) return
  const seconds = Math.ceil((day - (now.getTime() % day)) / 1000)
  throw new ApiError('rate_limited', ['freeMailsUsedUp', { count }], undefined, seconds)
}

function scaled({ config }: Caller, points: number): number {
  return scaledLimit({ name: 'reach', points, seconds: 0 }, config.rateLimitPerMinute).points
}

function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10)
}
