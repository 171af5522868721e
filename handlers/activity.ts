import { cutText } from '../src/core/changes.ts'
import { invalidInput } from '../src/core/errors.ts'
import { paginationOf } from '../src/core/paging.ts'
import { day } from '../src/core/time.ts'
import { changesFor } from '../src/domain/catalogue/recorded_products.ts'
import { operations } from '../src/generated/operations.ts'
import type { components } from '../src/generated/types.ts'
import type { AccountCaller, Handler, Input, OperationId } from '../src/operation.ts'
import {
  activityDays,
  type ActivityFilters,
  findActorNames,
  listActivities,
} from '../src/queries/credits/activities.ts'
import { type FoundGroup, groupActivities } from '../src/queries/credits/activity_groups.ts'

type Schemas = components['schemas']
type Topic = Schemas['ActivityTopic']
type Query = Input<'list_activity'>['query']

export const list_activity: Handler<'list_activity'> = async ({ path, query }, caller) => {
  const { page, pageSize, view, groupBy } = query
  const filters = filtersOf(query, caller)
  if (groupBy) {
    const { found, total } = await groupActivities(
      caller.db,
      path.workspaceId,
      filters,
      groupBy,
      query,
    )
    const ids = found.flatMap(({ key, parts }) => [key, ...parts.map((part) => part.key)]).flat()
    const names = await findActorNames(caller.db, ids)
    const groups = found.map((group) => groupOf(group, names))
    return { activities: [], groups, pagination: paginationOf(page, pageSize, total) }
  }
  const { activities, total } = await listActivities(caller.db, path.workspaceId, filters, query)
  const ids = activities.flatMap(({ actorId, connectionId }) => [actorId, connectionId])
  const names = await findActorNames(caller.db, ids)
  const written = activities.map(({ connectionId, changes, ...activity }) => ({
    ...activity,
    changes: changesFor(caller, changes),
    actorName: names.get(activity.actorId) ?? '',
    connectionName: names.get(connectionId) ?? '',
    topic: topicOf(activity.operation),
  }))
  return {
    activities: view === 'full' ? written : written.map(summarised),
    groups: [],
    pagination: paginationOf(page, pageSize, total),
  }
}

function filtersOf(query: Query, { now, readableTags }: AccountCaller): ActivityFilters {
  const { from, to, actorType, operation, productId, resourceId, topic } = query
  if (operation !== undefined && !Object.hasOwn(operations, operation))
    throw invalidInput({ operation: 'unknownOperation' })
  if (from !== undefined && to !== undefined && from > to)
    throw invalidInput({ from: ['fromAfterTo', { to }] })
  const oldest = now.getTime() - activityDays * day
  return {
    since: new Date(Math.max(oldest, from === undefined ? 0 : Date.parse(from))),
    until: to === undefined ? undefined : new Date(Date.parse(to) + day),
    actorType,
    resourceIds: [resourceId, productId].filter((id) => id !== undefined),
    operations: operationsOf(readableTags(), topic).filter(
      (id) => operation === undefined || id === operation,
    ),
  }
}

/**
 * The operations whose writes the caller may see, of one topic or of all: where it may not read, the
 * history must not tell it what stands there. Operations of a newer build are none of them.
 */
function operationsOf(visible: ReadonlySet<string>, topic: Topic | undefined): string[] {
  return Object.entries(operations)
    .filter(([, { tag }]) => visible.has(tag) && (topic === undefined || tag === topic))
    .map(([id]) => id)
}

const topicOf = (operation: string) => operations[operation as OperationId].tag as Topic

const summaryCharacters = 80

function summarised(activity: Schemas['Activity']): Schemas['Activity'] {
  const cut = (text: string | null) => text && cutText(text, summaryCharacters)
  const { changes, snapshot } = activity
  return {
    ...activity,
    resourceName: cutText(activity.resourceName, summaryCharacters),
    changes: changes.map(({ field, before, after }) => ({
      field,
      before: cut(before),
      after: cut(after),
    })),
    snapshot: snapshot && briefly(snapshot),
  }
}

function briefly({
  description: _description,
  information: _information,
  ...snapshot
}: Schemas['ActivitySnapshot']): Schemas['ActivitySnapshot'] {
  return { ...snapshot, name: cutText(snapshot.name, summaryCharacters) }
}

const exampleCharacters = 60

function groupOf(found: FoundGroup, names: Map<string, string>): Schemas['ActivityGroup'] {
  const { key, count, lastAt, parts, resources, examples } = found
  const { name, type, person } = describe(key, names)
  return {
    name,
    type,
    person,
    count,
    lastAt,
    parts: parts.map((part) => ({ name: describe(part.key, names).name, count: part.count })),
    resources,
    examples: examples.map((example) => cutText(example, exampleCharacters)),
  }
}

/** What a group or a part of it is called: an operation, or an actor with the ids of who it is. */
function describe(
  [first, userId, connectionId]: FoundGroup['key'],
  names: Map<string, string>,
): Pick<Schemas['ActivityGroup'], 'name' | 'type' | 'person'> {
  if (userId === undefined) return { name: first, type: topicOf(first), person: '' }
  const person = names.get(userId) ?? ''
  if (!connectionId) return { name: person, type: first, person: '' }
  return { name: names.get(connectionId) ?? '', type: first, person }
}
