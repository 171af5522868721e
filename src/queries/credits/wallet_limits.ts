import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'

/** The limits that an owner sets for a wallet, and the columns that are reset with them. */
const limits = {
  /** The balance below which a mail is sent; a new threshold may send a new mail. */
  alert_below: { alerted_at: null },
  /** What visitors of the shop's own pages may spend per day. */
  site_daily_credits: {},
} as const

type WalletLimit = keyof typeof limits

/** Null if there is no limit. */
export async function getWalletLimit(
  db: Kysely<Database>,
  workspaceId: string,
  limit: WalletLimit,
): Promise<number | null> {
  const wallet = await db
    .selectFrom('wallets')
    .select(['alert_below', 'site_daily_credits'])
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return wallet[limit]
}

export async function updateWalletLimit(
  trx: Transaction<Database>,
  workspaceId: string,
  limit: WalletLimit,
  credits: number | null,
): Promise<void> {
  await trx
    .updateTable('wallets')
    .set({ [limit]: credits, ...limits[limit] })
    .where('workspace_id', '=', workspaceId)
    .execute()
}
