import { type Kysely, sql, type Transaction } from 'kysely'
import { notFound } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import type { PageRequest } from '../../core/paging.ts'
import { columnsIn, type ReadFields, selectList } from '../../db/read_fields.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { maxPlaces, type WebhookPlace } from './following.ts'

type Delivery = components['schemas']['WebhookDelivery']

/* Raw SQL: hundreds of messages are inserted from arrays, by a statement of one text. */

const column = columnsIn('webhook_deliveries', 'webhook_deliveries')

/** The only definition of a WebhookDelivery's fields. */
const deliveryFields: ReadFields<Delivery> = {
  id: column('id'),
  type: column('type'),
  status: column('status'),
  attempts: column('attempts'),
  responseStatus: column('response_status'),
  error: column('error'),
  createdAt: column('created_at'),
  lastAttemptAt: column('last_attempt_at'),
  nextAttemptAt: column('next_attempt_at'),
}

const list = selectList(deliveryFields)

/** A page of a webhook's deliveries, newest first, and the total. */
export async function listDeliveries(
  db: Kysely<Database>,
  { workspaceId, webhookId }: WebhookPlace,
  { page, pageSize }: PageRequest,
): Promise<{ deliveries: Delivery[]; total: number }> {
  const own = db
    .selectFrom('webhook_deliveries')
    .where('workspace_id', '=', workspaceId)
    .where('webhook_id', '=', webhookId)
  const { total } = await own
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const deliveries = await own
    .select(list)
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  return { deliveries, total }
}

export async function getDelivery(
  db: Kysely<Database>,
  { workspaceId, webhookId }: WebhookPlace,
  id: string,
): Promise<Delivery> {
  const delivery = await db
    .selectFrom('webhook_deliveries')
    .select(list)
    .where('workspace_id', '=', workspaceId)
    .where('webhook_id', '=', webhookId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!delivery) throw notFound('delivery')
  return delivery
}

/** A message as it is sent. */
export interface NewDelivery {
  type: string
  body: string
}

/** Inserts messages that are due at once; returns their ids. */
export async function insertDeliveries(
  trx: Transaction<Database>,
  { workspaceId, webhookId }: WebhookPlace,
  messages: NewDelivery[],
  now: Date,
): Promise<string[]> {
  const ids = messages.map(() => newId('msg'))
  if (messages.length === 0) return ids
  await sql`
    insert into webhook_deliveries (workspace_id, id, webhook_id, type, body, status, attempts,
      created_at, next_attempt_at)
    select ${workspaceId}, message.id, ${webhookId}, message.type, message.body, 'PENDING', 0,
      ${now}, ${now}
    from unnest(${ids}::text[], ${messages.map(({ type }) => type)}::text[],
      ${messages.map(({ body }) => body)}::text[]) as message (id, type, body)`.execute(trx)
  return ids
}

/** Makes a delivery due again, in whatever state it is; the time for its attempts starts anew. */
export async function renewDelivery(
  trx: Transaction<Database>,
  { workspaceId, webhookId }: WebhookPlace,
  id: string,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('webhook_deliveries')
    .set({
      status: 'PENDING',
      response_status: null,
      error: null,
      next_attempt_at: now,
      retry_until: null,
    })
    .where('workspace_id', '=', workspaceId)
    .where('webhook_id', '=', webhookId)
    .where('id', '=', id)
    .execute()
}

/** Webhooks with deliveries that are due, in any order. */
export function listDue(
  db: Kysely<Database>,
  now: Date,
): Promise<(WebhookPlace & { isFailing: boolean })[]> {
  return db
    .selectFrom('webhooks as w')
    .select(({ eb }) => [
      'w.workspace_id as workspaceId',
      'w.id as webhookId',
      eb('w.failing_since', 'is not', null).$castTo<boolean>().as('isFailing'),
    ])
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('webhook_deliveries as d')
          .select('d.id')
          .whereRef('d.workspace_id', '=', 'w.workspace_id')
          .whereRef('d.webhook_id', '=', 'w.id')
          .where('d.status', '=', 'PENDING')
          .where('d.next_attempt_at', '<=', sql<string>`${now}`),
      ),
    )
    .orderBy(sql`random()`)
    .limit(maxPlaces)
    .execute()
}

export interface ClaimedDelivery extends WebhookPlace {
  id: string
  type: string
  body: string
  attempts: number
  /** Null if no attempt has failed. */
  retryUntil: string | null
  url: string
  secrets: Buffer[]
}

/**
 * Claims the webhook's delivery that has waited longest, and counts the attempt. The lease keeps other
 * processes off it, and lets them take over after a crash.
 */
export async function claimDelivery(
  db: Kysely<Database>,
  place: WebhookPlace,
  { now, leaseEnd }: { now: Date; leaseEnd: Date },
): Promise<ClaimedDelivery | undefined> {
  const { workspaceId, webhookId } = place
  const claimed = await db
    .updateTable('webhook_deliveries')
    .set(({ eb }) => ({
      attempts: eb('attempts', '+', 1),
      last_attempt_at: now,
      next_attempt_at: leaseEnd,
    }))
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', (eb) =>
      eb
        .selectFrom('webhook_deliveries')
        .select('id')
        .where('workspace_id', '=', workspaceId)
        .where('webhook_id', '=', webhookId)
        .where('status', '=', 'PENDING')
        .where('next_attempt_at', '<=', sql<string>`${now}`)
        .orderBy('next_attempt_at')
        .orderBy('id')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'type', 'body', 'attempts', 'retry_until as retryUntil'])
    .executeTakeFirst()
  if (!claimed) return undefined
  const webhook = await db
    .selectFrom('webhooks')
    .select(['url', 'secret', 'former_secret as former', 'former_secret_until as until'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', webhookId)
    .executeTakeFirst()
  if (!webhook) return undefined
  const { url, secret, former, until } = webhook
  const isOverlapping = former !== null && until !== null && new Date(until) > now
  return { ...place, ...claimed, url, secrets: isOverlapping ? [secret, former] : [secret] }
}

/**
 * Only the process that made this attempt may write its outcome: after its lease has ended, it finds a
 * different number of attempts and changes nothing.
 */
export async function finishDelivery(
  db: Kysely<Database>,
  { workspaceId, id, attempts }: ClaimedDelivery,
  outcome: {
    status: Delivery['status']
    responseStatus: number | null
    error: string | null
    nextAttemptAt: Date | null
    retryUntil?: Date
  },
): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({
      status: outcome.status,
      response_status: outcome.responseStatus,
      error: outcome.error,
      next_attempt_at: outcome.nextAttemptAt,
      ...(outcome.retryUntil ? { retry_until: outcome.retryUntil } : {}),
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .execute()
}

/** Notes that the receiver works again. */
export async function clearFailure(
  db: Kysely<Database>,
  { workspaceId, webhookId }: WebhookPlace,
): Promise<void> {
  await db
    .updateTable('webhooks')
    .set({ failing_since: null })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', webhookId)
    .where('failing_since', 'is not', null)
    .execute()
}

/** Notes that the receiver fails; returns since when, or undefined if the webhook is not active. */
export async function noteFailure(
  trx: Transaction<Database>,
  { workspaceId, webhookId }: WebhookPlace,
  now: Date,
): Promise<string | undefined> {
  const row = await trx
    .updateTable('webhooks')
    .set({ failing_since: sql<Date>`coalesce(failing_since, ${now})` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', webhookId)
    .where('status', '=', 'ACTIVE')
    .returning(sql<string>`failing_since`.as('since'))
    .executeTakeFirst()
  return row?.since
}

/** Disables a webhook and gives up its pending deliveries. The transaction has locked it. */
export async function disableWebhook(
  trx: Transaction<Database>,
  { workspaceId, webhookId }: WebhookPlace,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('webhooks')
    .set({ status: 'DISABLED', updated_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', webhookId)
    .execute()
  await giveUpPending(trx, { workspaceId, webhookId })
}

/** Gives up pending deliveries of a disabled webhook. */
export async function giveUpPending(
  trx: Transaction<Database>,
  { workspaceId, webhookId }: WebhookPlace,
): Promise<void> {
  await trx
    .updateTable('webhook_deliveries')
    .set({ status: 'FAILED', next_attempt_at: null })
    .where('workspace_id', '=', workspaceId)
    .where('webhook_id', '=', webhookId)
    .where('status', '=', 'PENDING')
    .execute()
}
