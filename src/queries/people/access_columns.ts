import { sql } from 'kysely'
import type { Scope } from '../../generated/operations.ts'

/** Columns of an access query: the account and its role in the call's workspace. */
export const standingColumns = [
  'accounts.id as accountId',
  'accounts.status as accountStatus',
  'members.role',
  'members.status as memberStatus',
  'workspaces.status as workspaceStatus',
] as const

/** As JSON, which Node reads itself: an array of PostgreSQL is read letter by letter. */
export const scopesOf = (table: 'api_keys' | 'access_tokens') =>
  sql<Scope[]>`to_json(${sql.ref(`${table}.scopes`)})`.as('scopes')

/** Columns of an access query: the key and its source. */
export const keyColumns = [
  'api_keys.id as connectionId',
  scopesOf('api_keys'),
  'api_keys.expires_at as expiresAt',
  'api_keys.revoked_at as revokedAt',
  'api_keys.last_used_at as lastUsedAt',
  'api_keys.only_workspace_id as onlyWorkspaceId',
  'integration_sources.status as sourceStatus',
] as const
