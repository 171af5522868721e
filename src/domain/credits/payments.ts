import type { Kysely, Transaction } from 'kysely'
import { type PaymentEvent, plainId } from '../../adapters/payments.ts'
import { invalidInput } from '../../core/errors.ts'
import type { Environment } from '../../core/secrets.ts'
import type { Database } from '../../db/schema.ts'
import {
  insertPaymentEvent,
  listRefunds,
  lockCheckout,
  markPaid,
  markRefunded,
  mergePaymentIntent,
  type StoredCheckout,
  updatePaymentEvent,
} from '../../queries/credits/checkouts.ts'
import { purchaseCredits, refundCredits } from './wallet.ts'

/**
 * The outcome of an event. Only CREDITED and REVERSED moved credits. MISMATCH: the payment differs
 * from its checkout. UNMATCHED: no known checkout yet.
 */
export type Outcome =
  'REPEATED' | 'IGNORED' | 'AWAITING' | 'CREDITED' | 'REVERSED' | 'UNMATCHED' | 'MISMATCH'

/**
 * Processes an event whose signature was verified. Idempotent: everything is one transaction under
 * the event's id, so a repeated event is a no-op, in parallel or later.
 */
export async function receivePaymentEvent(
  db: Kysely<Database>,
  event: PaymentEvent,
  { environment, now }: { environment: Environment; now: Date },
): Promise<Outcome> {
  if (event.livemode !== (environment === 'production'))
    throw invalidInput({ livemode: ['livemodeMismatch', { environment }] })
  return db.transaction().execute(async (trx) => {
    if (!(await insertPaymentEvent(trx, event, now))) return 'REPEATED'
    const apply = Object.hasOwn(handlers, event.type) ? handlers[event.type] : undefined
    if (!apply) return 'IGNORED'
    const names = namesIn(event.object)
    const { outcome, checkoutId } = await apply(trx, event, names, now)
    await updatePaymentEvent(trx, event.id, { ...names, outcome, checkoutId })
    return outcome
  })
}

/** Identifiers by which an event is matched. */
interface Names {
  checkoutId: string | undefined
  paymentIntent: string | undefined
}

interface Applied {
  outcome: Outcome
  checkoutId: string | undefined
}

type Apply = (
  trx: Transaction<Database>,
  event: PaymentEvent,
  names: Names,
  now: Date,
) => Promise<Applied>

const handlers: Record<string, Apply> = {
  'checkout.session.completed': applyPayment,
  'checkout.session.async_payment_succeeded': applyPayment,
  'charge.refunded': applyRefund,
}

function namesIn(object: PaymentEvent['object']): Names {
  const metadata = (object.metadata ?? {}) as Record<string, unknown>
  const intent = object.payment_intent as { id?: unknown } | string | null | undefined
  return {
    checkoutId: idOf(object.client_reference_id) ?? idOf(metadata.checkoutId),
    // A provider may expand a reference into the object.
    paymentIntent: idOf(typeof intent === 'object' ? intent?.id : intent),
  }
}

function idOf(value: unknown): string | undefined {
  return typeof value === 'string' && plainId.test(value) ? value : undefined
}

/** The key of a payment; a fallback where the provider gave it no id. */
function intentOf({ checkoutId, paymentIntent }: Names): string | undefined {
  return paymentIntent ?? (checkoutId && `checkout:${checkoutId}`)
}

async function applyPayment(
  trx: Transaction<Database>,
  { object }: PaymentEvent,
  names: Names,
  now: Date,
): Promise<Applied> {
  const { checkoutId } = names
  const intent = intentOf(names)
  if (checkoutId === undefined || intent === undefined) return { outcome: 'UNMATCHED', checkoutId }
  const payment = { id: intent, amountCents: undefined, refundedCents: 0 }
  await mergePaymentIntent(trx, { ...payment, checkoutId: undefined })
  const checkout = await lockCheckout(trx, checkoutId)
  if (!checkout) return { outcome: 'UNMATCHED', checkoutId: undefined }
  if (!fits(checkout, object)) return { outcome: 'MISMATCH', checkoutId }
  // Link the two only now: the refund of a mismatched payment must not apply to the checkout.
  await mergePaymentIntent(trx, { ...payment, checkoutId })
  if (object.payment_status !== 'paid') return { outcome: 'AWAITING', checkoutId }
  if (checkout.paidAt !== null) return { outcome: 'IGNORED', checkoutId }

  const { workspaceId, credits } = checkout
  await markPaid(trx, checkout, now)
  await purchaseCredits(trx, workspaceId, { credits, reference: checkoutId, now })
  await reverse(trx, checkout, now)
  return { outcome: 'CREDITED', checkoutId }
}

/**
 * Whether a session is the one the checkout opened, for its price. The reference proves nothing by
 * itself: on some provider pages the buyer can enter any reference.
 */
function fits(checkout: StoredCheckout, session: PaymentEvent['object']): boolean {
  const { sessionId, amountCents, currency, workspaceId, credits } = checkout
  const metadata = (session.metadata ?? {}) as Record<string, unknown>
  const matches = (stated: unknown, expected: unknown) => (stated ?? expected) === expected
  return (
    (sessionId === null || session.id === sessionId) &&
    matches(session.amount_total, amountCents) &&
    matches(session.currency, currency.toLowerCase()) &&
    matches(metadata.workspaceId, workspaceId) &&
    matches(metadata.pack, String(credits))
  )
}

async function applyRefund(
  trx: Transaction<Database>,
  { object }: PaymentEvent,
  names: Names,
  now: Date,
): Promise<Applied> {
  const intent = intentOf(names)
  const refundedCents = centsOf(object.amount_refunded)
  if (intent === undefined || refundedCents === undefined)
    return { outcome: 'UNMATCHED', checkoutId: names.checkoutId }
  const amountCents = centsOf(object.amount)
  const payment = { id: intent, checkoutId: names.checkoutId, amountCents, refundedCents }
  const { checkoutId } = await mergePaymentIntent(trx, payment)
  // A refund that arrives before its payment is stored with the payment's data until then.
  if (checkoutId === null) return { outcome: 'UNMATCHED', checkoutId: undefined }
  const checkout = await lockCheckout(trx, checkoutId)
  if (!checkout || checkout.paidAt === null) return { outcome: 'AWAITING', checkoutId }
  const reversed = await reverse(trx, checkout, now)
  return { outcome: reversed ? 'REVERSED' : 'IGNORED', checkoutId }
}

function centsOf(value: unknown): number | undefined {
  const isWhole = typeof value === 'number' && Number.isInteger(value)
  return isWhole && value >= 0 && value < 2 ** 31 ? value : undefined
}

/**
 * Takes back the credits of all refunds so far, less those already taken; false if none are due.
 */
async function reverse(
  trx: Transaction<Database>,
  checkout: StoredCheckout,
  now: Date,
): Promise<boolean> {
  const { id, workspaceId, refundedCredits } = checkout
  const parts = (await listRefunds(trx, id)).map((refund) => creditsDue(checkout, refund))
  const dueCredits = Math.max(0, ...parts)
  if (dueCredits <= refundedCredits) return false
  const credits = dueCredits - refundedCredits
  await markRefunded(trx, checkout, dueCredits)
  await refundCredits(trx, workspaceId, { credits, reference: `${id}:${dueCredits}`, now })
  return true
}

/** The refunded share of the price, applied to the credits and rounded up. */
function creditsDue(
  checkout: Pick<StoredCheckout, 'credits' | 'amountCents'>,
  refund: { amountCents: number | null; refundedCents: number },
): number {
  const amount = refund.amountCents || checkout.amountCents
  return Math.min(checkout.credits, Math.ceil((checkout.credits * refund.refundedCents) / amount))
}
