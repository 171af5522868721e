import express, { type Router } from 'express'
import { countWebhook } from '../../core/metrics.ts'
import { receivePaymentEvent } from '../../domain/credits/payments.ts'
import { servePost } from '../pages/pages.ts'
import type { Service } from '../call/call.ts'
import { readBytes } from '../call/request_parts.ts'

const maxEventBytes = 512 * 1024

/**
 * Webhooks from other services. The body is read as bytes, because the signature covers them. An
 * unsigned body is refused before it is parsed, and leaves no trace.
 */
export function createWebhooks(service: Service): Router {
  const { db, config, payments, log } = service
  const router = express.Router()
  servePost(router, '/payments', async (request, response) => {
    const body = await readBytes(request, maxEventBytes)
    const now = service.clock()
    const receive = async () => {
      const event = await payments.verify(body, request.get('Stripe-Signature'), now)
      const { environment } = config
      return { event, outcome: await receivePaymentEvent(db, event, { environment, now }) }
    }
    const { event, outcome } = await receive().catch((error: unknown) => {
      countWebhook('REFUSED')
      throw error
    })
    countWebhook(outcome)
    const line = { eventId: event.id, eventType: event.type, outcome }
    // A payment that brought no credits needs a person's attention.
    if (outcome === 'MISMATCH') log.warn(line, 'payment event')
    else log.info(line, 'payment event')
    response.set('Cache-Control', 'no-store').json({ received: true })
  })
  return router
}
