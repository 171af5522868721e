import type { Response } from 'supertest'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { givenScene, type Scene } from '../every_operation/fixtures.ts'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import { startService, type TestService } from '../kit/service.ts'
import { statementsOf } from '../kit/statements.ts'
import { givenCustomer } from '../kit/visitors.ts'
import { customerCallsIn, type Headers, invalid, newAddress } from './customer_calls.ts'

const minute = 60_000
const day = 24 * 3600_000

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

let scene: Scene
beforeEach(async () => {
  scene = await givenScene(service)
  await setChallenge('OFF')
})

const { at, get, givenCode, post, request, setChallenge, verify } = customerCallsIn(() => scene)

describe('verify_customer_code', () => {
  test('creates a customer from the given profile, signed in for 365 days', async () => {
    const email = newAddress()
    await request(email, { phone: '+905551234567' }, { 'Accept-Language': 'tr-TR' }).expect(202)
    const { status, body, headers } = await verify(email, await service.codeFor(email))
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('no-store')
    const ends = new Date(service.now().getTime() + 365 * day)
    expect(body).toEqual({
      token: expect.stringMatching(/^wsv_dev_[A-Za-z0-9_-]{49}$/),
      sessionExpiresAt: ends.toISOString(),
      customer: {
        id: expect.stringMatching(/^cus_/),
        name: 'Ece Demir',
        email,
        phone: '+905551234567',
        language: 'tr-TR',
      },
    })
    const rows = await service.db.selectFrom('customer_sessions').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(body.token)
  })

  test('keeps the profile of a customer who signs in again', async () => {
    const customer = await givenCustomer(scene)
    const { code } = await givenCode(customer.email, { name: 'Somebody else' })
    const { body } = await verify(customer.email.toUpperCase(), code)
    expect(body.customer).toEqual({
      id: customer.id,
      name: 'A customer',
      email: customer.email,
      phone: null,
      language: 'en',
    })
    expect((await get('session', { 'X-Visitor-Token': body.token })).status).toBe(200)
    expect((await get('session', customer.headers)).status).toBe(200)
  })

  test('records the sign-in for the customer', async () => {
    const { email, code } = await givenCode()
    const { body } = await verify(email, code)
    const events = await service.db
      .selectFrom('usage_events')
      .select(['actor_type', 'user_id', 'event_name', 'endpoint', 'resource_id', 'status'])
      .where('workspace_id', '=', scene.workspace.id)
      .where('event_name', '=', 'customer.sign_in')
      .execute()
    expect(events).toEqual([
      {
        actor_type: 'CUSTOMER',
        user_id: body.customer.id,
        event_name: 'customer.sign_in',
        endpoint: 'verify_customer_code',
        resource_id: body.customer.id,
        status: 'SUCCESS',
      },
    ])
  })

  test('accepts a code once, even in twenty concurrent calls', async () => {
    const { email, code } = await givenCode()
    const answers = await all(20, () => verify(email, code))
    expect(tally(answers)).toEqual({ '200': 1, '401': 19 })
    expect((await verify(email, code)).body).toEqual(invalid)
  })

  test('accepts a code for ten minutes', async () => {
    const { email, code } = await givenCode()
    service.advance(10 * minute)
    expect((await verify(email, code)).body).toEqual(invalid)
  })

  test('five wrong codes invalidate the code', async () => {
    const { email, code, wrong } = await givenCode()
    for (let tries = 0; tries < 5; tries++)
      expect((await verify(email, wrong)).body).toEqual(invalid)
    expect((await verify(email, code)).body).toEqual(invalid)
  })

  test('four wrong codes do not', async () => {
    const { email, code, wrong } = await givenCode()
    for (let tries = 0; tries < 4; tries++) await verify(email, wrong).expect(401)
    expect((await verify(email, code)).status).toBe(200)
  })

  test('twenty concurrent wrong codes count as five', async () => {
    const { email, code, wrong } = await givenCode()
    expect(tally(await all(20, () => verify(email, wrong)))).toEqual({ '401': 20 })
    const { failures } = await service.db
      .selectFrom('one_time_codes')
      .select('failures')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    expect(failures).toBe(5)
    expect((await verify(email, code)).body).toEqual(invalid)
  })

  test('creates one customer for an address that is verified twice', async () => {
    const { email, code } = await givenCode()
    const first = await verify(email, code)
    service.advance(minute)
    const again = await givenCode(email)
    const second = await verify(email, again.code)
    expect(second.body.customer).toEqual(first.body.customer)
    expect(second.body.token).not.toBe(first.body.token)
  })
})

describe('get_customer_session', () => {
  test('returns the signed-in customer, and nothing about accounts', async () => {
    const customer = await givenCustomer(scene)
    const { status, body, headers } = await get('session', customer.headers)
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('private, no-cache')
    expect(body).toEqual({
      customer: {
        id: customer.id,
        name: 'A customer',
        email: customer.email,
        phone: null,
        language: 'en',
      },
      sessionExpiresAt: new Date(service.now().getTime() + 365 * day).toISOString(),
    })
  })
})

describe('a customer session', () => {
  const expiry = async (headers: Record<string, string>) =>
    (await get('session', headers)).body.sessionExpiresAt as string
  const inFullTime = () => new Date(service.now().getTime() + 365 * day).toISOString()
  const renewals = (statements: string[]) =>
    statements.filter((text) => text.startsWith('update "customer_sessions"'))

  test('slides: each use renews its full time', async () => {
    const customer = await givenCustomer(scene)
    for (let use = 0; use < 3; use++) {
      service.advance(200 * day)
      const { key } = await service.givenKey(scene.owner)
      scene = { ...scene, key }
      expect((await get('profile', customer.headers)).status).toBe(200)
      expect(await expiry(customer.headers)).toBe(inFullTime())
    }
  })

  test('is written at most once a day, even by concurrent calls', async () => {
    const customer = await givenCustomer(scene)
    const use = () => get('profile', customer.headers).then()
    const first = await expiry(customer.headers)
    service.advance(day - 1)
    await use()
    expect(renewals(await statementsOf(service, use))).toEqual([])
    expect(await expiry(customer.headers)).toBe(first)
    service.advance(1)
    await Promise.all([use(), use(), use()])
    expect(await expiry(customer.headers)).toBe(inFullTime())
    expect(renewals(await statementsOf(service, use))).toEqual([])
  })

  test('is not renewed by a call that is refused', async () => {
    const customer = await givenCustomer(scene, { days: 10 })
    const { key } = await service.givenKey(scene.owner, { scopes: ['storefront:read'] })
    const path = `/v1/workspaces/${scene.workspace.id}/experience/customer/session`
    await service.api(key).get(path).set(customer.headers).expect(403)
    const { expires_at } = await service.db
      .selectFrom('customer_sessions')
      .select('expires_at')
      .where('customer_id', '=', customer.id)
      .executeTakeFirstOrThrow()
    expect(expires_at).toBe(new Date(service.now().getTime() + 10 * day).toISOString())
  })

  test('of a single day slides, too', async () => {
    const brief = await startService({
      databaseUrl: database.url,
      env: { CUSTOMER_SESSION_DAYS: '1' },
    })
    brief.advance(service.now().getTime() - brief.now().getTime())
    const customer = await givenCustomer(scene, { days: 1 })
    const path = `/v1/workspaces/${scene.workspace.id}/experience/customer/session`
    brief.advance(day / 2)
    const { body } = await brief.api(scene.key).get(path).set(customer.headers).expect(200)
    expect(body.sessionExpiresAt).toBe(new Date(brief.now().getTime() + day).toISOString())
    await brief.close()
  })
})

describe('refresh_customer_session', () => {
  test('renews the full lifetime of the same token at once', async () => {
    const customer = await givenCustomer(scene)
    service.advance(minute)
    const { status, body } = await post('refresh', {}, customer.headers)
    expect(status).toBe(200)
    expect(body).toEqual({
      token: customer.token,
      sessionExpiresAt: new Date(service.now().getTime() + 365 * day).toISOString(),
      customer: expect.objectContaining({ id: customer.id }),
    })
    const session = await get('session', customer.headers)
    expect(session.body.sessionExpiresAt).toBe(body.sessionExpiresAt)
  })

  test('does not revive a session that has expired or was signed out', async () => {
    const expired = await givenCustomer(scene, { days: 0 })
    const late = await post('refresh', {}, expired.headers)
    expect([late.status, late.body.code]).toEqual([401, 'token_expired'])
    const signedOut = await givenCustomer(scene)
    await post('logout', {}, signedOut.headers).expect(204)
    const refusal = await post('refresh', {}, signedOut.headers)
    expect([refusal.status, refusal.body.code]).toEqual([401, 'token_revoked'])
  })
})

describe('log_out_customer', () => {
  test('ends this session at once and keeps the others', async () => {
    const customer = await givenCustomer(scene)
    const { code } = await givenCode(customer.email)
    const { token } = (await verify(customer.email, code)).body as { token: string }
    const { status, text } = await post('logout', {}, customer.headers)
    expect([status, text]).toEqual([204, ''])
    const refusal = await get('profile', customer.headers)
    expect([refusal.status, refusal.body.code]).toEqual([401, 'token_revoked'])
    expect((await get('profile', { 'X-Visitor-Token': token })).status).toBe(200)
  })
})

describe('update_customer_profile', () => {
  const put = (headers: Headers, body: object) =>
    service.api(scene.key).put(at('profile')).set(headers).send(body)

  test('replaces name, phone and language', async () => {
    const { id, email, headers } = await givenCustomer(scene)
    const profile = { name: 'Ece Demir', phone: '+905551234567', language: 'tr' }
    const { status, body } = await put(headers, { ...profile, email })
    expect([status, body]).toEqual([200, { id, email, ...profile }])
    expect((await get('profile', headers)).body).toEqual(body)
  })

  test('accepts the current address in any spelling, and no other', async () => {
    const { email, headers } = await givenCustomer(scene)
    const profile = { name: 'Ece', phone: null, language: 'tr' }
    await put(headers, { ...profile, email: email.toUpperCase() }).expect(200)
    const answer = await put(headers, { ...profile, email: newAddress() })
    expect([answer.status, answer.body.fieldErrors]).toEqual([
      400,
      { email: 'The email address cannot be changed here.' },
    ])
    const missing = await put(headers, profile)
    expect([missing.status, missing.body.fieldErrors]).toEqual([400, { email: 'Required.' }])
  })

  test('is refused if the profile has changed since it was read', async () => {
    const { email, headers } = await givenCustomer(scene)
    const { etag } = (await get('profile', headers)).headers
    const profile = { name: 'Ece', phone: null, language: 'tr', email }
    const conditional = { ...headers, 'If-Match': etag! }
    expect((await put(conditional, profile)).status).toBe(200)
    const second = await put(conditional, { ...profile, name: 'Somebody' })
    expect([second.status, second.body.code]).toEqual([409, 'write_conflict'])
  })
})

/** Sends calls right away: supertest is lazy and waits for `then`. */
const all = (count: number, call: () => PromiseLike<Response>): Promise<Response[]> =>
  Promise.all(Array.from({ length: count }, () => Promise.resolve(call())))

function tally(answers: Response[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
