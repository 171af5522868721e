import type { Transaction } from 'kysely'
import { isWebhookUrl } from '../src/adapters/webhook_post.ts'
import { invalidInput } from '../src/core/errors.ts'
import { newId } from '../src/core/ids.ts'
import { paginationOf } from '../src/core/paging.ts'
import { day } from '../src/core/time.ts'
import type { Database } from '../src/db/schema.ts'
import { testMessage } from '../src/domain/webhooks/messages.ts'
import { newWebhookSecret } from '../src/domain/webhooks/secrets.ts'
import type { Caller, Handler } from '../src/operation.ts'
import { lockWorkspace } from '../src/queries/people/workspaces.ts'
import {
  getDelivery,
  giveUpPending,
  insertDeliveries,
  listDeliveries,
  renewDelivery,
} from '../src/queries/webhooks/deliveries.ts'
import {
  deleteWebhook,
  getWebhook,
  insertWebhook,
  listWebhooks,
  lockWebhook,
  updateSecret,
  updateWebhook,
} from '../src/queries/webhooks/webhooks.ts'

const maxWebhooks = 10
const overlapMilliseconds = day

function requireUrl(url: string, { config }: Caller): void {
  if (!isWebhookUrl(url, config.webhookLoopback)) throw invalidInput({ url: 'webhookUrl' })
}

export const list_webhooks: Handler<'list_webhooks'> = async ({ path }, { db }) => ({
  webhooks: await listWebhooks(db, path.workspaceId),
})

export const get_webhook: Handler<'get_webhook'> = ({ path }, { db }) =>
  getWebhook(db, path.workspaceId, path.id)

export const create_webhook: Handler<'create_webhook'> = ({ path, body }, caller) =>
  caller.transaction(async (trx) => {
    const { workspaceId } = path
    requireUrl(body.url, caller)
    // The lock decides which of two concurrent calls is the tenth.
    await lockWorkspace(trx, workspaceId)
    const existing = await listWebhooks(trx, workspaceId)
    if (existing.length >= maxWebhooks)
      throw invalidInput({ url: ['webhooksMax', { limit: maxWebhooks }] })
    const id = newId('wh')
    const secret = newWebhookSecret(caller.config.secretKey, id)
    const { url, events, description = '' } = body
    const webhook = { id, url, events, description, secret: secret.sealed }
    await insertWebhook(trx, workspaceId, webhook, caller.now)
    return { ...(await getWebhook(trx, workspaceId, id)), secret: secret.shown }
  })

export const update_webhook: Handler<'update_webhook'> = ({ path, body }, caller) =>
  caller.transaction(async (trx) => {
    const { workspaceId, id } = path
    if (body.url !== undefined) requireUrl(body.url, caller)
    const current = await lockWebhook(trx, workspaceId, id)
    caller.requireCurrent(current)
    const webhook = { ...current, ...body }
    await updateWebhook(trx, workspaceId, current, webhook, caller.now)
    if (webhook.status === 'DISABLED') await giveUpPending(trx, { workspaceId, webhookId: id })
    return getWebhook(trx, workspaceId, id)
  })

export const delete_webhook: Handler<'delete_webhook'> = ({ path }, caller) =>
  caller.transaction(async (trx) => {
    caller.requireCurrent(await lockWebhook(trx, path.workspaceId, path.id))
    await deleteWebhook(trx, path.workspaceId, path.id)
    return { id: path.id, deleted: true as const }
  })

export const rotate_webhook_secret: Handler<'rotate_webhook_secret'> = ({ path }, caller) =>
  caller.transaction(async (trx) => {
    const { workspaceId, id } = path
    await lockWebhook(trx, workspaceId, id)
    const secret = newWebhookSecret(caller.config.secretKey, id)
    const formerUntil = new Date(caller.now.getTime() + overlapMilliseconds)
    await updateSecret(trx, workspaceId, id, { secret: secret.sealed, formerUntil }, caller.now)
    return { ...(await getWebhook(trx, workspaceId, id)), secret: secret.shown }
  })

export const test_webhook: Handler<'test_webhook'> = ({ path }, caller) =>
  caller.transaction(async (trx) => {
    const place = await lockPlace(trx, path)
    const message = testMessage(path.workspaceId, path.id, caller.now)
    const [id] = await insertDeliveries(trx, place, [message], caller.now)
    return getDelivery(trx, place, id!)
  })

export const list_webhook_deliveries: Handler<'list_webhook_deliveries'> = async (
  { path, query },
  { db },
) => {
  const { page, pageSize } = query
  await getWebhook(db, path.workspaceId, path.id)
  const place = { workspaceId: path.workspaceId, webhookId: path.id }
  const { deliveries, total } = await listDeliveries(db, place, { page, pageSize })
  return { deliveries, pagination: paginationOf(page, pageSize, total) }
}

export const resend_webhook_delivery: Handler<'resend_webhook_delivery'> = ({ path }, caller) =>
  caller.transaction(async (trx) => {
    const place = await lockPlace(trx, path)
    await getDelivery(trx, place, path.deliveryId)
    await renewDelivery(trx, place, path.deliveryId, caller.now)
    return getDelivery(trx, place, path.deliveryId)
  })

async function lockPlace(
  trx: Transaction<Database>,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<{ workspaceId: string; webhookId: string }> {
  await lockWebhook(trx, workspaceId, id)
  return { workspaceId, webhookId: id }
}
