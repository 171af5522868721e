import { rateLimits, scaledLimit } from '../../core/rate_limits.ts'
import { day } from '../../core/time.ts'
import type { Caller } from '../../operation.ts'
import { countMailedAddress, getStanding, type Standing } from '../../queries/upkeep/mail_reach.ts'

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
export function reachOf({ createdAt, boughtCredits }: Standing, now: Date): number {
  const age = (now.getTime() - Date.parse(createdAt)) / day
  const byAge = reachByAge.find(({ days }) => age >= days)?.addresses ?? firstReach
  return Math.min(lastReach, byAge + addressesOfCredit * Math.max(0, boughtCredits))
}

/**
 * Counts a mail that a workspace causes, against what the address gets from all workspaces and what
 * the workspace may reach. The caller who asks for a code is not told: the answer is the same
 * without a mail. Call it outside a transaction, because it may need a connection of its own.
 */
export async function mayMail(
  caller: Caller,
  workspaceId: string,
  address: string,
): Promise<boolean> {
  const { db, now, config, log } = caller
  const points = reachOf(await getStanding(db, workspaceId), now)
  const limit = scaledLimit({ name: 'reach', points, seconds: 0 }, config.rateLimitPerMinute)
  const today = now.toISOString().slice(0, 10)
  if (!(await countMailedAddress(db, { workspaceId, day: today, address }, limit.points))) {
    log.warn({ workspaceId }, 'A workspace has mailed to as many addresses as it may today.')
    return false
  }
  return caller.tryConsume(rateLimits.mailsOfAddress, address)
}
