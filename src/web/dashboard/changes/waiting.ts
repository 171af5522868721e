import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { api, ask } from '../../api.ts'
import { useLoad } from '../../kit/shell/use_load.ts'
import { type Membership, mayUse } from '../../session.ts'

const watchers = new Set<() => void>()

/** Tells the sidebar that a set may wait no longer. */
export function waitingChanged(): void {
  for (const look of watchers) look()
}

/** How many change sets wait for approval; undefined where there are none or the role may not know. */
export function useWaiting(membership: Membership | undefined): number | undefined {
  const [path] = useLocation()
  const [version, setVersion] = useState(0)
  useEffect(() => {
    const look = () => setVersion((count) => count + 1)
    watchers.add(look)
    // An agent may have worked while the person was elsewhere.
    addEventListener('focus', look)
    return () => {
      watchers.delete(look)
      removeEventListener('focus', look)
    }
  }, [])
  const mayKnow = membership?.workspaceStatus === 'ACTIVE' && mayUse(membership.role, 'change_sets')
  const workspaceId = mayKnow ? membership.workspaceId : undefined
  // Where the count is shown anyway, it is that of the moment.
  const place = ['home', 'changes'].find((name) => path.endsWith(`/${name}`))
  const load = useLoad(
    () => (workspaceId === undefined ? Promise.resolve(0) : countWaiting(workspaceId)),
    [workspaceId, place, version],
  )
  return load.value === 0 ? undefined : load.value
}

async function countWaiting(workspaceId: string): Promise<number> {
  const params = { path: { workspaceId }, query: { waiting: true, pageSize: 1 } }
  const list = await ask(api.GET('/v1/workspaces/{workspaceId}/change-sets', { params }))
  return list.pagination.total
}
