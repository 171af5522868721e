import type { Transaction } from 'kysely'
import { ModelFailed, type ModelFailure } from '../../adapters/models/failures.ts'
import { ApiError } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { hour } from '../../core/time.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import type { Visitor, VisitorCaller } from '../../operation.ts'
import { insertRequest, lockRequestCount, sharedBudgets } from '../../queries/credits/quotas.ts'
import { insertUsageEvent } from '../../queries/credits/usage_events.ts'
import { lockWallet } from '../../queries/credits/wallets.ts'
import { holdCustomer } from '../../queries/site/customers.ts'
import type { VisitorDay } from '../../queries/site/visits.ts'
import type { Reason, RefusalKey } from '../../texts/refusals.ts'
import { dailyRequests, utcDay } from '../site/visits.ts'
import { budgetOf, spendToday, takeFreeTrial } from './daily_budgets.ts'
import { detailsOf, eventOf, type MeteredCall, type ModelUse, recordable } from './metered_calls.ts'
import {
  releaseReservation,
  reserveCredits,
  settleFree,
  settleReservation,
  tidyLocked,
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
 * assistant costs nothing. They reserve no credits, and count against the day's free trials.
 */

/** Access and credits, as reported with an answer. */
interface Receipt {
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
        credits: { charged: chargeOf(held, reply) },
      })
      // Lock the wallet last, because all other calls of the workspace wait for it.
      await settle(trx, caller, call, { ...held, ...reply })
      return output
    })
  } catch (error) {
    if (answered && isGone(error)) await chargeAlone(caller, call, { ...held, ...answered })
    else await release(caller, call, { ...held, error })
    throw toRefusal(error)
  }
}

/** What is held for a call: its credits, or none for a free trial. */
interface Held {
  reservationId: string
  credits: number
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
      throw usedUp(['quotaUsed', { count: limit }], now)
    const isTrial = await takesFreeTrial(trx, caller, call, day)
    const credits = isTrial ? 0 : call.credits
    const budget = isTrial ? sharedBudgets.trials : budgetOf(caller)
    const { id } = await reserveCredits(trx, day.workspaceId, {
      credits,
      reference: newId('call'),
      now,
      seconds: config.reservationSeconds,
      usage: eventOf(call, { aiModel }),
      visitor: { id: day.visitorId, day: day.day, budget },
    })
    if (!isTrial && budget !== null) {
      const spend = () => spendToday(trx, caller, { budget, day: day.day, credits })
      if (!(await tidyingOnce(trx, caller, spend))) throw usedUp('keyBudgetUsed', now)
    }
    return { reservationId: id, credits }
  })
}

/** A free trial and an answer that says nothing cost nothing. */
function chargeOf({ credits }: Held, { isFree }: ModelUse): number {
  return isFree ? 0 : credits
}

/** Whether the call is a free trial, and counts as one. Locks the wallet first, as all that count do. */
async function takesFreeTrial(
  trx: Transaction<Database>,
  caller: VisitorCaller,
  { visitor }: MeteredCall,
  day: VisitorDay,
): Promise<boolean> {
  if (!visitor.isTrial || caller.config.ai !== undefined) return false
  await lockWallet(trx, day.workspaceId)
  return tidyingOnce(trx, caller, () => takeFreeTrial(trx, day))
}

/**
 * Tries again where a budget is used up, after expired calls have given back what they had counted. The
 * wallet is locked.
 */
async function tidyingOnce(
  trx: Transaction<Database>,
  { site, now }: VisitorCaller,
  take: () => Promise<boolean>,
): Promise<boolean> {
  return (await take()) || ((await tidyLocked(trx, site.workspaceId, now)) && take())
}

function usedUp(reason: Reason, now: Date): ApiError {
  return new ApiError('quota_exceeded', reason, undefined, secondsLeftOf(now))
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
  held: ModelUse & Held,
): Promise<void> {
  const { site, clock } = caller
  const now = clock()
  const { reservationId, modelKey } = held
  const charged = chargeOf(held, held)
  const event = { ...eventOf(call, caller), creditDelta: charged === 0 ? 0 : -charged, modelKey }
  const details = detailsOf(caller, call, held)
  if (charged === 0) await settleFree(trx, site.workspaceId, reservationId, { now })
  else
    await settleReservation(trx, site.workspaceId, reservationId, { now, reason: call.eventName })
  // After the wallet, as in every transaction that locks both: inserting the event locks the person's
  // counts.
  await insertUsageEvent(trx, site.workspaceId, { ...event, details }, now)
}

/**
 * Releases everything and records the failure, unless the reservation has ended: if a tidy-up released it,
 * that recorded the failure, and if it was settled, the call was paid for without learning of it.
 */
async function release(
  caller: VisitorCaller,
  call: MeteredCall,
  { reservationId, error }: Held & { error: unknown },
): Promise<void> {
  const { db, site, clock, log, aiModel } = caller
  if (error instanceof ModelFailed)
    log.warn({ failure: error.failure, err: error }, 'The model did not answer.')
  const now = clock()
  try {
    await db.transaction().execute(async (trx) => {
      const recorded = await recordable(trx, site.workspaceId, call)
      if (!(await releaseReservation(trx, site.workspaceId, reservationId, { now }))) return
      const event = { ...eventOf(recorded, { aiModel }), status: 'FAILED' as const }
      await insertUsageEvent(trx, site.workspaceId, event, now)
    })
  } catch (err) {
    log.warn({ err }, 'A reservation was left to expire.')
  }
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
