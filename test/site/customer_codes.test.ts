import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { givenScene, type Scene } from '../every_operation/fixtures.ts'
import { startService, type TestService } from '../kit/service.ts'
import { solvedChallenge } from '../kit/solved_challenge.ts'
import { statementsOf } from '../kit/statements.ts'
import { givenCustomer, givenGuest } from '../kit/visitors.ts'
import { customerCallsIn, type Headers, invalid, newAddress } from './customer_calls.ts'

const minute = 60_000

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

const { at, givenCode, request, setChallenge, verify } = customerCallsIn(() => scene)

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
    ['la;q=1, tr;q=0.2, en;q=0.1', 'A workspace giriş kodunuz'],
    ['TR', 'A workspace giriş kodunuz'],
    ['tr;q=0, en', 'Your code for A workspace'],
    ['en-GB, tr;q=0.9', 'Your code for A workspace'],
    ['la, eo;q=0.5', 'Your code for A workspace'],
    [';;q=,,*', 'Your code for A workspace'],
  ])('mails a visitor with Accept-Language %s: %s', async (language, subject) => {
    const email = newAddress()
    await request(email, {}, { 'Accept-Language': language }).expect(202)
    expect((await service.mailsTo(email)).map((mail) => mail.subject)).toEqual([subject])
  })

  test('mails in the language a customer has chosen, whatever the browser says', async () => {
    const customer = await givenCustomer(scene)
    await service.db
      .updateTable('customers')
      .set({ language: 'tr' })
      .where('workspace_id', '=', scene.workspace.id)
      .where('id', '=', customer.id)
      .execute()
    await request(customer.email, {}, { 'Accept-Language': 'en' }).expect(202)
    const [mail] = await service.mailsTo(customer.email)
    expect(mail?.subject).toBe('A workspace giriş kodunuz')
    expect(mail?.text).toMatch(/^A workspace sitesine giriş yapmak için kodunuz:\n\n {4}\d{6}\n\n/)
  })

  test('answers a known and an unknown address alike, with the same statements', async () => {
    const { email: knownEmail } = await givenCustomer(scene)
    const answers: unknown[] = []
    const ask = (email: string) => () =>
      request(email).then(({ status, text }) => answers.push({ status, text }))
    const forKnown = await statementsOf(service, ask(knownEmail))
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

  test('keeps the codes of two sites separate', async () => {
    const { email, code } = await givenCode()
    const other = await givenScene(service)
    const elsewhere = await service
      .api(other.key)
      .post(at('otp/verify', other))
      .send({ email, code })
    expect(elsewhere.body).toEqual(invalid)
    expect((await verify(email, code)).status).toBe(200)
  })

  test('a dashboard code does not work on a site, nor a site code at the dashboard', async () => {
    const { email, code } = await givenCode()
    const dashboard = service.dashboard()
    const { body } = await dashboard.post('/api/session').send({ email, code })
    expect(body).toEqual(invalid)
    const own = newAddress()
    await dashboard.post('/api/session/code').send({ email: own }).expect(202)
    expect((await verify(own, await service.codeFor(own))).body).toEqual(invalid)
  })
})

describe('request_customer_code, if the site requires a challenge', () => {
  const ask = async (challengeToken?: string, headers: Headers = {}) => {
    const { status, body } = await request(newAddress(), { challengeToken }, headers)
    return status < 400 ? status : `${status} ${body.code}`
  }

  test('accepts a solution from a guest once, for this site and action', async () => {
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

  test('requires one from a customer only under the policy ALWAYS', async () => {
    const { headers } = await givenCustomer(scene)
    await setChallenge('GUESTS')
    expect(await ask(undefined, headers)).toBe(202)
    await setChallenge('ALWAYS')
    expect(await ask(undefined, headers)).toBe('403 challenge_required')
  })

  test('mails nothing without a solution', async () => {
    await setChallenge('ALWAYS')
    const email = newAddress()
    await request(email).expect(403)
    await request(email, { challengeToken: 'nonsense' }).expect(403)
    expect(await service.mailsTo(email)).toEqual([])
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
    // Default limits, except those of requests, which scale with this one.
    limited = await startService({ env: { RATE_LIMIT_PER_MINUTE: '120' } })
    place = await open(await givenScene(limited))
  })
  afterAll(() => limited.close())

  test('are five an hour per address and workspace', async () => {
    const email = newAddress()
    for (let count = 0; count < 5; count++) {
      expect((await ask(email)).status).toBe(202)
      limited.advance(minute)
    }
    const refusal = await ask(email)
    expect([refusal.status, refusal.body.code]).toEqual([429, 'rate_limited'])
    expect(Number(refusal.headers['retry-after'])).toBeGreaterThan(3000)
    expect((await ask(newAddress())).status).toBe(202)
    expect((await ask(email, await open(await givenScene(limited)))).status).toBe(202)
  })
})

describe('the limit of codes sent by a key', () => {
  test('is a thousand an hour across all addresses of a shop', async () => {
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
    // A busy shop's hour: all but one of its codes are used up.
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
