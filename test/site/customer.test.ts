import type { Response } from 'supertest'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { givenScene, type Scene } from '../every_operation/fixtures.ts'
import { startService, type TestService, unique } from '../kit/service.ts'
import { solvedChallenge } from '../kit/solved_challenge.ts'
import { statementsOf } from '../kit/statements.ts'
import { givenCustomer, givenGuest } from '../kit/visitors.ts'

const minute = 60_000
const day = 24 * 3600_000

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

let scene: Scene
beforeEach(async () => {
  scene = await givenScene(service)
  await setChallenge('OFF')
})

type Headers = Record<string, string>

const at = (path: string, place = scene) =>
  `/v1/workspaces/${place.workspace.id}/experience/customer/${path}`
const post = (path: string, body: object = {}, headers: Headers = {}) =>
  service.api(scene.key).post(at(path)).set(headers).send(body)
const get = (path: string, headers: Headers) => service.api(scene.key).get(at(path)).set(headers)
const newAddress = () => `${unique('customer')}@example.com`
const request = (email: string, change: object = {}, headers: Headers = {}) =>
  post('otp/request', { name: 'Ece Demir', email, ...change }, headers)
const verify = (email: string, code: string) => post('otp/verify', { email, code })
const wrongFor = (code: string) => (code === '000000' ? '000001' : '000000')

async function setChallenge(challenge: 'OFF' | 'GUESTS' | 'ALWAYS'): Promise<void> {
  const path = `/v1/workspaces/${scene.workspace.id}/website`
  await service.api(scene.key).put(path).send({ accessPolicy: { challenge } }).expect(200)
}

async function givenCode(email = newAddress(), change: object = {}) {
  expect((await request(email, change)).status).toBe(202)
  const code = await service.codeFor(email)
  return { email, code, wrong: wrongFor(code) }
}

const invalid = {
  status: 401,
  code: 'code_invalid',
  message: 'The code is wrong, expired or used.',
}

describe('request_customer_code', () => {
  test("mails six digits with the workspace's name", async () => {
    const email = newAddress()
    const { status, body } = await request(email)
    expect([status, body]).toEqual([202, { accepted: true }])
    const mails = await service.mailsTo(email)
    expect(mails.map(({ subject }) => subject)).toEqual(['Your code for A workspace'])
    expect(mails[0]?.text).toMatch(/^Your code to sign in to A workspace:\n\n {4}\d{6}\n\n/)
  })

  test.each([
    ['tr-TR,tr;q=0.9,en;q=0.5', 'A workspace giriş kodunuz'],
    ['de;q=1, tr;q=0.2, en;q=0.1', 'A workspace giriş kodunuz'],
    ['TR', 'A workspace giriş kodunuz'],
    ['tr;q=0, en', 'Your code for A workspace'],
    ['en-GB, tr;q=0.9', 'Your code for A workspace'],
    ['de, fr;q=0.5', 'Your code for A workspace'],
    [';;q=,,*', 'Your code for A workspace'],
  ])('writes to a visitor who asks for %s: %s', async (language, subject) => {
    const email = newAddress()
    await request(email, {}, { 'Accept-Language': language }).expect(202)
    expect((await service.mailsTo(email)).map((mail) => mail.subject)).toEqual([subject])
  })

  test('writes in the language that a customer has chosen, whatever the browser says', async () => {
    const customer = await givenCustomer(scene)
    await service.db
      .updateTable('customers')
      .set({ language: 'tr' })
      .where('id', '=', customer.id)
      .execute()
    await request(customer.email, {}, { 'Accept-Language': 'en' }).expect(202)
    const [mail] = await service.mailsTo(customer.email)
    expect(mail?.subject).toBe('A workspace giriş kodunuz')
    expect(mail?.text).toMatch(/^A workspace sitesine giriş yapmak için kodunuz:\n\n {4}\d{6}\n\n/)
  })

  test('answers a known and an unknown address alike, after the same statements', async () => {
    const { email: known } = await givenCustomer(scene)
    const answers: unknown[] = []
    const ask = (email: string) => () =>
      request(email).then(({ status, text }) => answers.push({ status, text }))
    const forKnown = await statementsOf(service, ask(known))
    const forUnknown = await statementsOf(service, ask(newAddress()))
    expect(answers[1]).toEqual(answers[0])
    expect(forUnknown).toEqual(forKnown)
    expect(forKnown.filter((text) => text.startsWith('insert into "mails"'))).toHaveLength(1)
  })

  test('sends another code after 60 seconds, before that 429 with Retry-After', async () => {
    const { email, code } = await givenCode()
    const early = await request(email)
    expect([early.status, early.body.code, early.headers['retry-after']]).toEqual([
      429,
      'rate_limited',
      '60',
    ])
    service.advance(minute)
    const later = await givenCode(email)
    if (later.code !== code) expect((await verify(email, code)).body).toEqual(invalid)
    expect((await verify(email, later.code)).status).toBe(200)
  })

  test.each(['ada+shop@example.com', 'ada@mailinator.com', 'ada@mail.mailinator.com'])(
    'refuses %s by its field and mails nothing',
    async (email) => {
      const { status, body } = await request(email)
      expect([status, Object.keys(body.fieldErrors)]).toEqual([400, ['email']])
      expect(await service.mailsTo(email)).toEqual([])
    },
  )

  test('keeps the codes of two sites apart', async () => {
    const { email, code } = await givenCode()
    const other = await givenScene(service)
    const elsewhere = await service
      .api(other.key)
      .post(at('otp/verify', other))
      .send({ email, code })
    expect(elsewhere.body).toEqual(invalid)
    expect((await verify(email, code)).status).toBe(200)
  })

  test('a code of the dashboard opens no site, and a code of a site no dashboard', async () => {
    const { email, code } = await givenCode()
    const dashboard = service.dashboard()
    const { body } = await dashboard.post('/api/session').send({ email, code })
    expect(body).toEqual(invalid)
    const own = newAddress()
    await dashboard.post('/api/session/code').send({ email: own }).expect(202)
    expect((await verify(own, await service.codeFor(own))).body).toEqual(invalid)
  })
})

describe('request_customer_code, where the site asks for a solved challenge', () => {
  const ask = async (challengeToken?: string, headers: Headers = {}) => {
    const { status, body } = await request(newAddress(), { challengeToken }, headers)
    return status < 400 ? status : `${status} ${body.code}`
  }

  test('takes one from a guest, once, for this site and this action', async () => {
    await setChallenge('GUESTS')
    const { headers } = givenGuest(scene)
    expect(await ask(undefined, headers)).toBe('403 challenge_required')
    expect(await ask('nonsense', headers)).toBe('403 challenge_failed')
    const siteKey = scene.workspace.id
    expect(await ask(await solvedChallenge(service, siteKey, 'chat'))).toBe('403 challenge_failed')
    const other = await givenScene(service)
    const foreign = await solvedChallenge(service, other.workspace.id, 'sign_in')
    expect(await ask(foreign)).toBe('403 challenge_failed')
    const solved = await solvedChallenge(service, siteKey, 'sign_in')
    expect(await ask(solved, headers)).toBe(202)
    expect(await ask(solved, headers)).toBe('403 challenge_failed')
  })

  test('asks a customer only where it asks everybody', async () => {
    const { headers } = await givenCustomer(scene)
    await setChallenge('GUESTS')
    expect(await ask(undefined, headers)).toBe(202)
    await setChallenge('ALWAYS')
    expect(await ask(undefined, headers)).toBe('403 challenge_required')
  })

  test('mails nothing to whoever has not solved it', async () => {
    await setChallenge('ALWAYS')
    const email = newAddress()
    await request(email).expect(403)
    await request(email, { challengeToken: 'nonsense' }).expect(403)
    expect(await service.mailsTo(email)).toEqual([])
  })
})

describe('verify_customer_code', () => {
  test('makes a customer of what was said, signed in for 365 days', async () => {
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

  test('takes a code once, also from twenty at a time', async () => {
    const { email, code } = await givenCode()
    const answers = await all(20, () => verify(email, code))
    expect(tally(answers)).toEqual({ '200': 1, '401': 19 })
    expect((await verify(email, code)).body).toEqual(invalid)
  })

  test('takes a code for ten minutes', async () => {
    const { email, code } = await givenCode()
    service.advance(10 * minute)
    expect((await verify(email, code)).body).toEqual(invalid)
  })

  test('five wrong codes make the code unusable', async () => {
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

  test('twenty wrong codes at a time count five', async () => {
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

  test('makes one customer of an address that is verified twice', async () => {
    const { email, code } = await givenCode()
    const first = await verify(email, code)
    service.advance(minute)
    const again = await givenCode(email)
    const second = await verify(email, again.code)
    expect(second.body.customer).toEqual(first.body.customer)
    expect(second.body.token).not.toBe(first.body.token)
  })
})

describe('the limits of sign-in codes', () => {
  let limited: TestService
  let place: Scene
  const ask = (email: string, where = place) =>
    limited
      .api(where.key)
      .post(at('otp/request', where))
      .set(givenGuestHeaders(where))
      .send({ name: 'Ece', email })
  const givenGuestHeaders = (where: Scene) => givenGuest(where).headers
  const open = async (where: Scene) => {
    const website = `/v1/workspaces/${where.workspace.id}/website`
    const off = { accessPolicy: { challenge: 'OFF' } }
    await limited.dashboard(where.owner).put(website).send(off).expect(200)
    return where
  }
  beforeAll(async () => {
    // Every limit as at the default, but those of requests, which scale with this one.
    limited = await startService({ env: { RATE_LIMIT_PER_MINUTE: '120' } })
    place = await open(await givenScene(limited))
  })
  afterAll(() => limited.close())

  test('are five an hour for an address in a workspace', async () => {
    const email = newAddress()
    for (let count = 0; count < 5; count++) {
      expect((await ask(email)).status).toBe(202)
      limited.advance(minute)
    }
    const refused = await ask(email)
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000)
    expect((await ask(newAddress())).status).toBe(202)
    expect((await ask(email, await open(await givenScene(limited)))).status).toBe(202)
  })
})

describe('the limit of codes that a key sends', () => {
  test('is a thousand an hour, for all addresses of a shop together', async () => {
    const env = { RATE_LIMIT_PER_MINUTE: '120', WEB_CONCURRENCY: '2' }
    const shared = await startService({ env })
    const place = await givenScene(shared)
    const website = `/v1/workspaces/${place.workspace.id}/website`
    const off = { accessPolicy: { challenge: 'OFF' } }
    await shared.dashboard(place.owner).put(website).send(off).expect(200)
    const ask = async (key: string) => {
      const call = shared.api(key).post(at('otp/request', place))
      const { status, body } = await call.send({ name: 'Ece', email: newAddress() })
      return status < 400 ? status : `${status} ${body.code}`
    }
    expect(await ask(place.key)).toBe(202)
    // What an hour of a busy shop leaves: all but one of its codes are sent.
    const { rowCount } = await shared.connection.pool.query(
      "update rate_limits set points = 999 where key like 'codes-key:%'",
    )
    expect(rowCount).toBe(1)
    expect(await ask(place.key)).toBe(202)
    expect(await ask(place.key)).toBe('429 rate_limited')
    expect(await ask((await shared.givenKey(place.owner)).key)).toBe(202)
    await shared.close()
  })
})

describe('get_customer_session', () => {
  test('tells who is signed in, and nothing of accounts', async () => {
    const customer = await givenCustomer(scene, { days: 10 })
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
      sessionExpiresAt: new Date(service.now().getTime() + 10 * day).toISOString(),
    })
  })
})

describe('refresh_customer_session', () => {
  test('gives the same token its whole time again', async () => {
    const customer = await givenCustomer(scene, { days: 10 })
    service.advance(9 * day)
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

  test('revives no session that has expired or was signed out', async () => {
    const expired = await givenCustomer(scene, { days: 0 })
    const late = await post('refresh', {}, expired.headers)
    expect([late.status, late.body.code]).toEqual([401, 'token_expired'])
    const gone = await givenCustomer(scene)
    await post('logout', {}, gone.headers).expect(204)
    const refused = await post('refresh', {}, gone.headers)
    expect([refused.status, refused.body.code]).toEqual([401, 'token_revoked'])
  })
})

describe('log_out_customer', () => {
  test('ends this session at once and leaves the others', async () => {
    const customer = await givenCustomer(scene)
    const { code } = await givenCode(customer.email)
    const { token } = (await verify(customer.email, code)).body as { token: string }
    const { status, text } = await post('logout', {}, customer.headers)
    expect([status, text]).toEqual([204, ''])
    const refused = await get('profile', customer.headers)
    expect([refused.status, refused.body.code]).toEqual([401, 'token_revoked'])
    expect((await get('profile', { 'X-Visitor-Token': token })).status).toBe(200)
  })
})

describe('update_customer_profile', () => {
  const put = (headers: Headers, body: object) =>
    service.api(scene.key).put(at('profile')).set(headers).send(body)

  test('replaces name, phone and language', async () => {
    const { id, email, headers } = await givenCustomer(scene)
    const written = { name: 'Ece Demir', phone: '+905551234567', language: 'tr' }
    const { status, body } = await put(headers, { ...written, email })
    expect([status, body]).toEqual([200, { id, email, ...written }])
    expect((await get('profile', headers)).body).toEqual(body)
  })

  test('takes the address as it is, in any spelling, and no other', async () => {
    const { email, headers } = await givenCustomer(scene)
    const written = { name: 'Ece', phone: null, language: 'tr' }
    await put(headers, { ...written, email: email.toUpperCase() }).expect(200)
    const changed = await put(headers, { ...written, email: newAddress() })
    expect([changed.status, changed.body.fieldErrors]).toEqual([
      400,
      { email: 'The email address cannot be changed here.' },
    ])
    const missing = await put(headers, written)
    expect([missing.status, missing.body.fieldErrors]).toEqual([400, { email: 'Required.' }])
  })

  test('is refused when the profile has changed since it was read', async () => {
    const { email, headers } = await givenCustomer(scene)
    const { etag } = (await get('profile', headers)).headers
    const written = { name: 'Ece', phone: null, language: 'tr', email }
    const conditional = { ...headers, 'If-Match': etag! }
    expect((await put(conditional, written)).status).toBe(200)
    const second = await put(conditional, { ...written, name: 'Somebody' })
    expect([second.status, second.body.code]).toEqual([409, 'write_conflict'])
  })
})

/** Starts calls at once: supertest itself waits until somebody asks for the answer. */
const all = (count: number, call: () => PromiseLike<Response>): Promise<Response[]> =>
  Promise.all(Array.from({ length: count }, () => Promise.resolve(call())))

function tally(answers: Response[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
