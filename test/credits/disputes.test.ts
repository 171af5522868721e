import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { adjustCredits } from '../../src/domain/credits/wallet.ts'
import { brokenWallets } from '../../src/queries/credits/wallet_audit.ts'
import { getWallet } from '../../src/queries/credits/wallets.ts'
import { randomNumbers } from '../kit/random_numbers.ts'
import { startService, type TestService } from '../kit/service.ts'
import { entriesOf, write } from '../kit/wallets.ts'
import {
  type Checkout,
  disputeEvent,
  givenCheckout,
  paidEvent,
  refundedEvent,
  sendEvent,
  type StripeEvent,
} from './payment_events.ts'

let service: TestService
let checkout: Checkout
beforeAll(async () => {
  service = await startService({ waitMilliseconds: 30_000 })
})
afterAll(() => service.close())
beforeEach(async () => {
  checkout = await givenCheckout(service)
})

const entries = () => entriesOf(service, checkout.workspaceId)
const wallet = () => getWallet(service.db, checkout.workspaceId, service.now())

async function deliver(...events: StripeEvent[]): Promise<void> {
  for (const event of events) expect((await sendEvent(service, event)).status).toBe(200)
}

const withdrawn = (cents: number, dispute?: string) =>
  disputeEvent(checkout, 'funds_withdrawn', cents, dispute)
const reinstated = (cents: number, dispute?: string) =>
  disputeEvent(checkout, 'funds_reinstated', cents, dispute)

describe('a disputed payment', () => {
  test('takes its credits back, and gives them back when the money returns', async () => {
    await deliver(paidEvent(checkout), withdrawn(1000))
    expect(await entries()).toEqual(['PURCHASE 500 = 500', 'REFUND -500 = 0'])
    await deliver(reinstated(1000))
    expect((await entries()).at(-1)).toBe('REFUND 500 = 500')
    // It may be refunded later, to the same number as the dispute came to.
    await deliver(refundedEvent(checkout, 1000))
    expect((await entries()).slice(3)).toEqual(['REFUND -500 = 0'])
    const ledger = await service.db
      .selectFrom('wallet_entries')
      .select(['type', 'reason'])
      .where('workspace_id', '=', checkout.workspaceId)
      .orderBy('number')
      .execute()
    expect(ledger.map(({ reason }) => reason)).toEqual([
      null,
      'charge.dispute.funds_withdrawn',
      'charge.dispute.funds_reinstated',
      null,
    ])
  })

  test('leaves a debt where its credits are spent, until the money returns', async () => {
    await deliver(paidEvent(checkout))
    const spent = { credits: -450, reason: 'Used', reference: 'used', now: service.now() }
    await write(service, (trx) => adjustCredits(trx, checkout.workspaceId, spent))
    await deliver(withdrawn(1000))
    expect(await wallet()).toMatchObject({ balance: -450, inDebt: true })
    await deliver(reinstated(1000))
    expect(await wallet()).toMatchObject({ balance: 50, inDebt: false })
  })

  test.each([
    [333, 167],
    [400, 200],
    [5000, 500],
  ])('about %i cents of 1000 takes %i credits of 500', async (cents, credits) => {
    await deliver(paidEvent(checkout), withdrawn(cents))
    expect((await wallet()).balance).toBe(500 - credits)
  })

  test('and a refund of the rest together take what the payment added, and no more', async () => {
    await deliver(paidEvent(checkout), refundedEvent(checkout, 400), withdrawn(600))
    expect((await wallet()).balance).toBe(0)
    await deliver(withdrawn(600, 'dp_2'))
    expect((await wallet()).balance).toBe(0)
    await deliver(reinstated(600), reinstated(600, 'dp_2'))
    expect((await wallet()).balance).toBe(300)
  })

  test('is not touched by a dispute that moves no money', async () => {
    await deliver(paidEvent(checkout))
    await deliver(disputeEvent(checkout, 'created', 1000), disputeEvent(checkout, 'closed', 1000))
    expect(await entries()).toEqual(['PURCHASE 500 = 500'])
  })
})

describe('the events of a payment', () => {
  const random = randomNumbers(20_260_105)
  const shuffled = <T>(list: readonly T[]): T[] =>
    list
      .map((value) => ({ value, place: random(1_000_000) }))
      .toSorted((left, right) => left.place - right.place)
      .map(({ value }) => value)

  test('thrice, in random order and in parallel, end in the same state', async () => {
    const outcomes: [number, number][] = []
    for (let round = 0; round < 12; round++) {
      checkout = await givenCheckout(service)
      const events = [
        paidEvent(checkout),
        refundedEvent(checkout, 100),
        refundedEvent(checkout, 200),
        withdrawn(300),
        reinstated(300),
        withdrawn(150, 'dp_2'),
      ]
      const answers = await Promise.all(
        shuffled([...events, ...events, ...events]).map((event) => sendEvent(service, event)),
      )
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
      const { refunded_credits } = await service.db
        .selectFrom('checkouts')
        .select('refunded_credits')
        .where('workspace_id', '=', checkout.workspaceId)
        .executeTakeFirstOrThrow()
      outcomes.push([(await wallet()).balance, refunded_credits])
    }
    // 200 cents refunded and 150 disputed of 1000: 175 of 500 credits.
    expect(outcomes).toEqual(outcomes.map(() => [325, 175]))
  })

  test('leave every wallet consistent, and the audit finds one that is not', async () => {
    expect(await brokenWallets(service.db)).toEqual([])
    await deliver(paidEvent(checkout), withdrawn(1000))
    await service.db
      .updateTable('payment_disputes')
      .set({ is_reinstated: true })
      .where('payment_intent', '=', `pi_${checkout.id}`)
      .execute()
    expect(await brokenWallets(service.db)).toEqual([
      {
        workspaceId: checkout.workspaceId,
        problem:
          'what was refunded or is disputed of a checkout is not its part of the credits, rounded up',
      },
    ])
  })
})
