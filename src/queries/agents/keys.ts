import { type Kysely, sql, type Transaction } from 'kysely'
import { ApiError, notFound } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import type { PageRequest } from '../../core/paging.ts'
import { integrationNameOf } from '../../core/text.ts'
import { preparedAccess } from '../../db/shards/access.ts'
import type { Database } from '../../db/schema.ts'
import type { Scope } from '../../generated/operations.ts'
import type { components } from '../../generated/types.ts'
import { keyColumns, standingColumns } from '../people/access_columns.ts'

type Key = components['schemas']['Key']

const columns = [
  'id',
  'name',
  'scopes',
  'prefix',
  'created_at as createdAt',
  'expires_at as expiresAt',
  'last_used_at as lastUsedAt',
  'revoked_at as revokedAt',
] as const

/**
 * Everything that admits a key, in one statement at the time of the call: key, account, source and,
 * for a workspace, the account's membership and the workspace's status.
 */
export const findKeyAccess = preparedAccess<{ keyHash: Buffer; workspaceId: string }>()(
  'find_key_access',
  (db, parameter) =>
    db
      .selectFrom('api_keys')
      .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
      .innerJoin('integration_sources', 'integration_sources.id', 'api_keys.source_id')
      .leftJoin('members', (join) =>
        join
          .onRef('members.account_id', '=', 'accounts.id')
          .on('members.workspace_id', '=', parameter('workspaceId')),
      )
      .leftJoin('workspaces', 'workspaces.id', 'members.workspace_id')
      .select([...keyColumns, ...standingColumns])
      .where('api_keys.key_hash', '=', parameter('keyHash')),
)

export async function touchKey(db: Kysely<Database>, id: string, now: Date): Promise<void> {
  await db.updateTable('api_keys').set({ last_used_at: now }).where('id', '=', id).execute()
}

/**
 * A page of the account's keys, newest first, including expired and revoked ones, and the total. Each trial
 * of the chat makes a key: of those, only the live one is listed.
 */
export async function listKeys(
  db: Kysely<Database>,
  accountId: string,
  { page, pageSize }: PageRequest,
  now: Date,
): Promise<{ keys: Key[]; total: number }> {
  const listed = db
    .selectFrom('api_keys')
    .where('account_id', '=', accountId)
    .where((where) =>
      where.or([
        where('is_trial', '=', false),
        where.and([where('revoked_at', 'is', null), where('expires_at', '>', sql<string>`${now}`)]),
      ]),
    )
  const { total } = await listed
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const keys = await listed
    .select(columns)
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  return { keys, total }
}

/** How many keys are live. The caller holds the account's lock, so that none is added. */
export async function countLiveKeys(
  trx: Transaction<Database>,
  accountId: string,
  now: Date,
): Promise<number> {
  const { live } = await trx
    .selectFrom('api_keys')
    .select(({ fn }) => fn.countAll<number>().as('live'))
    .where('account_id', '=', accountId)
    .where('is_trial', '=', false)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<string>`${now}`)
    .executeTakeFirstOrThrow()
  return live
}

export async function insertKey(
  trx: Transaction<Database>,
  accountId: string,
  key: {
    name: string
    scopes: Scope[]
    prefix: string
    keyHash: Buffer
    /** The workspace that the owner tries with this key; undefined for any other key. */
    trialOf?: string
    now: Date
    expiresAt: Date
  },
): Promise<Key> {
  const sourceId = await ensureKeySource(trx, accountId, key.name)
  return trx
    .insertInto('api_keys')
    .values({
      id: newId('key'),
      account_id: accountId,
      source_id: sourceId,
      name: key.name,
      prefix: key.prefix,
      key_hash: key.keyHash,
      scopes: key.scopes,
      is_trial: key.trialOf !== undefined,
      only_workspace_id: key.trialOf ?? null,
      created_at: key.now,
      expires_at: key.expiresAt,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** Idempotent: a second revocation keeps the time of the first. */
export async function revokeKey(
  db: Kysely<Database>,
  accountId: string,
  id: string,
  now: Date,
): Promise<void> {
  const result = await db
    .updateTable('api_keys')
    .set({ revoked_at: sql<Date>`coalesce(revoked_at, ${now})` })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (result.numUpdatedRows === 0n) throw notFound('key')
}

/** Ends the account's trial, if there is one. */
export async function revokeTrials(
  trx: Transaction<Database>,
  accountId: string,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('account_id', '=', accountId)
    .where('is_trial', '=', true)
    .where('revoked_at', 'is', null)
    .execute()
}

/** Revokes the account's keys that were created at this time or later. */
export async function revokeKeysSince(
  trx: Transaction<Database>,
  accountId: string,
  since: Date,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('account_id', '=', accountId)
    .where('created_at', '>=', sql<string>`${since}`)
    .where('revoked_at', 'is', null)
    .execute()
}

/**
 * A key's source is its account and normalised name, so that a blocked integration stays blocked
 * when its key is recreated. The lock delays a block until the key exists.
 */
async function ensureKeySource(
  trx: Transaction<Database>,
  accountId: string,
  name: string,
): Promise<string> {
  const identity = `${accountId}/${integrationNameOf(name)}`
  const source = await trx
    .insertInto('integration_sources')
    .values({ id: newId('src'), kind: 'KEY', identity, name })
    // The update also locks an existing source, which the sweep may be about to delete.
    .onConflict((on) =>
      on
        .constraint('integration_sources_identity_key')
        .doUpdateSet({ name: (column) => column.ref('integration_sources.name') }),
    )
    .returning(['id', 'status'])
    .executeTakeFirstOrThrow()
  if (source.status === 'BLOCKED') throw new ApiError('source_blocked', 'sourceBlocked')
  return source.id
}
