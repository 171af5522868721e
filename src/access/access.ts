import { ApiError } from '../core/errors.ts'
import { operations, type Scope } from '../generated/operations.ts'
import { powers, type Role } from '../generated/roles.ts'
import type { Placement } from '../db/shards/access.ts'
import type { Site, Visitor } from '../operation.ts'

/** The caller's state in the database at the time of the call. */
export type Access = IntegrationAccess | PersonAccess | StaffAccess

/** What is known of every caller. */
interface AnyAccess {
  connectionId: string
  /** Undefined for staff, and for the pages of a shop without an owner. */
  accountId: string | undefined
  accountStatus: 'ACTIVE' | 'SUSPENDED'
  /** The role in the call's workspace; null without a membership. */
  role: Role | null
  memberStatus: 'ACTIVE' | 'INVITED' | 'SUSPENDED' | null
  workspaceStatus: 'ACTIVE' | 'SUSPENDED' | null
  /** Where the workspace's rows are, on a distributed database. */
  placement?: Placement | undefined
  /** Experience API only: the site, and its visitor. */
  visit?: Visit
}

export interface Visit {
  site: Site
  visitor: Visitor | null
  /** The device that the guest token is made for, if it differs from the one in the call; null: none. */
  deviceId?: string | null
  /** Why the visitor's credential is refused; reported after any refusal by the site itself. */
  refusal: ApiError | undefined
}

/** What only a key or a grant has. */
interface NotIntegration {
  scopes?: undefined
  onlyWorkspaceId?: undefined
  page?: undefined
}

/** A person in a session of the dashboard, or a visitor of a shop's own pages. */
export interface PersonAccess extends AnyAccess, NotIntegration {
  accountId: string
  staffEmail?: undefined
}

/** A staff member, who has neither an account nor a role in a workspace. */
export interface StaffAccess extends AnyAccess, NotIntegration {
  accountId: undefined
  staffEmail: string
}

/** A key or a grant, which acts for its account. */
export interface IntegrationAccess extends AnyAccess {
  staffEmail?: undefined
  scopes: Scope[]
  sourceStatus: 'APPROVED' | 'BLOCKED'
  /** The only workspace that the person allowed. Keys have such a limit only if they are trial keys. */
  onlyWorkspaceId?: string | null
  /** Whether a person must approve before anything is lost. */
  asksFirst?: boolean
  /** Whether the call is about a workspace other than the only one. */
  isElsewhere?: boolean
  /** Set if a page calls by itself, with a publishable key. */
  page?: PageAccess
  /**
   * Whether a grant may write. Not if the person refused every write scope it asked for, or if it asked for
   * reading alone. If it named no scopes, it may try.
   */
  writing?: 'OPEN' | 'REFUSED' | 'UNASKED'
}

/** What a publishable key allows the page that uses it. */
interface PageAccess {
  /** Whether the page's origin is one that the key lists. */
  isListed: boolean
  /** How many credits the chats of all its visitors may cost in a UTC day. */
  dailyCredits: number
}

/** An operation's requirements, from the generated table. */
export interface Demand {
  scope: Scope | null
  tag: string
  inWorkspace: boolean
}

/**
 * Checks the page's origin, scope, account, ownership, workspace and source, in this order. A grant limited
 * to one workspace owns no other, which the access query has ensured, and creates none.
 */
export function authoriseIntegration(access: IntegrationAccess, demand: Demand): void {
  if (access.page?.isListed === false) throw new ApiError('origin_refused', 'keyOriginRefused')
  if (demand.scope !== null && !access.scopes.includes(demand.scope))
    throw scopeMissing(access, demand.scope)
  requireActiveAccount(access)
  if (demand.inWorkspace) {
    if (access.isElsewhere) throw limitedToOne()
    if (access.role !== 'owner' || access.memberStatus !== 'ACTIVE') throw notOwner()
    requireActiveWorkspace(access)
  } else if (access.onlyWorkspaceId && isWriting(demand.scope)) throw limitedToOne()
  if (access.sourceStatus === 'BLOCKED') throw new ApiError('source_blocked', 'sourceBlocked')
}

/** Checks a person's role in the workspace. */
export function authoriseMember(access: AnyAccess, demand: Demand): void {
  requireActiveAccount(access)
  if (!demand.inWorkspace) return
  const { role, memberStatus } = access
  if (role === null || memberStatus !== 'ACTIVE') throw new ApiError('not_owner', 'notMember')
  const allowed: readonly string[] = powers[role]
  if (!allowed.includes(demand.tag))
    throw new ApiError('role_insufficient', ['roleInsufficient', { role }])
  requireActiveWorkspace(access)
}

/**
 * The tags whose resources a caller may read: by role for a person, and by scopes for a key or an agent,
 * which must hold the scope of a reading operation.
 */
export function readableTags(access: Access): ReadonlySet<string> {
  const { role, scopes } = access
  if (!scopes) return new Set(role === null ? [] : powers[role])
  const readers = Object.values(operations).filter(
    ({ surface, method, scope }) =>
      surface === 'management' && method === 'get' && scope !== null && scopes.includes(scope),
  )
  return new Set(readers.map(({ tag }) => tag))
}

/** The account of a caller at a door that lets in none without one. */
export function accountOf({ accountId, connectionId }: Access): string {
  if (accountId === undefined) throw new Error(`${connectionId} acts for no account.`)
  return accountId
}

function requireActiveAccount(access: AnyAccess): void {
  if (access.accountStatus !== 'ACTIVE') throw new ApiError('account_inactive', 'accountSuspended')
}

function requireActiveWorkspace(access: AnyAccess): void {
  if (access.workspaceStatus !== 'ACTIVE')
    throw new ApiError('workspace_inactive', 'workspaceSuspended')
}

function isWriting(scope: Scope | null): boolean {
  return scope !== null && scope.endsWith(':write')
}

function scopeMissing({ writing }: IntegrationAccess, scope: Scope): ApiError {
  const isRefused = writing === 'REFUSED' && isWriting(scope)
  return new ApiError('insufficient_scope', isRefused ? 'readingOnly' : ['scopeMissing', { scope }])
}

/** The person may well own the other workspace: it is the connection that cannot reach it. */
function limitedToOne(): ApiError {
  return new ApiError('not_owner', 'limitedToOne')
}

/** The same message whether the workspace is missing or belongs to another account. */
function notOwner(): ApiError {
  return new ApiError('not_owner', 'notOwner')
}
