import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type PageRequest, stretchOf } from '../../core/paging.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'

type Schemas = components['schemas']

/** How long an owner can see who changed what. */
export const activityDays = 400

export interface ActivityFilters {
  /** Only writes from this time on. */
  since: Date
  /** Only writes before this time. */
  until: Date | undefined
  actorType: Schemas['ActorType'] | undefined
  /** Only writes to this resource; if two are given, none. */
  resourceIds: string[]
  /** Only writes by these operations. */
  operations: string[]
}

/** A write, with the id of the key or agent that made it. */
interface StoredActivity extends Omit<
  Schemas['Activity'],
  'actorName' | 'connectionName' | 'topic'
> {
  connectionId: string
}

export function conditionsOf(workspaceId: string, filters: ActivityFilters): RawBuilder<boolean> {
  const { since, until, actorType, resourceIds, operations } = filters
  const conditions = [
    sql`workspace_id = ${workspaceId}`,
    sql`created_at >= ${since}`,
    sql`operation = any(${operations})`,
  ]
  if (until) conditions.push(sql`created_at < ${until}`)
  if (actorType) conditions.push(sql`actor_type = ${actorType}`)
  for (const id of resourceIds) conditions.push(sql`resource_id = ${id}`)
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

/** A page of writes, newest first, and the total. */
export async function listActivities(
  db: Kysely<Database>,
  workspaceId: string,
  filters: ActivityFilters,
  { page, pageSize }: PageRequest,
): Promise<{ activities: StoredActivity[]; total: number }> {
  const conditions = conditionsOf(workspaceId, filters)
  const found = db.selectFrom('activities').where(conditions)
  const { total } = await found
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const stretch = stretchOf(page, pageSize, total)
  if (!stretch) return { activities: [], total }
  const { limit, offset, reversed } = stretch
  const direction = reversed ? 'asc' : 'desc'
  const restorable = sql<boolean>`former is not null
    or snapshot is not null and exists (select from kept_products k
      where k.workspace_id = ${workspaceId} and k.product_id = activities.resource_id
        and k.deleted_at = activities.created_at)`
  const rows = await found
    .select([
      'id',
      'created_at as createdAt',
      'actor_type as actorType',
      'user_id as actorId',
      'connection_id as connectionId',
      'operation',
      'resource_id as resourceId',
      'resource_name as resourceName',
      'changes',
      'snapshot',
      restorable.as('restorable'),
    ])
    .orderBy('created_at', direction)
    .orderBy('id', direction)
    .limit(limit)
    .offset(offset)
    .execute()
  return { activities: reversed ? rows.reverse() : rows, total }
}

/** The values that a write of a product replaced; undefined if they were not kept. */
export async function findFormerValues(
  db: Kysely<Database>,
  workspaceId: string,
  { id, activityId }: { id: string; activityId: string },
): Promise<Schemas['ProductPatch'] | undefined> {
  const row = await db
    .selectFrom('activities')
    .select('former')
    .where('workspace_id', '=', workspaceId)
    .where('resource_id', '=', id)
    .where('id', '=', activityId)
    .executeTakeFirst()
  return row?.former ?? undefined
}

/** The names of these accounts, keys and grants. */
export async function findActorNames(
  db: Kysely<Database>,
  ids: string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('accounts')
    .select(['id', sql<string>`coalesce(nullif(name, ''), email)`.as('name')])
    .where('id', 'in', ids)
    .unionAll(db.selectFrom('api_keys').select(['id', 'name']).where('id', 'in', ids))
    .unionAll(
      db
        .selectFrom('grants as g')
        .innerJoin('integration_sources as s', 's.id', 'g.source_id')
        .select(['g.id', 's.name'])
        .where('g.id', 'in', ids),
    )
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
