import { type Kysely, sql, type Transaction } from 'kysely'
import { ApiError } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { preparedAccess } from '../../db/shards/access.ts'
import type { Database } from '../../db/schema.ts'
import { standingColumns } from './access_columns.ts'

export async function insertSession(
  trx: Transaction<Database>,
  session: {
    accountId: string
    tokenHash: Buffer
    expiresAt: Date
    device: { browser: string | null; system: string | null }
  },
): Promise<string> {
  const id = newId('ses')
  await trx
    .insertInto('dashboard_sessions')
    .values({
      id,
      account_id: session.accountId,
      token_hash: session.tokenHash,
      expires_at: session.expiresAt,
      ...session.device,
    })
    .execute()
  return id
}

/** The holder of a session and, for a workspace, their role, in one statement. */
export const findSessionAccess = preparedAccess<{ tokenHash: Buffer; workspaceId: string }>()(
  'find_session_access',
  (db, parameter) =>
    db
      .selectFrom('dashboard_sessions')
      .innerJoin('accounts', 'accounts.id', 'dashboard_sessions.account_id')
      .leftJoin('members', (join) =>
        join
          .onRef('members.account_id', '=', 'accounts.id')
          .on('members.workspace_id', '=', parameter('workspaceId')),
      )
      .leftJoin('workspaces', 'workspaces.id', 'members.workspace_id')
      .select([
        'dashboard_sessions.id as connectionId',
        'dashboard_sessions.expires_at as expiresAt',
        ...standingColumns,
      ])
      .where('dashboard_sessions.token_hash', '=', parameter('tokenHash')),
)

export async function extendSession(db: Kysely<Database>, id: string, until: Date): Promise<void> {
  await db
    .updateTable('dashboard_sessions')
    .set({ expires_at: until })
    .where('id', '=', id)
    .execute()
}

export async function deleteSession(db: Kysely<Database>, id: string): Promise<void> {
  await db.deleteFrom('dashboard_sessions').where('id', '=', id).execute()
}

/** Signs an account out everywhere. */
export async function deleteSessionsOf(
  trx: Transaction<Database>,
  accountId: string,
): Promise<void> {
  await trx.deleteFrom('dashboard_sessions').where('account_id', '=', accountId).execute()
}

export async function getSessionExpiry(db: Kysely<Database>, id: string): Promise<string> {
  const session = await db
    .selectFrom('dashboard_sessions')
    .select('expires_at')
    .where('id', '=', id)
    .executeTakeFirst()
  // Signed out between admission and this query.
  if (!session) throw new ApiError('unauthenticated', 'sessionEnded')
  return session.expires_at
}

/** The account's live sessions, newest first. */
export function listSessions(db: Kysely<Database>, accountId: string, now: Date) {
  return db
    .selectFrom('dashboard_sessions')
    .select(['id', 'created_at as createdAt', 'expires_at as expiresAt', 'browser', 'system'])
    .where('account_id', '=', accountId)
    .where('expires_at', '>', sql<string>`${now}`)
    .orderBy('id', 'desc')
    .execute()
}

/** Ends every session of the account but one; returns how many there were, expired ones included. */
export async function deleteOtherSessions(
  db: Kysely<Database>,
  accountId: string,
  id: string,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('dashboard_sessions')
    .where('account_id', '=', accountId)
    .where('id', '!=', id)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/**
 * Keeps a session until the transaction ends, or refuses if it has ended: a call may have waited long
 * since it was admitted.
 */
export async function lockSession(trx: Transaction<Database>, id: string): Promise<void> {
  const session = await trx
    .selectFrom('dashboard_sessions')
    .select('id')
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst()
  if (!session) throw new ApiError('unauthenticated', 'sessionEnded')
}
