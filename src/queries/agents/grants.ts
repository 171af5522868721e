import { type Kysely, sql, type Transaction } from 'kysely'
import { notFound } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { preparedAccess } from '../../db/shards/access.ts'
import type { Database } from '../../db/schema.ts'
import type { Scope } from '../../generated/operations.ts'
import type { components } from '../../generated/types.ts'
import { scopesOf, standingColumns } from '../people/access_columns.ts'

type Connection = components['schemas']['Connection']

/** The scopes of a client that requests none: just enough to see what it is connected to. */
export const minimalScopes: readonly Scope[] = ['account:read', 'workspaces:read']

/**
 * Whether a grant may write, from its scopes and those it asked for; asking for the minimal ones counts as
 * asking for none.
 */
const writing = sql<'OPEN' | 'REFUSED' | 'UNASKED'>`case
  when array_to_string(grants.scopes, ' ') like '%:write%' then 'OPEN'
  when array_to_string(grants.requested_scopes, ' ') like '%:write%' then 'REFUSED'
  when grants.requested_scopes <@ ${sql.lit(`{${minimalScopes.join(',')}}`)}::text[] then 'OPEN'
  else 'UNASKED' end`.as('writing')

/**
 * Everything that admits an access token, in one statement at the time of the call: token, grant,
 * account, source and, for a workspace, membership and the workspace's status.
 */
export const findTokenAccess = preparedAccess<{ tokenHash: Buffer; workspaceId: string }>()(
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
          .on('members.workspace_id', '=', parameter('workspaceId'))
          // For a grant of one workspace, all others are foreign.
          .on((on) =>
            on.or([
              on('grants.only_workspace_id', 'is', null),
              on('grants.only_workspace_id', '=', on.ref('members.workspace_id')),
            ]),
          ),
      )
      .leftJoin('workspaces', 'workspaces.id', 'members.workspace_id')
      .select([
        'grants.id as connectionId',
        scopesOf('access_tokens'),
        'access_tokens.expires_at as expiresAt',
        'grants.expires_at as grantExpiresAt',
        'grants.resource',
        'grants.only_workspace_id as onlyWorkspaceId',
        'grants.asks_first as asksFirst',
        'grants.consent_version as consentVersion',
        'grants.revoked_at as revokedAt',
        'grants.last_used_at as lastUsedAt',
        writing,
        ...standingColumns,
        'integration_sources.status as sourceStatus',
      ])
      .where('access_tokens.token_hash', '=', parameter('tokenHash')),
)

export async function touchGrant(db: Kysely<Database>, id: string, now: Date): Promise<void> {
  await db.updateTable('grants').set({ last_used_at: now }).where('id', '=', id).execute()
}

/** The parties of a prospective grant: the client's source and the account. */
export function findGrantParties(
  db: Kysely<Database>,
  { clientId, accountId }: { clientId: string; accountId: string },
) {
  return db
    .selectFrom('oauth_clients as client')
    .innerJoin('integration_sources as source', 'source.id', 'client.source_id')
    .innerJoin('accounts as account', (join) => join.on('account.id', '=', accountId))
    .select([
      'source.id as sourceId',
      'source.status as sourceStatus',
      'account.status as accountStatus',
      'account.email as accountEmail',
      'account.language as accountLanguage',
      sql<string>`coalesce(client.metadata ->> 'client_name', source.name)`.as('clientName'),
    ])
    .where('client.id', '=', clientId)
    .executeTakeFirst()
}

interface NewGrant {
  accountId: string
  clientId: string
  sourceId: string
  requestedScopes: Scope[]
  scopes: Scope[]
  onlyWorkspaceId: string | null
  asksFirst: boolean
  resource: string
  consentVersion: number
  now: Date
  expiresAt: Date
}

export async function insertGrant(trx: Transaction<Database>, grant: NewGrant): Promise<string> {
  const id = newId('grant')
  await trx
    .insertInto('grants')
    .values({
      id,
      account_id: grant.accountId,
      client_id: grant.clientId,
      source_id: grant.sourceId,
      requested_scopes: grant.requestedScopes,
      scopes: grant.scopes,
      only_workspace_id: grant.onlyWorkspaceId,
      asks_first: grant.asksFirst,
      resource: grant.resource,
      consent_version: grant.consentVersion,
      created_at: grant.now,
      expires_at: grant.expiresAt,
    })
    .execute()
  return id
}

/** Newest first, including expired and revoked ones, but not those with an unexchanged code. */
export function listConnections(db: Kysely<Database>, accountId: string): Promise<Connection[]> {
  return db
    .selectFrom('grants')
    .innerJoin('oauth_clients as client', 'client.id', 'grants.client_id')
    .innerJoin('integration_sources as source', 'source.id', 'grants.source_id')
    .select([
      'grants.id',
      sql<string>`coalesce(client.metadata ->> 'client_name', source.name)`.as('clientName'),
      'client.id as clientId',
      'grants.requested_scopes as requestedScopes',
      'grants.scopes',
      'grants.only_workspace_id as workspaceId',
      'grants.asks_first as askFirst',
      'grants.created_at as createdAt',
      'grants.expires_at as expiresAt',
      'grants.last_used_at as lastUsedAt',
      'grants.revoked_at as revokedAt',
    ])
    .where('grants.account_id', '=', accountId)
    .where((where) => {
      const codes = where
        .selectFrom('authorization_codes as code')
        .select('code.code_hash')
        .whereRef('code.grant_id', '=', 'grants.id')
        .where('code.consumed_at', 'is', null)
      return where.not(where.exists(codes))
    })
    .orderBy('grants.id', 'desc')
    .execute()
}

/** Idempotent: a second revocation keeps the time of the first. */
export async function revokeConnection(
  db: Kysely<Database>,
  accountId: string,
  id: string,
  now: Date,
): Promise<void> {
  const result = await db
    .updateTable('grants')
    .set({ revoked_at: sql<Date>`coalesce(revoked_at, ${now})` })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (result.numUpdatedRows === 0n) throw notFound('connection')
}

/** Ends the grants that the account gave at this time or later. */
export async function revokeGrantsSince(
  trx: Transaction<Database>,
  accountId: string,
  since: Date,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('grants')
    .set({ revoked_at: now })
    .where('account_id', '=', accountId)
    .where('created_at', '>=', sql<string>`${since}`)
    .where('revoked_at', 'is', null)
    .execute()
}

/** Ends a grant and all of its tokens. */
export async function revokeGrant(db: Kysely<Database>, id: string, now: Date): Promise<void> {
  await db
    .updateTable('grants')
    .set({ revoked_at: sql<Date>`coalesce(revoked_at, ${now})` })
    .where('id', '=', id)
    .execute()
}
