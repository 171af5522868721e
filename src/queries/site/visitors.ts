import { prepared } from '../../db/prepared.ts'
import { keyColumns, standingColumns } from '../access_columns.ts'

/**
 * Everything that admits a call of the experience API, in one statement at the time of the call:
 * what admits its key, the site with its policy and, by token hash, the customer's session.
 * Sessions of other workspaces are not found.
 */
export const findVisitAccess = prepared<{
  keyHash: Buffer
  workspaceId: string
  sessionHash: Buffer
}>()('find_visit_access', (db, parameter) =>
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
    .leftJoin('websites', 'websites.workspace_id', 'members.workspace_id')
    .leftJoin('customer_sessions', (join) =>
      join
        .onRef('customer_sessions.workspace_id', '=', 'members.workspace_id')
        .on('customer_sessions.token_hash', '=', parameter('sessionHash')),
    )
    .select([
      ...keyColumns,
      ...standingColumns,
      'workspaces.name as workspaceName',
      'workspaces.is_visible as isVisible',
      'websites.access_policy as accessPolicy',
      'customer_sessions.id as sessionId',
      'customer_sessions.customer_id as customerId',
      'customer_sessions.expires_at as sessionExpiresAt',
      'customer_sessions.revoked_at as sessionRevokedAt',
    ])
    .where('api_keys.key_hash', '=', parameter('keyHash')),
)
