import type { Kysely } from 'kysely'
import type { OpenedCheckout, Payments } from '../../adapters/payments.ts'
import { unavailable } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { listReturned, type StoredCheckout } from '../../queries/credits/checkouts.ts'
import type { Reason } from '../../texts/refusals.ts'

type Checkout = components['schemas']['Checkout']

export function checkoutOf(checkout: StoredCheckout): Checkout {
  const { id, credits, refundedCredits, amountCents, currency, createdAt, paidAt } = checkout
  const status = paidAt === null ? 'OPEN' : 'PAID'
  const price = amountCents / 100
  return { id, status, credits, refundedCredits, price, currency, createdAt, paidAt }
}

/** The buyer may retry; the log tells the operator what the provider said. */
export async function openAtProvider(
  { payments, log }: { payments: Payments; log: Log },
  checkout: OpenedCheckout,
): ReturnType<Payments['open']> {
  try {
    return await payments.open(checkout)
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown'
    log.error({ checkoutId: checkout.id, reason }, 'The payment provider opened no checkout.')
    throw unavailable()
  }
}

/** Dependencies of the built-in provider for reporting events to the service. */
interface BuiltInParts {
  db: Kysely<Database>
  payments: Payments
  now: Date
}

/** Reports a checkout as paid, the way Stripe does. */
export async function payBuiltIn(
  { payments, now }: Omit<BuiltInParts, 'db'>,
  checkout: StoredCheckout,
): Promise<void> {
  const { id, amountCents, currency } = checkout
  const object = {
    id: `cs_${id}`,
    object: 'checkout.session',
    client_reference_id: id,
    payment_intent: `pi_${id}`,
    payment_status: 'paid',
    metadata: metadataOf(checkout),
    amount_total: amountCents,
    currency: currency.toLowerCase(),
  }
  await payments.announce?.({ type: 'checkout.session.completed', object }, now)
}

/**
 * Reports a refund of some credits of a checkout, by default all that are left, or returns the reason if
 * too few are left. The refund may arrive before the payment.
 */
export async function refundBuiltIn(
  { db, payments, now }: BuiltInParts,
  checkout: StoredCheckout,
  credits: number | undefined,
): Promise<Reason | undefined> {
  const { id, amountCents, currency } = checkout
  const refunded = (await listReturned(db, id)).map(({ refundedCents }) => refundedCents)
  const before = Math.max(0, ...refunded)
  const centsPerCredit = amountCents / checkout.credits
  const cents = credits === undefined ? amountCents - before : credits * centsPerCredit
  if (before + cents > amountCents)
    return ['refundMax', { count: (amountCents - before) / centsPerCredit }]
  const object = {
    id: `ch_${id}`,
    object: 'charge',
    payment_intent: `pi_${id}`,
    amount: amountCents,
    amount_refunded: before + cents,
    currency: currency.toLowerCase(),
    refunded: before + cents === amountCents,
    metadata: metadataOf(checkout),
  }
  await payments.announce?.({ type: 'charge.refunded', object }, now)
  return undefined
}

function metadataOf({ id, workspaceId, credits }: StoredCheckout): Record<string, string> {
  return { workspaceId, pack: String(credits), checkoutId: id }
}
