import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startService, type TestService, unique } from '../kit/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const newAddress = () => `${unique('account')}@example.com`
const account = async (person: Person) => (await service.dashboard(person).get('/api/account')).body

describe('get_account', () => {
  test('is only a tool: there is no such REST path', async () => {
    const { key } = await service.givenKey(await service.givenPerson())
    const { status, body } = await service.api(key).get('/v1/account')
    expect(status).toBe(404)
    expect(body).toEqual({ status: 404, code: 'not_found', message: 'There is no such path.' })
  })
})

describe('get_own_account', () => {
  test('returns the account without its status', async () => {
    const person = await service.givenPerson({ workspaceLimit: 7 })
    const { status, body } = await service.dashboard(person).get('/api/account')
    expect(status).toBe(200)
    expect(body).toEqual({
      id: person.accountId,
      email: person.email,
      name: 'A person',
      phone: null,
      language: 'en',
      workspaceLimit: 7,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
  })
})

describe('update_own_account', () => {
  const update = { name: 'Ada Yılmaz', phone: '+905551234567', language: 'tr-TR' }

  test('stores name, phone and language', async () => {
    const person = await service.givenPerson()
    const before = await account(person)
    service.advance(1000)
    const { status, body } = await service.dashboard(person).put('/api/account').send(update)
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, ...update, updatedAt: service.now().toISOString() })
    expect(await account(person)).toEqual(body)
    const cleared = await service
      .dashboard(person)
      .put('/api/account')
      .send({ ...update, phone: null })
    expect(cleared.body.phone).toBe(null)
  })

  test.each([
    [{ name: '' }, 'name'],
    [{ name: 'a'.repeat(121) }, 'name'],
    [{ phone: '05551234567' }, 'phone'],
    [{ phone: '+0123456789' }, 'phone'],
    [{ language: 'not a language' }, 'language'],
    [{ email: 'other@example.com' }, 'email'],
    [{ workspaceLimit: 1000 }, 'workspaceLimit'],
    [{ status: 'ACTIVE' }, 'status'],
  ])('refuses %o and stores nothing', async (change, field) => {
    const person = await service.givenPerson()
    const before = await account(person)
    const { status, body } = await service
      .dashboard(person)
      .put('/api/account')
      .send({ ...update, ...change })
    expect(status).toBe(400)
    expect(Object.keys(body.fieldErrors)).toEqual([field])
    expect(await account(person)).toEqual(before)
  })
})

describe('request_account_email_code', () => {
  test('answers a free and a taken address alike', async () => {
    const [person, other] = [await service.givenPerson(), await service.givenPerson()]
    const ask = (email: string) =>
      service.dashboard(person).post('/api/account/email/code').send({ email })
    const [free, taken] = [await ask(newAddress()), await ask(other.email)]
    expect(free.status).toBe(202)
    expect(free.body).toEqual({ accepted: true })
    expect(taken.status).toBe(202)
    expect(taken.text).toBe(free.text)
  })

  test.each(['a+b@example.com', 'somebody@mailinator.com'])(
    'refuses the address %s',
    async (email) => {
      const session = service.dashboard(await service.givenPerson())
      const codeAnswer = await session.post('/api/account/email/code').send({ email })
      expect(codeAnswer.status).toBe(400)
      expect(Object.keys(codeAnswer.body.fieldErrors)).toEqual(['email'])
      const changeAnswer = await session.put('/api/account/email').send({ email, code: '123456' })
      expect(changeAnswer.status).toBe(400)
      expect(Object.keys(changeAnswer.body.fieldErrors)).toEqual(['email'])
    },
  )

  test('sends another code after 60 seconds', async () => {
    const session = service.dashboard(await service.givenPerson())
    const email = newAddress()
    const ask = () => session.post('/api/account/email/code').send({ email })
    expect((await ask()).status).toBe(202)
    const early = await ask()
    expect(early.status).toBe(429)
    expect(early.headers['retry-after']).toBe('60')
    service.advance(60_000)
    expect((await ask()).status).toBe(202)
  })
})

describe('update_account_email', () => {
  const refusal = {
    status: 400,
    code: 'invalid_input',
    message: 'The request is not valid.',
    fieldErrors: { code: 'The code is wrong, expired or used.' },
  }

  async function givenCode(email = newAddress()) {
    const person = await service.givenPerson()
    await service.dashboard(person).post('/api/account/email/code').send({ email })
    const code = await service.codeFor(email)
    const put = (body: { email?: string; code: string }) =>
      service
        .dashboard(person)
        .put('/api/account/email')
        .send({ email, ...body })
    return { person, email, code, wrong: code === '000000' ? '000001' : '000000', put }
  }

  test('moves the account to the address the code was mailed to', async () => {
    const { person, email, code, put } = await givenCode()
    const before = await account(person)
    const { status, body } = await put({ code })
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, email, updatedAt: service.now().toISOString() })
    expect(await account(person)).toEqual(body)
  })

  test('lets the new address sign in to the account, and the old one no longer', async () => {
    const { person, email, code, put } = await givenCode()
    await put({ code })
    const signIn = async (address: string) => {
      await service.dashboard().post('/api/session/code').send({ email: address })
      const mailedCode = await service.codeFor(address)
      return service.dashboard().post('/api/session').send({ email: address, code: mailedCode })
    }
    expect((await signIn(email)).body.account.id).toBe(person.accountId)
    expect((await signIn(person.email)).body.account.id).not.toBe(person.accountId)
  })

  test('keeps the billing address of the workspaces', async () => {
    const { person, code, put } = await givenCode()
    const workspace = await service.givenWorkspace(person)
    await put({ code })
    const path = `/v1/workspaces/${workspace.id}/workspace`
    expect((await service.dashboard(person).get(path)).body.billingEmail).toBe(person.email)
  })

  test('refuses and counts wrong codes, and the fifth invalidates the right one', async () => {
    const { person, code, wrong, put } = await givenCode()
    for (let attempt = 0; attempt < 5; attempt++)
      expect((await put({ code: wrong })).body).toEqual(refusal)
    expect((await put({ code })).body).toEqual(refusal)
    expect((await account(person)).email).toBe(person.email)
  })

  test('refuses a code after ten minutes, and a second time', async () => {
    const late = await givenCode()
    const twice = await givenCode()
    expect((await twice.put({ code: twice.code })).status).toBe(200)
    expect((await twice.put({ code: twice.code })).body).toEqual(refusal)
    service.advance(10 * 60_000)
    expect((await late.put({ code: late.code })).body).toEqual(refusal)
  })

  test('refuses a code mailed to another address or another account', async () => {
    const { email, code, put } = await givenCode()
    expect((await put({ email: newAddress(), code })).body).toEqual(refusal)
    const stranger = service.dashboard(await service.givenPerson())
    const stolen = await stranger.put('/api/account/email').send({ email, code })
    expect(stolen.body).toEqual(refusal)
    expect((await put({ code })).status).toBe(200)
  })

  test('refuses the address of another account with 409, changing neither', async () => {
    const other = await service.givenPerson()
    const { person, code, put } = await givenCode(other.email)
    const { status, body } = await put({ code })
    expect(status).toBe(409)
    expect(body).toEqual({
      status: 409,
      code: 'duplicate',
      message: 'Another account uses this address.',
      fieldErrors: { email: 'Another account uses this address.' },
    })
    expect((await account(person)).email).toBe(person.email)
    expect((await account(other)).email).toBe(other.email)
  })
})
