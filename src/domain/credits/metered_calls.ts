import type { Transaction } from 'kysely'
import type { TokenUsage } from '../../adapters/language_model.ts'
import type { ModelFailed } from '../../adapters/models/failures.ts'
import type { Database } from '../../db/schema.ts'
import type { OperationId, Visitor, VisitorCaller } from '../../operation.ts'
import type { UsageEvent } from '../../queries/credits/usage_events.ts'
import { holdLivingCustomer } from '../../queries/site/customers.ts'
import { actorOf } from '../site/visits.ts'

/** A call's data, known before the model runs. */
export interface MeteredCall {
  visitor: Visitor
  eventName: 'chat.product' | 'chat.routine' | 'chat.analyze_face'
  endpoint: OperationId
  credits: number
  comprehensive: boolean
  productId?: string
  /** The customer has been deleted, so that no record may name them. */
  isForgotten?: boolean
}

export interface ModelUse {
  modelKey: string
  usage: TokenUsage
  /** The answer says that the catalogue does not know. */
  isUnanswered?: boolean
  /** The answer costs nothing. */
  isFree?: boolean
  /** Set if the chosen model failed and the built-in one answered. */
  standsInAfter?: ModelFailed
}

/** The event of a call. It names the model even if that failed, because it was asked. */
export function eventOf(
  call: MeteredCall,
  { aiModel }: Pick<VisitorCaller, 'aiModel'>,
): UsageEvent {
  const { visitor, eventName, endpoint, comprehensive, productId, isForgotten } = call
  return {
    ...actorOf(visitor),
    ...(isForgotten && { userId: null }),
    eventName,
    endpoint,
    comprehensive,
    modelKey: aiModel.keyFor(call),
    ...(productId === undefined ? {} : { resourceType: 'product', resourceId: productId }),
  }
}

/** The call without its customer, if they are gone. */
export async function recordable(
  trx: Transaction<Database>,
  workspaceId: string,
  call: MeteredCall,
): Promise<MeteredCall> {
  const { type, id } = call.visitor
  const isForgotten = type === 'CUSTOMER' && !(await holdLivingCustomer(trx, workspaceId, id))
  return { ...call, isForgotten }
}

/** Details of an event beside its fields. */
export function detailsOf({ aiModel, log }: VisitorCaller, call: MeteredCall, reply: ModelUse) {
  const { usage, isUnanswered, standsInAfter } = reply
  if (standsInAfter)
    log.warn(
      { failure: standsInAfter.failure, err: standsInAfter },
      'The model did not answer; the built-in one did.',
    )
  return {
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    ...(isUnanswered && { isUnanswered, found: false }),
    ...(standsInAfter && { standsInFor: aiModel.keyFor(call), failure: standsInAfter.failure }),
  }
}
