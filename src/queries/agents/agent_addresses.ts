import { type Kysely, sql } from 'kysely'
import { day } from '../../core/time.ts'
import type { Database } from '../../db/schema.ts'

const rememberedDays = 30
/** Fewer accounts may be a single household or office. */
const hostedAccounts = 3
/** Accounts are quickly made: with this age, an attack must be planned a day ahead. */
const accountAge = day

/** Records that an account's agent got its tokens at this address. */
export async function putAgentAddress(
  db: Kysely<Database>,
  { address, accountId, now }: { address: string; accountId: string; now: Date },
): Promise<void> {
  const expiresAt = new Date(now.getTime() + rememberedDays * day)
  await db
    .insertInto('agent_addresses')
    .values({ address, account_id: accountId, expires_at: expiresAt })
    .onConflict((on) =>
      on.columns(['address', 'account_id']).doUpdateSet({ expires_at: expiresAt }),
    )
    .execute()
}

/** Whether agents of several accounts, none of them new, connect from this address. */
export async function isHostedAddress(
  db: Kysely<Database>,
  address: string,
  now: Date,
): Promise<boolean> {
  const accounts = await db
    .selectFrom('agent_addresses as known')
    .innerJoin('accounts as account', 'account.id', 'known.account_id')
    .select('account.id')
    .where('known.address', '=', address)
    .where('known.expires_at', '>', sql<string>`${now}`)
    .where('account.created_at', '<=', sql<string>`${new Date(now.getTime() - accountAge)}`)
    .limit(hostedAccounts)
    .execute()
  return accounts.length === hostedAccounts
}
