import { afterAll, beforeAll, expect, test } from 'vitest'
import { settleReservation, sweepReservations } from '../../src/domain/credits/wallet.ts'
import { givenCheckout, paidEvent, refundedEvent, sendEvent } from './payment_events.ts'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import { startService, type TestService } from '../kit/service.ts'
import { entriesOf, givenWallet, tally, write } from '../kit/wallets.ts'

let database: TestDatabase
let service: TestService
beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ databaseUrl: database.url, waitMilliseconds: 60_000 })
})
afterAll(async () => {
  await service.close()
  await database.drop()
})

/** Starts all concurrently and waits for them. */
async function together<T>(count: number, work: (index: number) => Promise<T>) {
  return Promise.allSettled(Array.from({ length: count }, (_, index) => work(index)))
}

test('of 20 concurrent reservations of 75 against 500 exactly 6 are held', async () => {
  const wallet = await givenWallet(service, 500)
  const outcomes = await together(20, () => wallet.reserve(75))
  expect(tally(outcomes)).toEqual({ done: 6, insufficient_credits: 14 })
  expect(await wallet.read()).toMatchObject({ balance: 500, reserved: 450, available: 50 })
  expect(await wallet.broken()).toEqual([])
})

test('60 concurrent calls against 15 credits spend exactly 15', async () => {
  const wallet = await givenWallet(service, 15)
  const outcomes = await together(60, async () => wallet.settle((await wallet.reserve(1)).id))
  expect(tally(outcomes)).toEqual({ done: 15, insufficient_credits: 45 })
  expect(await wallet.read()).toMatchObject({ balance: 0, reserved: 0 })
  expect(await wallet.broken()).toEqual([])
})

test('expired reservations make room for exactly as many concurrent ones', async () => {
  const wallet = await givenWallet(service, 500)
  await together(6, () => wallet.reserve(75, undefined, 60))
  service.advance(60_000)
  const outcomes = await together(20, () => wallet.reserve(75))
  expect(tally(outcomes)).toEqual({ done: 6, insufficient_credits: 14 })
  expect(await wallet.read()).toMatchObject({ reserved: 450 })
  expect(await wallet.broken()).toEqual([])
})

test('20 concurrent reservations under one reference are one', async () => {
  const wallet = await givenWallet(service, 500)
  const outcomes = await together(20, () => wallet.reserve(75, 'the same'))
  expect(tally(outcomes)).toEqual({ done: 20 })
  expect(await wallet.read()).toMatchObject({ reserved: 75 })
})

test('a reservation settled, released and swept concurrently ends once', async () => {
  const wallet = await givenWallet(service, 500)
  for (let round = 0; round < 5; round++) {
    const { id } = await wallet.reserve(10)
    const before = (await wallet.read()).balance
    const outcomes = await together(12, async (index) => {
      if (index % 3 === 0) return wallet.settle(id).then(() => 'settled')
      if (index % 3 === 1) return (await wallet.release(id)) ? 'released' : 'late'
      await sweepReservations(service.db, service.now())
      return 'swept'
    })
    const values = outcomes.map((outcome) => outcome.status === 'fulfilled' && outcome.value)
    const settled = values.includes('settled')
    expect(values.filter((value) => value === 'released')).toHaveLength(settled ? 0 : 1)
    const { balance, reserved } = await wallet.read()
    expect([balance, reserved]).toEqual([before - (settled ? 10 : 0), 0])
  }
  expect(await wallet.broken()).toEqual([])
})

test('20 concurrent entries under one reference are one', async () => {
  const wallet = await givenWallet(service)
  const outcomes = await together(20, () => wallet.adjust(7, 'the same'))
  expect(tally(outcomes)).toEqual({ done: 20 })
  expect(await entriesOf(service, wallet.workspaceId)).toEqual(['ADJUSTMENT 7 = 7'])
})

test('the same event 100 times concurrently adds one entry', async () => {
  const checkout = await givenCheckout(service)
  const event = paidEvent(checkout)
  await together(100, () => sendEvent(service, event))
  expect(await entriesOf(service, checkout.workspaceId)).toEqual(['PURCHASE 500 = 500'])
})

test('100 distinct concurrent events of one payment add one entry', async () => {
  const checkout = await givenCheckout(service)
  await together(100, () => sendEvent(service, paidEvent(checkout)))
  expect(await entriesOf(service, checkout.workspaceId)).toEqual(['PURCHASE 500 = 500'])
})

test('refund first, payment first and both at once end in the same state', async () => {
  const orders = [
    async (first: () => Promise<unknown>, second: () => Promise<unknown>) => {
      await first()
      await second()
    },
    async (first: () => Promise<unknown>, second: () => Promise<unknown>) => {
      await second()
      await first()
    },
    ...Array.from({ length: 8 }, () => {
      return async (first: () => Promise<unknown>, second: () => Promise<unknown>) => {
        await Promise.all([first(), second()])
      }
    }),
  ]
  for (const order of orders) {
    const checkout = await givenCheckout(service)
    await order(
      () => sendEvent(service, refundedEvent(checkout, 400)),
      () => sendEvent(service, paidEvent(checkout)),
    )
    expect(await entriesOf(service, checkout.workspaceId)).toEqual([
      'PURCHASE 500 = 500',
      'REFUND -200 = 300',
    ])
  }
})

test('concurrent partial refunds take back the largest one', async () => {
  const checkout = await givenCheckout(service)
  await sendEvent(service, paidEvent(checkout))
  await together(10, (index) => sendEvent(service, refundedEvent(checkout, (index + 1) * 100)))
  const lines = await entriesOf(service, checkout.workspaceId)
  expect(lines.at(-1)).toMatch(/ = 0$/)
  expect(await (await givenWallet(service)).broken()).toEqual([])
})

test('entries of two services whose clocks differ never run backwards', async () => {
  const wallet = await givenWallet(service, 500)
  const late = await startService({ databaseUrl: database.url })
  late.advance(service.now().getTime() - late.now().getTime() - 30_000)
  const adjustOn = (on: TestService) =>
    on
      .admin(staff)
      .post(`/api/admin/workspaces/${wallet.workspaceId}/credits`)
      .send({ credits: 1, reason: 'A reason' })
  const staff = await service.givenStaff()
  await together(40, async (index) => {
    const on = index % 2 === 0 ? service : late
    if (index % 4 < 2) return adjustOn(on).expect(200)
    const { id } = await wallet.reserve(1)
    const { workspaceId } = wallet
    return write(on, (trx) => settleReservation(trx, workspaceId, id, { now: on.now() }))
  })
  await late.close()
  const path = `/v1/workspaces/${wallet.workspaceId}/wallet/entries?pageSize=100`
  const { entries } = (await service.api(wallet.key).get(path)).body
  const times = entries.map(({ createdAt }: { createdAt: string }) => createdAt).toReversed()
  expect(times).toHaveLength(41)
  expect(times).toEqual(times.toSorted())
  expect(await wallet.broken()).toEqual([])
})
