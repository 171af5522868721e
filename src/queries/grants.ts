import type { Kysely } from 'kysely'
import { prepared } from '../db/prepared.ts'
import type { Database } from '../db/schema.ts'

/**
 * Everything that admits an access token, in one statement at the time of the call: the token, its
 * grant, the account, the source and, for a workspace, membership and the workspace's own state.
 */
export const findTokenAccess = prepared<{ tokenHash: Buffer; workspaceId: string }>()(
  'find_token_access',
  (db, parameter) =>
    db
      .selectFrom('access_tokens')
      .innerJoin('grants', 'grants.id', 'access_tokens.grant_id')
      .innerJoin('accounts', 'accounts.id', 'grants.account_id')
      .innerJoin('integration_sources', 'integration_sources.id', 'grants.source_id')
      .leftJoin('members', (join) =>
        join
          .onRef('members.account_id', '=', 'accounts.id')
          .on('members.workspace_id', '=', parameter('workspaceId')),
      )
      .leftJoin('workspaces', 'workspaces.id', 'members.workspace_id')
      .select([
        'grants.id as connectionId',
        'access_tokens.scopes',
        'access_tokens.expires_at as expiresAt',
        'grants.expires_at as grantExpiresAt',
        'grants.resource',
        'grants.consent_version as consentVersion',
        'grants.revoked_at as revokedAt',
        'grants.last_used_at as lastUsedAt',
        'accounts.id as accountId',
        'accounts.status as accountStatus',
        'integration_sources.status as sourceStatus',
        'members.role',
        'members.status as memberStatus',
        'workspaces.status as workspaceStatus',
      ])
      .where('access_tokens.token_hash', '=', parameter('tokenHash')),
)

export async function touchGrant(db: Kysely<Database>, id: string, now: Date): Promise<void> {
  await db.updateTable('grants').set({ last_used_at: now }).where('id', '=', id).execute()
}
