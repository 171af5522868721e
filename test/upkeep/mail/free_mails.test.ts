import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type Person, type TestService, unique } from '../../kit/service.ts'

const day = 24 * 3600_000

let service: TestService
beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT_PER_MINUTE: '120' } })
})
afterAll(() => service.close())

/** A shop of a new account, whose visitors need no challenge. */
async function givenShop(person: Person, name = 'Gül Kozmetik') {
  const { id } = await service.givenWorkspace(person)
  const { key } = await service.givenKey(person)
  const base = `/v1/workspaces/${id}`
  await service.api(key).put(`${base}/workspace`).send({ name }).expect(200)
  const policy = { accessPolicy: { challenge: 'OFF' } }
  await service.api(key).put(`${base}/website`).send(policy).expect(200)
  const askFor = (email: string, language?: string) => {
    const call = service.api(key).post(`${base}/experience/customer/otp/request`)
    if (language !== undefined) call.set('Accept-Language', language)
    return call.send({ name: 'A visitor', email })
  }
  return { id, askFor }
}

const stranger = () => `${unique('stranger')}@example.com`

/** As if the account had mailed to this many addresses today. */
async function givenMailed({ accountId }: Person, addresses: number): Promise<void> {
  const today = service.now().toISOString().slice(0, 10)
  await service.db
    .insertInto('account_mail_days')
    .values({ account_id: accountId, day: today, addresses })
    .execute()
}

async function buy(workspaceId: string, refundedCredits = 0): Promise<void> {
  await service.db
    .insertInto('checkouts')
    .values({
      id: unique('chk'),
      workspace_id: workspaceId,
      account_id: null,
      credits: 500,
      amount_cents: 1000,
      currency: 'usd',
      session_id: null,
      refunded_credits: refundedCredits,
      created_at: service.now(),
      paid_at: service.now(),
    })
    .execute()
}

describe('an account that has paid nothing', () => {
  test('mails to fifty strangers of those that it is asked to at once', async () => {
    const shop = await givenShop(await service.givenPerson())
    const answers = await Promise.all(Array.from({ length: 60 }, () => shop.askFor(stranger())))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 202)).toHaveLength(50)
    expect(statuses.filter((status) => status === 429)).toHaveLength(10)
    const { body, headers } = answers.find(({ status }) => status === 429)!
    expect(body).toMatchObject({
      code: 'rate_limited',
      message:
        'An account that has bought no credits mails to at most 50 different addresses a day, and ' +
        'has reached them. Buy credits, or wait until tomorrow (UTC).',
    })
    const left = Math.ceil((day - (service.now().getTime() % day)) / 1000)
    expect(headers['retry-after']).toBe(String(left))
  })

  test('is counted over codes, invitations, billing and new addresses of all its workspaces', async () => {
    const person = await service.givenPerson()
    const [first, second] = [await givenShop(person), await givenShop(person)]
    await givenMailed(person, 46)
    const dashboard = service.dashboard(person)
    const at = (path: string) => `/api/workspaces/${second.id}/${path}`
    const known = stranger()
    await first.askFor(known).expect(202)
    await dashboard.post(at('members')).send({ email: stranger(), role: 'staff' }).expect(201)
    await dashboard.post(at('billing-email/code')).send({ email: stranger() }).expect(202)
    await dashboard.post('/api/account/email/code').send({ email: stranger() }).expect(202)

    await second.askFor(stranger()).expect(429)
    await dashboard.post(at('members')).send({ email: stranger(), role: 'staff' }).expect(429)
    await dashboard.post(at('billing-email/code')).send({ email: stranger() }).expect(429)
    await dashboard.post('/api/account/email/code').send({ email: stranger() }).expect(429)
    // One that was mailed to that day may ask again, and the next day is another.
    service.advance(61_000)
    await first.askFor(known).expect(202)
    expect(await service.mailsTo(known)).toHaveLength(2)
    service.advance(day)
    await second.askFor(stranger()).expect(202)
  })

  test('mails to more once it has bought credits in any of its workspaces, and kept some', async () => {
    const person = await service.givenPerson()
    const [first, second] = [await givenShop(person), await givenShop(person)]
    await givenMailed(person, 50)
    await buy(first.id, 500)
    await second.askFor(stranger()).expect(429)
    await buy(first.id, 499)
    await second.askFor(stranger()).expect(202)
  })

  test('leaves a suspicious name out of mails until then', async () => {
    const shop = await givenShop(await service.givenPerson(), 'Call 0850 123 45 67 now')
    const [before, after] = [stranger(), stranger()]
    await shop.askFor(before).expect(202)
    await buy(shop.id)
    await shop.askFor(after).expect(202)
    const subjectTo = async (email: string) => (await service.mailsTo(email))[0]?.subject
    expect(await subjectTo(before)).toBe('Your sign-in code')
    expect(await subjectTo(after)).toBe('Your code for Call 0850 123 45 67 now')
  })
})

describe("a customer's code", () => {
  test("is mailed in the customer's language, the browser's, or the shop's", async () => {
    const owner = await service.givenPerson()
    const account = { name: 'Ayşe', phone: null, language: 'tr' }
    await service.dashboard(owner).put('/api/account').send(account).expect(200)
    const shop = await givenShop(owner)
    const subjectFor = async (email: string, language?: string) => {
      service.advance(61_000)
      await shop.askFor(email, language).expect(202)
      return (await service.mailsTo(email)).at(-1)?.subject
    }
    const [english, turkish] = ['Your code for Gül Kozmetik', 'Gül Kozmetik giriş kodunuz']
    expect(await subjectFor(stranger())).toBe(turkish)
    expect(await subjectFor(stranger(), '*')).toBe(turkish)
    expect(await subjectFor(stranger(), 'de')).toBe(turkish)
    expect(await subjectFor(stranger(), 'en-GB, tr;q=0.5')).toBe(english)
    const customer = stranger()
    await service.db
      .insertInto('customers')
      .values({
        id: unique('cus'),
        workspace_id: shop.id,
        name: 'A customer',
        email: customer,
        phone: null,
        language: 'en',
        created_at: service.now(),
        updated_at: service.now(),
      })
      .execute()
    expect(await subjectFor(customer, 'tr')).toBe(english)
  })
})
