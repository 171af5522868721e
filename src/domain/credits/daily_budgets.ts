import type { Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { VisitorCaller } from '../../operation.ts'
import { spendBudget, unspendBudget } from '../../queries/agents/publishable_keys.ts'
import { returnSiteCredits, takeSiteCredits } from '../../queries/credits/quotas.ts'

/*
 * What may be spent on a day where no backend vouches for visitors: by pages with a publishable key, and by the
 * shop's own pages and widget. Calls with an account key have no such limit.
 */

type Caller = Pick<VisitorCaller, 'page' | 'connectionId' | 'site'>

interface Spent {
  day: string
  credits: number
}

/** Counts what a call costs; false if the day's budget does not cover it. */
export async function spendToday(
  trx: Transaction<Database>,
  { page, connectionId, site }: Caller,
  spent: Spent,
): Promise<boolean> {
  if (page) return spendBudget(trx, connectionId, { ...spent, budget: page.dailyCredits })
  if (site.from === undefined) return true
  return takeSiteCredits(trx, { workspaceId: site.workspaceId, ...spent })
}

/** Gives back what a call counted that failed, or cost nothing in the end. */
export async function unspendToday(
  trx: Transaction<Database>,
  { page, connectionId, site }: Caller,
  spent: Spent,
): Promise<void> {
  if (page) return unspendBudget(trx, connectionId, spent)
  if (site.from === undefined) return
  await returnSiteCredits(trx, { workspaceId: site.workspaceId, ...spent })
}
