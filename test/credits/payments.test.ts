import request from 'supertest'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getWallet } from '../../src/queries/credits/wallets.ts'
import { brokenWallets } from '../../src/queries/credits/wallet_audit.ts'
import {
  type Checkout,
  givenCheckout,
  paidEvent,
  refundedEvent,
  sendEvent,
  type StripeEvent,
} from './payment_events.ts'
import { startService, type TestService, unique } from '../kit/service.ts'
import { entriesOf, write } from '../kit/wallets.ts'
import { adjustCredits } from '../../src/domain/credits/wallet.ts'

let service: TestService
let checkout: Checkout
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(async () => {
  checkout = await givenCheckout(service)
})

const entries = () => entriesOf(service, checkout.workspaceId)
const balance = async () =>
  (await getWallet(service.db, checkout.workspaceId, service.now())).balance

async function deliver(...events: StripeEvent[]): Promise<void> {
  for (const event of events) {
    const { status, body } = await sendEvent(service, event)
    expect([status, body]).toEqual([200, { received: true }])
  }
}

async function outcomeOf({ id }: StripeEvent): Promise<string | undefined> {
  const row = await service.db
    .selectFrom('payment_events')
    .select('outcome')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.outcome
}

describe('a payment', () => {
  test('adds the credits of its pack once, however many events arrive', async () => {
    const event = paidEvent(checkout)
    await deliver(event, event, { ...paidEvent(checkout), id: unique('evt') })
    const succeeded = { ...paidEvent(checkout), type: 'checkout.session.async_payment_succeeded' }
    await deliver(succeeded)
    expect(await entries()).toEqual(['PURCHASE 500 = 500'])
    expect(await outcomeOf(event)).toBe('CREDITED')
    const [usage] = await service.db
      .selectFrom('usage_events')
      .select(['actor_type', 'event_name', 'credit_delta'])
      .where('workspace_id', '=', checkout.workspaceId)
      .execute()
    const purchase = { actor_type: 'SYSTEM', event_name: 'credits.purchase', credit_delta: 500 }
    expect(usage).toEqual(purchase)
  })

  test('that is pending adds nothing until it succeeds', async () => {
    await deliver(paidEvent(checkout, { payment_status: 'unpaid' }))
    expect(await entries()).toEqual([])
    await deliver({ ...paidEvent(checkout), type: 'checkout.session.async_payment_succeeded' })
    expect(await entries()).toEqual(['PURCHASE 500 = 500'])
  })

  test.each([
    ['another amount', { amount_total: 1 }],
    ['another currency', { currency: 'try' }],
    ['another workspace', { metadata: { workspaceId: 'ws_other', pack: '500' } }],
    ['another pack', { metadata: { pack: '5000' } }],
  ])('of %s than the checkout asked for adds nothing', async (_what, more) => {
    const event = paidEvent(checkout, more)
    await deliver(event)
    expect(await outcomeOf(event)).toBe('MISMATCH')
    expect(await entries()).toEqual([])
    // Nor does its refund affect the payment that does match.
    const intent = { payment_intent: `pi_right_${checkout.id}` }
    await deliver(paidEvent(checkout, intent), refundedEvent(checkout, 1000))
    expect(await entries()).toEqual(['PURCHASE 500 = 500'])
  })

  test('of an unknown checkout is recorded and adds nothing', async () => {
    const event = paidEvent({ ...checkout, id: 'chk_of_somebody_else' })
    await deliver(event)
    expect(await outcomeOf(event)).toBe('UNMATCHED')
    expect(await entries()).toEqual([])
  })
})

describe('a refund', () => {
  test.each([
    [1, 1],
    [400, 200],
    [333, 167],
    [999, 500],
    [1000, 500],
  ])('of %i cents of 1000 takes back %i credits of 500', async (cents, credits) => {
    await deliver(paidEvent(checkout), refundedEvent(checkout, cents))
    expect(await entries()).toEqual(['PURCHASE 500 = 500', `REFUND -${credits} = ${500 - credits}`])
  })

  test('is cumulative: the largest counts, in any order and despite repeats', async () => {
    await deliver(paidEvent(checkout), refundedEvent(checkout, 100), refundedEvent(checkout, 400))
    await deliver(refundedEvent(checkout, 100), refundedEvent(checkout, 400))
    expect(await entries()).toEqual(['PURCHASE 500 = 500', 'REFUND -50 = 450', 'REFUND -150 = 300'])
    await deliver(refundedEvent(checkout, 1000), refundedEvent(checkout, 700))
    expect(await balance()).toBe(0)
  })

  test.each<[string, (id: string) => object]>([
    ['by its payment', () => ({})],
    ['by the reference of the checkout', (id) => ({ client_reference_id: id })],
    ['by its metadata', (id) => ({ metadata: { checkoutId: id } })],
    ['by a payment that is written out', (id) => ({ payment_intent: { id: `pi_${id}` } })],
    ['by the checkout alone', (id) => ({ payment_intent: null, metadata: { checkoutId: id } })],
  ])('before its payment, identified %s, ends in the same state', async (_how, more) => {
    const early = refundedEvent(checkout, 400, more(checkout.id))
    await deliver(early)
    expect(await entries()).toEqual([])
    await deliver(paidEvent(checkout), early)
    expect(await entries()).toEqual(['PURCHASE 500 = 500', 'REFUND -200 = 300'])
    await deliver(refundedEvent(checkout, 1000, more(checkout.id)))
    expect(await balance()).toBe(0)
  })

  test('of spent credits leaves a debt', async () => {
    await deliver(paidEvent(checkout))
    const adjustment = { credits: -450, reason: 'Used', reference: 'used', now: service.now() }
    await write(service, (trx) => adjustCredits(trx, checkout.workspaceId, adjustment))
    await deliver(refundedEvent(checkout, 1000))
    expect(await balance()).toBe(-450)
  })

  test('never takes more than the payment added', async () => {
    await deliver(paidEvent(checkout), refundedEvent(checkout, 5000))
    expect(await balance()).toBe(0)
  })
})

describe('the webhook', () => {
  const eventCount = async () =>
    (await service.db.selectFrom('payment_events').select('id').execute()).length

  test.each(['invoice.created', 'constructor', '__proto__'])(
    'answers the unknown event %s with 200 and records it',
    async (type) => {
      const event = { ...paidEvent(checkout), type }
      await deliver(event)
      expect(await outcomeOf(event)).toBe('IGNORED')
      expect(await entries()).toEqual([])
    },
  )

  const old = () => Math.floor(service.now().getTime() / 1000) - 301
  test.each([
    ['made with another secret', () => ({ secret: 'whsec_other' })],
    ['of another body', () => ({ body: JSON.stringify(paidEvent({ ...checkout, pack: 5000 })) })],
    ['older than five minutes', () => ({ timestamp: old() })],
    ['that is malformed', () => ({ signature: 'v1=nonsense' })],
    ['that is empty', () => ({ signature: '' })],
    ['of a body that is not JSON', () => ({ body: 'nonsense' })],
  ])('refuses a signature %s with 400 and records nothing', async (_what, delivery) => {
    const before = await eventCount()
    const { status, body } = await sendEvent(service, paidEvent(checkout), delivery())
    expect([status, body.code]).toEqual([400, 'invalid_input'])
    expect(body.fieldErrors).toEqual({
      'Stripe-Signature': 'Not a recent signature of this body.',
    })
    expect(await eventCount()).toBe(before)
    expect(await entries()).toEqual([])
  })

  test('refuses an event without a signature', async () => {
    const send = request(service.urls.api).post('/webhooks/payments')
    const { status, body } = await send.send(paidEvent(checkout))
    expect([status, body.code]).toEqual([400, 'invalid_input'])
  })

  test('refuses an event of the live environment', async () => {
    const before = await eventCount()
    const { status, body } = await sendEvent(service, { ...paidEvent(checkout), livemode: true })
    expect(status).toBe(400)
    expect(body.fieldErrors).toEqual({
      livemode: 'Does not belong to the development environment.',
    })
    expect(await eventCount()).toBe(before)
  })

  test.each([
    ['no event', { id: 'evt_1', object: 'balance' }],
    ['an event without an object', { id: 'evt_1', type: 'a', livemode: false, data: {} }],
    [
      'an event with an unusable id',
      { id: '\0', type: 'a', livemode: false, data: { object: {} } },
    ],
    ['nothing', null],
  ])('refuses %s despite a valid signature', async (_what, event) => {
    const { status, body } = await sendEvent(service, event as object)
    expect([status, body.fieldErrors]).toEqual([400, { body: 'Not an event.' }])
  })

  test('does not attribute an event with unusable ids to a checkout', async () => {
    const event = paidEvent(checkout, {
      client_reference_id: 'a\0b',
      payment_intent: 7,
      metadata: null,
    })
    await deliver(event, refundedEvent(checkout, 400, { payment_intent: '', amount_refunded: -1 }))
    expect(await outcomeOf(event)).toBe('UNMATCHED')
    expect(await entries()).toEqual([])
  })

  test('refuses large bodies and other methods', async () => {
    const large = { ...paidEvent(checkout), padding: 'x'.repeat(600_000) }
    expect((await sendEvent(service, large)).status).toBe(413)
    const answer = await request(service.urls.api).get('/webhooks/payments')
    expect([answer.status, answer.headers.allow]).toEqual([405, 'POST'])
  })

  test('leaves every wallet consistent', async () => {
    expect(await brokenWallets(service.db)).toEqual([])
  })
})
