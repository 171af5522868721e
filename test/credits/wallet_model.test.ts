import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { receivePaymentEvent } from '../../src/domain/credits/payments.ts'
import {
  adjustCredits,
  releaseReservation,
  reserveCredits,
  settleReservation,
  sweepReservations,
} from '../../src/domain/credits/wallet.ts'
import { ApiError } from '../../src/core/errors.ts'
import { insertCheckout } from '../../src/queries/credits/checkouts.ts'
import { brokenWallets } from '../../src/queries/credits/wallet_audit.ts'
import { getWallet } from '../../src/queries/credits/wallets.ts'
import { type Checkout, paidEvent, refundedEvent, type StripeEvent } from './payment_events.ts'
import { startService, type TestService, unique } from '../kit/service.ts'
import { entriesOf, write } from '../kit/wallets.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** A wallet operation. Slots let later steps reuse reservations, checkouts and references. */
type Step =
  | { do: 'reserve'; slot: number; credits: number }
  | { do: 'settle' | 'release'; slot: number }
  | { do: 'purchase'; slot: number }
  | { do: 'refund'; slot: number; cents: number }
  | { do: 'adjust'; slot: number; credits: number }
  | { do: 'sweep' }

const slot = fc.nat({ max: 3 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: reservation() },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('settle', 'release'), slot }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('purchase'), slot }) },
  { weight: 2, arbitrary: refund() },
  { weight: 1, arbitrary: adjustment() },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sweep') }) },
)

function reservation() {
  const credits = fc.constantFrom(1, 75, 300)
  return fc.record({ do: fc.constant('reserve'), slot, credits })
}
function refund() {
  const cents = fc.constantFrom(1, 333, 500, 1000)
  return fc.record({ do: fc.constant('refund'), slot, cents })
}
function adjustment() {
  const credits = fc.constantFrom(-400, -1, 50, 200)
  return fc.record({ do: fc.constant('adjust'), slot, credits })
}

/** Steps that run concurrently, and the seconds that pass after them. */
const round = fc.record({
  together: fc.array(step, { minLength: 1, maxLength: 6 }),
  seconds: fc.constantFrom(0, 0, 100, 300),
})

/** State of a run: a workspace, and what its slots refer to. */
interface World {
  workspaceId: string
  /** The newest reservation in each slot. */
  reservations: Map<number, string>
  checkouts: Checkout[]
  paidSlots: Set<number>
}

async function newWorld(): Promise<World> {
  const { id: workspaceId } = await service.givenWorkspace(
    await service.givenPerson({ workspaceLimit: 1 }),
  )
  const checkouts: Checkout[] = []
  for (let index = 0; index < 4; index++) {
    const checkout: Checkout = { id: unique('chk'), workspaceId, pack: 500 }
    const price = { credits: 500, amountCents: 1000, currency: 'USD' }
    const { accountId } = await service.givenPerson()
    const row = { ...checkout, ...price, accountId }
    await write(service, (trx) => insertCheckout(trx, row, service.now()))
    checkouts.push(checkout)
  }
  return { workspaceId, reservations: new Map(), checkouts, paidSlots: new Set() }
}

/** The refusals the wallet's rules allow; any other fails the test. */
const allowedRefusals = ['insufficient_credits', 'wallet_in_debt', 'duplicate', 'unavailable']

async function run(world: World, what: Step): Promise<void> {
  try {
    await carryOut(world, what)
  } catch (error) {
    if (!(error instanceof ApiError) || !allowedRefusals.includes(error.code)) throw error
  }
}

async function carryOut(world: World, what: Step): Promise<unknown> {
  const { workspaceId } = world
  const now = service.now()
  switch (what.do) {
    case 'reserve': {
      const request = { credits: what.credits, reference: unique('call'), now, seconds: 300 }
      const { id } = await write(service, (trx) => reserveCredits(trx, workspaceId, request))
      return world.reservations.set(what.slot, id)
    }
    case 'settle':
    case 'release': {
      const id = world.reservations.get(what.slot)
      if (id === undefined) return
      const end = what.do === 'settle' ? settleReservation : releaseReservation
      return write<unknown>(service, (trx) => end(trx, workspaceId, id, { now }))
    }
    case 'purchase':
      world.paidSlots.add(what.slot)
      return receive(paidEvent(world.checkouts[what.slot]!))
    case 'refund':
      return receive(refundedEvent(world.checkouts[what.slot]!, what.cents))
    case 'adjust': {
      const { credits } = what
      const move = { credits, reason: 'Model', reference: `slot ${what.slot}`, now }
      return write(service, (trx) => adjustCredits(trx, workspaceId, move))
    }
    case 'sweep':
      return sweepReservations(service.db, now)
  }
}

/** Every event arrives twice, concurrently. */
async function receive({ id, type, livemode, data }: StripeEvent): Promise<void> {
  const event = { id, type, livemode, object: data.object }
  const circumstances = { environment: 'development', now: service.now() } as const
  await Promise.all([
    receivePaymentEvent(service.db, event, circumstances),
    receivePaymentEvent(service.db, event, circumstances),
  ])
}

async function check(world: World): Promise<void> {
  const { workspaceId } = world
  const lines = await entriesOf(service, workspaceId)
  expect(await brokenWallets(service.db), lines.join(', ')).toEqual([])
  const { balance, reserved, available, inDebt } = await getWallet(
    service.db,
    workspaceId,
    service.now(),
  )
  expect([available, inDebt, reserved >= 0]).toEqual([balance - reserved, balance < 0, true])
  const purchases = lines.filter((line) => line.startsWith('PURCHASE'))
  expect(purchases).toHaveLength(world.paidSlots.size)
}

test('the wallet stays consistent under any concurrent steps in any order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 6 }), async (rounds) => {
      const world = await newWorld()
      for (const { together, seconds } of rounds) {
        await Promise.all(together.map((what) => run(world, what)))
        await check(world)
        service.advance(seconds * 1000)
        await check(world)
      }
    }),
    { numRuns: 15, seed: 20261115, endOnFailure: false },
  )
}, 120_000)
