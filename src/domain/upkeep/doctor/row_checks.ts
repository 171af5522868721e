import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { brokenWallets } from '../../../queries/credits/wallet_audit.ts'
import { listMonths } from '../../../queries/upkeep/recount_events.ts'
import { recount } from '../../../queries/upkeep/recount.ts'
import { type Check, fault, type DoctorFinding, plural, summary } from './finding.ts'

/** What rows say about each other. */
export function rowChecks(db: Kysely<Database>, clock: () => Date): Check[] {
  return [
    { name: 'wallets', isThorough: true, run: () => checkWallets(db) },
    { name: 'counters and slugs', isThorough: true, run: () => checkCounters(db) },
    { name: 'months of events', run: () => checkMonths(db, clock()) },
  ]
}

async function checkWallets(db: Kysely<Database>): Promise<DoctorFinding[]> {
  const broken = await brokenWallets(db)
  return summary(
    broken.map(({ workspaceId, problem }) => `${workspaceId}: ${problem}`),
    (count) => `${plural(count, 'wallet is', 'wallets are')} not consistent.`,
    'No command changes a ledger: compare its entries with the payments, then correct the balance ' +
      'in administration with a reason.',
  )
}

async function checkCounters(db: Kysely<Database>): Promise<DoctorFinding[]> {
  const lines: string[] = []
  await recount(db, (line) => lines.push(line), { isTrial: true })
  return summary(
    lines,
    (count) => `${plural(count, 'count or entry is', 'counts or entries are')} wrong.`,
    'npm run recount mends them while the service runs.',
  )
}

/** Events of a month need its table, which the sweep makes ahead. */
async function checkMonths(db: Kysely<Database>, now: Date): Promise<DoctorFinding[]> {
  const months = (await listMonths(db)).map(({ first }) => first)
  const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
  const missing = next.toISOString().slice(0, 10)
  if (months.includes(missing)) return []
  return [
    fault(
      `There is no table for the events from ${missing} on.`,
      'Start the service and look for "The sweep failed." in its log.',
    ),
  ]
}
