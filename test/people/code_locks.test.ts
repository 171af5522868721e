import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startService, type TestService, unique } from '../kit/service.ts'
import { newAddress, wrongFor } from './sign_in_codes.ts'

const hour = 3600_000
const minute = 60_000

let service: TestService
beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT_PER_MINUTE: '120', TRUST_PROXY: '1' } })
})
afterAll(() => service.close())

const stranger = '203.0.113.7'
const owner = '198.51.100.2'

type Door = 'dashboard' | 'admin'
const codePath = { dashboard: '/api/session/code', admin: '/api/admin/session/code' }
const sessionPath = { dashboard: '/api/session', admin: '/api/admin/session' }

/** The status of a request for a code, a minute after the one before. */
async function request(door: Door, email: string, from: string): Promise<number> {
  service.advance(minute)
  const call = service[door]().post(codePath[door]).set('X-Forwarded-For', from)
  return (await call.send({ email })).status
}

async function requestOften(door: Door, email: string, from: string, times: number) {
  const statuses: number[] = []
  for (let time = 0; time < times; time++) statuses.push(await request(door, email, from))
  return statuses
}

async function signIn(door: Door, email: string, code: string, from: string): Promise<number> {
  const call = service[door]().post(sessionPath[door]).set('X-Forwarded-For', from)
  return (await call.send({ email, code })).status
}

describe('a stranger who asks for codes', () => {
  test.each(['dashboard', 'admin'] as const)(
    'gets five an hour and leaves those of the %s to the owner of the address',
    async (door) => {
      const email = newAddress()
      expect(await requestOften(door, email, stranger, 6)).toEqual([202, 202, 202, 202, 202, 429])
      expect(await request(door, email, owner)).toBe(202)
    },
  )

  test('does not reach the codes of another purpose', async () => {
    const { email } = await service.givenStaff()
    await requestOften('dashboard', email, owner, 5)
    const thief = await service.givenPerson()
    const workspace = await service.givenWorkspace(thief)
    const asThief = async (person: Person, path: string) => {
      service.advance(minute)
      return (await service.dashboard(person).post(path).send({ email })).status
    }
    const billing = `/api/workspaces/${workspace.id}/billing-email/code`
    for (let time = 0; time < 5; time++) {
      expect(await asThief(thief, '/api/account/email/code')).toBe(202)
      expect(await asThief(thief, billing)).toBe(202)
    }
    expect(await asThief(thief, '/api/account/email/code')).toBe(429)
    expect(await asThief(thief, billing)).toBe(429)
    // Nor those of another account for the same address.
    expect(await asThief(await service.givenPerson(), '/api/account/email/code')).toBe(202)
    expect(await request('admin', email, owner)).toBe(202)
    expect(await signIn('admin', email, await service.codeFor(email), owner)).toBe(200)
  })

  test('sends no more than thirty an hour to an address from many places, then a link', async () => {
    const email = newAddress()
    for (let place = 0; place < 6; place++)
      expect(await requestOften('dashboard', email, `203.0.113.${20 + place}`, 5)).toEqual(
        Array(5).fill(202),
      )
    expect(await service.mailsTo(email)).toHaveLength(30)
    expect(await request('dashboard', email, owner)).toBe(202)
    const mails = await service.mailsTo(email)
    expect(mails).toHaveLength(31)
    expect(mails.at(-1)?.subject).toBe('Your link to sign in to Vitrine')
    expect(mails.at(-1)?.text).not.toMatch(/^ {4}\d{6}$/m)
    expect(await request('admin', email, owner)).toBe(202)
  })
})

describe('five wrong guesses', () => {
  test.each(['dashboard', 'admin'] as const)(
    'at the %s end a code, and another may be asked for at once',
    async (door) => {
      const { email } = await service.givenStaff({ email: `${unique('ada')}@example.com` })
      expect(await request(door, email, owner)).toBe(202)
      const code = await service.codeFor(email)
      const again = () =>
        service[door]().post(codePath[door]).set('X-Forwarded-For', owner).send({ email })
      for (let guess = 0; guess < 4; guess++)
        expect(await signIn(door, email, wrongFor(code), stranger)).toBe(401)
      expect((await again()).status).toBe(429)
      expect(await signIn(door, email, wrongFor(code), stranger)).toBe(401)
      expect(await signIn(door, email, code, owner)).toBe(401)
      // However often it is asked at the same time, one code is mailed.
      const statuses = await Promise.all(
        Array.from({ length: 3 }, async () => (await again()).status),
      )
      expect(statuses.toSorted()).toEqual([202, 429, 429])
      expect(await signIn(door, email, await service.codeFor(email), owner)).toBe(200)
    },
  )
})

describe('thirty tries a day', () => {
  test.each(['dashboard', 'admin'] as const)(
    'are all that a client has for an address at the %s, and leave the owner theirs',
    async (door) => {
      const { email } = await service.givenStaff({ email: `${unique('eve')}@example.com` })
      const statuses: number[] = []
      for (let guess = 0; guess < 31; guess++)
        statuses.push(await signIn(door, email, '000000', stranger))
      expect(statuses).toEqual([...Array<number>(30).fill(401), 429])
      expect(await request(door, email, owner)).toBe(202)
      const code = await service.codeFor(email)
      expect(await signIn(door, email, code, stranger)).toBe(429)
      expect(await signIn(door, email, code, owner)).toBe(200)
    },
  )
})

describe('a clock that jumped forward and back', () => {
  test('locks no code, and leaves none that lives longer', async () => {
    const email = newAddress()
    service.advance(2 * hour)
    expect(await request('dashboard', email, owner)).toBe(202)
    const early = await service.codeFor(email)
    service.advance(-2 * hour)
    expect(await signIn('dashboard', email, early, owner)).toBe(401)
    expect(await request('dashboard', email, owner)).toBe(202)
    const code = await service.codeFor(email)
    expect(await signIn('dashboard', email, code, owner)).toBe(200)
  })
})
