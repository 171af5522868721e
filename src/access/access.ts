import { ApiError } from '../core/errors.ts'
import type { Scope } from '../generated/operations.ts'
import { powers, type Role } from '../generated/roles.ts'
import type { Site, Visitor } from '../operation.ts'

/** What the database said, at the time of the call, about who is calling. */
export interface Access {
  connectionId: string
  accountId: string
  accountStatus: 'ACTIVE' | 'SUSPENDED'
  /** The membership in the workspace of the call; null without one. */
  role: Role | null
  memberStatus: 'ACTIVE' | 'INVITED' | 'SUSPENDED' | null
  workspaceStatus: 'ACTIVE' | 'SUSPENDED' | null
  /** The address of a member of staff, who has none of the above. */
  staffEmail?: string
  /** Whose site is visited, and by whom: on the experience API. */
  visit?: Visit
}

export interface Visit {
  site: Site
  visitor: Visitor | null
  /** Why the visitor's own credential is refused, told after what the site itself refuses. */
  refusal: ApiError | undefined
}

/** A key or an agent, which acts for its account. */
export interface IntegrationAccess extends Access {
  scopes: Scope[]
  sourceStatus: 'APPROVED' | 'BLOCKED'
}

/** What an operation asks of its caller, from the generated table. */
export interface Demand {
  scope: Scope | null
  tag: string
  inWorkspace: boolean
}

/** An integration acts for its account: scope, account, ownership, workspace, source, in this order. */
export function authoriseIntegration(access: IntegrationAccess, demand: Demand): void {
  if (demand.scope !== null && !access.scopes.includes(demand.scope))
    throw new ApiError('insufficient_scope', `This credential lacks the scope ${demand.scope}.`)
  requireActiveAccount(access)
  if (demand.inWorkspace) {
    if (access.role !== 'owner' || access.memberStatus !== 'ACTIVE') throw notOwner()
    requireActiveWorkspace(access)
  }
  if (access.sourceStatus === 'BLOCKED')
    throw new ApiError('source_blocked', 'An administrator has blocked this integration.')
}

/** A person acts by the role they have in the workspace. */
export function authoriseMember(access: Access, demand: Demand): void {
  requireActiveAccount(access)
  if (!demand.inWorkspace) return
  const { role, memberStatus } = access
  if (role === null || memberStatus !== 'ACTIVE') throw notOwner()
  const allowed: readonly string[] = powers[role]
  if (!allowed.includes(demand.tag))
    throw new ApiError('role_insufficient', `The role ${role} does not allow this.`)
  requireActiveWorkspace(access)
}

function requireActiveAccount(access: Access): void {
  if (access.accountStatus !== 'ACTIVE')
    throw new ApiError('account_inactive', 'This account is suspended.')
}

function requireActiveWorkspace(access: Access): void {
  if (access.workspaceStatus !== 'ACTIVE')
    throw new ApiError('workspace_inactive', 'This workspace is suspended.')
}

/** The same words for a workspace that does not exist and for one of somebody else. */
function notOwner(): ApiError {
  return new ApiError('not_owner', 'You are not an active owner of this workspace.')
}
