import { expect } from 'vitest'
import { createWebhookPost } from '../../src/adapters/webhook_post.ts'
import type { components } from '../../src/generated/types.ts'
import type { Shop } from '../kit/catalogue.ts'

type Webhook = components['schemas']['Webhook']
type Secret = components['schemas']['WebhookWithSecret']
export type Delivery = components['schemas']['WebhookDelivery']

const env = { WEBHOOK_LOOPBACK: 'true' }

/** For services that post to receivers on loopback. A slow machine may take its time. */
export const toLoopback = {
  env,
  webhookPost: createWebhookPost({ timeLimitMilliseconds: 100_000 }, { loopback: true }),
}

/** For a service whose receiver hangs: it is given up at once. */
export const toHanging = {
  env,
  webhookPost: createWebhookPost({ timeLimitMilliseconds: 500 }, { loopback: true }),
}

export const productEvents = ['product.changed', 'product.deleted'] as const

export async function createWebhook(
  shop: Shop,
  url: string,
  events: readonly string[],
): Promise<Secret> {
  const answer = await shop.api.post(shop.at('webhooks')).send({ url, events })
  expect(answer.body).not.toHaveProperty('code')
  return answer.body as Secret
}

export async function getWebhook(shop: Shop, { id }: { id: string }): Promise<Webhook> {
  return (await shop.api.get(shop.at(`webhooks/${id}`)).expect(200)).body as Webhook
}

/** The newest first. */
export async function listDeliveries(shop: Shop, { id }: { id: string }): Promise<Delivery[]> {
  const { body } = await shop.api.get(shop.at(`webhooks/${id}/deliveries`)).expect(200)
  return (body as components['schemas']['WebhookDeliveryList']).deliveries
}
