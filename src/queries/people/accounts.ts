import { type Kysely, sql, type Transaction } from 'kysely'
import { notFound } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { defaultLanguage } from '../../texts/languages.ts'

type Account = components['schemas']['Account']
type AccountUpdate = components['schemas']['AccountUpdate']

const columns = [
  'id',
  'email',
  'name',
  'phone',
  'language',
  'workspace_limit as workspaceLimit',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

export async function getAccount(db: Kysely<Database>, id: string): Promise<Account> {
  const account = await db
    .selectFrom('accounts')
    .select(columns)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!account) throw notFound('account')
  return account
}

/** The account of an address, created at its first sign-in. Parallel first sign-ins create one. */
export async function ensureAccount(
  trx: Transaction<Database>,
  email: string,
  name: string,
  language: string = defaultLanguage,
): Promise<{ id: string; status: 'ACTIVE' | 'SUSPENDED' }> {
  await trx
    .insertInto('accounts')
    .values({ id: newId('acc'), email, name, phone: null, language })
    .onConflict((on) => on.constraint('accounts_email_key').doNothing())
    .execute()
  const account = await trx
    .selectFrom('accounts')
    .select(['id', 'status'])
    .where('email', '=', email)
    .forKeyShare()
    .executeTakeFirst()
  // Another account had the address, and lost it while this call waited.
  return account ?? ensureAccount(trx, email, name, language)
}

export async function updateAccount(
  db: Kysely<Database>,
  id: string,
  change: AccountUpdate | { email: string },
  now: Date,
): Promise<Account> {
  await db
    .updateTable('accounts')
    .set({ ...change, updated_at: now })
    .where('id', '=', id)
    .execute()
  return getAccount(db, id)
}

/** Locks the account, so that its workspaces cannot change while they are counted. */
export function lockAccount(
  trx: Transaction<Database>,
  id: string,
): Promise<{ email: string; language: string }> {
  return trx
    .selectFrom('accounts')
    .select(['email', 'language'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/**
 * Whether there are no accounts yet. Locks until the transaction ends, so that only one process
 * seeds.
 */
export async function lockAndCheckEmpty(trx: Transaction<Database>): Promise<boolean> {
  // Raw SQL: the builder locks no tables.
  await sql`lock table accounts in exclusive mode`.execute(trx)
  const any = await trx.selectFrom('accounts').select('id').limit(1).executeTakeFirst()
  return any === undefined
}

/** The language of the account with this address; undefined if there is none. */
export async function findLanguageOf(
  db: Kysely<Database>,
  email: string,
): Promise<string | undefined> {
  const account = await db
    .selectFrom('accounts')
    .select('language')
    .where('email', '=', email)
    .executeTakeFirst()
  return account?.language
}
