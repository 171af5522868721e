import type { Kysely } from 'kysely'
import { ApiError } from '../core/errors.ts'
import { bearerOf, requireToken } from '../core/secrets.ts'
import { writeOnTheSide } from '../db/read_only.ts'
import type { Database } from '../db/schema.ts'
import type { Scope } from '../generated/operations.ts'
import { touchPublishableKey } from '../queries/agents/publishable_keys.ts'
import { findPageAccess } from '../queries/site/visitors.ts'
import type { IntegrationAccess } from './access.ts'
import { isTouchDue } from './last_use.ts'
import { type Circumstances, judgeVisitor, sessionOf, type VisitorHeaders } from './visitors.ts'

/** What visitors do; none of these scopes manages anything. */
const scopesOfPages: Scope[] = ['storefront:read', 'visitors:read', 'visitors:write', 'ai:write']

/** Whether a page calls by itself, with a publishable key. */
export function isOfPage(authorization: string | undefined): boolean {
  return bearerOf(authorization)?.startsWith('wspk_') === true
}

/**
 * Authenticates a publishable key, its site and its visitor in one query. The key is no secret: what
 * guards the shop are the origin that browsers vouch for, the challenge, which its guests always solve,
 * the limits of visitors and addresses, and the key's budget.
 */
export async function authenticatePage(
  db: Kysely<Database>,
  circumstances: Circumstances,
  headers: VisitorHeaders,
  origin: string | undefined,
): Promise<IntegrationAccess> {
  const { config, now, workspaceId, isBootstrap } = circumstances
  const key = bearerOf(headers.authorization) ?? ''
  requireToken(key, 'publishableKey', config.environment)
  const session = sessionOf(circumstances, headers)
  const sessionHash = session.hash
  const row = await findPageAccess(db, { key, workspaceId, sessionHash, isBootstrap })
  if (!row) throw new ApiError('unauthenticated', 'noSuchKey')
  if (row.revokedAt !== null) throw new ApiError('token_revoked', 'keyRevoked')
  if (isTouchDue(row.lastUsedAt, now))
    await writeOnTheSide(db, () => touchPublishableKey(db, row.connectionId, now))
  const { connectionId, onlyWorkspaceId, accountId, workspaceStatus } = row
  const { workspaceName, isVisible, front, origins, dailyCredits } = row
  const { challenge } = row.accessPolicy
  const accessPolicy = {
    ...row.accessPolicy,
    challenge: challenge === 'OFF' ? ('GUESTS' as const) : challenge,
  }
  const site = { workspaceId: onlyWorkspaceId, workspaceName, isVisible, accessPolicy, front }
  const deviceId = deviceAt(origin, headers.deviceId)
  const named = { ...headers, deviceId }
  const visitor = judgeVisitor(circumstances, { headers: named, session, row }, false)
  return {
    connectionId,
    accountId: accountId ?? undefined,
    // A shop without an active owner has no account that is responsible for it.
    accountStatus: accountId === null ? 'SUSPENDED' : 'ACTIVE',
    role: 'owner',
    memberStatus: 'ACTIVE',
    workspaceStatus,
    placement: row.placement,
    scopes: scopesOfPages,
    sourceStatus: 'APPROVED',
    onlyWorkspaceId,
    isElsewhere: onlyWorkspaceId !== workspaceId,
    page: { isListed: origin !== undefined && origins.includes(origin), dailyCredits },
    visit: { site, ...visitor, deviceId: deviceId ?? null },
  }
}

/**
 * The device id that a page sends, bound to the page's origin. All visitors share the key, and bootstrap
 * gives a token to any client that names a device, so these devices must differ from those of the shop's
 * backend, whose ids may be guessable.
 */
export function deviceAt(
  origin: string | undefined,
  named: string | undefined,
): string | undefined {
  return origin === undefined || named === undefined ? undefined : `${origin} ${named}`
}
