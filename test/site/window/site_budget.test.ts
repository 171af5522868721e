import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adjustCredits, sweepReservations } from '../../../src/domain/credits/wallet.ts'
import { brokenIn, chatEvents, modelSettings } from '../../assistant/chats.ts'
import { givenProduct, type Product } from '../../kit/catalogue.ts'
import { losingTheCommitAfter } from '../../kit/races.ts'
import { type ModelServer, startModelServer } from '../../kit/peers/model_server.ts'
import { startService, type TestService, unique } from '../../kit/service.ts'
import { write } from '../../kit/wallets.ts'
import { cookiesOf, givenOpenShop, type OpenShop } from './shop_pages.ts'

const day = 24 * 3600_000
const partner = 'https://ana.example'

let service: TestService
let shop: OpenShop
let product: Product
beforeAll(async () => {
  service = await startService()
  shop = await givenOpenShop(service)
  product = await givenProduct(shop, { description: 'It is made for dry skin.' })
  await shop.design({
    accessPolicy: { challenge: 'OFF', guestDailyRequests: 100 },
    embedOrigins: [partner],
  })
  const gift = { credits: 100, reason: 'A gift', reference: unique('gift'), now: service.now() }
  await write(service, (trx) => adjustCredits(trx, shop.workspaceId, gift))
})
afterAll(() => service.close())

const path = () => `/api/workspaces/${shop.workspaceId}/site-budget`
const budget = (dailyCredits: number | null) =>
  service.dashboard(shop.person).put(path()).send({ dailyCredits }).expect(200)

const bootstrap = (headers: Record<string, string> = {}) =>
  shop.visit(`/v1/workspaces/${shop.workspaceId}/experience/bootstrap`, headers)

async function newGuest() {
  const Cookie = cookiesOf(await bootstrap())
  return (message: string) =>
    shop.call('chat/product', { message, productId: product.id }, { Cookie })
}

/** A visitor with the widget on the owner's own site. */
async function newReader() {
  const device = { Origin: partner, 'X-Guest-Device-Id': unique('device') }
  const { body } = await bootstrap(device)
  const known = { ...device, 'X-Guest-Token': body.guestToken as string }
  return (message: string) => shop.call('chat/product', { message, productId: product.id }, known)
}

const known = 'Is it made for dry skin?'
const balance = async () => (await shop.api.get(shop.at('wallet'))).body.balance as number

describe('update_site_budget', () => {
  test('ends what visitors of the pages and the widget spend on a day, together', async () => {
    const { body } = await service.dashboard(shop.person).get(path()).expect(200)
    expect(body).toEqual({ dailyCredits: 500 })
    await budget(3)
    const before = await balance()
    expect((await (await newGuest())(known)).status).toBe(200)
    expect((await (await newReader())(known)).status).toBe(200)
    // What costs nothing counts for nothing.
    expect((await (await newGuest())('How tall is the Eiffel tower?')).body.credits.charged).toBe(0)
    const asked = await Promise.all(
      [await newGuest(), await newGuest(), await newReader()].map((ask) => ask(known)),
    )
    const refused = asked.filter(({ status }) => status !== 200)
    expect(refused.map(({ status, body: { code } }) => [status, code])).toEqual([
      [429, 'quota_exceeded'],
      [429, 'quota_exceeded'],
    ])
    expect(refused[0]!.body.message).toContain('budget for today')
    expect(await balance()).toBe(before - 3)
  })

  test('does not concern calls with a key, and begins anew with the day', async () => {
    const headers = { 'X-Guest-Device-Id': unique('device') }
    const { body } = await shop.api.get(shop.at('experience/bootstrap')).set(headers).expect(200)
    const guest = { ...headers, 'X-Guest-Token': body.guestToken as string }
    const question = { message: known, productId: product.id }
    await shop.api.post(shop.at('experience/chat/product')).set(guest).send(question).expect(200)
    expect((await (await newGuest())(known)).status).toBe(429)
    service.advance(day)
    expect((await (await newGuest())(known)).status).toBe(200)
  })

  test('lets nothing through at zero, and everything without a budget', async () => {
    await budget(0)
    expect((await (await newGuest())(known)).status).toBe(429)
    expect((await shop.visit('/assistant.json')).body).toEqual({ answers: [] })
    await budget(null)
    expect((await (await newGuest())(known)).status).toBe(200)
    expect((await shop.visit('/assistant.json')).body).toEqual({ answers: ['product'] })
  })
})

describe('what a shop says of its assistant', () => {
  test('is which chats its credits pay for now, and makes nobody a guest', async () => {
    const beauty = await givenOpenShop(service)
    await beauty.design({ templateKey: 'beauty', embedOrigins: [partner] })
    const give = async (credits: number) => {
      const gift = { credits, reason: 'A gift', reference: unique('gift'), now: service.now() }
      await write(service, (trx) => adjustCredits(trx, beauty.workspaceId, gift))
    }
    const seen: unknown[] = []
    for (const credits of [0, 1, 1, 3, -7]) {
      if (credits !== 0) await give(credits)
      seen.push((await beauty.visit('/assistant.json')).body.answers)
    }
    const [product, routine, face] = ['product', 'routine', 'analyze-face']
    expect(seen).toEqual([[], [product], [product, routine], [product, routine, face], []])

    const { headers } = await beauty.visit('/assistant.json', { Origin: partner })
    expect(headers['access-control-allow-origin']).toBe(partner)
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['set-cookie']).toBeUndefined()
    const refused = await beauty.visit('/assistant.json', { Origin: 'https://evil.example' })
    expect(refused.status).toBe(403)
  })
})

test('a guest of the widget is known for a day, one of the pages for longer', async () => {
  const reader = await newReader()
  expect((await reader(known)).status).toBe(200)
  const guest = await newGuest()
  service.advance(day - 1000)
  expect((await reader(known)).status).toBe(200)
  service.advance(2000)
  expect((await reader(known)).body.code).toBe('visitor_required')
  expect((await guest(known)).status).toBe(200)
})

describe('the budget of a call that outlasts its reservation', () => {
  let server: ModelServer
  let slow: TestService
  beforeAll(async () => {
    server = await startModelServer()
    slow = await startService({ env: modelSettings(server) })
  })
  afterAll(async () => {
    await slow.close()
    await server.close()
  })

  /** A shop that may spend one credit a day, and how a new guest asks there. */
  async function givenThrifty() {
    const own = await givenOpenShop(slow)
    const { id: productId } = await givenProduct(own, { description: 'It is made for dry skin.' })
    await own.design({ accessPolicy: { challenge: 'OFF' } })
    const gift = { credits: 100, reason: 'A gift', reference: unique('gift'), now: slow.now() }
    await write(slow, (trx) => adjustCredits(trx, own.workspaceId, gift))
    const at = `/api/workspaces/${own.workspaceId}/site-budget`
    await slow.dashboard(own.person).put(at).send({ dailyCredits: 1 }).expect(200)
    const ask = async () => {
      const Cookie = cookiesOf(
        await own.visit(`/v1/workspaces/${own.workspaceId}/experience/bootstrap`),
      )
      return own.call('chat/product', { message: known, productId }, { Cookie })
    }
    return { ...own, ask }
  }
  const says = { response: 'It is [s1].', productIds: [] }

  test('is given back after a tidy-up has released the credits', async () => {
    const { ask, workspaceId } = await givenThrifty()
    let open = () => undefined as void
    const after = new Promise<void>((resolve) => (open = resolve))
    server.behave({ says, after })
    const seen = server.seen.length
    const call = ask()
    await expect.poll(() => server.seen.length).toBe(seen + 1)
    expect((await ask()).status).toBe(429)
    slow.advance(slow.config.reservationSeconds * 1000)
    await sweepReservations(slow.db, slow.now())
    open()
    expect((await call).status).toBe(503)
    server.behave({ says })
    expect((await ask()).status).toBe(200)
    expect((await ask()).status).toBe(429)
    expect(await chatEvents(slow, workspaceId)).toEqual([
      'chat.product FAILED 0',
      'chat.product SUCCESS -1',
    ])
  })

  test('comes back with its credits, without a tidy-up, and once', async () => {
    const thrifty = await givenThrifty()
    const { ask, workspaceId } = thrifty
    const answering = async () => (await thrifty.visit('/assistant.json')).body.answers as string[]
    let open = () => undefined as void
    const after = new Promise<void>((resolve) => (open = resolve))
    server.behave({ says, after })
    const seen = server.seen.length
    const call = ask()
    await expect.poll(() => server.seen.length).toBe(seen + 1)
    expect(await answering()).toEqual([])
    slow.advance(slow.config.reservationSeconds * 1000)
    expect(await answering()).toEqual(['product'])
    server.behave({ says })
    expect((await ask()).status).toBe(200)
    open()
    expect((await call).status).toBe(503)
    await sweepReservations(slow.db, slow.now())
    expect(await answering()).toEqual([])
    expect((await ask()).status).toBe(429)
    expect(await chatEvents(slow, workspaceId)).toEqual([
      'chat.product FAILED 0',
      'chat.product SUCCESS -1',
    ])
    expect(await brokenIn(slow)).toEqual([])
  })

  test('stays spent where the charge was committed and nobody learned of it', async () => {
    const { ask, workspaceId } = await givenThrifty()
    server.behave({ says })
    const call = await losingTheCommitAfter('update reservations set status', ask)
    expect(call.status).toBe(503)
    expect((await ask()).status).toBe(429)
    expect(await chatEvents(slow, workspaceId)).toEqual(['chat.product SUCCESS -1'])
  })
})
