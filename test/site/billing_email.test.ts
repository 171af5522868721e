import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService, unique } from '../kit/service.ts'
import { ownersOf } from './workspaces.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const { givenOwner } = ownersOf(() => service)

describe('request_billing_email_code', () => {
  const codePath = (id: string) => `/api/workspaces/${id}/billing-email/code`

  /** An owner, a new address and the code mailed to it. */
  async function givenCode() {
    const owner = await givenOwner()
    const billingEmail = `${unique('billing')}@example.com`
    const { status, body } = await service
      .dashboard(owner.person)
      .post(codePath(owner.workspace.id))
      .send({ email: billingEmail })
    expect(status).toBe(202)
    expect(body).toEqual({ accepted: true })
    const code = await service.codeFor(billingEmail)
    const wrong = code === '000000' ? '000001' : '000000'
    const put = (change: object) => owner.api.put(owner.path).send(change)
    return { ...owner, billingEmail, code, wrong, put }
  }

  const refusal = {
    status: 400,
    code: 'invalid_input',
    message: 'The request is not valid.',
    fieldErrors: { billingEmailCode: 'Send the code that was mailed to the new address.' },
  }

  test('mails a code with which update_workspace takes the new address', async () => {
    const { workspace, billingEmail, code, put } = await givenCode()
    const { status, body } = await put({ billingEmail, billingEmailCode: code })
    expect(status).toBe(200)
    expect(body).toEqual({ ...workspace, billingEmail })
  })

  test('a new address without its code, or with a wrong one, changes nothing', async () => {
    const { workspace, billingEmail, wrong, path, api, put } = await givenCode()
    expect((await put({ billingEmail, name: 'Another name' })).body).toEqual(refusal)
    const withWrong = { billingEmail, billingEmailCode: wrong, name: 'Another name' }
    expect((await put(withWrong)).body).toEqual(refusal)
    expect((await api.get(path)).body).toEqual(workspace)
  })

  test('wrong codes are counted although nothing else is written: the fifth invalidates the code', async () => {
    const { billingEmail, code, wrong, put } = await givenCode()
    for (let attempt = 0; attempt < 5; attempt++)
      expect((await put({ billingEmail, billingEmailCode: wrong })).body).toEqual(refusal)
    expect((await put({ billingEmail, billingEmailCode: code })).body).toEqual(refusal)
  })

  test('four wrong codes leave the right one valid, and a call without a code is not counted', async () => {
    const { billingEmail, code, wrong, put } = await givenCode()
    for (let attempt = 0; attempt < 4; attempt++) {
      await put({ billingEmail, billingEmailCode: wrong })
      await put({ billingEmail })
    }
    expect((await put({ billingEmail, billingEmailCode: code })).status).toBe(200)
  })

  test('the code expires after ten minutes', async () => {
    const late = await givenCode()
    const inTime = await givenCode()
    service.advance(10 * 60_000 - 1)
    const input = { billingEmail: inTime.billingEmail, billingEmailCode: inTime.code }
    expect((await inTime.put(input)).status).toBe(200)
    service.advance(1)
    const lateInput = { billingEmail: late.billingEmail, billingEmailCode: late.code }
    expect((await late.put(lateInput)).body).toEqual(refusal)
  })

  test('a right code with an unavailable subdomain stays valid, as nothing was applied', async () => {
    const { workspace, billingEmail, code, path, api, put } = await givenCode()
    const both = { billingEmail, billingEmailCode: code, subDomain: 'admin' }
    expect((await put(both)).body.code).toBe('subdomain_unavailable')
    expect((await api.get(path)).body).toEqual(workspace)
    expect((await put({ billingEmail, billingEmailCode: code })).status).toBe(200)
  })

  test('a code is valid only for its workspace and address', async () => {
    const { person, billingEmail, code, put } = await givenCode()
    const { key } = await service.givenKey(person, { expiresInDays: 365 })
    const other = await service.givenWorkspace(person)
    const elsewhere = await service
      .api(key)
      .put(`/v1/workspaces/${other.id}/workspace`)
      .send({ billingEmail, billingEmailCode: code })
    expect(elsewhere.body).toEqual(refusal)
    const address = `${unique('other')}@example.com`
    expect((await put({ billingEmail: address, billingEmailCode: code })).body).toEqual(refusal)
    expect((await put({ billingEmail, billingEmailCode: code })).status).toBe(200)
  })

  test('the current address needs no code, in any spelling', async () => {
    const { workspace, path, api } = await givenOwner()
    const billingEmail = workspace.billingEmail.toUpperCase()
    const { status, body } = await api.put(path).send({ billingEmail })
    expect(status).toBe(200)
    expect(body.billingEmail).toBe(workspace.billingEmail)
  })

  test.each(['billing+shop@example.com', 'billing@mailinator.com'])(
    'the address %s is accepted, as it lets nobody in',
    async (address) => {
      const { person, workspace, path, api } = await givenOwner()
      const billingEmail = `${unique('x')}${address}`
      const request = service.dashboard(person).post(codePath(workspace.id))
      expect((await request.send({ email: billingEmail })).status).toBe(202)
      const billingEmailCode = await service.codeFor(billingEmail)
      const update = await api.put(path).send({ billingEmail, billingEmailCode })
      expect([update.status, update.body.billingEmail]).toEqual([200, billingEmail])
    },
  )

  test.each(['a+b@localhost', '.ada@example.com'])(
    'the address %s is refused, for the code and for the update',
    async (email) => {
      const { person, workspace, path, api } = await givenOwner()
      const request = await service.dashboard(person).post(codePath(workspace.id)).send({ email })
      expect(request.status).toBe(400)
      expect(Object.keys(request.body.fieldErrors)).toEqual(['email'])
      const update = await api.put(path).send({ billingEmail: email, billingEmailCode: '123456' })
      expect(update.status).toBe(400)
      expect(Object.keys(update.body.fieldErrors)).toEqual(['billingEmail'])
    },
  )

  test('another code can be requested after 60 seconds and replaces the first', async () => {
    const { person, workspace, billingEmail, code, put } = await givenCode()
    const again = () =>
      service.dashboard(person).post(codePath(workspace.id)).send({ email: billingEmail })
    service.advance(59_000)
    const early = await again()
    expect(early.status).toBe(429)
    expect(early.headers['retry-after']).toBe('1')
    service.advance(1000)
    expect((await again()).status).toBe(202)
    const newCode = await service.codeFor(billingEmail)
    if (code !== newCode)
      expect((await put({ billingEmail, billingEmailCode: code })).body).toEqual(refusal)
    expect((await put({ billingEmail, billingEmailCode: newCode })).status).toBe(200)
  })
})
