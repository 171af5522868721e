import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService, unique } from '../kit/service.ts'
import { wrongFor } from './sign_in_codes.ts'

const minute = 60_000
const owner = '198.51.100.2'

type Door = 'dashboard' | 'admin'
const doors: Door[] = ['dashboard', 'admin']
const codePath = { dashboard: '/api/session/code', admin: '/api/admin/session/code' }
const sessionPath = { dashboard: '/api/session', admin: '/api/admin/session' }
const browserCookie = { dashboard: 'vitrine_known_browser', admin: 'vitrine_staff_browser' }

let service: TestService
beforeAll(async () => {
  service = await startService({
    env: { RATE_LIMIT_PER_MINUTE: '120', TRUST_PROXY: '1' },
    // A hundred strangers queue for the rows of one address.
    waitMilliseconds: 60_000,
  })
})
afterAll(() => service.close())

interface Place {
  from: string
  cookie?: string
}

function post(door: Door, path: string, { from, cookie = '' }: Place) {
  return service[door]().post(path).set('X-Forwarded-For', from).set('Cookie', cookie)
}

const ask = (door: Door, email: string, place: Place) =>
  post(door, codePath[door], place).send({ email })

const enter = (door: Door, email: string, code: string, place: Place) =>
  post(door, sessionPath[door], place).send({ email, code })

const place = (number: number): Place => ({ from: `203.0.113.${number}` })

function cookieOf(headers: Record<string, unknown>, name: string): string {
  const cookie = (headers['set-cookie'] as string[]).find((one) => one.startsWith(`${name}=`))
  if (cookie === undefined) throw new Error(`No cookie ${name} was set.`)
  return cookie
}

/** An address that has signed in with this browser. */
async function givenKnown(door: Door, email = `${unique('known')}@example.com`) {
  await service.db
    .insertInto('staff')
    .values({ id: unique('stf'), email, created_at: service.now() })
    .onConflict((on) => on.doNothing())
    .execute()
  const place = { from: owner }
  expect((await ask(door, email, place)).status).toBe(202)
  const entered = await enter(door, email, await service.codeFor(email), place)
  expect(entered.status).toBe(200)
  const setCookie = cookieOf(entered.headers, browserCookie[door])
  const cookie = setCookie.slice(0, setCookie.indexOf(';'))
  return { email, cookie, setCookie, known: { from: owner, cookie } }
}

/** Strangers at as many addresses who end every code that they can ask for. */
async function attack(door: Door, email: string, strangers: number): Promise<number[]> {
  const assaults = Array.from({ length: strangers }, async (_, number) => {
    const statuses: number[] = []
    statuses.push((await ask(door, email, place(number))).status)
    for (let guess = 0; guess < 3; guess++)
      statuses.push((await enter(door, email, '000000', place(number))).status)
    return statuses
  })
  return (await Promise.all(assaults)).flat()
}

async function linkTo(email: string): Promise<string> {
  const mails = await service.mailsTo(email)
  const link = mails.findLast(({ text }) => text.includes('/sign-in-link/'))?.text
  return /\/sign-in-link\/\S+/.exec(link ?? '')?.[0] ?? ''
}

describe('a known browser', () => {
  test.each(doors)('at the %s has a cookie that outlives the session', async (door) => {
    const { setCookie } = await givenKnown(door)
    const expires = new Date(/Expires=([^;]+)/.exec(setCookie)![1]!).getTime()
    expect(Math.round((expires - service.now().getTime()) / (24 * 60 * minute))).toBe(365)
    expect(setCookie).toMatch(/; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/)
  })

  test('is stored as a hash, and stays after signing out', async () => {
    const { email, cookie } = await givenKnown('dashboard')
    const rows = await service.db
      .selectFrom('known_browsers')
      .select('token_hash')
      .where('email', '=', email)
      .execute()
    expect(rows.map(({ token_hash }) => token_hash.length)).toEqual([32])
    expect(cookie).not.toContain(rows[0]!.token_hash.toString('base64url'))
    const person = await service.givenPerson({ email })
    const out = await service.dashboard(person).delete('/api/session')
    expect(out.headers['set-cookie']).toEqual([expect.stringMatching(/^vitrine_session=;/)])
    expect(out.headers['clear-site-data']).toBe('"cache"')
    expect(out.headers['clear-site-data'] ?? '').not.toMatch(/cookies|\*/)
  })

  test.each(doors)('at the %s has codes and tries of its own for its address', async (door) => {
    const { email, known } = await givenKnown(door)
    service.advance(minute)
    for (let number = 0; number < 6; number++)
      for (let time = 0; time < 5; time++) {
        service.advance(minute)
        expect((await ask(door, email, place(number))).status).toBe(202)
      }
    expect((await ask(door, email, known)).status).toBe(202)
    const code = await service.codeFor(email)
    for (let guess = 0; guess < 5; guess++)
      expect((await enter(door, email, wrongFor(code), place(50))).status).toBe(401)
    expect((await enter(door, email, code, known)).status).toBe(200)
  })

  test('asks for a code that can be entered without its cookie, until five strangers failed', async () => {
    const { email, known } = await givenKnown('dashboard')
    service.advance(minute)
    expect((await ask('dashboard', email, known)).status).toBe(202)
    const elsewhere = await service.codeFor(email)
    expect((await enter('dashboard', email, elsewhere, place(60))).status).toBe(200)
    expect((await enter('dashboard', email, elsewhere, known)).status).toBe(401)

    service.advance(minute)
    expect((await ask('dashboard', email, known)).status).toBe(202)
    const code = await service.codeFor(email)
    for (let guess = 0; guess < 5; guess++)
      expect((await enter('dashboard', email, wrongFor(code), place(61))).status).toBe(401)
    expect((await enter('dashboard', email, code, place(62))).status).toBe(401)
    expect((await enter('dashboard', email, code, known)).status).toBe(200)
  })

  test('enters a code that was asked for elsewhere', async () => {
    const { email, known } = await givenKnown('dashboard')
    service.advance(minute)
    expect((await ask('dashboard', email, place(63))).status).toBe(202)
    const code = await service.codeFor(email)
    expect((await enter('dashboard', email, code, known)).status).toBe(200)
  })

  test('gives the thief of its cookie five codes an hour and thirty tries a day', async () => {
    const { email, cookie } = await givenKnown('dashboard')
    const thief = (number: number): Place => ({ from: `192.0.2.${number}`, cookie })
    for (let time = 0; time < 5; time++) {
      service.advance(minute)
      expect((await ask('dashboard', email, thief(time))).status).toBe(202)
    }
    const mailed = await service.codeFor(email)
    const subjects = async () =>
      service.db
        .selectFrom('one_time_codes')
        .select(['subject', 'failures'])
        .where('email', '=', email)
        .where('expires_at', '>', service.now().toISOString())
        .orderBy('subject')
        .execute()
    service.advance(minute)
    // The sixth is a stranger's.
    expect((await ask('dashboard', email, thief(5))).status).toBe(202)
    expect((await subjects()).map(({ subject }) => subject)).toEqual([
      '',
      expect.stringMatching(/^brw_/),
    ])
    for (let guess = 0; guess < 30; guess++)
      await enter('dashboard', email, wrongFor(mailed), thief(guess))
    const before = await subjects()
    await enter('dashboard', email, wrongFor(mailed), thief(31))
    expect(await subjects()).toEqual(before)
  })

  test('is bound to its address, and to the token of its last sign-in', async () => {
    const first = await givenKnown('dashboard')
    const other = `${unique('other')}@example.com`
    service.advance(minute)
    await ask('dashboard', other, first.known)
    const code = await service.codeFor(other)
    const entered = await enter('dashboard', other, code, first.known)
    const [renewed] = cookieOf(entered.headers, 'vitrine_known_browser').split(';')
    const subjectsOf = async (email: string, cookie: string) => {
      service.advance(minute)
      await ask('dashboard', email, { from: owner, cookie })
      const row = await service.db
        .selectFrom('one_time_codes')
        .select('subject')
        .where('email', '=', email)
        .orderBy('sent_at', 'desc')
        .executeTakeFirstOrThrow()
      return row.subject === '' ? 'shared' : 'own'
    }
    expect(await subjectsOf(other, renewed!)).toBe('own')
    expect(await subjectsOf(first.email, renewed!)).toBe('own')
    expect(await subjectsOf(first.email, first.cookie)).toBe('shared')
    expect(await subjectsOf(`${unique('third')}@example.com`, renewed!)).toBe('shared')
  })

  test('is forgotten by signing out elsewhere, but for the one in use', async () => {
    const { email, cookie } = await givenKnown('dashboard')
    service.advance(minute)
    const second = await givenKnown('dashboard', email)
    const person = await service.givenPerson({ email })
    const count = async () => {
      const rows = await service.db
        .selectFrom('known_browsers')
        .select('id')
        .where('email', '=', email)
        .execute()
      return rows.length
    }
    expect(await count()).toBe(2)
    const here = { cookie: `${person.cookie}; ${second.cookie}` }
    await service.dashboard(here).delete('/api/sessions').expect(200)
    expect(await count()).toBe(1)
    await service.dashboard({ cookie: `${person.cookie}; ${cookie}` }).delete('/api/sessions')
    expect(await count()).toBe(0)
  })
})

describe('a hundred attacking addresses', () => {
  test.each(doors)(
    'leave the owner a known browser, and a link elsewhere, at the %s',
    async (door) => {
      const { email, known } = await givenKnown(door)
      service.advance(minute)
      const statuses = await attack(door, email, 100)
      expect(statuses.filter((status) => status >= 500)).toEqual([])
      expect(statuses.filter((status) => status === 200)).toEqual([])
      const { failures } = await service.db
        .selectFrom('sign_in_attempts')
        .select('failures')
        .where('email', '=', email)
        .executeTakeFirstOrThrow()
      expect(failures).toBe(100)

      expect((await ask(door, email, known)).status).toBe(202)
      const code = await service.codeFor(email)
      expect((await enter(door, email, code, known)).status).toBe(200)

      const elsewhere = { from: '198.51.100.77' }
      service.advance(5 * minute)
      expect((await ask(door, email, elsewhere)).status).toBe(202)
      const link = await linkTo(email)
      await attack(door, email, 20)
      const entered = await post(door, `${link}/confirm`, elsewhere).expect(303)
      const session = cookieOf(
        entered.headers,
        door === 'admin' ? 'vitrine_staff' : 'vitrine_session',
      )
      const [cookie] = session.split(';')
      const who = await service[door]({ cookie: cookie! }).get(sessionPath[door])
      expect(who.status).toBe(200)
    },
  )
})
