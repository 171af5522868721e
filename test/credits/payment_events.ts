import Stripe from 'stripe'
import request, { type Response } from 'supertest'
import { type TestService, unique } from '../kit/service.ts'

/** A checkout as the payment provider sees it. */
export interface Checkout {
  id: string
  workspaceId: string
  pack: 500 | 1000 | 5000
}

const cents = { 500: 1000, 1000: 2000, 5000: 10_000 }

export interface StripeEvent {
  id: string
  type: string
  livemode: boolean
  data: { object: Record<string, unknown> }
}

function eventOf(type: string, object: Record<string, unknown>): StripeEvent {
  return { id: unique('evt'), type, livemode: false, data: { object } }
}

/** The event of a paid session, as Stripe sends it. */
export function paidEvent({ id, workspaceId, pack }: Checkout, more: object = {}): StripeEvent {
  return eventOf('checkout.session.completed', {
    id: `cs_test_${id}`,
    object: 'checkout.session',
    client_reference_id: id,
    payment_intent: `pi_${id}`,
    payment_status: 'paid',
    currency: 'usd',
    amount_total: cents[pack],
    metadata: { workspaceId, pack: String(pack) },
    ...more,
  })
}

/** The event of a charge with this cumulative refund in cents. */
export function refundedEvent(
  { id, pack }: Checkout,
  refundedCents: number,
  more = {},
): StripeEvent {
  return eventOf('charge.refunded', {
    id: `ch_${id}`,
    object: 'charge',
    payment_intent: `pi_${id}`,
    currency: 'usd',
    amount: cents[pack],
    amount_refunded: refundedCents,
    ...more,
  })
}

/** The event of a dispute about so many cents of a payment. */
export function disputeEvent(
  { id }: Checkout,
  what: 'funds_withdrawn' | 'funds_reinstated' | 'created' | 'closed',
  amountCents: number,
  dispute = 'dp_1',
): StripeEvent {
  return eventOf(`charge.dispute.${what}`, {
    id: `${dispute}_${id}`,
    object: 'dispute',
    charge: `ch_${id}`,
    payment_intent: `pi_${id}`,
    currency: 'usd',
    amount: amountCents,
    status: what === 'funds_reinstated' ? 'won' : 'needs_response',
    metadata: {},
  })
}

export interface Delivery {
  secret?: string
  timestamp?: number
  /** Sent instead of the signature. */
  signature?: string
  /** Sent instead of the signed body. */
  body?: string
}

/** Sends an event to the webhook, by default signed like Stripe's. */
export async function sendEvent(
  service: TestService,
  event: object,
  delivery: Delivery = {},
): Promise<Response> {
  const payload = JSON.stringify(event)
  const {
    secret = service.config.webhookSecret,
    timestamp = Math.floor(service.now().getTime() / 1000),
  } = delivery
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
  return request(service.urls.api)
    .post('/webhooks/payments')
    .set('Content-Type', 'application/json')
    .set('Stripe-Signature', delivery.signature ?? signature)
    .send(delivery.body ?? payload)
}

/** A checkout opened in the dashboard by a new owner of a new workspace. */
export async function givenCheckout(
  service: TestService,
  pack: Checkout['pack'] = 500,
): Promise<Checkout> {
  const owner = await service.givenPerson()
  const { id: workspaceId } = await service.givenWorkspace(owner)
  return openCheckout(service, owner, workspaceId, pack)
}

export async function openCheckout(
  service: TestService,
  owner: { cookie: string },
  workspaceId: string,
  pack: Checkout['pack'],
): Promise<Checkout> {
  const path = `/api/workspaces/${workspaceId}/checkout`
  const { body } = await service.dashboard(owner).post(path).send({ pack }).expect(201)
  return { id: (body as { id: string }).id, workspaceId, pack }
}
