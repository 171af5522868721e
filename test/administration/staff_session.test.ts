import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureFirstStaff } from '../../src/domain/administration/staff.ts'
import { insertStaff, listStaff } from '../../src/queries/administration/staff.ts'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import { waitersOn } from '../kit/held_transactions.ts'
import { startService, type TestService, unique } from '../kit/service.ts'
import { justBefore, statementsOf } from '../kit/statements.ts'

const hour = 3600_000

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const address = (name = 'staff') => `${unique(name)}@example.com`
const request = (email: string, at = service) =>
  at.admin().post('/api/admin/session/code').send({ email })
const signIn = (email: string, code: string, at = service) =>
  at.admin().post('/api/admin/session').send({ email, code })

/** A staff address that has not signed in. */
async function onStaff(): Promise<string> {
  const email = address()
  await service.db.transaction().execute((trx) => insertStaff(trx, email, service.now()))
  return email
}

describe('request_staff_code', () => {
  test('gives staff and strangers the same answer, and mails nothing to strangers', async () => {
    const [email, stranger] = [await onStaff(), address('stranger')]
    const answers = []
    for (const to of [email, stranger]) {
      const { status, body, headers } = await request(to)
      const rest = { ...headers, 'x-request-id': '', date: '' }
      answers.push({ status, body, rest })
    }
    expect(answers[0]).toMatchObject({ status: 202, body: { accepted: true } })
    expect(answers[1]).toEqual(answers[0])
    const [mail] = await service.mailsTo(email)
    expect(mail?.text).toMatch(/^Your code to sign in to administration:\n\n {4}\d{6}\n/)
    expect(await service.mailsTo(stranger)).toEqual([])
    const queued = await service.db.selectFrom('mails').select('recipient').execute()
    expect(queued).toEqual([])
  })

  test('runs the same statements and writes the same rows for both', async () => {
    const emails = [await onStaff(), address('stranger')]
    const statements: string[][] = []
    for (const email of emails) {
      const ask = () => request(email).expect(202).then()
      statements.push(await statementsOf(service, ask))
    }
    expect(statements[1]).toEqual(statements[0])
    expect(statements[0]!.filter((text) => text.startsWith('insert into "mails"'))).toHaveLength(1)
    const codes = await service.db
      .selectFrom('one_time_codes')
      .select(['email', 'purpose', 'failures', 'consumed_at'])
      .where('email', 'in', emails)
      .execute()
    const row = { purpose: 'staff_sign_in', failures: 0, consumed_at: null }
    expect(codes.map(({ email: _email, ...rest }) => rest)).toEqual([row, row])
  })

  test.each([
    ['a plus sign', 'ada+staff@example.com'],
    ['a disposable domain', 'ada@mailinator.com'],
  ])('refuses an address with %s', async (_what, email) => {
    const { status, body } = await request(email)
    expect([status, Object.keys(body.fieldErrors)]).toEqual([400, ['email']])
  })

  test('requires a minute between two codes, for staff and strangers', async () => {
    for (const email of [await onStaff(), address('stranger')]) {
      await request(email).expect(202)
      const { status, headers, body } = await request(email)
      expect([status, body.code, headers['retry-after']]).toEqual([429, 'rate_limited', '60'])
    }
  })

  test('allows an address five codes an hour, for staff and strangers', async () => {
    const limited = await startService({ env: { RATE_LIMIT_PER_MINUTE: '120' } })
    try {
      const { email } = await limited.givenStaff()
      for (const to of [email, address('stranger')]) {
        for (let count = 0; count < 5; count++) {
          await request(to, limited).expect(202)
          limited.advance(61_000)
        }
        expect((await request(to, limited)).status).toBe(429)
      }
    } finally {
      await limited.close()
    }
  })
})

describe('create_staff_session', () => {
  test('sets its own cookie for twelve hours', async () => {
    const email = await onStaff()
    await request(email).expect(202)
    const { status, body, headers } = await signIn(email, await service.codeFor(email))
    const expiresAt = new Date(service.now().getTime() + 12 * hour)
    expect([status, body]).toEqual([
      200,
      { id: expect.stringMatching(/^ses_/), email, expiresAt: expiresAt.toISOString() },
    ])
    const [cookie = ''] = headers['set-cookie'] as unknown as string[]
    expect(cookie).toMatch(/^vitrine_staff=wss_dev_[A-Za-z0-9_-]{49}; Path=\//)
    expect(cookie).toContain(`Expires=${expiresAt.toUTCString()}; HttpOnly; SameSite=Lax`)
  })

  test('uses the __Host- prefix on https', async () => {
    const secure = await startService({ env: { ADMIN_URL: 'https://admin.shop.example' } })
    try {
      const { email } = await secure.givenStaff()
      await request(email, secure).expect(202)
      const { headers } = await signIn(email, await secure.codeFor(email), secure)
      expect(headers['set-cookie']?.[0]).toMatch(/^__Host-vitrine_staff=.*; Secure/)
    } finally {
      await secure.close()
    }
  })

  test('accepts a code once', async () => {
    const email = await onStaff()
    await request(email).expect(202)
    const code = await service.codeFor(email)
    await signIn(email, code).expect(200)
    const { status, body } = await signIn(email, code)
    expect([status, body.code]).toEqual([401, 'code_invalid'])
  })

  test('refuses a wrong code of staff and any code of a stranger alike', async () => {
    const [email, stranger] = [await onStaff(), address('stranger')]
    for (const to of [email, stranger]) await request(to).expect(202)
    const wrong = (await service.codeFor(email)) === '000000' ? '000001' : '000000'
    const refusal = await signIn(email, wrong)
    expect([refusal.status, refusal.body.code]).toEqual([401, 'code_invalid'])
    expect((await signIn(stranger, wrong)).body).toEqual(refusal.body)
    expect((await signIn(address('unheard'), wrong)).body).toEqual(refusal.body)
  })

  test('refuses the right code of a person who has left the staff meanwhile', async () => {
    const email = await onStaff()
    await request(email).expect(202)
    const code = await service.codeFor(email)
    await service.db.deleteFrom('staff').where('email', '=', email).execute()
    expect((await signIn(email, code)).body.code).toBe('code_invalid')
  })

  test('does not survive a concurrent removal from the staff', async () => {
    const email = await onStaff()
    await request(email).expect(202)
    const code = await service.codeFor(email)
    let removal: Promise<unknown> = Promise.resolve()
    const remove = async () => {
      removal = service.db.deleteFrom('staff').where('email', '=', email).execute()
      // By now it has either happened, or waits for the session that is being created.
      const blocked = expect.poll(() => waitersOn(service)).toBe(1)
      await Promise.race([removal, blocked])
    }
    let cookie = ''
    const open = async () => {
      const { status, headers } = await signIn(email, code)
      expect(status).toBe(200)
      cookie = headers['set-cookie']?.[0] ?? ''
    }
    await justBefore('insert into "staff_sessions"', remove, open)
    await removal
    const { status, body } = await service.admin({ cookie }).get('/api/admin/session')
    expect([status, body.code]).toEqual([401, 'unauthenticated'])
  })

  test('refuses the right code after five wrong ones, and after ten minutes', async () => {
    const email = await onStaff()
    await request(email).expect(202)
    const code = await service.codeFor(email)
    const wrong = code === '000000' ? '000001' : '000000'
    for (let tries = 0; tries < 5; tries++) await signIn(email, wrong).expect(401)
    await signIn(email, code).expect(401)

    const later = await onStaff()
    await request(later).expect(202)
    const late = await service.codeFor(later)
    service.advance(10 * 60_000)
    await signIn(later, late).expect(401)
  })

  test('does not accept a code for the dashboard', async () => {
    const email = await onStaff()
    await service.dashboard().post('/api/session/code').send({ email }).expect(202)
    const code = await service.codeFor(email)
    await signIn(email, code).expect(401)
    await service.dashboard().post('/api/session').send({ email, code }).expect(200)
  })
})

describe('get_staff_session', () => {
  test('works for twelve hours, regardless of use', async () => {
    const own = await startService()
    try {
      const staff = await own.givenStaff()
      const read = () => own.admin(staff).get('/api/admin/session')
      const { body: first } = await read()
      expect(first.email).toBe(staff.email)
      own.advance(11 * hour)
      const { body, headers } = await read().expect(200)
      expect(body).toEqual(first)
      expect(headers).not.toHaveProperty('set-cookie')
      own.advance(hour)
      const { status, body: refusal } = await read()
      expect([status, refusal.code]).toEqual([401, 'token_expired'])
    } finally {
      await own.close()
    }
  })

  test('is refused from the next request after a person leaves the staff, in every process', async () => {
    const database = await createDatabase()
    const [one, other] = await Promise.all([
      startService({ databaseUrl: database.url }),
      startService({ databaseUrl: database.url }),
    ])
    try {
      const staff = await one.givenStaff()
      const read = (at: TestService) => at.admin(staff).get('/api/admin/accounts')
      await read(other).expect(200)
      await one.db.deleteFrom('staff').where('email', '=', staff.email).execute()
      for (const at of [one, other]) expect((await read(at)).body.code).toBe('unauthenticated')
      // Returning to the staff does not restore old sessions.
      await one.db.transaction().execute((trx) => insertStaff(trx, staff.email, one.now()))
      for (const at of [one, other]) await read(at).expect(401)
    } finally {
      await one.close()
      await other.close()
      await database.drop()
    }
  })
})

describe('delete_staff_session', () => {
  test('ends this session, removes its cookie and keeps other sessions', async () => {
    const email = address()
    const [first, second] = [
      await service.givenStaff({ email }),
      await service.givenStaff({ email }),
    ]
    const { status, headers } = await service.admin(first).delete('/api/admin/session')
    expect(status).toBe(200)
    expect(headers['set-cookie']).toEqual([
      'vitrine_staff=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax',
    ])
    await service.admin(first).get('/api/admin/session').expect(401)
    await service.admin(second).get('/api/admin/session').expect(200)
  })
})

describe('the first staff', () => {
  let database: TestDatabase
  let own: TestService
  beforeAll(async () => {
    database = await createDatabase()
    own = await startService({ databaseUrl: database.url })
  })
  afterAll(async () => {
    await own.close()
    await database.drop()
  })

  test('come from the settings, only while the staff table is empty', async () => {
    const emails = async () => (await listStaff(own.db)).map(({ email }) => email)
    await ensureFirstStaff(own.db, ['Ada@Example.com', 'bob@example.com'], own.now())
    expect(await emails()).toEqual(['ada@example.com', 'bob@example.com'])
    await ensureFirstStaff(own.db, ['carol@example.com'], own.now())
    expect(await emails()).toEqual(['ada@example.com', 'bob@example.com'])
    await own.db.deleteFrom('staff').execute()
    await ensureFirstStaff(own.db, [], own.now())
    expect(await emails()).toEqual([])
  })
})
