import { afterEach, describe, expect, test } from 'vitest'
import { countMailedAddress } from '../../src/queries/upkeep/mail_reach.ts'
import { type Person, startService, type TestService, unique } from '../kit/service.ts'
import { newAddress } from './customer_calls.ts'

const minute = 60_000
const day = 24 * 3600_000

let service: TestService
afterEach(() => service.close())

interface Shop {
  owner: Person
  workspaceId: string
  key: string
}

/** A shop that asks its visitors for no challenge. */
async function givenOpenShop(): Promise<Shop> {
  const owner = await service.givenPerson()
  const { id } = await service.givenWorkspace(owner)
  const off = { accessPolicy: { challenge: 'OFF' } }
  await service.dashboard(owner).put(`/v1/workspaces/${id}/website`).send(off).expect(200)
  return { owner, workspaceId: id, key: (await service.givenKey(owner)).key }
}

/** Of a pack that was bought and, but for one credit, given back: two more addresses a day. */
async function keepOneCredit({ workspaceId }: Shop): Promise<void> {
  const now = service.now()
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
      refunded_credits: 499,
      created_at: now,
      paid_at: now,
    })
    .execute()
}

const request = ({ workspaceId, key }: Shop, email: string) =>
  service
    .api(key)
    .post(`/v1/workspaces/${workspaceId}/experience/customer/otp/request`)
    .send({ name: 'Ece', email })

describe('mails to customers', () => {
  test('go to 500 addresses a day of a shop that has paid, scaled, and the answer is the same', async () => {
    service = await startService({ env: { RATE_LIMIT_PER_MINUTE: '6' } })
    const shop = await givenOpenShop()
    await keepOneCredit(shop)
    const addresses = Array.from({ length: 28 }, newAddress)
    for (const email of addresses) {
      const { status, body } = await request(shop, email)
      expect([status, body]).toEqual([202, { accepted: true }])
    }
    const counts: number[] = []
    for (const email of addresses) counts.push((await service.mailsTo(email)).length)
    expect(counts).toEqual([...Array<number>(26).fill(1), 0, 0])
    expect(service.logged()).toContainEqual(
      expect.objectContaining({
        msg: 'A workspace has mailed to as many addresses as it may today.',
        workspaceId: shop.workspaceId,
      }),
    )
    // An invitation says so, because its sender needs to know.
    const members = `/api/workspaces/${shop.workspaceId}/members`
    const invitation = { email: newAddress(), role: 'staff' }
    const refusal = await service.dashboard(shop.owner).post(members).send(invitation)
    expect([refusal.status, refusal.body.code]).toEqual([429, 'rate_limited'])
    service.advance(day)
    const tomorrow = newAddress()
    await request(shop, tomorrow).expect(202)
    expect(await service.mailsTo(tomorrow)).toHaveLength(1)
  })

  test('reach no more addresses than the limit when many are asked for at once', async () => {
    service = await startService()
    const count = (address: string) =>
      countMailedAddress(service.db, 'workspace', { id: 'ws_1', day: '2030-01-01', address }, 25)
    const verdicts = await Promise.all(Array.from({ length: 40 }, (_, n) => count(`a${n}`)))
    expect(verdicts.filter(Boolean)).toHaveLength(25)
    const known = verdicts.indexOf(true)
    expect(await count(`a${known}`)).toBe(true)
    expect(await count('another')).toBe(false)
  })

  test('are at most twenty an hour for an address, from all shops together', async () => {
    service = await startService({ env: { RATE_LIMIT_PER_MINUTE: '120' } })
    const email = newAddress()
    for (let shops = 0; shops < 4; shops++) {
      const shop = await givenOpenShop()
      for (let codes = 0; codes < 5; codes++) {
        await request(shop, email).expect(202)
        service.advance(minute)
      }
    }
    expect(await service.mailsTo(email)).toHaveLength(20)
    const last = await givenOpenShop()
    const { status, body } = await request(last, email)
    expect([status, body]).toEqual([202, { accepted: true }])
    expect(await service.mailsTo(email)).toHaveLength(20)
    // Nor does an account that would move to it reach it.
    const person = await service.givenPerson()
    await service.dashboard(person).post('/api/account/email/code').send({ email }).expect(202)
    expect(await service.mailsTo(email)).toHaveLength(20)
    // A code for our own pages is not held back by what shops send.
    await service.dashboard().post('/api/session/code').send({ email }).expect(202)
    expect(await service.mailsTo(email)).toHaveLength(21)
  })

  test('do not carry a name with a link', async () => {
    service = await startService()
    const shop = await givenOpenShop()
    const name = 'Your account is locked. Verify: http://evil.example/login'
    const profile = `/v1/workspaces/${shop.workspaceId}/workspace`
    await service.dashboard(shop.owner).put(profile).send({ name }).expect(200)
    const email = newAddress()
    await request(shop, email).expect(202)
    const [mail] = await service.mailsTo(email)
    expect(mail?.subject).toBe('Your sign-in code')
    expect(mail?.text).not.toContain('evil')
  })
})
