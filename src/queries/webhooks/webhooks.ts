import type { Kysely, Transaction } from 'kysely'
import { notFound } from '../../core/errors.ts'
import { selectList, type ReadFields, columnsIn } from '../../db/read_fields.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'

type Webhook = components['schemas']['Webhook']

const column = columnsIn('webhooks', 'webhooks')

/** The only definition of a Webhook's fields. */
const webhookFields: ReadFields<Webhook> = {
  id: column('id'),
  url: column('url'),
  events: column('events'),
  description: column('description'),
  status: column('status'),
  failingSince: column('failing_since'),
  createdAt: column('created_at'),
  updatedAt: column('updated_at'),
}

const list = selectList(webhookFields)

/** Oldest first: ids sort by time. */
export function listWebhooks(db: Kysely<Database>, workspaceId: string): Promise<Webhook[]> {
  return db
    .selectFrom('webhooks')
    .select(list)
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .execute()
}

export async function getWebhook(
  db: Kysely<Database>,
  workspaceId: string,
  id: string,
): Promise<Webhook> {
  const webhook = await db
    .selectFrom('webhooks')
    .select(list)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!webhook) throw notFound('webhook')
  return webhook
}

export async function lockWebhook(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
): Promise<Webhook> {
  const webhook = await trx
    .selectFrom('webhooks')
    .select(list)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!webhook) throw notFound('webhook')
  return webhook
}

/** The end of the workspace's feed, where a new webhook begins. */
async function headOf(trx: Transaction<Database>, workspaceId: string): Promise<number> {
  const head = await trx
    .selectFrom('feed_heads')
    .select('last')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return head?.last ?? 0
}

export async function insertWebhook(
  trx: Transaction<Database>,
  workspaceId: string,
  webhook: Pick<Webhook, 'id' | 'url' | 'events' | 'description'> & { secret: Buffer },
  now: Date,
): Promise<void> {
  const { id, url, events, description, secret } = webhook
  await trx
    .insertInto('webhooks')
    .values({
      workspace_id: workspaceId,
      id,
      url,
      events,
      description,
      status: 'ACTIVE',
      secret,
      cursor: await headOf(trx, workspaceId),
      created_at: now,
      updated_at: now,
    })
    .execute()
}

/** Stores a locked webhook. A webhook that becomes active starts at the end of the feed. */
export async function updateWebhook(
  trx: Transaction<Database>,
  workspaceId: string,
  before: Webhook,
  webhook: Webhook,
  now: Date,
): Promise<void> {
  const { url, events, description, status } = webhook
  const begins = before.status === 'DISABLED' && status === 'ACTIVE'
  await trx
    .updateTable('webhooks')
    .set({
      url,
      events,
      description,
      status,
      updated_at: now,
      ...(begins ? { cursor: await headOf(trx, workspaceId), failing_since: null } : {}),
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', before.id)
    .execute()
}

export async function updateSecret(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
  { secret, formerUntil }: { secret: Buffer; formerUntil: Date },
  now: Date,
): Promise<void> {
  await trx
    .updateTable('webhooks')
    .set((eb) => ({
      former_secret: eb.ref('secret'),
      former_secret_until: formerUntil,
      secret,
      updated_at: now,
    }))
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Deletes the webhook; foreign keys delete its deliveries. */
export async function deleteWebhook(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
): Promise<void> {
  await trx
    .deleteFrom('webhooks')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}
