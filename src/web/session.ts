import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { powers, type Role, type WorkspaceTag } from '../generated/roles.ts'
import type { Schemas } from './api.ts'

export type Membership = Schemas['Membership']

/** The session, for every page of the dashboard. */
export interface SessionState {
  session: Schemas['Session']
  config: Schemas['DashboardConfig']
  /** Reloads the session after a change. */
  refresh: () => Promise<void>
  /** Open invitations of the account; undefined until they are loaded. */
  invitations: Schemas['Invitation'][] | undefined
}

export const SessionContext = createContext<SessionState | undefined>(undefined)

export function useSession(): SessionState {
  const state = useContext(SessionContext)
  if (!state) throw new Error('This page is for somebody who is signed in.')
  return state
}

export const WorkspaceContext = createContext<Membership | undefined>(undefined)

/** The page's workspace and the member's role in it. */
export function useWorkspace(): Membership {
  const membership = useContext(WorkspaceContext)
  if (!membership) throw new Error('This page belongs to a workspace.')
  return membership
}

/** Whether a role may call the operations of a tag. */
export function mayUse(role: Role, tag: WorkspaceTag): boolean {
  return powers[role].includes(tag)
}

/** Keys and agents act for an owner: for members who own nothing, they would only be refused. */
export function mayOwnKeys({ memberships }: Schemas['Session']): boolean {
  return memberships.length === 0 || memberships.some(({ role }) => role === 'owner')
}

/** Where a member of the workspace begins. */
export function homeOf({ workspaceId }: Pick<Membership, 'workspaceId'>): string {
  return `/w/${workspaceId}/home`
}

const storageKey = 'vitrine-workspace'

/** The workspace last visited on this device. */
export function lastWorkspace(memberships: readonly Membership[]): Membership | undefined {
  let last: string | null = null
  try {
    last = localStorage.getItem(storageKey)
  } catch {
    // Storage may be blocked; it is only a convenience.
  }
  return memberships.find(({ workspaceId }) => workspaceId === last) ?? memberships[0]
}

export function rememberWorkspace(workspaceId: string): void {
  try {
    localStorage.setItem(storageKey, workspaceId)
  } catch {
    // Storage may be blocked; see above.
  }
}

/** The API's origin, for curl examples and a new key's first call. */
export const apiOrigin = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="vitrine-api"]')?.content ?? ''

/** The address of a shop's own pages; undefined where shops have none. */
export function shopAddressOf({ subDomain }: Pick<Membership, 'subDomain'>): string | undefined {
  const pattern = document.querySelector<HTMLMetaElement>('meta[name="vitrine-shops"]')?.content
  return pattern?.replace('*', subDomain)
}
