/** Columns of an access query: the account and its role in the call's workspace. */
export const standingColumns = [
  'accounts.id as accountId',
  'accounts.status as accountStatus',
  'members.role',
  'members.status as memberStatus',
  'workspaces.status as workspaceStatus',
] as const

/** Columns of an access query: the key and its source. */
export const keyColumns = [
  'api_keys.id as connectionId',
  'api_keys.scopes',
  'api_keys.expires_at as expiresAt',
  'api_keys.revoked_at as revokedAt',
  'api_keys.last_used_at as lastUsedAt',
  'api_keys.only_workspace_id as onlyWorkspaceId',
  'integration_sources.status as sourceStatus',
] as const
