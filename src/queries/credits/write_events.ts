import { type Kysely, sql } from 'kysely'
import type { Change } from '../../core/changes.ts'
import { prepared } from '../../db/prepared.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { type EventRow, recordEvent, rowOf, type UsageEvent } from './usage_events.ts'
import { insertInMonth } from './usage_months.ts'

type Schemas = components['schemas']

/** A management write in the owner's list of activities. */
export interface Activity {
  /** The key, grant or session that was used. */
  connectionId: string
  resourceName: string
  changes: Change[]
  /** Of a deleted product. */
  snapshot: Schemas['ActivitySnapshot'] | null
  /** Of a changed product: the values that were replaced. */
  former: Schemas['ProductPatch'] | null
}

/** Both in one statement: a write is recorded in the usage and in the activities, or in neither. */
const insertWrite = prepared<
  EventRow &
    Pick<Activity, 'connectionId' | 'resourceName'> & {
      changes: string
      snapshot: string | null
      former: string | null
    }
>()('insert_write_event', (_db, parameter) => {
  const columns = ['workspaceId', 'id', 'now', 'actorType', 'userId', 'connectionId'] as const
  const described = ['endpoint', 'resourceId', 'resourceName', 'changes'] as const
  const kept = ['snapshot', 'former'] as const
  const values = [...columns, ...described, ...kept].map((name) => parameter(name))
  return sql`
    with activity as (
      insert into activities (workspace_id, id, created_at, actor_type, user_id, connection_id,
        operation, resource_id, resource_name, changes, snapshot, former)
      values (${sql.join(values)})
    ), ${recordEvent(parameter('workspaceId'), {
      id: parameter('id'),
      actorType: parameter('actorType'),
      userId: parameter('userId'),
      eventName: parameter('eventName'),
      endpoint: parameter('endpoint'),
      resourceType: parameter('resourceType'),
      resourceId: parameter('resourceId'),
      now: parameter('now'),
      day: parameter('day'),
      month: parameter('month'),
      personal: parameter('personal'),
      slots: parameter('slots'),
    })}`
})

/** Records a management write, as an event and as an activity. */
export async function insertWriteEvent(
  db: Kysely<Database>,
  workspaceId: string,
  event: UsageEvent & { userId: string },
  { connectionId, resourceName, changes, snapshot, former }: Activity,
  now: Date,
): Promise<void> {
  const row = {
    ...(await rowOf(db, workspaceId, event, now)),
    connectionId,
    resourceName,
    changes: JSON.stringify(changes),
    snapshot: snapshot && JSON.stringify(snapshot),
    former: former && JSON.stringify(former),
  }
  await insertInMonth(db, now, () => insertWrite(db, row))
}
