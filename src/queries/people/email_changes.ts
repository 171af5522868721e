import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'

export interface EmailChange {
  accountId: string
  oldEmail: string
  newEmail: string
  changedAt: string
}

const columns = [
  'account_id as accountId',
  'old_email as oldEmail',
  'new_email as newEmail',
  'changed_at as changedAt',
] as const

export async function insertEmailChange(
  trx: Transaction<Database>,
  change: {
    tokenHash: Buffer
    accountId: string
    oldEmail: string
    newEmail: string
    now: Date
    expiresAt: Date
  },
): Promise<void> {
  await trx
    .insertInto('email_changes')
    .values({
      token_hash: change.tokenHash,
      account_id: change.accountId,
      old_email: change.oldEmail,
      new_email: change.newEmail,
      changed_at: change.now,
      expires_at: change.expiresAt,
    })
    .execute()
}

/** A change that can still be taken back. */
export function findEmailChange(
  db: Kysely<Database>,
  tokenHash: Buffer,
  now: Date,
): Promise<EmailChange | undefined> {
  return db
    .selectFrom('email_changes')
    .select(columns)
    .where('token_hash', '=', tokenHash)
    .where('taken_back_at', 'is', null)
    .where('expires_at', '>', sql<string>`${now}`)
    .executeTakeFirst()
}

/** Marks a change as taken back; undefined if it cannot be. Of concurrent calls one succeeds. */
export function takeEmailChange(
  trx: Transaction<Database>,
  tokenHash: Buffer,
  now: Date,
): Promise<EmailChange | undefined> {
  return trx
    .updateTable('email_changes')
    .set({ taken_back_at: now })
    .where('token_hash', '=', tokenHash)
    .where('taken_back_at', 'is', null)
    .where('expires_at', '>', sql<string>`${now}`)
    .returning(columns)
    .executeTakeFirst()
}

/** Ends the links of this and later changes, which went to addresses that the account lost again. */
export async function deleteChangesSince(
  trx: Transaction<Database>,
  accountId: string,
  since: string,
): Promise<void> {
  await trx
    .deleteFrom('email_changes')
    .where('account_id', '=', accountId)
    .where('changed_at', '>=', since)
    .execute()
}

/**
 * Frees an address that an account without workspaces, keys and agents has: somebody signed in with
 * it meanwhile, and found an empty account. Any other account keeps its address.
 */
export async function releaseEmptyAccount(
  trx: Transaction<Database>,
  email: string,
  now: Date,
): Promise<void> {
  const account = await trx
    .selectFrom('accounts')
    .select('id')
    .where('email', '=', email)
    .forUpdate()
    .executeTakeFirst()
  if (!account) return
  const { rows } = await sql<{ inUse: boolean }>`
    select exists (select from members where account_id = ${account.id})
      or exists (select from api_keys where account_id = ${account.id})
      or exists (select from grants where account_id = ${account.id}) as "inUse"`.execute(trx)
  if (rows[0]!.inUse) return
  await trx.deleteFrom('dashboard_sessions').where('account_id', '=', account.id).execute()
  await trx
    .updateTable('accounts')
    .set({ email: `${account.id}@released.invalid`, updated_at: now })
    .where('id', '=', account.id)
    .execute()
}
