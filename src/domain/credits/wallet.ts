import type { Kysely, Transaction } from 'kysely'
import { ApiError, unavailable } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { countReservation } from '../../core/metrics.ts'
import type { Database } from '../../db/schema.ts'
import { eachAlone } from '../../fairness/alone.ts'
import { insertUsageEvent, type UsageEvent } from '../../queries/credits/usage_events.ts'
import {
  deleteReservation,
  findReservation,
  findReservationById,
  holdInserted,
  insertReservation,
  listWalletsToTidy,
  releaseExpired,
  releaseHeldReservation,
  type Reservation,
  settleHeldFree,
  settleHeldReservation,
} from '../../queries/credits/reservations.ts'
import {
  findEntry,
  insertEntry,
  lockWallet,
  type WalletEntry,
} from '../../queries/credits/wallets.ts'
import { giveBack } from './daily_budgets.ts'

/*
 * The wallet of a workspace. Invariants after every transaction, under any concurrency:
 *
 * 1. The balance is the sum of the wallet's entries, and each entry's balanceAfter is the balance
 *    right after it. Entries are numbered from 1 without gaps and never change.
 * 2. Reserved is the sum of the HELD reservations. An expired one no longer counts: readers
 *    subtract it, and a call that needs its credits releases it first.
 * 3. A reservation ends once: SETTLED with one USAGE entry for its credits, or without one if it is
 *    free, or RELEASED with none. An expired one can no longer be settled.
 * 4. No reservation of credits exceeds balance minus reserved, and none is made in debt. Only a refund, an
 *    adjustment, or settling what was reserved before them can take the balance below zero.
 * 5. A paid checkout has one PURCHASE entry. Its REFUND entries add up to the share of its price that
 *    was refunded or is disputed, applied to its credits and rounded up, and never to more than it
 *    brought. One adds credits where disputed money came back.
 * 6. Each move has a reference and is idempotent by it.
 * 7. A reservation that ends without a charge gives back what it had counted against a budget of the day,
 *    in the transaction that ends it, so never twice. A free trial is a reservation of no credits, which
 *    counts as one until it is released.
 * 8. The times of the entries never run backwards, whatever the clocks of the services say.
 *
 * Lock order: payment, its checkout, reservation, wallet, budgets of the day. `npm run audit:wallets` checks
 * all of this on a database.
 */

/** Holds credits for a call that is about to cost them, or refuses with 402. */
export async function reserveCredits(
  trx: Transaction<Database>,
  workspaceId: string,
  request: {
    credits: number
    reference: string
    now: Date
    seconds: number
    /** The usage event to record as failed if the reservation expires. */
    usage?: UsageEvent
    /**
     * The visitor, and the UTC day the request counts against while it runs. If there is a budget for the
     * day, the caller counts the request against it in the same transaction.
     */
    visitor?: { id: string; day: string; budget?: string | null }
  },
): Promise<Reservation> {
  const { credits, reference, now, seconds } = request
  const id = newId('res')
  const expiresAt = new Date(now.getTime() + seconds * 1000)
  const usage = request.usage ? JSON.stringify(request.usage) : null
  const { id: visitorId = null, day: quotaDay = null, budget = null } = request.visitor ?? {}
  const counted = { visitorId, quotaDay, budget }
  const draft = { id, credits, reference, usage, ...counted, now, expiresAt }
  const outcome = await insertReservation(trx, workspaceId, draft)
  if (outcome === 'known') return existingReservation(trx, workspaceId, request)
  if (outcome === 'short') await holdOrRefuse(trx, workspaceId, draft)
  countReservation('reserved')
  return { id, credits, reference, status: 'HELD', expiresAt: expiresAt.toISOString() }
}

/** Releases expired reservations before refusing for lack of credits. */
async function holdOrRefuse(
  trx: Transaction<Database>,
  workspaceId: string,
  { id, credits, now }: { id: string; credits: number; now: Date },
): Promise<void> {
  const { balance } = await lockWallet(trx, workspaceId)
  await tidyLocked(trx, workspaceId, now)
  if (await holdInserted(trx, workspaceId, credits, now)) return
  await deleteReservation(trx, workspaceId, id)
  countReservation('refused')
  if (balance < 0) throw new ApiError('wallet_in_debt', 'walletInDebt')
  throw new ApiError('insufficient_credits', ['insufficientCredits', { count: credits }])
}

async function existingReservation(
  trx: Transaction<Database>,
  workspaceId: string,
  { reference, credits, now }: { reference: string; credits: number; now: Date },
): Promise<Reservation> {
  const existing = await findReservation(trx, workspaceId, reference)
  const live = existing?.status === 'HELD' && new Date(existing.expiresAt) > now
  if (existing && live && existing.credits === credits) return existing
  throw new ApiError('duplicate', 'reservationExists')
}

/**
 * Charges a reservation. Idempotent: a repeat returns the same entry. An expired or released
 * reservation is not charged: the caller must report that there was no answer.
 */
export async function settleReservation(
  trx: Transaction<Database>,
  workspaceId: string,
  reservationId: string,
  { now, reason = null }: { now: Date; reason?: string | null },
): Promise<WalletEntry> {
  const held = { id: reservationId, reason, now }
  const entry = await settleHeldReservation(trx, workspaceId, held)
  if (entry) {
    countReservation('settled')
    return entry
  }
  const reservation = await findReservationById(trx, workspaceId, reservationId)
  if (reservation?.status === 'SETTLED') {
    const settled = await findEntry(trx, workspaceId, 'USAGE', reservation.reference)
    if (settled) return settled
  }
  throw unavailable()
}

/**
 * Ends a reservation whose call succeeded and costs nothing, without an entry. What it had counted against
 * a budget is given back, but for a free trial. Idempotent; an expired or released one is refused, as by
 * `settleReservation`.
 */
export async function settleFree(
  trx: Transaction<Database>,
  workspaceId: string,
  reservationId: string,
  { now }: { now: Date },
): Promise<void> {
  const settled = await settleHeldFree(trx, workspaceId, reservationId, now)
  if (settled) {
    countReservation('settled')
    // A free trial holds no credits, and was used.
    if (settled.credits > 0) await giveBack(trx, workspaceId, settled)
    return
  }
  const reservation = await findReservationById(trx, workspaceId, reservationId)
  if (reservation?.status !== 'SETTLED') throw unavailable()
}

/** Releases reserved credits, and what is counted with them. A no-op if the reservation has ended. */
export async function releaseReservation(
  trx: Transaction<Database>,
  workspaceId: string,
  reservationId: string,
  { now }: { now: Date },
): Promise<boolean> {
  const released = await releaseHeldReservation(trx, workspaceId, reservationId, now)
  if (!released) return false
  countReservation('released')
  await giveBack(trx, workspaceId, released)
  return true
}

interface Move {
  credits: number
  reference: string
  now: Date
}

/** Adds purchased credits. */
export function purchaseCredits(
  trx: Transaction<Database>,
  workspaceId: string,
  move: Move,
): Promise<WalletEntry> {
  return moveCredits(trx, workspaceId, 'PURCHASE', { ...move, reason: null })
}

/** Takes back credits whose price was refunded or is disputed; the wallet may end in debt. */
export function refundCredits(
  trx: Transaction<Database>,
  workspaceId: string,
  { credits, ...move }: Move & { reason: string | null },
): Promise<WalletEntry> {
  return moveCredits(trx, workspaceId, 'REFUND', { ...move, credits: -credits })
}

/** Gives back credits when a dispute returns their price. */
export function reinstateCredits(
  trx: Transaction<Database>,
  workspaceId: string,
  move: Move & { reason: string | null },
): Promise<WalletEntry> {
  return moveCredits(trx, workspaceId, 'REFUND', move)
}

/** Adds or takes credits by hand, with a reason; the wallet may end in debt. */
export function adjustCredits(
  trx: Transaction<Database>,
  workspaceId: string,
  move: Move & { reason: string },
): Promise<WalletEntry> {
  return moveCredits(trx, workspaceId, 'ADJUSTMENT', move)
}

const eventNames = {
  PURCHASE: 'credits.purchase',
  REFUND: 'credits.refund',
  ADJUSTMENT: 'credits.adjust',
} as const

async function moveCredits(
  trx: Transaction<Database>,
  workspaceId: string,
  type: keyof typeof eventNames,
  { now, ...move }: Move & { reason: string | null },
): Promise<WalletEntry> {
  // Look up under the lock: of two moves with one reference, the second finds the entry of the first.
  await lockWallet(trx, workspaceId)
  const existing = await findEntry(trx, workspaceId, type, move.reference)
  if (existing) return existing
  const entry = await insertEntry(trx, workspaceId, { type, ...move }, now)
  const event: UsageEvent = {
    actorType: 'SYSTEM',
    userId: null,
    eventName: eventNames[type],
    resourceType: 'wallet_entry',
    resourceId: entry.id,
    creditDelta: entry.credits,
  }
  await insertUsageEvent(trx, workspaceId, event, now)
  return entry
}

/**
 * Releases the wallet's expired reservations, gives back what they had counted and records them as failed;
 * false if there is none. The caller holds the wallet's lock.
 */
export async function tidyLocked(
  trx: Transaction<Database>,
  workspaceId: string,
  now: Date,
): Promise<boolean> {
  const expired = await releaseExpired(trx, workspaceId, now)
  for (const { usage, ...counted } of expired) {
    countReservation('expired')
    await giveBack(trx, workspaceId, counted)
    if (usage === null) continue
    const event = { ...(usage as UsageEvent), creditDelta: 0, status: 'FAILED' as const }
    await insertUsageEvent(trx, workspaceId, event, now)
  }
  return expired.length > 0
}

/** Releases all expired reservations. Housekeeping only; correctness never depends on it. */
export async function sweepReservations(db: Kysely<Database>, now: Date): Promise<void> {
  const tidy = (workspaceId: string) =>
    db.transaction().execute(async (trx) => {
      await lockWallet(trx, workspaceId)
      await tidyLocked(trx, workspaceId, now)
    })
  await eachAlone(await listWalletsToTidy(db, now), tidy, 'Some reservations were not released.')
}
