import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import { listSuspendedWorkspaces } from '../queries/people/workspaces.ts'

const rememberedMilliseconds = 5000

/**
 * Whether a workspace is suspended, for what is asked for far more often than a workspace is suspended:
 * the few that are so are read together, and remembered for some seconds.
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
      // Those that wait for it are told; the next one asks again.
      suspended.catch(() => (suspended = undefined))
    }
    return (await suspended).has(workspaceId)
  }
}
