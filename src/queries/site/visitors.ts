import { type Kysely, sql } from 'kysely'
import { type ParameterOf, preparedRow } from '../../db/prepared.ts'
import { preparedAccess } from '../../db/shards/access.ts'
import { jsonObject } from '../../db/read_fields.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { keyColumns, standingColumns } from '../people/access_columns.ts'
import { websiteFields } from './websites.ts'

/** The parts of a site that only bootstrap returns. */
export interface SiteFront {
  subDomain: string
  website: components['schemas']['Website']
}

const siteFront = jsonObject<SiteFront>({
  subDomain: sql.ref('workspaces.sub_domain'),
  website: jsonObject(websiteFields),
})

const sessionColumns = [
  'customer_sessions.id as sessionId',
  'customer_sessions.customer_id as customerId',
  'customer_sessions.expires_at as sessionExpiresAt',
  'customer_sessions.revoked_at as sessionRevokedAt',
] as const

interface SiteCaller {
  keyHash: Buffer
  workspaceId: string
}

interface VisitCaller extends SiteCaller {
  /** Empty for a call without a customer's token. */
  sessionHash: Buffer
  isBootstrap: boolean
}

/** A key, and the site of the workspace that it is used for. */
const keyInSite = (db: Kysely<Database>, parameter: ParameterOf<SiteCaller>) =>
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
    .select([
      ...keyColumns,
      ...standingColumns,
      'api_keys.is_trial as isTrial',
      'workspaces.name as workspaceName',
      'workspaces.is_visible as isVisible',
      'websites.access_policy as accessPolicy',
    ])
    .where('api_keys.key_hash', '=', parameter('keyHash'))

const findKeyInSite = preparedAccess<SiteCaller>()('find_key_in_site', keyInSite)

const findVisit = preparedAccess<VisitCaller>()('find_visit', (db, parameter) =>
  keyInSite(db, parameter)
    .leftJoin('customer_sessions', (join) =>
      join
        .onRef('customer_sessions.workspace_id', '=', 'members.workspace_id')
        .on('customer_sessions.token_hash', '=', parameter('sessionHash')),
    )
    .select([
      sql<SiteFront | null>`case when ${parameter('isBootstrap')} then ${siteFront} end`.as(
        'front',
      ),
      ...sessionColumns,
    ]),
)

const noVisit = {
  front: null,
  sessionId: null,
  customerId: null,
  sessionExpiresAt: null,
  sessionRevokedAt: null,
}

/**
 * Everything that admits a call of the experience API, in one statement at the time of the call: the key,
 * the site with its policy and, by token hash, the customer's session. Sessions of other workspaces are not
 * found. Bootstrap reads the whole site here, too, which most calls do not need.
 */
export async function findVisitAccess(db: Kysely<Database>, caller: VisitCaller) {
  if (caller.isBootstrap || caller.sessionHash.length > 0) return findVisit(db, caller)
  const row = await findKeyInSite(db, caller)
  return row && { ...row, ...noVisit }
}

/** A customer's session by the hash of its token, of this workspace alone. */
export const findCustomerSession = preparedRow<{ workspaceId: string; sessionHash: Buffer }>()(
  'find_customer_session',
  (db, parameter) =>
    db
      .selectFrom('customer_sessions')
      .select(sessionColumns)
      .where('workspace_id', '=', parameter('workspaceId'))
      .where('token_hash', '=', parameter('sessionHash')),
)

/** The account that a publishable key acts for: the first active owner. */
const actingOwner = sql<string | null>`(
  select members.account_id from members
  join accounts on accounts.id = members.account_id and accounts.status = 'ACTIVE'
  where members.workspace_id = publishable_keys.workspace_id
    and members.role = 'owner' and members.status = 'ACTIVE'
  order by members.account_id limit 1)`

/** The same for a publishable key, which belongs to one workspace. */
export const findPageAccess = preparedAccess<{
  key: string
  workspaceId: string
  sessionHash: Buffer
  isBootstrap: boolean
}>()('find_page_access', (db, parameter) =>
  db
    .selectFrom('publishable_keys')
    .innerJoin('workspaces', 'workspaces.id', 'publishable_keys.workspace_id')
    .innerJoin('websites', 'websites.workspace_id', 'publishable_keys.workspace_id')
    .leftJoin('customer_sessions', (join) =>
      join
        .onRef('customer_sessions.workspace_id', '=', 'publishable_keys.workspace_id')
        .on('customer_sessions.token_hash', '=', parameter('sessionHash')),
    )
    .select([
      'publishable_keys.id as connectionId',
      'publishable_keys.workspace_id as onlyWorkspaceId',
      'publishable_keys.origins',
      'publishable_keys.daily_credits as dailyCredits',
      'publishable_keys.last_used_at as lastUsedAt',
      'publishable_keys.revoked_at as revokedAt',
      actingOwner.as('accountId'),
      'workspaces.status as workspaceStatus',
      'workspaces.name as workspaceName',
      'workspaces.is_visible as isVisible',
      'websites.access_policy as accessPolicy',
      sql<SiteFront | null>`case when ${parameter('isBootstrap')} then ${siteFront} end`.as(
        'front',
      ),
      ...sessionColumns,
    ])
    .where('publishable_keys.key', '=', parameter('key')),
)
