import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'

/** Workspaces whose balance has fallen below their threshold and that have had no mail since. */
export async function listLowBalances(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select workspace_id as id from wallets
    where balance_credits < alert_below and alerted_at is null`.execute(db)
  return rows.map(({ id }) => id)
}

/** Balances that have risen again: the next fall sends a mail. */
export async function rearmBalanceAlerts(db: Kysely<Database>): Promise<void> {
  await sql`
    update wallets set alerted_at = null
    where alerted_at is not null and balance_credits >= alert_below`.execute(db)
}

/** The alert to send, marked as sent; undefined if another process has sent it. */
export async function takeBalanceAlert(
  trx: Transaction<Database>,
  workspaceId: string,
  now: Date,
): Promise<{ balance: number; below: number } | undefined> {
  const { rows } = await sql<{ balance: number; below: number }>`
    update wallets set alerted_at = ${now}
    where workspace_id = ${workspaceId} and balance_credits < alert_below and alerted_at is null
    returning balance_credits as balance, alert_below as below`.execute(trx)
  return rows[0]
}
