import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Change } from '../../core/changes.ts'
import { type ParameterOf, prepared, tableOf } from '../../db/prepared.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import {
  type FeedColumns,
  feedColumns,
  insertEntries,
  takeHead,
  takeWaiting,
} from '../catalogue/feed.ts'
import { type EventRow, recordEvent, rowOf, type UsageEvent } from './usage_events.ts'
import { insertInMonth } from './usage_months.ts'

/* Raw SQL: an event, its sums, its activity and its entries are written in one statement. */

type Schemas = components['schemas']

/** A management write in the owner's list of activities. */
export interface Activity {
  /** The key, grant or session that was used. */
  connectionId: string
  resourceName: string
  changes: Change[]
  /** Only for a deleted product. */
  snapshot: Schemas['ActivitySnapshot'] | null
  /** Only for a changed product: the replaced values. */
  former: Schemas['ProductPatch'] | null
}

type WriteRow = EventRow &
  Pick<Activity, 'connectionId' | 'resourceName'> & {
    changes: string
    snapshot: string | null
    former: string | null
  }

/** In one statement, so that a write is recorded in both usage and activities, or in neither. */
function recordWrite(
  parameter: ParameterOf<WriteRow>,
  last: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> {
  const columns = ['workspaceId', 'id', 'now', 'actorType', 'userId', 'connectionId'] as const
  const described = ['endpoint', 'resourceId', 'resourceName', 'changes'] as const
  const kept = ['snapshot', 'former'] as const
  const values = [...columns, ...described, ...kept].map((name) => parameter(name))
  return sql`
    with activity as (
      insert into ${tableOf('activities')} (workspace_id, id, created_at, actor_type, user_id, connection_id,
        operation, resource_id, resource_name, changes, snapshot, former)
      values (${sql.join(values)})
    ), ${recordEvent(
      parameter('workspaceId'),
      {
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
      },
      sql``,
      last,
    )}`
}

const insertWrite = prepared<WriteRow>()('insert_write_event', (_db, parameter) =>
  recordWrite(parameter),
)

/** With entries of the change feed: this is the transaction's last statement, and takes the head. */
const insertWriteAndChanges = prepared<WriteRow & FeedColumns>()(
  'insert_write_event_and_changes',
  (_db, parameter) => {
    const workspaceId = sql`${parameter('workspaceId')}::text`
    const feed = {
      kinds: sql`${parameter('kinds')}::text[]`,
      resourceIds: sql`${parameter('resourceIds')}::text[]`,
      actions: sql`${parameter('actions')}::text[]`,
    }
    const now = sql`${parameter('now')}::timestamptz`
    return recordWrite(
      parameter,
      sql`, head as (${takeHead(workspaceId, feed.kinds, sql`from of_day`)}),
        noted as (${insertEntries(workspaceId, feed, now)})`,
    )
  },
)

/**
 * Records a management write as an event and an activity, together with postponed entries of the change
 * feed.
 */
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
  const entries = takeWaiting(db, workspaceId)
  await insertInMonth(db, now, () =>
    entries.length > 0
      ? insertWriteAndChanges(db, { ...row, ...feedColumns(entries) })
      : insertWrite(db, row),
  )
}
