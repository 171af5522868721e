import type { Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { VisitorCaller } from '../../operation.ts'
import { spendBudget, unspendBudget } from '../../queries/agents/publishable_keys.ts'
import { returnSiteCredits, takeSiteCredits } from '../../queries/credits/quotas.ts'

/*
 * A workspace's daily budget for calls in which no backend vouches for visitors: those of pages with a
 * publishable key, and of the shop's own pages and widget. Calls with an account key have no such limit.
 */

type Caller = Pick<VisitorCaller, 'page' | 'connectionId' | 'site'>

interface Spent {
  day: string
  credits: number
}

/** Counts the cost of a call; false if the day's budget does not cover it. */
export async function spendToday(
  trx: Transaction<Database>,
  { page, connectionId, site }: Caller,
  spent: Spent,
): Promise<boolean> {
  if (page) return spendBudget(trx, connectionId, { ...spent, budget: page.dailyCredits })
  if (site.from === undefined) return true
  return takeSiteCredits(trx, { workspaceId: site.workspaceId, ...spent })
}

/** Gives back what was counted for a call that failed or was free in the end. */
export async function unspendToday(
  trx: Transaction<Database>,
  { page, connectionId, site }: Caller,
  spent: Spent,
): Promise<void> {
  if (page) return unspendBudget(trx, connectionId, spent)
  if (site.from === undefined) return
  await returnSiteCredits(trx, { workspaceId: site.workspaceId, ...spent })
}
