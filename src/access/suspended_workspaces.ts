import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import { listSuspendedWorkspaces } from '../queries/people/workspaces.ts'

const rememberedMilliseconds = 5000

/**
 * Whether a workspace is suspended. Asked far more often than workspaces are suspended, so the few that are
 * get read together and remembered for some seconds.
 */
export function createSuspensions(
  db: Kysely<Database>,
  clock: () => Date,
): (workspaceId: string) => Promise<boolean> {
  let readAt = -Infinity
  let suspended: Promise<Set<string>> | undefined
  return async (workspaceId) => {
    const now = clock().getTime()
    if (!suspended || Math.abs(now - readAt) >= rememberedMilliseconds) {
      readAt = now
      suspended = listSuspendedWorkspaces(db).then((ids) => new Set(ids))
      // The waiting calls fail with it; the next call reads again.
      suspended.catch(() => (suspended = undefined))
    }
    return (await suspended).has(workspaceId)
  }
}
