import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'

export async function getBalanceAlert(
  db: Kysely<Database>,
  workspaceId: string,
): Promise<number | null> {
  const wallet = await db
    .selectFrom('wallets')
    .select('alert_below as below')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return wallet.below
}

/** A new threshold may send its own mail. */
export async function updateBalanceAlert(
  trx: Transaction<Database>,
  workspaceId: string,
  below: number | null,
): Promise<void> {
  await trx
    .updateTable('wallets')
    .set({ alert_below: below, alerted_at: null })
    .where('workspace_id', '=', workspaceId)
    .execute()
}

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
