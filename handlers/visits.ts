import { requireVisitor } from '../src/access/visitors.ts'
import { invalidInput } from '../src/core/errors.ts'
import { newId } from '../src/core/ids.ts'
import { actorOf, bootstrapVisit } from '../src/domain/site/visits.ts'
import type { Handler } from '../src/operation.ts'
import { holdCustomer } from '../src/queries/site/customers.ts'
import { insertFeedback } from '../src/queries/site/feedback.ts'
import { type EventName, insertUsageEvent } from '../src/queries/credits/usage_events.ts'
import { insertVisitorEvent, isPublished } from '../src/queries/site/visits.ts'
import type { FieldErrors } from '../src/texts/refusals.ts'

export const get_bootstrap: Handler<'get_bootstrap'> = async (_input, caller) => {
  if (!caller.visitor) throw invalidInput({ 'X-Guest-Device-Id': 'deviceIdRequired' })
  return bootstrapVisit(caller, caller.visitor)
}

export const create_feedback: Handler<'create_feedback'> = async ({ body }, caller) => {
  const { workspaceId } = caller.site
  const visitor = requireVisitor(caller)
  const customerId = visitor.type === 'CUSTOMER' ? visitor.id : null
  const feedback = { id: newId('fbk'), customerId, message: body.message }
  const event = {
    ...actorOf(visitor),
    eventName: 'feedback.create' as const,
    endpoint: 'create_feedback',
    resourceType: 'feedback',
    resourceId: feedback.id,
  }
  await caller.transaction(async (trx) => {
    if (customerId !== null) await holdCustomer(trx, workspaceId, customerId)
    await insertFeedback(trx, workspaceId, feedback, caller.now)
    await insertUsageEvent(trx, workspaceId, event, caller.now)
  })
}

const eventNames = {
  PAGE_VIEW: 'page.view',
  PRODUCT_VIEW: 'product.view',
  COLLECTION_VIEW: 'collection.view',
  CLICK: 'click',
  CUSTOM: 'custom',
} as const satisfies Record<string, EventName>

/** What a view must name, or it would be counted for nothing. */
const viewed = { PRODUCT_VIEW: 'productId', COLLECTION_VIEW: 'collectionId' } as const

export const record_event: Handler<'record_event'> = async ({ body }, caller) => {
  const { workspaceId } = caller.site
  const actor = actorOf(requireVisitor(caller))
  for (const [view, field] of Object.entries(viewed))
    if (body.name === view && body[field] === undefined) throw invalidInput({ [field]: 'required' })
  const { name, productId = null, collectionId = null, ...details } = body
  const event = {
    ...actor,
    eventName: eventNames[name],
    productId,
    collectionId,
    details: productId && collectionId ? { ...details, collectionId } : details,
  }
  if (await insertVisitorEvent(caller.db, workspaceId, event, caller.now)) return { accepted: true }
  const fieldErrors: FieldErrors = {}
  if (productId && !(await isPublished(caller.db, workspaceId, 'products', productId)))
    fieldErrors.productId = 'noSuchPublishedProduct'
  if (collectionId && !(await isPublished(caller.db, workspaceId, 'collections', collectionId)))
    fieldErrors.collectionId = 'noSuchCollection'
  throw invalidInput(fieldErrors)
}
