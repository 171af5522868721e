import { paginationOf } from '../src/core/paging.ts'
import { day } from '../src/core/time.ts'
import { operations } from '../src/generated/operations.ts'
import { powers, type Role } from '../src/generated/roles.ts'
import type { components } from '../src/generated/types.ts'
import type { Handler, OperationId } from '../src/operation.ts'
import { activityDays, findActorNames, listActivities } from '../src/queries/credits/activities.ts'

type Topic = components['schemas']['ActivityTopic']

export const list_activity: Handler<'list_activity'> = async ({ path, query }, caller) => {
  const { db, now, role } = caller
  const { page, pageSize, topic, actorType, resourceId } = query
  const filters = {
    since: new Date(now.getTime() - activityDays * day),
    actorType,
    resourceId,
    operations: operationsOf(role, topic),
  }
  const { activities, total } = await listActivities(db, path.workspaceId, filters, query)
  const ids = activities.flatMap(({ userId, connectionId }) => [userId, connectionId])
  const names = await findActorNames(db, ids)
  return {
    activities: activities.map(({ userId, connectionId, ...activity }) => ({
      ...activity,
      actorName: names.get(userId) ?? '',
      connectionName: names.get(connectionId) ?? '',
      topic: operations[activity.operation as OperationId].tag as Topic,
    })),
    pagination: paginationOf(page, pageSize, total),
  }
}

/**
 * The operations whose writes a role may see, of one topic or of all: where it may not read, the
 * history must not tell it what stands there. Operations of a newer build are none of them.
 */
function operationsOf(role: Role | null, topic: Topic | undefined): string[] {
  const visible: readonly string[] = role === null ? [] : powers[role]
  return Object.entries(operations)
    .filter(([, { tag }]) => visible.includes(tag) && (topic === undefined || tag === topic))
    .map(([id]) => id)
}
