import { type Kysely, sql, type Transaction } from 'kysely'
import { day } from '../../core/time.ts'
import type { Database } from '../../db/schema.ts'

const rememberedDays = 30
/** Fewer may be one household or office. */
const hostedAccounts = 3

/** Remembers that an account's agent got its tokens at this address. */
export async function putAgentAddress(
  trx: Transaction<Database>,
  { address, accountId, now }: { address: string; accountId: string; now: Date },
): Promise<void> {
  const expiresAt = new Date(now.getTime() + rememberedDays * day)
  await trx
    .insertInto('agent_addresses')
    .values({ address, account_id: accountId, expires_at: expiresAt })
    .onConflict((on) =>
      on.columns(['address', 'account_id']).doUpdateSet({ expires_at: expiresAt }),
    )
    .execute()
}

/** Whether agents of several accounts connect from this address. */
export async function isHostedAddress(
  db: Kysely<Database>,
  address: string,
  now: Date,
): Promise<boolean> {
  const accounts = await db
    .selectFrom('agent_addresses')
    .select('account_id')
    .where('address', '=', address)
    .where('expires_at', '>', sql<string>`${now}`)
    .limit(hostedAccounts)
    .execute()
  return accounts.length === hostedAccounts
}
