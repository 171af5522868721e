import { type Kysely, sql, type Transaction } from 'kysely'
import { notFound } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import type { PageRequest } from '../../core/paging.ts'
import { columnsIn, type ReadFields, selectList } from '../../db/read_fields.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { maxPlaces, type WebhookPlace } from './following.ts'

type Delivery = components['schemas']['WebhookDelivery']

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

/** Makes a delivery due again, whatever became of it; the time for its attempts begins anew. */
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
export async function listDue(
  db: Kysely<Database>,
  now: Date,
): Promise<(WebhookPlace & { isFailing: boolean })[]> {
  const { rows } = await sql<WebhookPlace & { isFailing: boolean }>`
    select w.workspace_id as "workspaceId", w.id as "webhookId",
      w.failing_since is not null as "isFailing"
    from webhooks w where exists (select from webhook_deliveries d
      where d.workspace_id = w.workspace_id and d.webhook_id = w.id and d.status = 'PENDING'
        and d.next_attempt_at <= ${now})
    order by random() limit ${maxPlaces}`.execute(db)
  return rows
}

export interface ClaimedDelivery extends WebhookPlace {
  id: string
  type: string
  body: string
  attempts: number
  /** Null if it has not failed. */
  retryUntil: string | null
  url: string
  secrets: Buffer[]
}

/**
 * Claims the delivery of a webhook that has waited longest, and counts the attempt. The lease keeps
 * other processes off it, and lets them take over after a crash.
 */
export async function claimDelivery(
  db: Kysely<Database>,
  place: WebhookPlace,
  { now, leaseEnd }: { now: Date; leaseEnd: Date },
): Promise<ClaimedDelivery | undefined> {
  const { workspaceId, webhookId } = place
  const { rows } = await sql<Omit<ClaimedDelivery, keyof WebhookPlace | 'url' | 'secrets'>>`
    update webhook_deliveries set attempts = attempts + 1, last_attempt_at = ${now},
      next_attempt_at = ${leaseEnd}
    where workspace_id = ${workspaceId} and id = (
      select id from webhook_deliveries
      where workspace_id = ${workspaceId} and webhook_id = ${webhookId} and status = 'PENDING'
        and next_attempt_at <= ${now}
      order by next_attempt_at, id limit 1 for update skip locked)
    returning id, type, body, attempts, retry_until as "retryUntil"`.execute(db)
  const [claimed] = rows
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
 * Only the process that made this attempt may write its outcome: one that outlived its lease finds a
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

/** The receiver works again. */
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

/** Notes that the receiver fails; returns since when. Undefined if the webhook is not active. */
export async function noteFailure(
  trx: Transaction<Database>,
  { workspaceId, webhookId }: WebhookPlace,
  now: Date,
): Promise<string | undefined> {
  const { rows } = await sql<{ since: string }>`
    update webhooks set failing_since = coalesce(failing_since, ${now})
    where workspace_id = ${workspaceId} and id = ${webhookId} and status = 'ACTIVE'
    returning failing_since as since`.execute(trx)
  return rows[0]?.since
}

/** Disables a webhook and gives up what it was to be told. The transaction has locked it. */
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

/** What waits for a webhook that is disabled is not sent any more. */
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
