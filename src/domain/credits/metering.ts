import type { Transaction } from 'kysely'
import { ModelFailed, type ModelFailure, type TokenUsage } from '../../adapters/language_model.ts'
import { ApiError } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { hour } from '../../core/time.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import type { OperationId, Visitor, VisitorCaller } from '../../operation.ts'
import { insertRequest, lockRequestsTaken } from '../../queries/credits/quotas.ts'
import { insertUsageEvent, type UsageEvent } from '../../queries/usage_events.ts'
import type { VisitorDay } from '../../queries/site/visits.ts'
import { dailyRequests, utcDay } from '../site/visits.ts'
import { releaseReservation, reserveCredits, settleReservation } from './wallet.ts'

/*
 * How an AI call is paid for. Its credits and its place in the visitor's day are held before the
 * model is asked; no transaction is open while it speaks. What it says is charged, counted, recorded
 * and kept in one transaction, whether or not anybody still waits for it. What fails is given back at
 * once, and what dies is given back when its reservation expires: it counts for nobody from then on,
 * and whoever tidies up records it as failed.
 */

/** What is known of a call before the model is asked. */
export interface MeteredCall {
  visitor: Visitor
  eventName: 'chat.product' | 'chat.routine' | 'chat.analyze_face'
  endpoint: OperationId
  credits: number
  comprehensive: boolean
  productId?: string
}

/** What an answer tells of its price. */
export interface Receipt {
  access: components['schemas']['ChatAccess']
  credits: components['schemas']['ChatCredits']
}

interface Speech {
  modelKey: string
  usage: TokenUsage
}

export interface Steps<Spoken extends Speech, Output> {
  /** Asks the model, for as long as the credits are held. */
  ask: (held: AbortSignal) => Promise<Spoken>
  /** Makes the answer, in the transaction that charges for it. */
  answer: (trx: Transaction<Database>, spoken: Spoken, receipt: Receipt) => Promise<Output>
}

export function runMetered<Spoken extends Speech, Output>(
  caller: VisitorCaller,
  call: MeteredCall,
  steps: Steps<Spoken, Output>,
): Promise<Output> {
  return caller.outlast(run(caller, call, steps))
}

async function run<Spoken extends Speech, Output>(
  caller: VisitorCaller,
  call: MeteredCall,
  { ask, answer }: Steps<Spoken, Output>,
): Promise<Output> {
  const { site, config } = caller
  const day = { workspaceId: site.workspaceId, visitorId: call.visitor.id, day: utcDay(caller.now) }
  const limit = dailyRequests(site.accessPolicy, call.visitor)
  const reservationId = await reserve(caller, call, day, limit)
  try {
    const spoken = await ask(AbortSignal.timeout(config.reservationSeconds * 1000))
    return await caller.transaction(async (trx) => {
      const requests = await insertRequest(trx, day)
      const output = await answer(trx, spoken, {
        access: { remainingRequests: Math.max(0, limit - requests) },
        credits: { charged: call.credits },
      })
      // The wallet comes last, because everybody else of the workspace waits for it.
      await settle(trx, caller, call, { reservationId, ...spoken })
      return output
    })
  } catch (error) {
    await release(caller, call, { reservationId, error })
    throw error instanceof ModelFailed ? refusalOf(error) : error
  }
}

/** The quota is judged before the wallet, and neither keeps anything of a call that is refused. */
function reserve(
  { db, config, now }: VisitorCaller,
  call: MeteredCall,
  day: VisitorDay,
  limit: number,
): Promise<string> {
  return db.transaction().execute(async (trx) => {
    if ((await lockRequestsTaken(trx, day, now)) >= limit)
      throw new ApiError(
        'quota_exceeded',
        `All ${limit} requests of today are used.`,
        undefined,
        secondsLeftOf(now),
      )
    const { id } = await reserveCredits(trx, day.workspaceId, {
      credits: call.credits,
      reference: newId('call'),
      now,
      seconds: config.reservationSeconds,
      usage: eventOf(call),
      visitor: { id: day.visitorId, day: day.day },
    })
    return id
  })
}

/** Whole seconds until the day in UTC is over. */
function secondsLeftOf(now: Date): number {
  const wholeDay = 24 * hour
  return Math.ceil((wholeDay - (now.getTime() % wholeDay)) / 1000)
}

async function settle(
  trx: Transaction<Database>,
  { site, clock }: VisitorCaller,
  call: MeteredCall,
  { reservationId, modelKey, usage }: Speech & { reservationId: string },
): Promise<void> {
  const now = clock()
  const { inputTokens, outputTokens } = usage
  const event = { ...eventOf(call), creditDelta: -call.credits, modelKey }
  const details = { inputTokens, outputTokens }
  await insertUsageEvent(trx, site.workspaceId, { ...event, details }, now)
  await settleReservation(trx, reservationId, { now, reason: call.eventName })
}

/** Gives everything back and records the failure, unless the call has ended already. */
async function release(
  { db, site, clock, log }: VisitorCaller,
  call: MeteredCall,
  { reservationId, error }: { reservationId: string; error: unknown },
): Promise<void> {
  if (error instanceof ModelFailed)
    log.warn({ failure: error.failure, err: error }, 'The model did not answer.')
  const now = clock()
  try {
    await db.transaction().execute(async (trx) => {
      if (!(await releaseReservation(trx, reservationId, { now }))) return
      const failed = { ...eventOf(call), status: 'FAILED' as const }
      await insertUsageEvent(trx, site.workspaceId, failed, now)
    })
  } catch (err) {
    log.warn({ err }, 'A reservation was left to expire.')
  }
}

function eventOf(call: MeteredCall): UsageEvent {
  const { visitor, eventName, endpoint, comprehensive, productId } = call
  return {
    actorType: visitor.type,
    userId: visitor.type === 'CUSTOMER' ? visitor.id : null,
    eventName,
    endpoint,
    comprehensive,
    ...(productId === undefined ? {} : { resourceType: 'product', resourceId: productId }),
  }
}

const reasons: Record<ModelFailure, string> = {
  timeout: 'The model did not answer in time.',
  unavailable: 'The model cannot be reached.',
  refused: 'The model declined to answer this.',
  misbehaved: 'The model gave no usable answer.',
  aborted: 'The model was given up.',
}

function refusalOf({ failure }: ModelFailed): ApiError {
  return new ApiError('unavailable', `${reasons[failure]} Nothing was charged.`, undefined, 5)
}
