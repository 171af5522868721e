import { paginationOf } from '../src/core/paging.ts'
import { day } from '../src/core/time.ts'
import { operations } from '../src/generated/operations.ts'
import type { components } from '../src/generated/types.ts'
import type { Handler, OperationId } from '../src/operation.ts'
import { findActorNames, listActivities } from '../src/queries/credits/activities.ts'
import { activityDays } from '../src/queries/upkeep/expiry.ts'

type Topic = components['schemas']['ActivityTopic']

export const list_activity: Handler<'list_activity'> = async ({ path, query }, { db, now }) => {
  const { page, pageSize, topic, actorType, resourceId } = query
  const filters = {
    since: new Date(now.getTime() - activityDays * day),
    actorType,
    resourceId,
    operations: topic && operationsOf(topic),
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

/** The operations that write resources of a topic: those of its tag. */
function operationsOf(topic: Topic): string[] {
  return Object.entries(operations)
    .filter(([, { tag }]) => tag === topic)
    .map(([id]) => id)
}
