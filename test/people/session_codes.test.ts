import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService } from '../kit/service.ts'
import { statementsOf } from '../kit/statements.ts'
import { newAddress, signInCodesOf } from './sign_in_codes.ts'

const minute = 60_000

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const { givenCode, request } = signInCodesOf(() => service)

describe('request_session_code', () => {
  test('mails six digits', async () => {
    const email = newAddress()
    const { status, body } = await request(email)
    expect(status).toBe(202)
    expect(body).toEqual({ accepted: true })
    const mails = await service.mailsTo(email)
    expect(mails).toHaveLength(1)
    expect(mails[0]?.subject).toBe('Your Vitrine code')
    expect(mails[0]?.text).toMatch(/^Your code to sign in:\n\n {4}\d{6}\n\n/)
  })

  test('answers a known and an unknown address alike, with the same statements', async () => {
    const { email: knownEmail } = await service.givenPerson()
    const unknown = newAddress()
    const answers: unknown[] = []
    const ask = (email: string) => () =>
      request(email).then(({ status, text }) => answers.push({ status, text }))
    const forKnown = await statementsOf(service, ask(knownEmail))
    const forUnknown = await statementsOf(service, ask(unknown))
    expect(answers[1]).toEqual(answers[0])
    expect(forUnknown).toEqual(forKnown)
    expect(forKnown.filter((text) => text.startsWith('insert into "mails"'))).toHaveLength(1)
  })

  test('sends another code after 60 seconds, before that 429 with Retry-After', async () => {
    const { email } = await givenCode()
    const early = await request(email)
    expect(early.status).toBe(429)
    expect(early.body.code).toBe('rate_limited')
    expect(early.headers['retry-after']).toBe('60')
    service.advance(59_999)
    const stillEarly = await request(email)
    expect(stillEarly.status).toBe(429)
    expect(stillEarly.headers['retry-after']).toBe('1')
    expect(await service.mailsTo(email)).toHaveLength(1)
    service.advance(1)
    expect((await request(email)).status).toBe(202)
    expect(await service.mailsTo(email)).toHaveLength(2)
  })

  test('refuses an early resend alike for a known and an unknown address', async () => {
    const { email: knownEmail } = await service.givenPerson()
    const unknown = newAddress()
    await request(knownEmail)
    await request(unknown)
    const [first, second] = [await request(knownEmail), await request(unknown)]
    expect(first.status).toBe(429)
    expect(second.status).toBe(429)
    expect(second.text).toBe(first.text)
    expect(second.headers['retry-after']).toBe(first.headers['retry-after'])
  })

  test('counts all spellings of an address together', async () => {
    const { email } = await givenCode()
    expect((await request(` ${email.toUpperCase()}`.trim())).status).toBe(429)
  })

  test.each([
    ['somebody+shop@example.com', 'An email address with a plus sign is not accepted.'],
    ['somebody@mailinator.com', 'Addresses of disposable email services are not accepted.'],
    ['somebody@sub.mailinator.com', 'Addresses of disposable email services are not accepted.'],
  ])('refuses %s and sends nothing', async (email, sentence) => {
    const { status, body } = await request(email)
    expect(status).toBe(400)
    expect(body).toEqual({
      status: 400,
      code: 'invalid_input',
      message: 'The request is not valid.',
      fieldErrors: { email: sentence },
    })
    const codes = await service.db
      .selectFrom('one_time_codes')
      .select('email')
      .where('email', '=', email)
      .execute()
    expect(codes).toEqual([])
  })

  test('logs the code in development, where mail may go nowhere', async () => {
    const { email, code } = await givenCode()
    expect(service.logged()).toContainEqual(
      expect.objectContaining({ msg: 'A code was mailed.', email, sixDigits: code }),
    )
  })

  test('stores no code in clear text', async () => {
    const { email, code } = await givenCode()
    const row = await service.db
      .selectFrom('one_time_codes')
      .selectAll()
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    expect(row.code_hash).toHaveLength(32)
    expect(JSON.stringify({ ...row, code_hash: row.code_hash.toString('latin1') })).not.toContain(
      code,
    )
  })
})

describe('request_session_code under its limits', () => {
  test('sends five codes an hour to one address', async () => {
    const limited = await startService({ env: { RATE_LIMIT_PER_MINUTE: '120' } })
    try {
      const ask = () =>
        limited.dashboard().post('/api/session/code').send({ email: 'often@example.com' })
      for (let count = 0; count < 5; count++) {
        expect((await ask()).status).toBe(202)
        limited.advance(minute)
      }
      const { status, body, headers } = await ask()
      expect(status).toBe(429)
      expect(body.code).toBe('rate_limited')
      expect(Number(headers['retry-after'])).toBeGreaterThan(3500)
      expect(await limited.mailsTo('often@example.com')).toHaveLength(5)
    } finally {
      await limited.close()
    }
  })

  test('sends a hundred codes an hour per client, scaled with RATE_LIMIT_PER_MINUTE', async () => {
    const limited = await startService({ env: { RATE_LIMIT_PER_MINUTE: '12' } })
    try {
      const ask = () => limited.dashboard().post('/api/session/code').send({ email: newAddress() })
      for (let count = 0; count < 10; count++) expect((await ask()).status).toBe(202)
      expect((await ask()).status).toBe(429)
    } finally {
      await limited.close()
    }
  })
})
