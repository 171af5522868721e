import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService } from '../kit/service.ts'
import { statementsOf } from '../kit/statements.ts'
import { newAddress, signInCodesOf } from './sign_in_codes.ts'

const minute = 60_000
const day = 24 * 3600_000

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const { givenCode } = signInCodesOf(() => service)
const signIn = (email: string, code: string) =>
  service.dashboard().post('/api/session').send({ email, code })

const invalid = {
  status: 401,
  code: 'code_invalid',
  message: 'The code is wrong, expired or used.',
}

/** The part of a Set-Cookie header that a browser sends back. */
const cookieOf = (headers: Record<string, unknown>) =>
  (headers['set-cookie'] as string[])[0]!.split(';')[0]!

async function suspend(accountId: string): Promise<void> {
  await service.db
    .updateTable('accounts')
    .set({ status: 'SUSPENDED' })
    .where('id', '=', accountId)
    .execute()
}

describe('get_config', () => {
  test('publicly states the environment and that third-party sign-in is off', async () => {
    const { status, body } = await service.dashboard().get('/api/config')
    expect(status).toBe(200)
    expect(body).toEqual({
      environment: 'development',
      challengeSiteKey: 'contact',
      oidcEnabled: false,
    })
  })
})

describe('create_session under its limit', () => {
  test('allows 500 attempts an hour per client, scaled with RATE_LIMIT_PER_MINUTE', async () => {
    const limited = await startService({ env: { RATE_LIMIT_PER_MINUTE: '1' } })
    try {
      const attempt = () =>
        limited.dashboard().post('/api/session').send({ email: newAddress(), code: '123456' })
      for (let count = 0; count < 5; count++) expect((await attempt()).body).toEqual(invalid)
      const { status, body } = await attempt()
      expect(status).toBe(429)
      expect(body.code).toBe('rate_limited')
    } finally {
      await limited.close()
    }
  })
})

describe('create_session', () => {
  test('the first sign-in of an address creates its account', async () => {
    const { email, code } = await givenCode()
    const { status, body } = await signIn(email, code)
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/^ses_[0-9a-z]{26}$/),
      account: {
        id: expect.stringMatching(/^acc_[0-9a-z]{26}$/),
        email,
        name: email.split('@')[0],
        phone: null,
        language: 'en',
        workspaceLimit: 1,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
      memberships: [],
      expiresAt: new Date(service.now().getTime() + 30 * day).toISOString(),
    })
  })

  test('a new account gets the language of its browser, and keeps it', async () => {
    const first = await givenCode()
    const { body } = await signIn(first.email, first.code).set('Accept-Language', 'tr-TR,en;q=0.5')
    expect(body.account.language).toBe('tr-TR')
    service.advance(61_000)
    const second = await givenCode(first.email)
    const again = await signIn(first.email, second.code).set('Accept-Language', 'en')
    expect(again.body.account).toMatchObject({ id: body.account.id, language: 'tr-TR' })
  })

  test('the second sign-in finds the account, in any spelling of the address', async () => {
    const first = await givenCode()
    const { body: created } = await signIn(first.email, first.code)
    service.advance(minute)
    const second = await givenCode(first.email)
    const { status, body } = await signIn(first.email.toUpperCase(), second.code)
    expect(status).toBe(200)
    expect(body.account).toEqual(created.account)
    expect(body.id).not.toBe(created.id)
  })

  test('sets a cookie for the whole origin that scripts cannot read', async () => {
    const { email, code } = await givenCode()
    const { headers } = await signIn(email, code)
    const expires = new Date(service.now().getTime() + 30 * day).toUTCString()
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(/^vitrine_session=wsd_dev_[A-Za-z0-9_-]{49}; Path=\//),
      expect.stringMatching(/^vitrine_known_browser=wsn_dev_[A-Za-z0-9_-]{49}; Path=\//),
    ])
    const [, ...attributes] = (headers['set-cookie'] as unknown as string[])[0]!.split('; ')
    expect(attributes).toEqual(['Path=/', `Expires=${expires}`, 'HttpOnly', 'SameSite=Lax'])
    expect(headers['cache-control']).toBe('no-store')
  })

  test('marks the cookie Secure if the dashboard is on https', async () => {
    const env = { DASHBOARD_URL: 'https://dashboard.example' }
    const secure = await startService({ env })
    try {
      const email = 'secure@example.com'
      await secure.dashboard().post('/api/session/code').send({ email })
      const code = await secure.codeFor(email)
      const { headers } = await secure.dashboard().post('/api/session').send({ email, code })
      const [, ...attributes] = (headers['set-cookie'] as unknown as string[])[0]!.split('; ')
      const expires = `Expires=${new Date(secure.now().getTime() + 30 * day).toUTCString()}`
      expect(attributes).toEqual(['Path=/', expires, 'HttpOnly', 'Secure', 'SameSite=Lax'])
    } finally {
      await secure.close()
    }
  })

  test('refuses a wrong code and an unknown address in the same words', async () => {
    const { email, wrong } = await givenCode()
    const refusal = await signIn(email, wrong)
    expect(refusal.status).toBe(401)
    expect(refusal.body).toEqual(invalid)
    expect(refusal.headers['set-cookie']).toBeUndefined()
    expect((await signIn(newAddress(), wrong)).text).toBe(refusal.text)
  })

  test('runs the same statements for a wrong code of a known and an unknown address', async () => {
    const { email: knownEmail } = await service.givenPerson()
    const first = await givenCode(knownEmail)
    const second = await givenCode()
    const forKnown = await statementsOf(service, () => signIn(knownEmail, first.wrong).then())
    const forUnknown = await statementsOf(service, () => signIn(second.email, second.wrong).then())
    const withoutCode = await statementsOf(service, () => signIn(newAddress(), '123456').then())
    expect(forUnknown).toEqual(forKnown)
    expect(withoutCode).toEqual(forKnown)
  })

  test('accepts the right code after four failures but not after five', async () => {
    const [patient, hasty] = [await givenCode(), await givenCode()]
    for (let attempt = 0; attempt < 4; attempt++) await signIn(patient.email, patient.wrong)
    expect((await signIn(patient.email, patient.code)).status).toBe(200)
    for (let attempt = 0; attempt < 5; attempt++)
      expect((await signIn(hasty.email, hasty.wrong)).body).toEqual(invalid)
    expect((await signIn(hasty.email, hasty.code)).body).toEqual(invalid)
  })

  test('a new code starts with no failures', async () => {
    const { email, wrong } = await givenCode()
    for (let attempt = 0; attempt < 5; attempt++) await signIn(email, wrong)
    service.advance(minute)
    const { code } = await givenCode(email)
    expect((await signIn(email, code)).status).toBe(200)
  })

  test('accepts a code once', async () => {
    const { email, code } = await givenCode()
    expect((await signIn(email, code)).status).toBe(200)
    expect((await signIn(email, code)).body).toEqual(invalid)
  })

  test('accepts a code for ten minutes', async () => {
    const [inTime, late] = [await givenCode(), await givenCode()]
    service.advance(10 * minute - 1)
    expect((await signIn(inTime.email, inTime.code)).status).toBe(200)
    service.advance(1)
    expect((await signIn(late.email, late.code)).body).toEqual(invalid)
  })

  test('accepts only the newest code', async () => {
    const { email, code: old } = await givenCode()
    service.advance(minute)
    let { code } = await givenCode(email)
    for (; code === old; { code } = await givenCode(email)) service.advance(minute)
    expect((await signIn(email, old)).body).toEqual(invalid)
    expect((await signIn(email, code)).status).toBe(200)
  })

  test('refuses a code mailed for another purpose', async () => {
    const person = await service.givenPerson()
    const email = newAddress()
    await service.dashboard(person).post('/api/account/email/code').send({ email })
    expect((await signIn(email, await service.codeFor(email))).body).toEqual(invalid)
  })

  test('refuses a suspended account, and the code is spent', async () => {
    const person = await service.givenPerson()
    await suspend(person.accountId)
    const { code } = await givenCode(person.email)
    const refusal = await signIn(person.email, code)
    expect(refusal.status).toBe(403)
    expect(refusal.body.code).toBe('account_inactive')
    expect(refusal.headers['set-cookie']).toBeUndefined()
    expect((await signIn(person.email, code)).body).toEqual(invalid)
  })

  test('is refused with 403 unless the Origin is the dashboard', async () => {
    const { email, code } = await givenCode()
    for (const origin of ['https://evil.example', service.config.baseUrl, 'null', '']) {
      const { status, body } = await signIn(email, code).set('Origin', origin)
      expect(status).toBe(403)
      expect(body.code).toBe('origin_refused')
    }
    expect((await signIn(email, code)).status).toBe(200)
  })
})

describe('get_session', () => {
  test('shows the account, its active memberships and the expiry', async () => {
    const person = await service.givenPerson()
    const workspace = await service.givenWorkspace(person)
    const { status, body } = await service.dashboard(person).get('/api/session')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      account: { id: person.accountId, email: person.email },
      memberships: [
        {
          workspaceId: workspace.id,
          workspaceName: workspace.name,
          subDomain: workspace.subDomain,
          isNameApproved: true,
          workspaceStatus: 'ACTIVE',
          role: 'owner',
        },
      ],
      expiresAt: new Date(service.now().getTime() + 30 * day).toISOString(),
    })
  })

  test('use extends the session and its cookie', async () => {
    const person = await service.givenPerson()
    const session = service.dashboard(person)
    service.advance(day - 1)
    const early = await session.get('/api/session')
    expect(early.headers['set-cookie']).toBeUndefined()
    service.advance(28 * day)
    const expiresAt = new Date(service.now().getTime() + 30 * day)
    const later = await session.get('/api/session')
    expect(later.body.expiresAt).toBe(expiresAt.toISOString())
    expect(later.headers['set-cookie']).toEqual([
      `${person.cookie}; Path=/; Expires=${expiresAt.toUTCString()}; HttpOnly; SameSite=Lax`,
    ])
    service.advance(30 * day - 1)
    expect((await session.get('/api/session')).status).toBe(200)
  })

  test('a session expires after 30 days without use', async () => {
    const session = service.dashboard(await service.givenPerson())
    service.advance(30 * day)
    const { status, body, headers } = await session.get('/api/session')
    expect(status).toBe(401)
    expect(body.code).toBe('token_expired')
    expect(headers['set-cookie']).toBeUndefined()
  })

  test('a suspension of the account takes effect with the next call', async () => {
    const person = await service.givenPerson()
    const workspace = await service.givenWorkspace(person)
    await suspend(person.accountId)
    const paths = ['/api/session', '/api/keys', `/v1/workspaces/${workspace.id}/workspace`]
    for (const path of paths) {
      const { status, body } = await service.dashboard(person).get(path)
      expect(status).toBe(403)
      expect(body.code).toBe('account_inactive')
    }
  })

  test('a key does not work at the dashboard, nor a session at the API', async () => {
    const person = await service.givenPerson()
    const { key } = await service.givenKey(person)
    const withKey = service.dashboard().get('/api/session').set('Authorization', `Bearer ${key}`)
    expect((await withKey).status).toBe(401)
    const asCookie = service.dashboard({ cookie: `vitrine_session=${key}` }).get('/api/session')
    expect((await asCookie).status).toBe(401)
    const token = person.cookie.slice('vitrine_session='.length)
    expect((await service.api(token).get('/v1/workspaces')).status).toBe(401)
    expect((await service.api().get('/v1/workspaces').set('Cookie', person.cookie)).status).toBe(
      401,
    )
  })
})

describe('delete_session', () => {
  test('revokes the session, clears the cookie and keeps other sessions', async () => {
    const first = await givenCode()
    const one = { cookie: cookieOf((await signIn(first.email, first.code)).headers) }
    service.advance(minute)
    const second = await givenCode(first.email)
    const two = { cookie: cookieOf((await signIn(first.email, second.code)).headers) }

    const id = (await service.dashboard(one).get('/api/session')).body.id
    const { status, body, headers } = await service.dashboard(one).delete('/api/session')
    expect(status).toBe(200)
    expect(body).toEqual({ id, deleted: true })
    expect(headers['set-cookie']).toEqual([
      'vitrine_session=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax',
    ])
    const after = await service.dashboard(one).get('/api/session')
    expect(after.status).toBe(401)
    expect(after.body.code).toBe('unauthenticated')
    expect((await service.dashboard(two).get('/api/session')).status).toBe(200)
  })
})
