import type { Response } from 'supertest'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { brokenIn, givenChats, outcomesOf } from './chats.ts'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import { startService, type TestService } from '../kit/service.ts'
import { entriesOf } from '../kit/wallets.ts'

let database: TestDatabase
let service: TestService
/** Another process of the same service, as far as the database can tell. */
let second: TestService
beforeAll(async () => {
  database = await createDatabase()
  // On a slow machine the crowd takes a while, and waiting too long would be refused.
  const shared = { databaseUrl: database.url, waitMilliseconds: 60_000 }
  service = await startService(shared)
  second = await startService(shared)
})
afterAll(async () => {
  for (const each of [service, second]) await each.close()
  await database.drop()
})

/** Starts all concurrently and waits for them. */
function together(count: number, call: (n: number) => PromiseLike<Response>): Promise<Response[]> {
  return Promise.all(Array.from({ length: count }, async (_, n) => call(n)))
}

async function quotasOf(workspaceId: string): Promise<number[]> {
  const quotas = service.db.selectFrom('visitor_quotas').select('requests')
  const rows = await quotas.where('workspace_id', '=', workspaceId).execute()
  return rows.map(({ requests }) => requests).sort((a, b) => a - b)
}

test('200 concurrent visitors spend exactly 50 credits', async () => {
  const place = await givenChats(service, 50)
  const { key } = await service.givenKey(place.person)
  const body = { message: 'Is it fit for dry skin?', productId: place.product.id }
  const answers = await together(200, (n) =>
    (n % 2 === 0 ? service : second)
      .api(key)
      .post(place.at('experience/chat/product'))
      .set(place.guest().headers)
      .send(body),
  )
  expect(outcomesOf(answers)).toEqual({ '200': 50, '402 insufficient_credits': 150 })
  expect(await place.wallet()).toEqual({ balance: 0, reserved: 0 })
  const { rows } = await sql<{ sum: number; least: number }>`
    select sum(credits)::integer as sum, min(balance_after)::integer as least from wallet_entries
    where workspace_id = ${place.workspaceId}`.execute(service.db)
  expect(rows).toEqual([{ sum: 0, least: 0 }])
  expect(await quotasOf(place.workspaceId)).toEqual(Array.from({ length: 50 }, () => 1))
  expect(await place.events()).toEqual(Array.from({ length: 50 }, () => 'chat.product SUCCESS -1'))
  expect(await brokenIn(service)).toEqual([])
})

test('of 12 concurrent calls of a guest with 5 a day 5 succeed, and the others cost nothing', async () => {
  const place = await givenChats(service)
  const guest = place.guest()
  const answers = await together(12, () => place.ask(guest))
  expect(outcomesOf(answers)).toEqual({ '200': 5, '429 quota_exceeded': 7 })
  const remaining = answers.flatMap(({ status, body }) =>
    status === 200 ? (body.access.remainingRequests as number) : [],
  )
  expect(remaining.sort()).toEqual([0, 1, 2, 3, 4])
  expect(await place.wallet()).toEqual({ balance: 95, reserved: 0 })
  expect(await quotasOf(place.workspaceId)).toEqual([5])
  expect(await place.events()).toHaveLength(5)
})

test('a call refused by the wallet does not use the quota', async () => {
  const place = await givenChats(service, 2)
  const guest = place.guest()
  const answers = await together(12, () => place.ask(guest))
  const counts = outcomesOf(answers)
  expect(counts['200']).toBe(2)
  expect(await place.wallet()).toEqual({ balance: 0, reserved: 0 })
  expect(await quotasOf(place.workspaceId)).toEqual([2])
  await place.addCredits(10)
  expect(outcomesOf(await together(6, () => place.ask(guest)))).toEqual({
    '200': 3,
    '429 quota_exceeded': 3,
  })
})

test('10 concurrent calls with one Idempotency-Key are charged once', async () => {
  const place = await givenChats(service)
  const guest = place.guest()
  const answers = await together(10, () => place.ask(guest).set('Idempotency-Key', 'the-same'))
  const bodies = new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text))
  expect(bodies.size).toBe(1)
  const { '200': done = 0, '409 idempotency_in_progress': inProgress = 0 } = outcomesOf(answers)
  expect(done + inProgress).toBe(10)
  expect(await place.wallet()).toEqual({ balance: 99, reserved: 0 })
  expect(await entriesOf(service, place.workspaceId)).toEqual([
    'ADJUSTMENT 100 = 100',
    'USAGE -1 = 99',
  ])
  expect(await quotasOf(place.workspaceId)).toEqual([1])
})

test('concurrent answers in one conversation are all kept', async () => {
  const place = await givenChats(service)
  await place.setPolicy({ guestDailyRequests: 10 })
  const guest = place.guest()
  const { body } = await place.ask(guest, { message: 'Question 0' }).expect(200)
  const { threadId } = body as { threadId: string }
  await together(8, (n) => place.ask(guest, { message: `Question ${n + 1}`, threadId }))
  const threads = service.db.selectFrom('threads').select('turns')
  const [thread] = await threads.where('workspace_id', '=', place.workspaceId).execute()
  const questions = thread!.turns.filter(({ role }) => role === 'visitor').map(({ text }) => text)
  expect(questions.sort()).toEqual(Array.from({ length: 9 }, (_, n) => `Question ${n}`))
})

test('a conversation deleted while being answered stays deleted, and is charged', async () => {
  const place = await givenChats(service)
  await place.setPolicy({ guestDailyRequests: 100 })
  const guest = place.guest()
  for (let round = 0; round < 5; round++) {
    const { body } = await place.ask(guest).expect(200)
    const { threadId } = body as { threadId: string }
    const [answer, deleted] = await Promise.all([
      place.ask(guest, { threadId }),
      place.api.delete(place.at(`experience/threads/${threadId}`)).set(guest.headers),
    ])
    expect(deleted.status).toBe(204)
    // Whichever came first, nothing remains.
    expect((await place.ask(guest, { threadId })).status).toBe(404)
    const { balance } = await place.wallet()
    expect(balance).toBe(100 - (await place.events()).length)
    expect(answer.status === 200 || answer.body.code === 'not_found').toBe(true)
  }
  expect(await brokenIn(service)).toEqual([])
})
