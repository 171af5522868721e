import { feedCursor } from '../../core/feed_cursors.ts'
import type { FeedKind } from '../../db/schema/catalogue.ts'
import type { components } from '../../generated/types.ts'
import type { NewDelivery } from '../../queries/webhooks/deliveries.ts'
import type { Happening } from '../../queries/webhooks/following.ts'

type WebhookEvent = components['schemas']['WebhookEvent']

/** What each kind of the feed is called: in `data.kind`, when it changes, and when it is deleted. */
const told: Record<FeedKind, { kind: string; changed: WebhookEvent; deleted?: WebhookEvent }> = {
  PRODUCT: { kind: 'PRODUCT', changed: 'product.changed', deleted: 'product.deleted' },
  COLLECTION: { kind: 'COLLECTION', changed: 'collection.changed', deleted: 'collection.deleted' },
  TAG: { kind: 'TAG', changed: 'tag.changed', deleted: 'tag.deleted' },
  MEDIA: { kind: 'MEDIA', changed: 'media.changed', deleted: 'media.deleted' },
  WEBSITE: { kind: 'WEBSITE', changed: 'website.changed' },
  OUT_OF_STOCK: { kind: 'PRODUCT', changed: 'product.out_of_stock' },
  FEEDBACK: { kind: 'FEEDBACK', changed: 'feedback.created' },
  WALLET_LOW: { kind: 'WALLET', changed: 'wallet.low' },
  CHANGE_SET_APPLIED: { kind: 'CHANGE_SET', changed: 'change_set.applied' },
  CHANGE_SET_WAITING: { kind: 'CHANGE_SET', changed: 'change_set.waiting' },
}

/**
 * The messages about what has happened, for a webhook with these events. Equal ones are one message,
 * at the place of the last: a receiver reads the resource as it stands anyway.
 */
export function messagesAbout(
  workspaceId: string,
  happenings: readonly Happening[],
  events: readonly WebhookEvent[],
): NewDelivery[] {
  const messages = new Map<string, NewDelivery>()
  for (const { number, kind: feedKind, id, action, changedAt } of happenings) {
    const { kind, changed, deleted = changed } = told[feedKind]
    const type = action === 'DELETE' ? deleted : changed
    if (!events.includes(type)) continue
    const data = { workspaceId, kind, id, cursor: feedCursor(workspaceId, number) }
    const key = `${type} ${id}`
    messages.delete(key)
    messages.set(key, messageOf(type, changedAt, data))
  }
  return [...messages.values()]
}

/** The message of a test. */
export function testMessage(workspaceId: string, webhookId: string, now: Date): NewDelivery {
  const data = { workspaceId, kind: 'WEBHOOK', id: webhookId }
  return messageOf(testType, now.toISOString(), data)
}

export const testType = 'webhook.test'

function messageOf(type: string, timestamp: string, data: object): NewDelivery {
  return { type, body: JSON.stringify({ type, timestamp, data }) }
}
