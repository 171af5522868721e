import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'

/** Workspaces whose balance is below their threshold and that were not mailed about it yet. */
export async function listLowBalances(db: Kysely<Database>): Promise<string[]> {
  const rows = await db
    .selectFrom('wallets')
    .select('workspace_id as id')
    .whereRef('balance_credits', '<', 'alert_below')
    .where('alerted_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

/** Resets balances that have risen again, so that the next fall sends a mail. */
export async function rearmBalanceAlerts(db: Kysely<Database>): Promise<void> {
  await db
    .updateTable('wallets')
    .set({ alerted_at: null })
    .where('alerted_at', 'is not', null)
    .whereRef('balance_credits', '>=', 'alert_below')
    .execute()
}

/** The alert to send, marked as sent; undefined if another process has sent it. */
export function takeBalanceAlert(
  trx: Transaction<Database>,
  workspaceId: string,
  now: Date,
): Promise<{ balance: number; below: number } | undefined> {
  return trx
    .updateTable('wallets')
    .set({ alerted_at: now })
    .where('workspace_id', '=', workspaceId)
    .whereRef('balance_credits', '<', 'alert_below')
    .where('alerted_at', 'is', null)
    .returning((eb) => ['balance_credits as balance', eb.ref('alert_below').$notNull().as('below')])
    .executeTakeFirst()
}
