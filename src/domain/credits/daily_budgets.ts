import type { Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { VisitorCaller } from '../../operation.ts'
import { spendBudget, unspendBudget } from '../../queries/agents/publishable_keys.ts'
import {
  getSiteBudget,
  returnToDay,
  sharedBudgets,
  takeFromDay,
} from '../../queries/credits/quotas.ts'
import type { BudgetShare } from '../../queries/credits/reservations.ts'

/*
 * What is counted by the day beside the wallet: free trials, and a budget for calls in which no backend
 * vouches for visitors, which are those of pages with a publishable key, and of the shop's own pages and
 * widget. Calls with an account key have no such limit.
 *
 * A reservation names its budget, and gives back what it has counted there when it ends without a charge.
 * The wallet is locked first.
 */

/** Free trials of a workspace on a UTC day. */
const freeTrialsPerDay = 50

type Caller = Pick<VisitorCaller, 'page' | 'connectionId' | 'site'>

/** The budget for calls that cost credits: a shared one or the id of a publishable key; null for none. */
export function budgetOf({ page, connectionId, site }: Caller): string | null {
  if (page) return connectionId
  return site.from === undefined ? null : sharedBudgets.pages
}

/** Counts credits against a budget; false if that does not cover them. */
export async function spendToday(
  trx: Transaction<Database>,
  { page, site: { workspaceId } }: Caller,
  { budget, day, credits }: { budget: string; day: string; credits: number },
): Promise<boolean> {
  if (page) return spendBudget(trx, budget, { day, credits, budget: page.dailyCredits })
  const limit = await getSiteBudget(trx, workspaceId)
  return takeFromDay(trx, { workspaceId, budget: sharedBudgets.pages, day, units: credits }, limit)
}

/** Takes a free trial of the day; false if there is none left. */
export function takeFreeTrial(
  trx: Transaction<Database>,
  { workspaceId, day }: { workspaceId: string; day: string },
): Promise<boolean> {
  const trial = { workspaceId, budget: sharedBudgets.trials, day, units: 1 }
  return takeFromDay(trx, trial, freeTrialsPerDay)
}

/** Gives back what a reservation had counted that was not charged. */
export async function giveBack(
  trx: Transaction<Database>,
  workspaceId: string,
  { credits, budget, day }: BudgetShare,
): Promise<void> {
  if (budget === null || day === null) return
  if (budget === sharedBudgets.trials)
    return returnToDay(trx, { workspaceId, budget, day, units: 1 })
  if (budget === sharedBudgets.pages)
    return returnToDay(trx, { workspaceId, budget, day, units: credits })
  await unspendBudget(trx, budget, { day, credits })
}
