import request from 'supertest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adjustCredits, sweepReservations } from '../../src/domain/credits/wallet.ts'
import { lockWallet } from '../../src/queries/credits/wallets.ts'
import { brokenIn, type ChatPlace, drySkin, givenChats, modelSettings } from './chats.ts'
import { givenProduct } from '../kit/catalogue.ts'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import { holdTransaction, waitersOn } from '../kit/held_transactions.ts'
import { type ModelServer, startModelServer } from '../kit/peers/model_server.ts'
import {
  buildService,
  type ChildService,
  childSessionsEnded,
  startChild,
} from '../kit/processes/child_service.ts'
import { startService, type TestService, unique } from '../kit/service.ts'
import { givenCustomer, type TestVisitor } from '../kit/visitors.ts'
import { write } from '../kit/wallets.ts'
import { cookiesOf, givenOpenShop } from '../site/window/shop_pages.ts'

let database: TestDatabase
let server: ModelServer
/** Prepares and observes; the test controls its clock. */
let service: TestService
const children: ChildService[] = []

beforeAll(async () => {
  buildService()
  database = await createDatabase()
  server = await startModelServer()
  service = await startService({ databaseUrl: database.url })
})
afterAll(async () => {
  for (const child of children) await child.kill()
  await service.close()
  await server.close()
  await database.drop()
})

/** The service in a separate process, on the same database and model server. */
async function start(): Promise<{ api: string; site: string; kill(): Promise<void> }> {
  const env = { ...modelSettings(server), AI_TIMEOUT_SECONDS: '240' }
  const child = await startChild(service, database, env)
  children.push(child)
  return { ...child.urls, kill: () => child.kill() }
}

const sessionsEnded = () => childSessionsEnded(service)

/** A chat over plain HTTP: its status, or 0 if the service died. */
async function chat(
  api: string,
  key: string,
  place: ChatPlace,
  visitor: TestVisitor,
): Promise<number> {
  try {
    const answer = await fetch(api + place.at('experience/chat/product'), {
      method: 'POST',
      headers: {
        ...visitor.headers,
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ message: drySkin, productId: place.product.id }),
    })
    await answer.arrayBuffer()
    return answer.status
  } catch {
    return 0
  }
}

const chats = 50
const says = { response: 'It is rich care for dry skin [s1].', productIds: [] }

async function quotaSum(workspaceId: string): Promise<number> {
  const quotas = service.db.selectFrom('visitor_quotas').select('requests')
  const rows = await quotas.where('workspace_id', '=', workspaceId).execute()
  return rows.reduce((sum, { requests }) => sum + requests, 0)
}

/** A gate that holds a model until opened. */
function gate(): { opened: Promise<void>; open(): void } {
  let open = () => undefined as void
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open: () => open() }
}

test('a service killed in the middle of 50 chats neither loses nor creates credits', async () => {
  const place = await givenChats(service, 2 * chats)
  const { key } = await service.givenKey(place.person)
  const guests = Array.from({ length: chats }, () => place.guest())
  const begin = (api: string, some = guests) =>
    Promise.all(some.map((guest) => chat(api, key, place, guest)))
  const untilAsked = (count: number) => expect.poll(() => server.seen.length).toBe(count)

  // Killed while half of them wait for the model and the other half, already answered, for the
  // wallet: every credit is held, none is charged.
  server.behave('hangs')
  const first = await start()
  const unanswered = begin(first.api, guests.slice(0, chats / 2))
  await untilAsked(chats / 2)
  const answers = gate()
  server.behave({ says, after: answers.opened })
  const unsettled = begin(first.api, guests.slice(chats / 2))
  await untilAsked(chats)
  const lock = await holdTransaction(database.url, (trx) => lockWallet(trx, place.workspaceId))
  answers.open()
  await expect.poll(() => waitersOn(service)).toBeGreaterThan(0)
  await first.kill()
  await lock.commit()
  expect(new Set([...(await unanswered), ...(await unsettled)])).toEqual(new Set([0]))
  const { db } = service
  const walletNow = () => place.wallet()
  await sessionsEnded()
  expect(await walletNow()).toEqual({ balance: 100, reserved: 50 })
  expect(await place.events()).toEqual([])

  // Killed while answers come in: some are charged, each with all of its records.
  const more = gate()
  server.behave({ says, after: more.opened })
  const second = await start()
  const halfAnswered = begin(second.api)
  await untilAsked(2 * chats)
  more.open()
  await expect.poll(() => place.events(), { interval: 1 }).not.toEqual([])
  await second.kill()
  await sessionsEnded()
  const answered = (await halfAnswered).filter((status) => status === 200).length
  const charged = (await place.events()).length
  expect(charged).toBeGreaterThanOrEqual(answered)
  expect(await walletNow()).toEqual({ balance: 100 - charged, reserved: 100 - charged })
  expect(await quotaSum(place.workspaceId)).toBe(charged)
  expect(await brokenIn(service)).toEqual([])

  // Once expired, reservations hold nothing, and a sweep records each as failed.
  service.advance(service.config.reservationSeconds * 1000 + 3600_000)
  expect(await walletNow()).toEqual({ balance: 100 - charged, reserved: 0 })
  await sweepReservations(db, service.now())
  expect(await walletNow()).toEqual({ balance: 100 - charged, reserved: 0 })
  const events = await place.events()
  expect(events.filter((line) => line === 'chat.product SUCCESS -1')).toHaveLength(charged)
  expect(events.filter((line) => line === 'chat.product FAILED 0')).toHaveLength(100 - charged)
  expect(events).toHaveLength(100)
  expect(await quotaSum(place.workspaceId)).toBe(charged)
  expect(await brokenIn(service)).toEqual([])

  // After a restart it answers normally.
  server.behave({ says })
  const third = await start()
  expect(await chat(third.api, key, place, place.guest())).toBe(200)
  expect(await walletNow()).toEqual({ balance: 99 - charged, reserved: 0 })
  await third.kill()
})

test('a service killed in the middle of a chat gives the budgets of the day back', async () => {
  server.behave('hangs')
  const seen = server.seen.length
  const shop = await givenOpenShop(service)
  await shop.design({ accessPolicy: { challenge: 'OFF' } })
  const product = await givenProduct(shop, { description: 'Rich care for dry skin.' })
  const gift = { credits: 100, reason: 'A gift', reference: unique('gift'), now: service.now() }
  await write(service, (trx) => adjustCredits(trx, shop.workspaceId, gift))
  const budget = `/api/workspaces/${shop.workspaceId}/site-budget`
  await service.dashboard(shop.person).put(budget).send({ dailyCredits: 1 }).expect(200)
  const page = { name: 'Pages', origins: ['https://shop.example'], dailyCredits: 1 }
  const keys = service
    .dashboard(shop.person)
    .post(budget.replace('site-budget', 'publishable-keys'))
  const { body: key } = await keys.send(page).expect(201)
  const customer = await givenCustomer({ service, workspace: { id: shop.workspaceId } })

  const child = await start()
  const experience = `/v1/workspaces/${shop.workspaceId}/experience`
  const question = { message: drySkin, productId: product.id }
  const Host = `${shop.subDomain}.localhost:${new URL(child.site).port}`
  const ofShop = { Host, Origin: `http://${Host}` }
  const met = await request(child.site).get(`${experience}/bootstrap`).set(ofShop).expect(200)
  const lost = [
    request(child.site)
      .post(`${experience}/chat/product`)
      .set({ ...ofShop, Cookie: cookiesOf(met) })
      .send(question),
    request(child.api)
      .post(`${experience}/chat/product`)
      .set({ ...customer.headers, Origin: page.origins[0]!, Authorization: `Bearer ${key.key}` })
      .send(question),
  ].map((chat) => chat.then(({ status }) => status).catch(() => 0))
  await expect.poll(() => server.seen.length).toBe(seen + 2)
  await child.kill()
  expect(await Promise.all(lost)).toEqual([0, 0])
  await sessionsEnded()

  const counted = async () => {
    const pages = service.db.selectFrom('visitor_quotas').select('requests as spent')
    const ofPages = pages.where('workspace_id', '=', shop.workspaceId)
    const ofKeys = service.db.selectFrom('publishable_key_days').select('credits as spent')
    return [
      await ofPages.where('visitor_id', '=', 'pages').execute(),
      await ofKeys.where('key_id', '=', key.id as string).execute(),
    ]
  }
  expect(await counted()).toEqual([[{ spent: 1 }], [{ spent: 1 }]])
  service.advance(service.config.reservationSeconds * 1000 + 3600_000)
  await sweepReservations(service.db, service.now())
  expect(await counted()).toEqual([[{ spent: 0 }], [{ spent: 0 }]])
  await sweepReservations(service.db, service.now())
  expect(await counted()).toEqual([[{ spent: 0 }], [{ spent: 0 }]])
  expect(await brokenIn(service)).toEqual([])
})
