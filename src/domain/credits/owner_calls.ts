import type { Transaction } from 'kysely'
import { newId } from '../../core/ids.ts'
import type { Database } from '../../db/schema.ts'
import type { AccountCaller, OperationId } from '../../operation.ts'
import { movePages } from '../../queries/catalogue/feed.ts'
import { insertUsageEvent, type UsageEvent } from '../../queries/credits/usage_events.ts'
import type { ModelUse } from './metered_calls.ts'
import { toRefusal } from './metering.ts'
import { releaseReservation, reserveCredits, settleFree, settleReservation } from './wallet.ts'

/** Work of a model on a product's pages that an owner pays for. */
interface OwnerCall {
  workspaceId: string
  productId: string
  endpoint: OperationId
  credits: number
}

interface OwnerSteps<Reply extends ModelUse> {
  /**
   * Claims the work until the given time, in the transaction that reserves; false if there is nothing to
   * do.
   */
  begin: (trx: Transaction<Database>, until: Date) => Promise<boolean>
  ask: (signal: AbortSignal) => Promise<Reply>
  /**
   * Stores the result in the transaction that charges, null if it says nothing; refuses if another call
   * holds the claim by now.
   */
  keep: (trx: Transaction<Database>, reply: Reply | null, until: Date) => Promise<void>
  giveUp: (trx: Transaction<Database>, until: Date) => Promise<void>
}

/**
 * Pays for an answer as chats do, without a visitor: credits are held before the model is asked, and
 * charged in the transaction that stores the answer. What the catalogue does not say, a greeting and all
 * else that chats give for nothing is free and not kept.
 */
export async function runForOwner<Reply extends ModelUse>(
  caller: AccountCaller,
  call: OwnerCall,
  { begin, ask, keep, giveUp }: OwnerSteps<Reply>,
): Promise<void> {
  const { db, config, clock } = caller
  const { workspaceId, credits } = call
  const event = eventOf(caller, call)
  const seconds = config.reservationSeconds
  const begunAt = clock()
  const until = new Date(begunAt.getTime() + seconds * 1000)
  const reservationId = await db.transaction().execute(async (trx) => {
    if (!(await begin(trx, until))) return undefined
    const request = { credits, reference: newId('call'), now: begunAt, seconds, usage: event }
    return (await reserveCredits(trx, workspaceId, request)).id
  })
  if (reservationId === undefined) return
  try {
    const reply = await ask(AbortSignal.timeout(seconds * 1000))
    await db.transaction().execute(async (trx) => {
      const now = clock()
      const isPaid = !reply.isUnanswered && !reply.isFree
      await keep(trx, isPaid ? reply : null, until)
      if (isPaid)
        await settleReservation(trx, workspaceId, reservationId, { now, reason: call.endpoint })
      else await settleFree(trx, workspaceId, reservationId, { now })
      await movePages(trx, workspaceId)
      const { inputTokens, outputTokens } = reply.usage
      const details = { inputTokens, outputTokens }
      const creditDelta = isPaid ? -credits : 0
      const done = { ...event, creditDelta, modelKey: reply.modelKey, details }
      await insertUsageEvent(trx, workspaceId, done, now)
    })
  } catch (error) {
    await db.transaction().execute(async (trx) => {
      const now = clock()
      await giveUp(trx, until)
      if (!(await releaseReservation(trx, workspaceId, reservationId, { now }))) return
      await insertUsageEvent(trx, workspaceId, { ...event, status: 'FAILED' }, now)
    })
    throw toRefusal(error)
  }
}

function eventOf(
  { accountId, aiModel }: AccountCaller,
  { productId, endpoint }: OwnerCall,
): UsageEvent {
  const eventName = 'chat.product'
  return {
    actorType: 'OWNER',
    userId: accountId,
    eventName,
    endpoint,
    modelKey: aiModel.keyFor({ eventName, comprehensive: false }),
    resourceType: 'product',
    resourceId: productId,
  }
}
