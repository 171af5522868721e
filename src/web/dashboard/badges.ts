import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { api, ask } from '../api.ts'
import { useLoad } from '../kit/shell/use_load.ts'
import { type Membership, mayUse } from '../session.ts'

const watchers = new Set<() => void>()

/** Tells the sidebar that something may wait no longer. */
export function badgesChanged(): void {
  for (const look of watchers) look()
}

/** How many things wait on a page, by its path; pages where nothing does are left out. */
export type Badges = Readonly<Record<string, number>>

/** What waits for the person in a workspace. */
export function useBadges(membership: Membership | undefined): Badges {
  const [path] = useLocation()
  const [version, setVersion] = useState(0)
  useEffect(() => {
    const look = () => setVersion((count) => count + 1)
    watchers.add(look)
    // An agent may have worked, or a visitor asked, while the person was elsewhere.
    addEventListener('focus', look)
    return () => {
      watchers.delete(look)
      removeEventListener('focus', look)
    }
  }, [])
  // Where a count is shown anyway, it is that of the moment.
  const place = ['home', 'changes', 'unanswered'].find((name) => path.endsWith(`/${name}`))
  const load = useLoad(
    () => (membership?.workspaceStatus === 'ACTIVE' ? countAll(membership) : Promise.resolve({})),
    [membership?.workspaceId, place, version],
  )
  return load.value ?? {}
}

async function countAll({ workspaceId, role }: Membership): Promise<Badges> {
  const path = { workspaceId }
  const counts: Promise<readonly [string, number]>[] = []
  if (mayUse(role, 'change_sets')) {
    const params = { path, query: { waiting: true, pageSize: 1 } }
    const call = api.GET('/v1/workspaces/{workspaceId}/change-sets', { params })
    counts.push(ask(call).then(({ pagination }) => ['changes', pagination.total]))
  }
  if (mayUse(role, 'questions')) {
    const params = { path, query: { pageSize: 1 } }
    const call = api.GET('/v1/workspaces/{workspaceId}/questions/unanswered', { params })
    counts.push(ask(call).then(({ pagination }) => ['unanswered', pagination.total]))
  }
  return Object.fromEntries((await Promise.all(counts)).filter(([, count]) => count > 0))
}
