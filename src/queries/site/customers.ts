import { type Kysely, sql, type Transaction } from 'kysely'
import { ApiError } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'

type CustomerProfile = components['schemas']['CustomerProfile']

const columns = ['id', 'name', 'email', 'phone', 'language'] as const

/** The customer of an address in a workspace; the first sign-in creates one from the given profile. */
export async function ensureCustomer(
  trx: Transaction<Database>,
  workspaceId: string,
  profile: Omit<CustomerProfile, 'id'>,
  now: Date,
): Promise<CustomerProfile> {
  // Keep existing values: the request for a code did not prove ownership of the address.
  await trx
    .insertInto('customers')
    .values({
      id: newId('cus'),
      workspace_id: workspaceId,
      email: profile.email,
      name: profile.name,
      phone: profile.phone,
      language: profile.language,
      created_at: now,
      updated_at: now,
    })
    .onConflict((on) => on.constraint('customers_workspace_email_key').doNothing())
    .execute()
  const customer = await trx
    .selectFrom('customers')
    .select(columns)
    .where('workspace_id', '=', workspaceId)
    .where('email', '=', profile.email)
    .forKeyShare()
    .executeTakeFirst()
  // The customer was deleted in between.
  return customer ?? ensureCustomer(trx, workspaceId, profile, now)
}

/** Locks the customer against deletion until the transaction ends; refuses a customer who is gone. */
export async function holdCustomer(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
): Promise<void> {
  if (!(await holdLivingCustomer(trx, workspaceId, id))) throw customerGone()
}

/** The same for work that goes on without them; false if the customer is gone. */
export async function holdLivingCustomer(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
): Promise<boolean> {
  const customer = await trx
    .selectFrom('customers')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst()
  return customer !== undefined
}

/** Deletes a locked customer with all sessions. */
export async function deleteCustomer(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
): Promise<void> {
  await trx
    .deleteFrom('customer_sessions')
    .where('workspace_id', '=', workspaceId)
    .where('customer_id', '=', id)
    .execute()
  await trx
    .deleteFrom('customers')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

export async function findCustomerLanguage(
  db: Kysely<Database>,
  workspaceId: string,
  email: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('customers')
    .select('language')
    .where('workspace_id', '=', workspaceId)
    .where('email', '=', email)
    .executeTakeFirst()
  return row?.language
}

export function getCustomer(
  db: Kysely<Database>,
  workspaceId: string,
  id: string,
): Promise<CustomerProfile> {
  return db
    .selectFrom('customers')
    .select(columns)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(customerGone)
}

export function lockCustomer(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
): Promise<CustomerProfile> {
  return trx
    .selectFrom('customers')
    .select(columns)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(customerGone)
}

/** The customer was deleted between admission and this query. */
function customerGone(): ApiError {
  return new ApiError('unauthenticated', 'customerGone')
}

export function updateCustomer(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
  { name, phone, language }: Pick<CustomerProfile, 'name' | 'phone' | 'language'>,
  now: Date,
): Promise<CustomerProfile> {
  return trx
    .updateTable('customers')
    .set({ name, phone, language, updated_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function insertCustomerSession(
  trx: Transaction<Database>,
  workspaceId: string,
  session: { customerId: string; tokenHash: Buffer; now: Date; expiresAt: Date },
): Promise<string> {
  const row = await trx
    .insertInto('customer_sessions')
    .values({
      id: newId('ses'),
      workspace_id: workspaceId,
      customer_id: session.customerId,
      token_hash: session.tokenHash,
      created_at: session.now,
      expires_at: session.expiresAt,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return row.expires_at
}

/** The customer of a session, and the session's expiry. */
export async function getCustomerSession(
  db: Kysely<Database>,
  workspaceId: string,
  id: string,
): Promise<components['schemas']['CustomerSession']> {
  const { customerId, sessionExpiresAt } = await db
    .selectFrom('customer_sessions')
    .select(['customer_id as customerId', 'expires_at as sessionExpiresAt'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(customerGone)
  return { customer: await getCustomer(db, workspaceId, customerId), sessionExpiresAt }
}

/** Extends a live session; false if it has ended. */
export async function extendCustomerSession(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
  { now, until }: { now: Date; until: Date },
): Promise<boolean> {
  const session = liveSession(trx, workspaceId, id, now)
  const result = await session.set({ expires_at: until }).executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Extends a live session that ends by `dueAt`; of several concurrent calls, only one writes. */
export async function extendDueSession(
  db: Kysely<Database>,
  workspaceId: string,
  id: string,
  { now, until, dueAt }: { now: Date; until: Date; dueAt: Date },
): Promise<void> {
  await liveSession(db, workspaceId, id, now)
    .set({ expires_at: until })
    .where('expires_at', '<=', sql<string>`${dueAt}`)
    .execute()
}

function liveSession(db: Kysely<Database>, workspaceId: string, id: string, now: Date) {
  return db
    .updateTable('customer_sessions')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<string>`${now}`)
}

/** Idempotent: a second revocation keeps the time of the first. */
export async function revokeCustomerSession(
  db: Kysely<Database>,
  workspaceId: string,
  id: string,
  now: Date,
): Promise<void> {
  await db
    .updateTable('customer_sessions')
    .set({ revoked_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .execute()
}
