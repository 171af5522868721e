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

/** Marks a change as taken back; false if it cannot be. Of concurrent calls one succeeds. */
export async function takeEmailChange(
  trx: Transaction<Database>,
  tokenHash: Buffer,
  now: Date,
): Promise<boolean> {
  const result = await trx
    .updateTable('email_changes')
    .set({ taken_back_at: now })
    .where('token_hash', '=', tokenHash)
    .where('taken_back_at', 'is', null)
    .where('expires_at', '>', sql<string>`${now}`)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/**
 * Ends the links of this and later changes: they were mailed to addresses that the account no longer has.
 */
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
 * Frees an address whose account has no workspaces, keys or agents: a person signed in with it meanwhile,
 * and got an empty account. Any other account keeps its address.
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
  const ofAccount = (table: 'members' | 'api_keys' | 'grants') =>
    trx.selectFrom(table).select('id').where('account_id', '=', account.id)
  const [use] = await ofAccount('members')
    .unionAll(ofAccount('api_keys'))
    .unionAll(ofAccount('grants'))
    .limit(1)
    .execute()
  if (use) return
  await trx.deleteFrom('dashboard_sessions').where('account_id', '=', account.id).execute()
  await trx
    .updateTable('accounts')
    .set({ email: `${account.id}@released.invalid`, updated_at: now })
    .where('id', '=', account.id)
    .execute()
}

/** The time of the earliest change of an account's address that can still be taken back. */
export async function findLiveChange(
  db: Kysely<Database>,
  accountId: string,
  now: Date,
): Promise<Date | undefined> {
  const change = await db
    .selectFrom('email_changes')
    .select('changed_at as changedAt')
    .where('account_id', '=', accountId)
    .where('taken_back_at', 'is', null)
    .where('expires_at', '>', sql<string>`${now}`)
    .orderBy('changed_at')
    .limit(1)
    .executeTakeFirst()
  return change && new Date(change.changedAt)
}

/** Whether the address of an active owner has changed, and the change can still be taken back. */
export async function hasChangedOwner(
  db: Kysely<Database>,
  workspaceId: string,
  now: Date,
): Promise<boolean> {
  const owner = await db
    .selectFrom('members')
    .innerJoin('email_changes', 'email_changes.account_id', 'members.account_id')
    .select('members.id')
    .where('members.workspace_id', '=', workspaceId)
    .where('members.role', '=', 'owner')
    .where('members.status', '=', 'ACTIVE')
    .where('email_changes.taken_back_at', 'is', null)
    .where('email_changes.expires_at', '>', sql<string>`${now}`)
    .limit(1)
    .executeTakeFirst()
  return owner !== undefined
}

/** The address of an account, and former ones that can still take a change back. */
export async function listAddressesOf(
  db: Kysely<Database>,
  accountId: string,
  now: Date,
): Promise<{ email: string; language: string }[]> {
  return db
    .selectFrom('accounts')
    .select(['email', 'language'])
    .where('id', '=', accountId)
    .union(
      db
        .selectFrom('email_changes as c')
        .innerJoin('accounts as a', 'a.id', 'c.account_id')
        .select(['c.old_email as email', 'a.language'])
        .where('a.id', '=', accountId)
        .where('c.taken_back_at', 'is', null)
        .where('c.expires_at', '>', sql<string>`${now}`),
    )
    .orderBy('email')
    .execute()
}

/**
 * Withdraws invitations that could let intruders into the account's workspaces: all since the given time,
 * and every one for an owner.
 */
export async function deleteOwnersInvitations(
  trx: Transaction<Database>,
  accountId: string,
  since: Date,
): Promise<void> {
  await trx
    .deleteFrom('members as i')
    .using('members as own')
    .where('own.account_id', '=', accountId)
    .where('own.role', '=', 'owner')
    .where('own.status', '=', 'ACTIVE')
    .whereRef('i.workspace_id', '=', 'own.workspace_id')
    .where('i.account_id', 'is', null)
    .where((eb) =>
      eb.or([eb('i.role', '=', 'owner'), eb('i.created_at', '>=', sql<string>`${since}`)]),
    )
    .execute()
}
