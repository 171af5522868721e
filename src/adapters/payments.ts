import { randomUUID } from 'node:crypto'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type Stripe from 'stripe'
import { invalidInput, unavailable } from '../core/errors.ts'

/** A checkout as passed to the provider. */
export interface OpenedCheckout {
  id: string
  workspaceId: string
  credits: number
  amountCents: number
  currency: string
}

/** An event with a valid signature; nothing else has been checked. */
export interface PaymentEvent {
  id: string
  type: string
  livemode: boolean
  object: Record<string, unknown>
}

export interface Payments {
  /** Opens the provider's checkout page; `sessionId` is the provider's id, if it has one. */
  open(checkout: OpenedCheckout): Promise<{ url: string; sessionId: string | null }>
  /** Parses a webhook body; 400 unless the provider signed it recently. */
  verify(body: Buffer, signature: string | undefined, now: Date): Promise<PaymentEvent>
  /** Built-in provider only: sends a signed event to our own webhook. */
  announce?(event: Pick<PaymentEvent, 'type' | 'object'>, now: Date): Promise<void>
}

/** The dashboard page after a checkout: the wallet it was for. */
export function checkoutReturn(workspaceId: string, outcome: 'paid' | 'cancelled'): string {
  return `/w/${workspaceId}/wallet?checkout=${outcome}`
}

/** Loaded on first use: it is large, and most development runs never pay. */
async function loadStripe(): Promise<typeof Stripe> {
  return (await import('stripe')).default
}

const timeoutMilliseconds = 10_000

export interface StripeSettings {
  secretKey: string
  webhookSecret: string
  /** Overrides the address of Stripe's API. */
  api?: { host: string; port: number; protocol: 'http' | 'https' }
  /** How long one request may take. */
  milliseconds?: number
}

/** Ends its connections after a while, however busy: the client itself only ends silent ones. */
function briefAgent(protocol: 'http' | 'https', milliseconds: number): HttpAgent {
  const agent = protocol === 'http' ? new HttpAgent() : new HttpsAgent()
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (options, callback) => {
    const socket = connect(options, callback)
    const deadline = setTimeout(() => socket?.destroy(), milliseconds)
    socket?.once('close', () => clearTimeout(deadline))
    return socket
  }
  return agent
}

/** Payments through Stripe Checkout. */
export function stripePayments(settings: StripeSettings & { dashboardUrl: string }): Payments {
  const { secretKey, webhookSecret, api, dashboardUrl } = settings
  const { milliseconds = timeoutMilliseconds } = settings
  let client: Promise<Stripe> | undefined
  const load = async () =>
    new (await loadStripe())(secretKey, {
      ...api,
      timeout: milliseconds,
      httpAgent: briefAgent(api?.protocol ?? 'https', milliseconds),
      maxNetworkRetries: 1,
      telemetry: false,
    })

  return {
    async open({ id, workspaceId, credits, amountCents, currency }) {
      // The charge carries the metadata too, so that a refund can be attributed.
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
 * The development provider: a dashboard page stands in for the checkout and sends the same signed
 * webhooks.
 */
export function builtInPayments(settings: {
  webhookSecret: string
  dashboardUrl: string
  /** Our own webhook's URL, known once the service listens. */
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
      if (answer.status === 503) throw unavailable()
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

/** Provider ids are short printable ASCII; anything else cannot be stored. */
export const plainId = /^[\x21-\x7e]{1,255}$/

function requireEvent(value: unknown): PaymentEvent {
  const { id, type, livemode, data } = (value ?? {}) as Record<string, unknown>
  const { object } = (data ?? {}) as { object?: unknown }
  const hasIds = [id, type].every((text) => typeof text === 'string' && plainId.test(text))
  if (!hasIds || typeof livemode !== 'boolean' || typeof object !== 'object' || object === null)
    throw invalidInput({ body: 'notAnEvent' })
  return {
    id: id as string,
    type: type as string,
    livemode,
    object: object as Record<string, unknown>,
  }
}
