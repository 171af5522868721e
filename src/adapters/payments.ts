import { randomUUID } from 'node:crypto'
import type Stripe from 'stripe'
import { invalidInput } from '../core/errors.ts'

/** What a provider is told of a checkout. */
export interface OpenedCheckout {
  id: string
  workspaceId: string
  credits: number
  amountCents: number
  currency: string
}

/** An event whose signature was right; nothing else of it has been checked. */
export interface PaymentEvent {
  id: string
  type: string
  livemode: boolean
  object: Record<string, unknown>
}

export interface Payments {
  /** Opens the provider's page for a checkout; `sessionId` is the provider's own id, if it has one. */
  open(checkout: OpenedCheckout): Promise<{ url: string; sessionId: string | null }>
  /** The event of a webhook's body, refused with 400 unless the provider has signed it of late. */
  verify(body: Buffer, signature: string | undefined, now: Date): Promise<PaymentEvent>
  /** The built-in provider alone: sends a signed event to the service's own webhook. */
  announce?(event: Pick<PaymentEvent, 'type' | 'object'>, now: Date): Promise<void>
}

/** Where a buyer is in the dashboard after a checkout: at the wallet that it was for. */
export function checkoutReturn(workspaceId: string, outcome: 'paid' | 'cancelled'): string {
  return `/w/${workspaceId}/wallet?checkout=${outcome}`
}

/** Loaded when it is first needed: it is large, and most starts of a developer never pay. */
async function loadStripe(): Promise<typeof Stripe> {
  return (await import('stripe')).default
}

const timeoutMilliseconds = 10_000

export interface StripeSettings {
  secretKey: string
  webhookSecret: string
  /** Where Stripe's API is, when it is not at Stripe. */
  api?: { host: string; port: number; protocol: 'http' | 'https' }
}

/** Payments through Stripe Checkout. */
export function stripePayments(settings: StripeSettings & { dashboardUrl: string }): Payments {
  const { secretKey, webhookSecret, api, dashboardUrl } = settings
  let client: Promise<Stripe> | undefined
  const load = async () =>
    new (await loadStripe())(secretKey, {
      ...api,
      timeout: timeoutMilliseconds,
      maxNetworkRetries: 1,
      telemetry: false,
    })

  return {
    async open({ id, workspaceId, credits, amountCents, currency }) {
      // The charge of a payment carries its metadata too, so that a refund says whose it is.
      const metadata = { workspaceId, pack: String(credits), checkoutId: id }
      const price = { currency: currency.toLowerCase(), unit_amount: amountCents }
      client ??= load()
      const { checkout } = await client
      const session = await checkout.sessions.create(
        {
          mode: 'payment',
          client_reference_id: id,
          metadata,
          payment_intent_data: { metadata },
          line_items: [
            {
              quantity: 1,
              price_data: { ...price, product_data: { name: `${credits} AI credits` } },
            },
          ],
          success_url: dashboardUrl + checkoutReturn(workspaceId, 'paid'),
          cancel_url: dashboardUrl + checkoutReturn(workspaceId, 'cancelled'),
        },
        { idempotencyKey: id },
      )
      if (!session.url) throw new Error('The session has no page.')
      return { url: session.url, sessionId: session.id }
    },
    verify: (body, signature, now) => verifyEvent(webhookSecret, body, signature, now),
  }
}

/**
 * The provider of development: a page of the dashboard takes the place of the provider's, and what
 * happens there is told to the service as the provider would tell it.
 */
export function builtInPayments(settings: {
  webhookSecret: string
  dashboardUrl: string
  /** The address of the service's own webhook, known once it listens. */
  webhookUrl: () => string
}): Payments {
  const { webhookSecret, dashboardUrl, webhookUrl } = settings
  return {
    open: ({ id }) => Promise.resolve({ url: `${dashboardUrl}/checkout/${id}`, sessionId: null }),
    verify: (body, signature, now) => verifyEvent(webhookSecret, body, signature, now),
    async announce({ type, object }, now) {
      const created = Math.floor(now.getTime() / 1000)
      const id = `evt_${randomUUID().replaceAll('-', '')}`
      const head = { id, object: 'event', created, livemode: false, type }
      const payload = JSON.stringify({ ...head, data: { object } })
      const { webhooks } = await loadStripe()
      const signature = webhooks.generateTestHeaderString({
        payload,
        secret: webhookSecret,
        timestamp: created,
      })
      const answer = await fetch(webhookUrl(), {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Stripe-Signature': signature },
        body: payload,
        signal: AbortSignal.timeout(timeoutMilliseconds),
      })
      await answer.body?.cancel()
      if (!answer.ok) throw new Error(`The service's own webhook answered ${answer.status}.`)
    },
  }
}

async function verifyEvent(
  secret: string,
  body: Buffer,
  signature: string | undefined,
  now: Date,
): Promise<PaymentEvent> {
  const { webhooks } = await loadStripe()
  let event: unknown
  try {
    event = webhooks.constructEvent(
      body,
      signature ?? '',
      secret,
      undefined, // the default tolerance
      undefined, // the default crypto provider
      now.getTime(),
    )
  } catch {
    throw invalidInput({ 'Stripe-Signature': 'signatureInvalid' })
  }
  return requireEvent(event)
}

/** Ids are short and plain; what is not could not be stored. */
export const plainId = /^[\x21-\x7e]{1,255}$/

function requireEvent(value: unknown): PaymentEvent {
  const { id, type, livemode, data } = (value ?? {}) as Record<string, unknown>
  const { object } = (data ?? {}) as { object?: unknown }
  const named = [id, type].every((text) => typeof text === 'string' && plainId.test(text))
  if (!named || typeof livemode !== 'boolean' || typeof object !== 'object' || object === null)
    throw invalidInput({ body: 'notAnEvent' })
  return {
    id: id as string,
    type: type as string,
    livemode,
    object: object as Record<string, unknown>,
  }
}
