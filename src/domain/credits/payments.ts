import type { Kysely, Transaction } from 'kysely'
import { type PaymentEvent, plainId } from '../../adapters/payments.ts'
import { invalidInput } from '../../core/errors.ts'
import type { Environment } from '../../core/secrets.ts'
import type { Database } from '../../db/schema.ts'
import {
  insertPaymentEvent,
  listReturned,
  lockCheckout,
  markPaid,
  markRefunded,
  mergeDispute,
  mergePaymentIntent,
  type Returned,
  type StoredCheckout,
  updatePaymentEvent,
} from '../../queries/credits/checkouts.ts'
import { purchaseCredits, refundCredits, reinstateCredits } from './wallet.ts'

/**
 * The outcome of an event. Only CREDITED, REVERSED and REINSTATED moved credits. MISMATCH: the payment
 * differs from its checkout. UNMATCHED: its checkout is not known yet.
 */
export type PaymentOutcome =
  | 'REPEATED'
  | 'IGNORED'
  | 'AWAITING'
  | 'CREDITED'
  | 'REVERSED'
  | 'REINSTATED'
  | 'UNMATCHED'
  | 'MISMATCH'

/**
 * Processes an event whose signature was verified. Idempotent: everything is one transaction under
 * the event's id, so a repeated event is a no-op, in parallel or later.
 */
export async function receivePaymentEvent(
  db: Kysely<Database>,
  event: PaymentEvent,
  { environment, now }: { environment: Environment; now: Date },
): Promise<PaymentOutcome> {
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
  outcome: PaymentOutcome
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
  // A dispute alone moves no money; these two do.
  'charge.dispute.funds_withdrawn': applyDispute,
  'charge.dispute.funds_reinstated': applyDispute,
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
  event: PaymentEvent,
  names: Names,
  now: Date,
): Promise<Applied> {
  const { object } = event
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
  await adjustToReturned(trx, checkout, event, now)
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
  event: PaymentEvent,
  names: Names,
  now: Date,
): Promise<Applied> {
  const { object } = event
  const intent = intentOf(names)
  const refundedCents = centsOf(object.amount_refunded)
  if (intent === undefined || refundedCents === undefined)
    return { outcome: 'UNMATCHED', checkoutId: names.checkoutId }
  const amountCents = centsOf(object.amount)
  const payment = { id: intent, checkoutId: names.checkoutId, amountCents, refundedCents }
  const { checkoutId } = await mergePaymentIntent(trx, payment)
  return applyReturned(trx, checkoutId, event, now)
}

async function applyDispute(
  trx: Transaction<Database>,
  event: PaymentEvent,
  names: Names,
  now: Date,
): Promise<Applied> {
  const { object, type } = event
  const intent = intentOf(names)
  const disputeId = idOf(object.id)
  const amountCents = centsOf(object.amount)
  if (intent === undefined || disputeId === undefined || amountCents === undefined)
    return { outcome: 'UNMATCHED', checkoutId: names.checkoutId }
  const payment = { id: intent, amountCents: undefined, refundedCents: 0 }
  const { checkoutId } = await mergePaymentIntent(trx, {
    ...payment,
    checkoutId: names.checkoutId,
  })
  await mergeDispute(trx, {
    id: disputeId,
    paymentIntent: intent,
    amountCents,
    isWithdrawn: type === 'charge.dispute.funds_withdrawn',
    isReinstated: type === 'charge.dispute.funds_reinstated',
  })
  return applyReturned(trx, checkoutId, event, now)
}

/** A refund or dispute that arrives before its payment is stored with the payment's data until then. */
async function applyReturned(
  trx: Transaction<Database>,
  checkoutId: string | null,
  event: PaymentEvent,
  now: Date,
): Promise<Applied> {
  if (checkoutId === null) return { outcome: 'UNMATCHED', checkoutId: undefined }
  const checkout = await lockCheckout(trx, checkoutId)
  if (!checkout || checkout.paidAt === null) return { outcome: 'AWAITING', checkoutId }
  return { outcome: await adjustToReturned(trx, checkout, event, now), checkoutId }
}

function centsOf(value: unknown): number | undefined {
  const isWhole = typeof value === 'number' && Number.isInteger(value)
  return isWhole && value >= 0 && value < 2 ** 31 ? value : undefined
}

/**
 * Takes back the credits of all refunds and disputes so far, less those already taken, or gives back those
 * of a dispute that was won. The reference includes the event, because a checkout may reach the same number
 * twice.
 */
async function adjustToReturned(
  trx: Transaction<Database>,
  checkout: StoredCheckout,
  event: PaymentEvent,
  now: Date,
): Promise<'REVERSED' | 'REINSTATED' | 'IGNORED'> {
  const { id, workspaceId, refundedCredits } = checkout
  const parts = (await listReturned(trx, id)).map((returned) => creditsDue(checkout, returned))
  const dueCredits = Math.max(0, ...parts)
  if (dueCredits === refundedCredits) return 'IGNORED'
  await markRefunded(trx, checkout, dueCredits)
  const credits = Math.abs(dueCredits - refundedCredits)
  const reason = event.type.startsWith('charge.dispute.') ? event.type : null
  const move = { credits, reference: `${id}:${dueCredits}:${event.id}`, reason, now }
  if (dueCredits > refundedCredits) {
    await refundCredits(trx, workspaceId, move)
    return 'REVERSED'
  }
  await reinstateCredits(trx, workspaceId, move)
  return 'REINSTATED'
}

/** The credits for the share of the price that was refunded or is disputed, rounded up. */
function creditsDue(
  checkout: Pick<StoredCheckout, 'credits' | 'amountCents'>,
  { amountCents, refundedCents, disputedCents }: Returned,
): number {
  const amount = amountCents || checkout.amountCents
  const returned = refundedCents + disputedCents
  return Math.min(checkout.credits, Math.ceil((checkout.credits * returned) / amount))
}
