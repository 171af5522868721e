import { type Kysely, sql, type Transaction } from 'kysely'
import { notFound } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import type { PageRequest } from '../../core/paging.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'

type PublishableKey = components['schemas']['PublishableKey']

const columns = [
  'id',
  'name',
  'key',
  'origins',
  'daily_credits as dailyCredits',
  'created_at as createdAt',
  'last_used_at as lastUsedAt',
  'revoked_at as revokedAt',
] as const

/** A page of the workspace's keys, newest first, revoked ones included, and the total. */
export async function listPublishableKeys(
  db: Kysely<Database>,
  workspaceId: string,
  { page, pageSize }: PageRequest,
): Promise<{ publishableKeys: PublishableKey[]; total: number }> {
  const listed = db.selectFrom('publishable_keys').where('workspace_id', '=', workspaceId)
  const { total } = await listed
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const publishableKeys = await listed
    .select(columns)
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  return { publishableKeys, total }
}

/** How many keys are live. The caller holds the workspace's lock, so that none is added. */
export async function countPublishableKeys(
  trx: Transaction<Database>,
  workspaceId: string,
): Promise<number> {
  const { live } = await trx
    .selectFrom('publishable_keys')
    .select(({ fn }) => fn.countAll<number>().as('live'))
    .where('workspace_id', '=', workspaceId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return live
}

export async function insertPublishableKey(
  trx: Transaction<Database>,
  workspaceId: string,
  {
    dailyCredits,
    now,
    ...values
  }: Pick<PublishableKey, 'name' | 'key' | 'origins' | 'dailyCredits'> & { now: Date },
): Promise<PublishableKey> {
  const id = newId('pk')
  return trx
    .insertInto('publishable_keys')
    .values({
      id,
      workspace_id: workspaceId,
      ...values,
      daily_credits: dailyCredits,
      created_at: now,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** Idempotent: a second revocation keeps the time of the first. */
export async function revokePublishableKey(
  db: Kysely<Database>,
  workspaceId: string,
  id: string,
  now: Date,
): Promise<void> {
  const result = await db
    .updateTable('publishable_keys')
    .set({ revoked_at: sql<Date>`coalesce(revoked_at, ${now})` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (result.numUpdatedRows === 0n) throw notFound('key')
}

export async function touchPublishableKey(
  db: Kysely<Database>,
  id: string,
  now: Date,
): Promise<void> {
  await db.updateTable('publishable_keys').set({ last_used_at: now }).where('id', '=', id).execute()
}

/** Counts credits against a key's budget of the day; false if they exceed it. The update decides races. */
export async function spendBudget(
  trx: Transaction<Database>,
  keyId: string,
  { day, credits, budget }: { day: string; credits: number; budget: number },
): Promise<boolean> {
  if (credits > budget) return false
  const row = await trx
    .insertInto('publishable_key_days')
    .values({ key_id: keyId, day, credits })
    .onConflict((on) =>
      on
        .constraint('publishable_key_days_key')
        .doUpdateSet({ credits: sql<number>`publishable_key_days.credits + excluded.credits` })
        .where(sql<boolean>`publishable_key_days.credits + excluded.credits <= ${budget}`),
    )
    .returning('credits')
    .executeTakeFirst()
  return row !== undefined
}

/** Gives back the credits that a failed call had counted. */
export async function unspendBudget(
  trx: Transaction<Database>,
  keyId: string,
  { day, credits }: { day: string; credits: number },
): Promise<void> {
  await trx
    .updateTable('publishable_key_days')
    .set({ credits: sql<number>`greatest(0, credits - ${credits})` })
    .where('key_id', '=', keyId)
    .where('day', '=', day)
    .execute()
}
