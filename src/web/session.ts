import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { powers, type Role, type WorkspaceTag } from '../generated/roles.ts'
import type { Schemas } from './api.ts'

export type Membership = Schemas['Membership']

/** Who is signed in, for every page of the dashboard. */
export interface SignedIn {
  session: Schemas['Session']
  config: Schemas['DashboardConfig']
  /** Asks the service anew, after something in the session has changed. */
  refresh: () => Promise<void>
}

export const SessionContext = createContext<SignedIn | undefined>(undefined)

export function useSession(): SignedIn {
  const signedIn = useContext(SessionContext)
  if (!signedIn) throw new Error('This page is for somebody who is signed in.')
  return signedIn
}

export const WorkspaceContext = createContext<Membership | undefined>(undefined)

/** The workspace whose page this is, and the role in it. */
export function useWorkspace(): Membership {
  const membership = useContext(WorkspaceContext)
  if (!membership) throw new Error('This page belongs to a workspace.')
  return membership
}

/** Whether a role may use the operations of a tag. */
export function mayUse(role: Role, tag: WorkspaceTag): boolean {
  return powers[role].includes(tag)
}

/** The page of daily use, by role. */
export function homeOf(member: Pick<Membership, 'workspaceId' | 'role'>): string {
  const { workspaceId, role } = member
  return `/w/${workspaceId}/${mayUse(role, 'products') ? 'products' : 'wallet'}`
}

const storageKey = 'vitrine-workspace'

/** The workspace that was last looked at on this device. */
export function lastWorkspace(memberships: readonly Membership[]): Membership | undefined {
  let last: string | null = null
  try {
    last = localStorage.getItem(storageKey)
  } catch {
    // Storage may be forbidden, and is only a convenience.
  }
  return memberships.find(({ workspaceId }) => workspaceId === last) ?? memberships[0]
}

export function rememberWorkspace(workspaceId: string): void {
  try {
    localStorage.setItem(storageKey, workspaceId)
  } catch {
    // As above.
  }
}

/** What the API's origin is called in curl lines, and where a new key makes its first call. */
export const apiOrigin = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="vitrine-api"]')?.content ?? ''
