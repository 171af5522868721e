import { sql } from 'kysely'
import type { Response } from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { components } from '../../src/generated/types.ts'
import { lockWallet } from '../../src/queries/credits/wallets.ts'
import { lockCustomer } from '../../src/queries/site/customers.ts'
import { deleteExpired } from '../../src/queries/upkeep/expiry.ts'
import { brokenIn, type ChatPlace, givenChats, modelSettings } from '../assistant/chats.ts'
import { listed, rowsOf } from '../assistant/asked_questions.ts'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import { holdTransaction, queueBehind, waitersOn } from '../kit/held_transactions.ts'
import { startModelServer } from '../kit/peers/model_server.ts'
import { start } from '../kit/races.ts'
import { startService, type TestService } from '../kit/service.ts'
import { givenCustomer, type TestVisitor } from '../kit/visitors.ts'

let database: TestDatabase
let service: TestService
beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ databaseUrl: database.url })
})
afterAll(async () => {
  await service.close()
  await database.drop()
})

type Schemas = components['schemas']
type Who = Pick<TestVisitor, 'headers'>

const remove = (place: ChatPlace, { headers }: Who) =>
  place.api.delete(place.at('experience/customer')).set(headers)

const zinc = 'Does it contain zinc?'

interface Chatting {
  slow: TestService
  place: ChatPlace
  customer: TestVisitor
  chat: Promise<Response>
  answer: () => void
}

/** Does all that a customer can leave behind. */
async function live(place: ChatPlace, customer: TestVisitor): Promise<void> {
  const { headers } = customer
  const at = (path: string) => place.at(`experience/${path}`)
  await place.api.get(at('bootstrap')).set(headers).expect(200)
  await place.ask(customer).expect(200)
  await place.ask(customer, { message: zinc }).set('Idempotency-Key', 'again').expect(200)
  await place.api.post(at('feedback')).set(headers).send({ message: 'Fine!' }).expect(204)
  const view = { name: 'PRODUCT_VIEW', productId: place.product.id }
  await place.api.post(at('events')).set(headers).send(view).expect(202)
  const code = { name: 'Ana', email: customer.email, phone: '+905551234567' }
  await place.api.post(at('customer/otp/request')).send(code).expect(202)
}

/** How often the customer's id or address stands anywhere in the database, by table. */
async function traces({ id, email }: TestVisitor): Promise<Record<string, number>> {
  const { rows: tables } = await sql<{ name: string }>`
    select c.oid::regclass::text as name from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname = current_schema()`.execute(service.db)
  const found: Record<string, number> = {}
  for (const { name } of tables) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from ${sql.table(name)} t
      where t::text like ${`%${id}%`} or t::text like ${`%${email}%`}`.execute(service.db)
    if (rows[0]!.count > 0) found[name] = rows[0]!.count
  }
  return found
}

/** The counted requests of each visitor of a place. */
async function quotasIn({
  workspaceId,
}: ChatPlace): Promise<[visitor: string, requests: number][]> {
  const rows = await service.db
    .selectFrom('visitor_quotas')
    .select(['visitor_id as visitor', 'requests'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('visitor_id')
    .execute()
  return rows.map(({ visitor, requests }) => [visitor, requests])
}

/** Signs in with the address of a customer. */
async function signIn(
  at: TestService,
  place: ChatPlace,
  { email }: Pick<TestVisitor, 'email'>,
): Promise<TestVisitor> {
  // An address may be sent another code after a minute.
  at.advance(61_000)
  const step = (name: string) => place.at(`experience/customer/otp/${name}`)
  await place.api.post(step('request')).send({ name: 'New', email }).expect(202)
  const code = await at.codeFor(email)
  const { body } = await place.api.post(step('verify')).send({ email, code }).expect(200)
  const { token, customer } = body as Schemas['CustomerCredential']
  return { type: 'CUSTOMER', id: customer.id, email, headers: { 'X-Visitor-Token': token } }
}

async function usageOf(place: ChatPlace): Promise<Schemas['UsageReport']> {
  return (await place.api.get(place.at('usage')).expect(200)).body as Schemas['UsageReport']
}

describe('delete_customer', () => {
  test('leaves nothing of the customer behind, and every sum as it was', async () => {
    const place = await givenChats(service)
    const customer = await givenCustomer({ service, workspace: place.workspace })
    const other = await givenCustomer({ service, workspace: place.workspace })
    await live(place, customer)
    await place.ask(other, { message: zinc }).expect(200)
    await place.ask(other, { message: 'Is it made on Mars?' }).expect(200)
    const before = await usageOf(place)
    const wallet = await place.wallet()

    const { status, text } = await remove(place, customer)
    expect([status, text]).toEqual([204, ''])
    expect(await traces(customer)).toEqual({})
    // How many requests the address made on the day stays until the day is over.
    expect(await quotasIn(place)).toEqual([
      [expect.stringMatching(/^abs_[\w-]{43}$/), 2],
      [other.id, 2],
    ])
    expect((await place.ask(customer)).status).toBe(401)
    expect((await remove(place, customer)).status).toBe(401)

    const after = await usageOf(place)
    expect(after.totals).toEqual(before.totals)
    const gone = after.usage.find(({ userId, actorType }) => !userId && actorType === 'CUSTOMER')
    const had = before.usage.find(({ userId }) => userId === customer.id)
    expect(gone).toEqual({ ...had, userId: null, name: 'Deleted customers' })
    expect(await place.wallet()).toEqual(wallet)
    expect(await brokenIn(service)).toEqual([])
    const feedback = await place.api.get(place.at('feedback')).expect(200)
    expect(feedback.body).toMatchObject({ feedbacks: [], pagination: { total: 0 } })
    // The other customer has asked one of the questions, too.
    const left = rowsOf(await listed(place)).map(([, asked, times]) => [asked, times])
    expect(left.sort()).toEqual([
      [zinc, 1],
      ['Is it made on Mars?', 1],
    ])
    expect(Object.keys(await traces(other))).toContain('threads')
  })

  test('lets the address begin anew', async () => {
    const place = await givenChats(service)
    const customer = await givenCustomer({ service, workspace: place.workspace })
    await remove(place, customer).expect(204)
    const at = (path: string) => place.at(`experience/customer/otp/${path}`)
    const { email } = customer
    await place.api.post(at('request')).send({ name: 'New', email }).expect(202)
    const code = await service.codeFor(email)
    const { body } = await place.api.post(at('verify')).send({ email, code }).expect(200)
    const { customer: fresh } = body as Schemas['CustomerCredential']
    expect(fresh).toMatchObject({ name: 'New', email })
    expect(fresh.id).not.toBe(customer.id)
  })

  test('begins no new day for the address', async () => {
    const place = await givenChats(service)
    await place.setPolicy({ customerDailyRequests: 2 })
    let customer: TestVisitor = await givenCustomer({ service, workspace: place.workspace })
    const statuses: number[] = []
    const askAnd = async (work: () => PromiseLike<unknown>) => {
      statuses.push((await place.ask(customer)).status)
      await work()
      customer = await signIn(service, place, customer)
    }
    // Once, twice, and with nothing in between.
    for (let time = 0; time < 4; time++) await askAnd(() => remove(place, customer).expect(204))
    expect(statuses).toEqual([200, 200, 429, 429])
    expect(await quotasIn(place)).toEqual([[customer.id, 2]])
    const at = place.at('experience/bootstrap')
    const { body } = await place.api.get(at).set(customer.headers).expect(200)
    expect(body.viewer.remainingRequests).toBe(0)
    // Another address, and the same one in another shop, have a day of their own.
    const { workspace } = place
    expect((await place.ask(await givenCustomer({ service, workspace }))).status).toBe(200)
    const elsewhere = await givenChats(service)
    expect((await elsewhere.ask(await signIn(service, elsewhere, customer))).status).toBe(200)
  })

  test('begins none for requests that are made while it happens', async () => {
    const place = await givenChats(service)
    await place.setPolicy({ customerDailyRequests: 5 })
    const customer = await givenCustomer({ service, workspace: place.workspace })
    const asked = Array.from({ length: 8 }, () => place.ask(customer).then(({ status }) => status))
    await remove(place, customer).expect(204)
    const made = (await Promise.all(asked)).filter((status) => status === 200).length
    const fresh = await signIn(service, place, customer)
    const after = await Promise.all(Array.from({ length: 8 }, () => place.ask(fresh)))
    const more = after.filter(({ status }) => status === 200).length
    const counted = (await quotasIn(place)).map(([, requests]) => requests)
    expect([counted, made + more <= 5]).toEqual([[5], true])
    expect(await brokenIn(service)).toEqual([])
  })

  test('is forgotten altogether when the day is over', async () => {
    const place = await givenChats(service)
    const customer = await givenCustomer({ service, workspace: place.workspace })
    await place.ask(customer).expect(200)
    await remove(place, customer).expect(204)
    expect((await quotasIn(place)).map(([, requests]) => requests)).toEqual([1])
    await deleteExpired(service.db, new Date(service.now().getTime() + 3 * 24 * 3600_000))
    expect(await quotasIn(place)).toEqual([])
  })

  test('needs a customer', async () => {
    const place = await givenChats(service)
    expect((await remove(place, place.guest())).status).toBe(401)
    expect((await place.api.delete(place.at('experience/customer'))).status).toBe(401)
  })

  test('adds what customers who are gone have done', async () => {
    const place = await givenChats(service)
    for (let number = 0; number < 3; number++) {
      const customer = await givenCustomer({ service, workspace: place.workspace })
      await place.ask(customer).expect(200)
      await remove(place, customer).expect(204)
    }
    const { usage } = await usageOf(place)
    expect(usage.filter(({ actorType }) => actorType === 'CUSTOMER')).toMatchObject([
      { userId: null, requests: 3, credits: 3 },
    ])
  })
})

describe('a chat and a deletion at once', () => {
  test('the chat is refused, costs nothing and leaves nothing', async () => {
    const place = await givenChats(service)
    const customer = await givenCustomer({ service, workspace: place.workspace })
    const held = await holdTransaction(database.url, (trx) =>
      lockCustomer(trx, place.workspaceId, customer.id),
    )
    const calls = [() => remove(place, customer), () => place.ask(customer, { message: zinc })]
    const answers = await queueBehind(held, calls, { on: service })
    expect(answers.map(({ status }) => status)).toEqual([204, 401])
    expect(await traces(customer)).toEqual({})
    expect(await place.wallet()).toEqual({ balance: 100, reserved: 0 })
    expect(await place.events()).toEqual([])
    expect(await brokenIn(service)).toEqual([])
  })

  /** A chat whose model answers when it is told to. */
  async function chatting(
    work: (chat: Chatting) => Promise<void>,
    { response = 'It is [s1].', env = {} } = {},
  ): Promise<void> {
    const server = await startModelServer()
    const settings = { ...modelSettings(server), ...env }
    const slow = await startService({ databaseUrl: database.url, env: settings })
    try {
      const place = await givenChats(slow)
      const customer = await givenCustomer({ service: slow, workspace: place.workspace })
      let answer = () => undefined as void
      const after = new Promise<void>((resolve) => (answer = resolve))
      server.behave({ says: { response, productIds: [] }, after })
      const chat = start(place.ask(customer))
      await expect.poll(() => server.seen.length).toBe(1)
      await work({ slow, place, customer, chat, answer: () => answer() })
      expect(await traces(customer)).toEqual({})
      // It counts for the address, whatever became of its answer.
      expect((await quotasIn(place)).map(([, requests]) => requests)).toEqual([1])
      expect(await brokenIn(slow)).toEqual([])
    } finally {
      await slow.close()
      await server.close()
    }
  }

  test('or its answer comes too late and is not stored, but paid for', () =>
    chatting(async ({ place, customer, chat, answer }) => {
      await remove(place, customer).expect(204)
      answer()
      expect((await chat).status).toBe(401)
      expect(await place.wallet()).toEqual({ balance: 99, reserved: 0 })
      expect(await place.events()).toEqual(['chat.product SUCCESS -1'])
      const ofCustomers = (await usageOf(place)).usage.filter(
        ({ actorType }) => actorType === 'CUSTOMER',
      )
      expect(ofCustomers).toMatchObject([{ userId: null, requests: 1, credits: 1 }])
    }))

  test('or its answer says nothing and is free, and its question is not listed', () =>
    chatting(
      async ({ place, customer, chat, answer }) => {
        await remove(place, customer).expect(204)
        answer()
        expect((await chat).status).toBe(401)
        expect(await place.wallet()).toEqual({ balance: 100, reserved: 0 })
        expect(await place.events()).toEqual(['chat.product SUCCESS 0'])
        expect(rowsOf(await listed(place))).toEqual([])
      },
      { response: 'It is on Mars.' },
    ))

  test('or the model does not answer in time, and the failure names nobody', () =>
    chatting(
      async ({ place, customer, chat }) => {
        await remove(place, customer).expect(204)
        expect((await chat).status).toBe(503)
        expect(await place.wallet()).toEqual({ balance: 100, reserved: 0 })
        expect(await place.events()).toEqual(['chat.product FAILED 0'])
      },
      { env: { RESERVATION_SECONDS: '2' } },
    ))

  test('or it is paid for and then forgotten', () =>
    chatting(async ({ slow, place, customer, chat, answer }) => {
      const held = await holdTransaction(database.url, (trx) => lockWallet(trx, place.workspaceId))
      answer()
      await expect.poll(() => waitersOn(slow)).toBe(1)
      const removal = start(remove(place, customer))
      await expect.poll(() => waitersOn(slow)).toBe(2)
      await held.commit()
      expect([(await chat).status, (await removal).status]).toEqual([200, 204])
      expect(await place.wallet()).toEqual({ balance: 99, reserved: 0 })
    }))

  test('many of both end in an exact wallet', async () => {
    const place = await givenChats(service)
    const customers = await Promise.all(
      Array.from({ length: 6 }, () => givenCustomer({ service, workspace: place.workspace })),
    )
    const answers = await Promise.all(
      customers.flatMap((customer) => [
        place.ask(customer).then(({ status }) => status),
        remove(place, customer).then(({ status }) => -status),
      ]),
    )
    // Some answers come too late for their customers.
    const paid = (await place.events()).filter((line) => line.endsWith('SUCCESS -1')).length
    expect(answers.filter((status) => status < 0)).toEqual(Array<number>(6).fill(-204))
    expect(await place.wallet()).toEqual({ balance: 100 - paid, reserved: 0 })
    for (const customer of customers) expect(await traces(customer)).toEqual({})
    expect(await brokenIn(service)).toEqual([])
  })
})
