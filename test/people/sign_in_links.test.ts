import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOperatorCode } from '../../src/domain/administration/staff.ts'
import { startService, type TestService, unique } from '../kit/service.ts'
import { wrongFor } from './sign_in_codes.ts'

const minute = 60_000
const day = 24 * 60 * minute

type Door = 'dashboard' | 'admin'
const doors: Door[] = ['dashboard', 'admin']
const codePath = { dashboard: '/api/session/code', admin: '/api/admin/session/code' }
const sessionPath = { dashboard: '/api/session', admin: '/api/admin/session' }

let service: TestService
beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT_PER_MINUTE: '120', TRUST_PROXY: '1' } })
})
afterAll(() => service.close())

/** Each call comes from an address of its own. */
let places = 0
const nextPlace = () => `2001:db8:${(places++).toString(16)}::1`

const ask = (door: Door, email: string) =>
  service[door]().post(codePath[door]).set('X-Forwarded-For', nextPlace()).send({ email })

const enter = (door: Door, email: string, code: string) =>
  service[door]().post(sessionPath[door]).set('X-Forwarded-For', nextPlace()).send({ email, code })

async function fail(door: Door, email: string, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    if (time % 5 === 0) {
      const { status } = await ask(door, email)
      expect(status).toBe(202)
    }
    const code = await service.codeFor(email)
    expect((await enter(door, email, wrongFor(code))).status).toBe(401)
  }
}

async function lastMail(email: string): Promise<{ subject: string; text: string; link: string }> {
  const mail = (await service.mailsTo(email)).at(-1)!
  return { ...mail, link: /\/sign-in-link\/\S+/.exec(mail.text)?.[0] ?? '' }
}

/** An address with this many wrong codes today, and a mail that was sent after them. */
async function givenFailures(door: Door, times: number) {
  const { email } = await service.givenStaff()
  await fail(door, email, times)
  expect((await ask(door, email)).status).toBe(202)
  return { email, ...(await lastMail(email)) }
}

const confirm = (door: Door, link: string) => service[door]().post(`${link}/confirm`)

function sessionOf(headers: Record<string, unknown>): { cookie: string } {
  return { cookie: (headers['set-cookie'] as string[])[0]!.split(';')[0]! }
}

describe('twenty wrong codes in a day', () => {
  test.each(doors)('bring a link beside the digits at the %s, and not earlier', async (door) => {
    const { text } = await givenFailures(door, 15)
    expect(text).not.toContain('/sign-in-link/')

    const attacked = await givenFailures(door, 20)
    expect(attacked.text).toMatch(/^ {4}\d{6}$/m)
    const origin = door === 'admin' ? service.config.adminUrl : service.config.dashboardUrl
    expect(attacked.text).toContain(`\n\n${origin}/sign-in-link/wsl_dev_`)
    expect((await enter(door, attacked.email, await service.codeFor(attacked.email))).status).toBe(
      200,
    )

    service.advance(day)
    await ask(door, attacked.email)
    expect((await lastMail(attacked.email)).link).toBe('')
  })

  test('are counted for dashboard and administration apart', async () => {
    const { email } = await givenFailures('dashboard', 20)
    await ask('admin', email)
    expect((await lastMail(email)).link).toBe('')
  })
})

describe('a link to sign in', () => {
  test.each(doors)('at the %s asks first, signs in once, and for ten minutes', async (door) => {
    const { email, link } = await givenFailures(door, 20)
    const page = await service[door]().get(link).set('Accept-Language', 'tr')
    expect(page.status).toBe(200)
    expect(page.headers['set-cookie']).toBeUndefined()
    expect(page.text).toContain(email)
    expect(page.text).toContain(`action="${link}/confirm"`)
    expect(page.text).toContain('Giriş yap')

    await confirm(door, link).set('Origin', 'https://evil.example').expect(403)
    const both = await Promise.all([confirm(door, link), confirm(door, link)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([303, 404])
    const { headers } = both.find(({ status }) => status === 303)!
    expect(headers.location).toBe('/')
    const session = await service[door](sessionOf(headers)).get(sessionPath[door])
    expect(session.status).toBe(200)
    expect(JSON.stringify(session.body)).toContain(email)

    const late = await givenFailures(door, 20)
    service.advance(10 * minute)
    expect((await service[door]().get(late.link)).status).toBe(404)
    expect((await confirm(door, late.link)).status).toBe(404)
  })

  test('works at its own origin alone', async () => {
    const { link } = await givenFailures('dashboard', 20)
    expect((await service.admin().get(link)).status).toBe(404)
    expect((await confirm('admin', link)).status).toBe(404)
    expect((await confirm('dashboard', link)).status).toBe(303)
  })

  test('is not ended by those that strangers ask for, nor by a used code', async () => {
    const { email, link } = await givenFailures('dashboard', 20)
    await fail('dashboard', email, 5).catch(() => undefined)
    service.advance(minute)
    await ask('dashboard', email)
    expect((await lastMail(email)).link).not.toBe(link)
    expect((await enter('dashboard', email, await service.codeFor(email))).status).toBe(200)
    expect((await confirm('dashboard', link)).status).toBe(303)
  })

  test('is stored as a hash and never logged', async () => {
    const { email, link } = await givenFailures('dashboard', 20)
    await service.dashboard().get(link)
    const token = link.slice('/sign-in-link/'.length)
    const rows = await service.db
      .selectFrom('sign_in_links')
      .select('token_hash')
      .where('email', '=', email)
      .execute()
    expect(rows.map(({ token_hash }) => token_hash.length)).toEqual([32])
    expect(JSON.stringify(service.logged())).not.toContain(token)
  })

  test('refuses the account of a suspended person', async () => {
    const { email, link } = await givenFailures('dashboard', 20)
    await service.givenPerson({ email })
    await service.db
      .updateTable('accounts')
      .set({ status: 'SUSPENDED' })
      .where('email', '=', email)
      .execute()
    expect((await confirm('dashboard', link)).status).toBe(403)
  })
})

describe('an address whose codes are used up', () => {
  test.each(doors)('gets a link alone at the %s, at most every five minutes', async (door) => {
    const { email } = await service.givenStaff()
    for (let count = 0; count < 30; count++) {
      service.advance(minute)
      expect((await ask(door, email)).status).toBe(202)
    }
    service.advance(minute)
    const together = await Promise.all(Array.from({ length: 5 }, () => ask(door, email)))
    expect(together.map(({ status }) => status).toSorted()).toEqual([202, 429, 429, 429, 429])
    const refused = together.find(({ status }) => status === 429)!
    expect(refused.body.message).toBe(
      'A mail with a link to sign in was sent to this address. Open it, or ask for another in 300 seconds.',
    )
    expect(refused.headers['retry-after']).toBe('300')
    const first = await lastMail(email)
    expect(first.text).not.toMatch(/\b\d{6}\b/)

    service.advance(5 * minute)
    expect((await ask(door, email)).status).toBe(202)
    expect((await lastMail(email)).link).not.toBe(first.link)
    expect((await confirm(door, first.link)).status).toBe(303)
  })

  test('gets no mail if it is not on the staff, and the same answers', async () => {
    const email = `${unique('nobody')}@example.com`
    for (let count = 0; count < 30; count++) {
      service.advance(minute)
      expect((await ask('admin', email)).status).toBe(202)
    }
    service.advance(minute)
    expect((await ask('admin', email)).status).toBe(202)
    expect((await ask('admin', email)).status).toBe(429)
    expect(await service.mailsTo(email)).toEqual([])
  })
})

describe('a hundred wrong codes in a day', () => {
  test.each(doors)('end the digits of unknown browsers at the %s until midnight', async (door) => {
    const { email } = await service.givenStaff()
    await service.db
      .insertInto('sign_in_attempts')
      .values({
        purpose: door === 'admin' ? 'staff_sign_in' : 'sign_in',
        email,
        day: service.now().toISOString().slice(0, 10),
        failures: 99,
      })
      .execute()
    await ask(door, email)
    const code = await service.codeFor(email)
    expect((await enter(door, email, wrongFor(code))).status).toBe(401)
    const refused = await enter(door, email, code)
    expect(refused.status).toBe(429)
    expect(refused.body.message).toBe(
      'Too many wrong codes were tried for this address today. Ask for a new mail and open the link in it.',
    )
    const untilMidnight = Math.ceil((day - (service.now().getTime() % day)) / 1000)
    expect(refused.headers['retry-after']).toBe(String(untilMidnight))

    service.advance(minute)
    expect((await ask(door, email)).status).toBe(202)
    const { text, link } = await lastMail(email)
    expect(text).not.toMatch(/^ {4}\d{6}$/m)
    expect((await confirm(door, link)).status).toBe(303)
    service.advance(day)
    expect((await ask(door, email)).status).toBe(202)
    expect((await enter(door, email, await service.codeFor(email))).status).toBe(200)
  })
})

test('a code of the operator works when the tries of a day are used up', async () => {
  const { email } = await service.givenStaff()
  const code = await service.db
    .transaction()
    .execute((trx) =>
      createOperatorCode(trx, { secretKey: service.config.secretKey, now: service.now() }, email),
    )
  await service.db
    .insertInto('sign_in_attempts')
    .values({
      purpose: 'staff_sign_in',
      email,
      day: service.now().toISOString().slice(0, 10),
      failures: 100,
    })
    .execute()
  expect((await enter('admin', email, wrongFor(code!))).status).toBe(429)
  expect((await enter('admin', email, code!)).status).toBe(200)
})
