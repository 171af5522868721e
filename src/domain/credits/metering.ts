import type { Transaction } from 'kysely'
import { ModelFailed, type ModelFailure } from '../../adapters/models/failures.ts'
import { ApiError } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { hour } from '../../core/time.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import type { Visitor, VisitorCaller } from '../../operation.ts'
import {
  insertRequest,
  lockRequestCount,
  returnFreeTrial,
  takeFreeTrial,
} from '../../queries/credits/quotas.ts'
import { insertUsageEvent } from '../../queries/credits/usage_events.ts'
import { holdCustomer } from '../../queries/site/customers.ts'
import type { VisitorDay } from '../../queries/site/visits.ts'
import type { RefusalKey } from '../../texts/refusals.ts'
import { dailyRequests, utcDay } from '../site/visits.ts'
import { spendToday, unspendToday } from './daily_budgets.ts'
import { detailsOf, eventOf, type MeteredCall, type ModelUse, recordable } from './metered_calls.ts'
import {
  isReleased,
  releaseReservation,
  reserveCredits,
  settleFree,
  settleReservation,
} from './wallet.ts'

/*
 * How AI calls are paid for. Credits and a place in the visitor's daily quota are held before the model is
 * called; no transaction is open while it runs. Its answer is charged, counted, recorded and stored in one
 * transaction, even if the client has disconnected. An answer that says nothing is free, but counted,
 * recorded and stored all the same. A failed call is released at once. If the process dies during a call,
 * its reservation expires: from then on it counts for nothing, and the next tidy-up records the call as
 * failed.
 *
 * An owner's first trials of a day are free where the built-in model answers, so that a first look at the
 * assistant costs nothing. They hold one of the day's free trials instead of credits.
 */

/** Free trials of a workspace on a UTC day. */
export const freeTrialsPerDay = 50

/** Access and credits, as reported with an answer. */
export interface Receipt {
  access: components['schemas']['ChatAccess']
  credits: components['schemas']['ChatCredits']
}

export interface Steps<Reply extends ModelUse, Output> {
  /** Calls the model; aborted if the reservation expires. */
  ask: (signal: AbortSignal) => Promise<Reply>
  /** Builds the answer, in the transaction that charges for it. */
  answer: (trx: Transaction<Database>, reply: Reply, receipt: Receipt) => Promise<Output>
}

export function runMetered<Reply extends ModelUse, Output>(
  caller: VisitorCaller,
  call: MeteredCall,
  steps: Steps<Reply, Output>,
): Promise<Output> {
  return caller.outlast(run(caller, call, steps))
}

async function run<Reply extends ModelUse, Output>(
  caller: VisitorCaller,
  call: MeteredCall,
  { ask, answer }: Steps<Reply, Output>,
): Promise<Output> {
  const { site, config } = caller
  const day = { workspaceId: site.workspaceId, visitorId: call.visitor.id, day: utcDay(caller.now) }
  const limit = dailyRequests(site.accessPolicy, call.visitor)
  const held = await reserve(caller, call, day, limit)
  let answered: Reply | undefined
  try {
    const reply = await ask(AbortSignal.timeout(config.reservationSeconds * 1000))
    answered = reply
    return await caller.transaction(async (trx) => {
      await holdVisitor(trx, site.workspaceId, call.visitor)
      const requests = await insertRequest(trx, day)
      const output = await answer(trx, reply, {
        access: { remainingRequests: Math.max(0, limit - requests) },
        credits: { charged: chargeOf(call, held, reply) },
      })
      // Lock the wallet last, because all other calls of the workspace wait for it.
      await settle(trx, caller, call, { ...held, ...reply })
      return output
    })
  } catch (error) {
    if (answered && isGone(error)) await chargeAlone(caller, call, { ...held, ...answered })
    else await release(caller, call, { ...held, day, error })
    throw toRefusal(error)
  }
}

/** What is held for a call: credits, or a free trial if null. */
interface Held {
  reservationId: string | null
}

/** A free trial and an answer that says nothing cost nothing. */
function chargeOf({ credits }: MeteredCall, { reservationId }: Held, { isFree }: ModelUse): number {
  return isFree || reservationId === null ? 0 : credits
}

/** Checks the quota before the wallet. A refused call leaves nothing behind in either. */
function reserve(
  caller: VisitorCaller,
  call: MeteredCall,
  day: VisitorDay,
  limit: number,
): Promise<Held> {
  const { db, config, now, aiModel } = caller
  return db.transaction().execute(async (trx) => {
    await holdVisitor(trx, day.workspaceId, call.visitor)
    if ((await lockRequestCount(trx, day, now)) >= limit)
      throw new ApiError(
        'quota_exceeded',
        ['quotaUsed', { count: limit }],
        undefined,
        secondsLeftOf(now),
      )
    const mayBeFree = call.visitor.isTrial && config.ai === undefined
    if (mayBeFree && (await takeFreeTrial(trx, day, freeTrialsPerDay)))
      return { reservationId: null }
    const { id } = await reserveCredits(trx, day.workspaceId, {
      credits: call.credits,
      reference: newId('call'),
      now,
      seconds: config.reservationSeconds,
      usage: eventOf(call, { aiModel }),
      visitor: { id: day.visitorId, day: day.day },
    })
    // After the wallet: the same lock order as where it is given back.
    const spent = { day: day.day, credits: call.credits }
    if (!(await spendToday(trx, caller, spent)))
      throw new ApiError('quota_exceeded', 'keyBudgetUsed', undefined, secondsLeftOf(now))
    return { reservationId: id }
  })
}

/** Refuses a customer who is gone: they may be deleted while the model runs. */
async function holdVisitor(
  trx: Transaction<Database>,
  workspaceId: string,
  { type, id }: Visitor,
): Promise<void> {
  if (type === 'CUSTOMER') await holdCustomer(trx, workspaceId, id)
}

/** Only `holdVisitor` refuses with this code. */
function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'unauthenticated'
}

/**
 * Charges for an answer whose customer was deleted meanwhile, as they may have read it word by word. Nothing
 * else is written: the deletion has counted the request.
 */
async function chargeAlone(
  caller: VisitorCaller,
  call: MeteredCall,
  held: ModelUse & Held,
): Promise<void> {
  try {
    await caller.db.transaction().execute(async (trx) => {
      const recorded = await recordable(trx, caller.site.workspaceId, call)
      await settle(trx, caller, recorded, held)
    })
  } catch (err) {
    caller.log.warn({ err }, 'A reservation was left to expire.')
  }
}

/** Whole seconds until the end of the UTC day. */
function secondsLeftOf(now: Date): number {
  const wholeDay = 24 * hour
  return Math.ceil((wholeDay - (now.getTime() % wholeDay)) / 1000)
}

async function settle(
  trx: Transaction<Database>,
  caller: VisitorCaller,
  call: MeteredCall,
  { reservationId, ...reply }: ModelUse & Held,
): Promise<void> {
  const { site, clock } = caller
  const now = clock()
  const { modelKey, isFree } = reply
  const charged = chargeOf(call, { reservationId }, reply)
  const event = { ...eventOf(call, caller), creditDelta: charged === 0 ? 0 : -charged, modelKey }
  const details = detailsOf(caller, call, reply)
  if (reservationId !== null && isFree) {
    await settleFree(trx, site.workspaceId, reservationId, { now })
    await unspendToday(trx, caller, { day: utcDay(caller.now), credits: call.credits })
  } else if (reservationId !== null)
    await settleReservation(trx, site.workspaceId, reservationId, { now, reason: call.eventName })
  // After the wallet, as in every transaction that locks both: inserting the event locks the person's
  // counts.
  await insertUsageEvent(trx, site.workspaceId, { ...event, details }, now)
}

/** Releases everything and records the failure, unless the call has already ended. */
async function release(
  caller: VisitorCaller,
  call: MeteredCall,
  { reservationId, day, error }: Held & { day: VisitorDay; error: unknown },
): Promise<void> {
  const { db, site, clock, log, aiModel } = caller
  if (error instanceof ModelFailed)
    log.warn({ failure: error.failure, err: error }, 'The model did not answer.')
  const now = clock()
  try {
    await db.transaction().execute(async (trx) => {
      const recorded = await recordable(trx, site.workspaceId, call)
      if (reservationId === null) await returnFreeTrial(trx, day)
      else if (!(await releaseSpent(trx, caller, call, { reservationId, day, now }))) return
      const event = { ...eventOf(recorded, { aiModel }), status: 'FAILED' as const }
      await insertUsageEvent(trx, site.workspaceId, event, now)
    })
  } catch (err) {
    log.warn({ err }, 'A reservation was left to expire.')
  }
}

/**
 * Releases credits and their share of the day's budget; false if the reservation had already ended. If a
 * tidy-up released it, nothing was paid either, so the budget is given back, and the tidy-up recorded the
 * failure. If it was settled, the call was paid for without learning of it: the budget stays spent.
 */
async function releaseSpent(
  trx: Transaction<Database>,
  caller: VisitorCaller,
  { credits }: MeteredCall,
  { reservationId, day, now }: { reservationId: string; day: VisitorDay; now: Date },
): Promise<boolean> {
  const { workspaceId } = caller.site
  const released = await releaseReservation(trx, workspaceId, reservationId, { now })
  if (released || (await isReleased(trx, workspaceId, reservationId)))
    await unspendToday(trx, caller, { day: day.day, credits })
  return released
}

const reasons: Record<ModelFailure, RefusalKey> = {
  timeout: 'modelTimeout',
  unavailable: 'modelUnavailable',
  refused: 'modelRefused',
  misbehaved: 'modelMisbehaved',
  aborted: 'modelAborted',
}

/** A model's failure as the caller sees it; any other error is returned unchanged. */
export function toRefusal(error: unknown): unknown {
  if (!(error instanceof ModelFailed)) return error
  return new ApiError('unavailable', reasons[error.failure], undefined, 5)
}
