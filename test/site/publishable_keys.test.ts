import type { Response } from 'supertest'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { operations } from '../../src/generated/operations.ts'
import type { components } from '../../src/generated/types.ts'
import type { OperationId } from '../../src/operation.ts'
import { adjustCredits } from '../../src/domain/credits/wallet.ts'
import { newToken } from '../../src/core/secrets.ts'
import { givenProduct, givenShop, type Product, type Shop } from '../kit/catalogue.ts'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import { startService, type TestService, unique } from '../kit/service.ts'
import { solvedChallenge } from '../kit/solved_challenge.ts'

type PublishableKey = components['schemas']['PublishableKey']

const origin = 'https://shop.example'

let database: TestDatabase
let service: TestService
let shop: Shop
beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ databaseUrl: database.url })
})
afterAll(async () => {
  await service.close()
  await database.drop()
})
beforeEach(async () => {
  shop = await givenShop(service)
})

const keysPath = (workspaceId = shop.workspaceId) =>
  `/api/workspaces/${workspaceId}/publishable-keys`
const create = (body: object) => service.dashboard(shop.person).post(keysPath()).send(body)

async function givenKey(changes: object = {}): Promise<PublishableKey> {
  const { status, body } = await create({ name: 'Pages', origins: [origin], ...changes })
  expect(status).toBe(201)
  return body as PublishableKey
}

const page = (key: string, headers: Record<string, string> = {}, at = service) => {
  const all = { Origin: origin, ...headers }
  const api = at.api(key)
  return {
    headers,
    get: (path: string) => api.get(shop.at(`experience/${path}`)).set(all),
    post: (path: string, body: object) =>
      api
        .post(shop.at(`experience/${path}`))
        .set(all)
        .send(body),
  }
}

const refusal = ({ status, body }: Response) => `${status} ${body.code}`

describe('create_publishable_key', () => {
  test('answers a key that is shown again, and where to revoke it', async () => {
    const { status, headers, body } = await create({ name: 'Pages', origins: [origin] })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^pk_/),
      name: 'Pages',
      key: expect.stringMatching(/^wspk_dev_[\w-]{49}$/),
      origins: [origin],
      dailyCredits: 200,
      createdAt: service.now().toISOString(),
      lastUsedAt: null,
      revokedAt: null,
    })
    expect(headers.location).toBe(`${keysPath()}/${body.id}`)
    const list = await service.dashboard(shop.person).get(keysPath())
    expect(list.body.publishableKeys).toEqual([body])
    expect(list.body.pagination.total).toBe(1)
  })

  test.each([
    [['http://shop.example'], 'origins.0'],
    [['https://shop.example/'], 'origins.0'],
    [['https://shop.example', 'https://Shop.example'], 'origins.1'],
    [['https://shop.example/path'], 'origins.0'],
    [['https://user@shop.example'], 'origins.0'],
    [['null'], 'origins.0'],
    [[], 'origins'],
    [Array.from({ length: 11 }, (_each, index) => `https://shop-${index}.example`), 'origins'],
  ])('refuses %j', async (origins, field) => {
    const { status, body } = await create({ name: 'Pages', origins })
    expect([status, Object.keys(body.fieldErrors)]).toEqual([400, [field]])
  })

  test('takes a page of this machine in development', async () => {
    const origins = ['http://localhost:5173', 'http://127.0.0.1:8080']
    expect((await givenKey({ origins })).origins).toEqual(origins)
  })

  test('ends at 20 keys that are not revoked', async () => {
    const keys = []
    for (let index = 0; index < 20; index++) keys.push(await givenKey())
    const full = { name: 'Pages', origins: [origin] }
    expect(refusal(await create(full))).toBe('400 key_limit_reached')
    await service.dashboard(shop.person).delete(`${keysPath()}/${keys[0]!.id}`).expect(200)
    expect((await create(full)).status).toBe(201)
  })

  test('is for owners', async () => {
    const other = await service.givenPerson()
    const answer = await service
      .dashboard(other)
      .post(keysPath())
      .send({ name: 'Pages', origins: [origin] })
    expect(refusal(answer)).toBe('403 not_owner')
  })
})

describe('a publishable key', () => {
  test('reads the catalogue from a listed origin alone', async () => {
    await givenProduct(shop)
    const { key } = await givenKey()
    const answer = await page(key).get('products')
    expect([answer.status, answer.body.products.length]).toEqual([200, 1])
    expect(answer.headers['access-control-allow-origin']).toBe('*')
    expect(answer.headers['cache-control']).toBe('public, max-age=0, s-maxage=60')
    expect(answer.headers.vary).toBe('Accept-Encoding, Origin')
    for (const elsewhere of ['https://other.example', 'https://shop.example.evil', 'null'])
      expect(refusal(await page(key, { Origin: elsewhere }).get('products'))).toBe(
        '403 origin_refused',
      )
    const without = await service.api(key).get(shop.at('experience/products'))
    expect(refusal(without)).toBe('403 origin_refused')
  })

  const management = (Object.keys(operations) as OperationId[]).filter((id) => {
    const { surface, auth, toolOnly } = operations[id]
    return surface === 'management' && auth === 'accountKey' && !toolOnly
  })
  test.each(management)('does not open %s', async (id) => {
    const { key } = await givenKey()
    const { method, path } = operations[id]
    const filled = path.replace('{workspaceId}', shop.workspaceId).replaceAll(/\{\w+\}/g, 'any_id')
    const answer = await service.api(key)[method](filled).set('Origin', origin)
    expect(refusal(answer)).toBe('401 unauthenticated')
  })

  test('opens no other workspace, also of the same owner', async () => {
    const { key } = await givenKey()
    for (const owner of [shop.person, await service.givenPerson()]) {
      const { id } = await service.givenWorkspace(owner)
      const answer = await service
        .api(key)
        .get(`/v1/workspaces/${id}/experience/products`)
        .set('Origin', origin)
      expect(refusal(answer)).toBe('403 not_owner')
    }
  })

  test('is no credential of agents, and of no other environment', async () => {
    const { key } = await givenKey()
    const agent = await service.api(key).post('/mcp').send({})
    expect(agent.status).toBe(401)
    const live = newToken('publishableKey', 'production')
    expect(refusal(await page(live).get('products'))).toBe('401 wrong_environment')
    expect(refusal(await page(`${key.slice(0, -1)}!`).get('products'))).toBe('401 unauthenticated')
    const unknown = newToken('publishableKey', 'development')
    expect(refusal(await page(unknown).get('products'))).toBe('401 unauthenticated')
  })

  test('ends with its revocation, at once and for good', async () => {
    const { id, key } = await givenKey()
    await page(key).get('products').expect(200)
    for (let times = 0; times < 2; times++)
      await service
        .dashboard(shop.person)
        .delete(`${keysPath()}/${id}`)
        .expect(200, { id, deleted: true })
    expect(refusal(await page(key).get('products'))).toBe('401 token_revoked')
    const elsewhere = await givenShop(service)
    const foreign = await service
      .dashboard(elsewhere.person)
      .delete(`${keysPath(elsewhere.workspaceId)}/${id}`)
    expect(refusal(foreign)).toBe('404 not_found')
  })

  test('ends while the workspace, or all who own it, are suspended', async () => {
    const { key } = await givenKey()
    const set = (table: 'workspaces' | 'accounts', id: string, status: 'ACTIVE' | 'SUSPENDED') =>
      service.db.updateTable(table).set({ status }).where('id', '=', id).execute()
    await set('workspaces', shop.workspaceId, 'SUSPENDED')
    expect(refusal(await page(key).get('products'))).toBe('403 workspace_inactive')
    await set('workspaces', shop.workspaceId, 'ACTIVE')
    await set('accounts', shop.person.accountId, 'SUSPENDED')
    expect(refusal(await page(key).get('products'))).toBe('403 account_inactive')
  })

  test('says when it was last used', async () => {
    const { key } = await givenKey()
    await page(key).get('products').expect(200)
    const { body } = await service.dashboard(shop.person).get(keysPath())
    expect(body.publishableKeys[0].lastUsedAt).toBe(service.now().toISOString())
  })
})

describe('a page with a publishable key', () => {
  let product: Product
  let key: string
  const deviceId = 'device-0001'
  beforeEach(async () => {
    product = await givenProduct(shop, { description: 'Rich care for dry skin.' })
    const now = service.now()
    const move = { credits: 100, reason: 'For chats', reference: unique('call'), now }
    await service.db.transaction().execute((trx) => adjustCredits(trx, shop.workspaceId, move))
    key = (await givenKey({ dailyCredits: 3 })).key
  })

  async function givenGuest(at = service) {
    const device = { 'X-Guest-Device-Id': deviceId }
    const { body } = await page(key, device, at).get('bootstrap').expect(200)
    return page(key, { ...device, 'X-Guest-Token': body.guestToken as string }, at)
  }
  const question = () => ({ message: 'Is it for dry skin?', productId: product.id })
  const solved = () => solvedChallenge(service, shop.workspaceId, 'chat')

  test('always solves the challenge, whatever the site asks of others', async () => {
    await shop.api
      .put(shop.at('website'))
      .send({ accessPolicy: { challenge: 'OFF' } })
      .expect(200)
    const guest = await givenGuest()
    const { body } = await guest.get('bootstrap').expect(200)
    expect(body.accessPolicy.challenge).toBe('GUESTS')
    expect(refusal(await guest.post('chat/product', question()))).toBe('403 challenge_required')
    const code = { name: 'Ece Demir', email: `${unique('customer')}@example.com` }
    expect(refusal(await guest.post('customer/otp/request', code))).toBe('403 challenge_required')
    const answer = await guest.post('chat/product', {
      ...question(),
      challengeToken: await solved(),
    })
    expect([answer.status, answer.body.credits]).toEqual([200, { charged: 1 }])
  })

  test('is no guest of the backend, nor of another page, whatever device it names', async () => {
    const backend = { 'X-Guest-Device-Id': deviceId }
    const { body } = await shop.api.get(shop.at('experience/bootstrap')).set(backend).expect(200)
    const own = { ...backend, 'X-Guest-Token': body.guestToken as string }
    const asked = { ...question(), challengeToken: await solved() }
    const chat = shop.api.post(shop.at('experience/chat/product')).set(own).send(asked)
    const { threadId } = (await chat.expect(200)).body as { threadId: string }
    const guest = await givenGuest()
    expect((await guest.get('threads').expect(200)).body.threads).toEqual([])
    expect((await guest.get(`threads/${threadId}`)).status).toBe(404)
    // A token of one is worth nothing to the other.
    expect(refusal(await page(key, own).get('threads'))).toBe('401 unauthenticated')
    const elsewhere = 'https://other.example'
    const other = await givenKey({ origins: [elsewhere] })
    const moved = await page(other.key, { Origin: elsewhere }).get('bootstrap').set(guest.headers)
    expect(refusal(moved)).toBe('401 unauthenticated')
  })

  test('spends no more in a day than the owner allows, and starts anew with the next', async () => {
    const ask = async (guest: Awaited<ReturnType<typeof givenGuest>>) =>
      guest.post('chat/product', { ...question(), challengeToken: await solved() })
    const outcomes = async (times: number) => {
      const guest = await givenGuest()
      const answers = await Promise.all(Array.from({ length: times }, () => ask(guest)))
      return answers.map((answer) => (answer.status === 200 ? '200' : refusal(answer))).sort()
    }
    expect(await outcomes(5)).toEqual([
      '200',
      '200',
      '200',
      '429 quota_exceeded',
      '429 quota_exceeded',
    ])
    const wallet = await shop.api.get(shop.at('wallet'))
    expect([wallet.body.balance, wallet.body.reserved]).toEqual([97, 0])
    service.advance(24 * 3600_000)
    expect(await outcomes(1)).toEqual(['200'])
  })

  test('signs a customer in, who reads what nobody else may keep', async () => {
    const guest = await givenGuest()
    const email = `${unique('customer')}@example.com`
    const challengeToken = await solvedChallenge(service, shop.workspaceId, 'sign_in')
    const request = { name: 'Ece Demir', email, challengeToken }
    expect((await guest.post('customer/otp/request', request)).status).toBe(202)
    const code = await service.codeFor(email)
    const verified = await guest.post('customer/otp/verify', { email, code })
    expect(verified.status).toBe(200)
    const customer = page(key, { 'X-Visitor-Token': verified.body.token as string })
    expect((await customer.get('customer/session')).body.customer.email).toBe(email)
    const reads = await customer.get('products')
    expect(reads.headers['cache-control']).toBe('private, no-store')
  })

  test('leaves the codes of an address to its owner when a stranger asks for them', async () => {
    const env = { RATE_LIMIT_PER_MINUTE: '120', TRUST_PROXY: '1' }
    const usual = await startService({ databaseUrl: database.url, env })
    const email = `${unique('customer')}@example.com`
    const request = async (address: string) => {
      usual.advance(60_000)
      const challengeToken = await solvedChallenge(usual, shop.workspaceId, 'sign_in')
      const body = { name: 'Ece Demir', email, challengeToken }
      const headers = { 'X-Forwarded-For': address }
      return refusal(await page(key, headers, usual).post('customer/otp/request', body))
    }
    for (let count = 0; count < 5; count++)
      expect(await request('203.0.113.7')).toBe('202 undefined')
    expect(await request('203.0.113.7')).toBe('429 rate_limited')
    for (let count = 0; count < 5; count++)
      expect(await request('198.51.100.2')).toBe('202 undefined')
    // Many strangers together get no more codes to guess.
    expect(await request('203.0.113.8')).toBe('429 rate_limited')
    await usual.close()
  })

  test('is counted by its address, so that other visitors of the shop are not', async () => {
    const env = { RATE_LIMIT_PER_MINUTE: '12', TRUST_PROXY: '1' }
    const tight = await startService({ databaseUrl: database.url, env })
    const from = (address: string) => page(key, { 'X-Forwarded-For': address }, tight)
    const { headers } = await from('203.0.113.7').get('products')
    expect(headers['ratelimit-policy']).toBe('"page";q=60;w=60')
    for (let call = 1; call < 60; call++) await from('203.0.113.7').get('products').expect(200)
    expect(refusal(await from('203.0.113.7').get('products'))).toBe('429 rate_limited')
    await from('203.0.113.8').get('products').expect(200)
    const request = async (address: string) =>
      refusal(
        await from(address).post('customer/otp/request', {
          name: 'Ece Demir',
          email: `${unique('customer')}@example.com`,
          challengeToken: await solvedChallenge(tight, shop.workspaceId, 'sign_in'),
        }),
      )
    const outcomes = [await request('203.0.113.9'), await request('203.0.113.9')]
    expect(outcomes).toEqual(['202 undefined', '202 undefined'])
    expect(await request('203.0.113.9')).toBe('429 rate_limited')
    expect(await request('203.0.113.10')).toBe('202 undefined')
    await tight.close()
  })
})
