import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { FeedAction, FeedKind } from '../../db/schema/catalogue.ts'
import type { components } from '../../generated/types.ts'

type WebhookEvent = components['schemas']['WebhookEvent']

/** A webhook by its workspace. */
export interface WebhookPlace {
  workspaceId: string
  webhookId: string
}

/** How many webhooks a process looks at at once; in any order, so that none is always last. */
export const maxPlaces = 500

/** Active webhooks that have not been sent everything. */
export function listBehind(db: Kysely<Database>): Promise<WebhookPlace[]> {
  return db
    .selectFrom('webhooks as w')
    .innerJoin('feed_heads as h', 'h.workspace_id', 'w.workspace_id')
    .select(['w.workspace_id as workspaceId', 'w.id as webhookId'])
    .where('w.status', '=', 'ACTIVE')
    .whereRef('w.cursor', '<', 'h.last')
    .orderBy(sql`random()`)
    .limit(maxPlaces)
    .execute()
}

export interface Happening {
  number: number
  kind: FeedKind
  id: string
  action: FeedAction
  changedAt: string
}

/** Locks an active webhook that no other process is following; undefined if there is none. */
export async function lockFollower(
  trx: Transaction<Database>,
  { workspaceId, webhookId }: WebhookPlace,
): Promise<{ cursor: number; events: WebhookEvent[] } | undefined> {
  return trx
    .selectFrom('webhooks')
    .select(['cursor', 'events'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', webhookId)
    .where('status', '=', 'ACTIVE')
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

/** Happenings after a number, in order. */
export function listHappenings(
  trx: Transaction<Database>,
  workspaceId: string,
  after: number,
  limit: number,
): Promise<Happening[]> {
  return trx
    .selectFrom('catalogue_changes')
    .select(['number', 'kind', 'resource_id as id', 'action', 'changed_at as changedAt'])
    .where('workspace_id', '=', workspaceId)
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit)
    .execute()
}

/**
 * Moves a locked webhook's cursor. Without a number, to the end of the feed: changes in between are no
 * longer kept.
 */
export async function moveCursor(
  trx: Transaction<Database>,
  { workspaceId, webhookId }: WebhookPlace,
  number: number | undefined,
): Promise<void> {
  const head = await trx
    .selectFrom('feed_heads')
    .select('last')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  await trx
    .updateTable('webhooks')
    .set({ cursor: number ?? head?.last ?? 0 })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', webhookId)
    .execute()
}
