import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService, unique } from '../kit/service.ts'

const day = 24 * 3600_000

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** An account with a workspace and a key that may do everything. */
async function givenOwner(options: { templateKey?: string; workspaceLimit?: number } = {}) {
  const { workspaceLimit = 10, ...template } = options
  const person = await service.givenPerson({ workspaceLimit })
  const workspace = await service.givenWorkspace(person, template)
  const { key } = await service.givenKey(person, { expiresInDays: 365 })
  const path = `/v1/workspaces/${workspace.id}/workspace`
  return { person, workspace, path, api: service.api(key) }
}

async function givenCreator(workspaceLimit = 10) {
  const person = await service.givenPerson({ workspaceLimit })
  const { key } = await service.givenKey(person, { expiresInDays: 365 })
  return { person, api: service.api(key) }
}

const creation = (subDomain = unique('shop')) => ({
  name: 'A shop',
  subDomain,
  templateKey: 'minimal',
})

const unavailable = (subDomain: string) => ({
  status: 400,
  code: 'subdomain_unavailable',
  message: `The subdomain ${subDomain} is not available.`,
  fieldErrors: { subDomain: `The subdomain ${subDomain} is not available.` },
})

describe('list_workspaces', () => {
  test('answers the owned workspaces with the creation policy', async () => {
    const { workspace, api } = await givenOwner({ workspaceLimit: 1 })
    const { status, body } = await api.get('/v1/workspaces')
    expect(status).toBe(200)
    expect(body).toEqual({
      page: 1,
      pageSize: 20,
      creationPolicy: { limit: 1, owned: 1, canCreate: false },
      workspaces: [workspace],
    })
  })

  test('pages through the workspaces, oldest first, and is empty beyond the last page', async () => {
    const { person, workspace, api } = await givenOwner()
    const second = await service.givenWorkspace(person)
    const third = await service.givenWorkspace(person)
    const page = async (number: number) =>
      (await api.get(`/v1/workspaces?page=${number}&pageSize=2`)).body
    const creationPolicy = { limit: 10, owned: 3, canCreate: true }
    expect(await page(1)).toEqual({
      page: 1,
      pageSize: 2,
      creationPolicy,
      workspaces: [workspace, second],
    })
    expect(await page(2)).toEqual({ page: 2, pageSize: 2, creationPolicy, workspaces: [third] })
    expect(await page(3)).toEqual({ page: 3, pageSize: 2, creationPolicy, workspaces: [] })
  })

  test.each([
    ['page=0', 'page'],
    ['page=two', 'page'],
    ['page=1.0', 'page'],
    ['page=', 'page'],
    ['pageSize=0', 'pageSize'],
    ['pageSize=101', 'pageSize'],
    ['limit=5', 'limit'],
  ])('refuses the query %s', async (query, field) => {
    const { api } = await givenCreator()
    const { status, body } = await api.get(`/v1/workspaces?${query}`)
    expect(status).toBe(400)
    expect(body.code).toBe('invalid_input')
    expect(Object.keys(body.fieldErrors)).toEqual([field])
  })

  test('shows what the account owns and not where it is staff, billing or suspended', async () => {
    const { workspace } = await givenOwner()
    const { person, api } = await givenCreator()
    const membership = { workspace_id: workspace.id, account_id: person.accountId, email: '' }
    await service.db
      .insertInto('members')
      .values({ ...membership, id: unique('mem'), role: 'staff', status: 'ACTIVE' })
      .execute()
    const none = { creationPolicy: { limit: 10, owned: 0, canCreate: true }, workspaces: [] }
    expect((await api.get('/v1/workspaces')).body).toMatchObject(none)
    for (const change of [{ role: 'billing' }, { role: 'owner', status: 'SUSPENDED' }] as const) {
      await service.db
        .updateTable('members')
        .set(change)
        .where('account_id', '=', person.accountId)
        .execute()
      expect((await api.get('/v1/workspaces')).body).toMatchObject(none)
    }
  })

  test('counts nothing less when the limit is lowered, and lets nothing be created', async () => {
    const { person, api } = await givenOwner()
    await service.givenWorkspace(person)
    await service.db
      .updateTable('accounts')
      .set({ workspace_limit: 1 })
      .where('id', '=', person.accountId)
      .execute()
    const { body } = await api.get('/v1/workspaces')
    expect(body.creationPolicy).toEqual({ limit: 1, owned: 2, canCreate: false })
    expect(body.workspaces).toHaveLength(2)
  })

  test('answers at the dashboard to the session cookie too', async () => {
    const { person, workspace } = await givenOwner()
    const { status, body } = await service.dashboard(person).get('/v1/workspaces')
    expect(status).toBe(200)
    expect(body.workspaces).toEqual([workspace])
  })
})

describe('create_workspace', () => {
  test('gives a new workspace its defaults', async () => {
    const { person, api } = await givenCreator()
    const given = creation()
    const { status, body } = await api.post('/v1/workspaces').send(given)
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/^ws_[0-9a-z]{26}$/),
      ...given,
      status: 'ACTIVE',
      billingEmail: person.email,
      billingPhone: null,
      billingGsmCountryCode: null,
      isVisible: true,
      mainAgentPrompt: '',
      createdAt: service.now().toISOString(),
      updatedAt: service.now().toISOString(),
    })
    expect((await api.get('/v1/workspaces')).body.workspaces).toEqual([body])
  })

  test('makes the account its active owner and opens it to the account’s key', async () => {
    const { person, api } = await givenCreator()
    const { body } = await api.post('/v1/workspaces').send(creation())
    expect((await api.get(`/v1/workspaces/${body.id}/workspace`)).body).toEqual(body)
    const members = await service.dashboard(person).get(`/api/workspaces/${body.id}/members`)
    expect(members.body.members).toMatchObject([
      { accountId: person.accountId, email: person.email, role: 'owner', status: 'ACTIVE' },
    ])
  })

  test('refuses one more than the limit with 400 workspace_limit_reached', async () => {
    const { api } = await givenOwner({ workspaceLimit: 1 })
    const { status, body } = await api.post('/v1/workspaces').send(creation())
    expect(status).toBe(400)
    expect(body).toEqual({
      status: 400,
      code: 'workspace_limit_reached',
      message: 'This account may own 1 workspace.',
    })
  })

  test.each(['api', 'workspace', 'admin', 'docs', 'website-editor'])(
    'refuses the reserved subdomain %s',
    async (subDomain) => {
      const { api } = await givenCreator()
      const { status, body } = await api.post('/v1/workspaces').send(creation(subDomain))
      expect(status).toBe(400)
      expect(body).toEqual(unavailable(subDomain))
    },
  )

  test('refuses punycode, by which one name looks like another', async () => {
    const { api } = await givenCreator()
    const { status, body } = await api.post('/v1/workspaces').send(creation('xn--bcher-kva'))
    expect(status).toBe(400)
    expect(body).toEqual(unavailable('xn--bcher-kva'))
  })

  test('refuses a taken subdomain with 400, in the words of a reserved one', async () => {
    const { workspace } = await givenOwner()
    const { api } = await givenCreator()
    const { status, body } = await api.post('/v1/workspaces').send(creation(workspace.subDomain))
    expect(status).toBe(400)
    expect(body).toEqual(unavailable(workspace.subDomain))
    expect((await api.get('/v1/workspaces')).body.creationPolicy.owned).toBe(0)
  })

  test('refuses a template that does not exist', async () => {
    const { api } = await givenCreator()
    const given = { ...creation(), templateKey: 'baroque' }
    const { status, body } = await api.post('/v1/workspaces').send(given)
    expect(status).toBe(400)
    expect(body).toMatchObject({
      code: 'unknown_template',
      fieldErrors: { templateKey: 'There is no template baroque. list_templates lists them all.' },
    })
  })

  test('asks for a phone with the customized template and makes it the billing phone', async () => {
    const { api } = await givenCreator()
    const given = { ...creation(), templateKey: 'customized' }
    const without = await api.post('/v1/workspaces').send(given)
    expect(without.status).toBe(400)
    expect(without.body).toMatchObject({
      code: 'invalid_input',
      fieldErrors: { phone: 'The Customized template needs a phone number.' },
    })
    const { status, body } = await api
      .post('/v1/workspaces')
      .send({ ...given, phone: '+905551234567' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ templateKey: 'customized', billingPhone: '+905551234567' })
  })

  test('keeps a phone that was not asked for', async () => {
    const { api } = await givenCreator()
    const { body } = await api
      .post('/v1/workspaces')
      .send({ ...creation(), phone: '+905551234567' })
    expect(body.billingPhone).toBe('+905551234567')
  })

  test.each(['ab', '-shop', 'shop-', 'Shop', 'sh_op', 'şhop', 'a'.repeat(33)])(
    'refuses the subdomain %s by its form',
    async (subDomain) => {
      const { api } = await givenCreator()
      const { status, body } = await api.post('/v1/workspaces').send(creation(subDomain))
      expect(status).toBe(400)
      expect(body.code).toBe('invalid_input')
      expect(Object.keys(body.fieldErrors)).toEqual(['subDomain'])
    },
  )

  test('refuses fields that are unknown, also those an account may not set', async () => {
    const { api } = await givenCreator()
    const { status, body } = await api
      .post('/v1/workspaces')
      .send({ ...creation(), credits: 500, status: 'ACTIVE' })
    expect(status).toBe(400)
    expect(body.fieldErrors).toEqual({
      credits: 'Unknown field.',
      status: 'Unknown field.',
    })
  })

  test('works at the dashboard with the session cookie', async () => {
    const { person } = await givenCreator(1)
    const session = service.dashboard(person)
    expect((await session.post('/v1/workspaces').send(creation())).status).toBe(200)
    expect((await session.post('/v1/workspaces').send(creation())).body.code).toBe(
      'workspace_limit_reached',
    )
  })
})

describe('get_workspace', () => {
  test('answers the profile', async () => {
    const { workspace, path, api } = await givenOwner()
    const { status, body } = await api.get(path)
    expect(status).toBe(200)
    expect(body).toEqual(workspace)
  })

  test('answers alike for a workspace of somebody else and one that does not exist', async () => {
    const { workspace } = await givenOwner()
    const { api } = await givenCreator()
    const foreign = await api.get(`/v1/workspaces/${workspace.id}/workspace`)
    const missing = await api.get('/v1/workspaces/ws_none/workspace')
    expect(foreign.status).toBe(403)
    expect(foreign.body.code).toBe('not_owner')
    expect(missing.status).toBe(403)
    expect(missing.text).toBe(foreign.text)
  })

  test('is refused while the workspace is suspended', async () => {
    const { workspace, path, api } = await givenOwner()
    await service.db
      .updateTable('workspaces')
      .set({ status: 'SUSPENDED' })
      .where('id', '=', workspace.id)
      .execute()
    const { status, body } = await api.get(path)
    expect(status).toBe(403)
    expect(body.code).toBe('workspace_inactive')
  })
})

describe('update_workspace', () => {
  test('changes the fields that are given and keeps the others', async () => {
    const { workspace, path, api } = await givenOwner()
    const first = { name: 'Another name', isVisible: false, mainAgentPrompt: 'Be brief.' }
    const second = { billingPhone: '+441234567890', billingGsmCountryCode: '44' }
    expect((await api.put(path).send(first)).body).toEqual({ ...workspace, ...first })
    expect((await api.put(path).send(second)).body).toEqual({ ...workspace, ...first, ...second })
    const cleared = { billingPhone: null, billingGsmCountryCode: null }
    const { status } = await api.put(path).send(cleared)
    expect(status).toBe(200)
    expect((await api.get(path)).body).toEqual({ ...workspace, ...first, ...cleared })
  })

  test('moves updatedAt and leaves createdAt', async () => {
    const { workspace, path, api } = await givenOwner()
    service.advance(1000)
    const { body } = await api.put(path).send({ name: 'Another name' })
    expect(body.updatedAt).toBe(service.now().toISOString())
    expect(body.createdAt).toBe(workspace.createdAt)
  })

  test.each([{ status: 'SUSPENDED' }, { id: 'ws_x' }, { templateKey: 'beauty' }, { balance: 9 }])(
    'refuses %o, which is not among its fields',
    async (change) => {
      const { workspace, path, api } = await givenOwner()
      const { status, body } = await api.put(path).send({ name: 'Another name', ...change })
      expect(status).toBe(400)
      expect(body.fieldErrors).toEqual({ [Object.keys(change)[0]!]: 'Unknown field.' })
      expect((await api.get(path)).body).toEqual(workspace)
    },
  )

  test('applies all or none: a good name beside an unavailable subdomain changes nothing', async () => {
    const { workspace, path, api } = await givenOwner()
    for (const subDomain of ['admin', (await givenOwner()).workspace.subDomain]) {
      const { status, body } = await api.put(path).send({ name: 'Another name', subDomain })
      expect(status).toBe(400)
      expect(body).toEqual(unavailable(subDomain))
      expect((await api.get(path)).body).toEqual(workspace)
    }
  })

  test('changes the subdomain once in 30 days', async () => {
    const { path, api } = await givenOwner()
    const [first, second] = [unique('first'), unique('second')]
    const changedAt = service.now().getTime()
    expect((await api.put(path).send({ subDomain: first })).body.subDomain).toBe(first)

    service.advance(30 * day - 1)
    const early = await api.put(path).send({ subDomain: second })
    expect(early.status).toBe(400)
    const nextMinute = Math.ceil((changedAt + 30 * day) / 60_000) * 60_000
    const free = new Date(nextMinute).toISOString().slice(0, 16).replace('T', ' ')
    const sentence =
      'The subdomain can change once in 30 days. ' + `You can change it again on ${free} UTC.`
    expect(early.body).toEqual({
      status: 400,
      code: 'subdomain_cooldown',
      message: sentence,
      fieldErrors: { subDomain: sentence },
    })

    service.advance(1)
    expect((await api.put(path).send({ subDomain: second })).body.subDomain).toBe(second)
  })

  test('takes the current subdomain for no change', async () => {
    const { path, api } = await givenOwner()
    const subDomain = unique('same')
    await api.put(path).send({ subDomain })
    const { status, body } = await api.put(path).send({ subDomain, name: 'Another name' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ subDomain, name: 'Another name' })
  })

  test('holds a released subdomain for 30 days and frees it for others after them', async () => {
    const { workspace, path, api } = await givenOwner()
    const { api: other } = await givenCreator()
    const claim = () => other.post('/v1/workspaces').send(creation(workspace.subDomain))
    await api.put(path).send({ subDomain: unique('moved') })

    expect((await claim()).body).toEqual(unavailable(workspace.subDomain))
    service.advance(30 * day)
    expect((await claim()).body).toEqual(unavailable(workspace.subDomain))
    service.advance(1)
    const { status, body } = await claim()
    expect(status).toBe(200)
    expect(body.subDomain).toBe(workspace.subDomain)
    const back = await api.put(path).send({ subDomain: workspace.subDomain })
    expect(back.body).toEqual(unavailable(workspace.subDomain))
  })

  test('gives a released subdomain back to its old workspace', async () => {
    const { workspace, path, api } = await givenOwner()
    await api.put(path).send({ subDomain: unique('moved') })
    service.advance(30 * day)
    const { status, body } = await api.put(path).send({ subDomain: workspace.subDomain })
    expect(status).toBe(200)
    expect(body.subDomain).toBe(workspace.subDomain)
    service.advance(31 * day)
    const { api: other } = await givenCreator()
    const claim = await other.post('/v1/workspaces').send(creation(workspace.subDomain))
    expect(claim.body).toEqual(unavailable(workspace.subDomain))
  })
})

describe('request_billing_email_code', () => {
  const codePath = (id: string) => `/api/workspaces/${id}/billing-email/code`

  /** An owner, a new address and the code that was mailed to it. */
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

  test('wrong codes are counted although nothing else is written: the fifth ends the code', async () => {
    const { billingEmail, code, wrong, put } = await givenCode()
    for (let attempt = 0; attempt < 5; attempt++)
      expect((await put({ billingEmail, billingEmailCode: wrong })).body).toEqual(refusal)
    expect((await put({ billingEmail, billingEmailCode: code })).body).toEqual(refusal)
  })

  test('four wrong codes leave the right one usable, and a call without a code counts as none', async () => {
    const { billingEmail, code, wrong, put } = await givenCode()
    for (let attempt = 0; attempt < 4; attempt++) {
      await put({ billingEmail, billingEmailCode: wrong })
      await put({ billingEmail })
    }
    expect((await put({ billingEmail, billingEmailCode: code })).status).toBe(200)
  })

  test('the code ends after ten minutes', async () => {
    const late = await givenCode()
    const inTime = await givenCode()
    service.advance(10 * 60_000 - 1)
    const accepted = { billingEmail: inTime.billingEmail, billingEmailCode: inTime.code }
    expect((await inTime.put(accepted)).status).toBe(200)
    service.advance(1)
    const refused = { billingEmail: late.billingEmail, billingEmailCode: late.code }
    expect((await late.put(refused)).body).toEqual(refusal)
  })

  test('a right code beside an unavailable subdomain stays usable, as nothing was applied', async () => {
    const { workspace, billingEmail, code, path, api, put } = await givenCode()
    const both = { billingEmail, billingEmailCode: code, subDomain: 'admin' }
    expect((await put(both)).body.code).toBe('subdomain_unavailable')
    expect((await api.get(path)).body).toEqual(workspace)
    expect((await put({ billingEmail, billingEmailCode: code })).status).toBe(200)
  })

  test('the code of one workspace is of no use in another, nor for another address', async () => {
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

  test('the address that is set already needs no code, however it is written', async () => {
    const { workspace, path, api } = await givenOwner()
    const billingEmail = workspace.billingEmail.toUpperCase()
    const { status, body } = await api.put(path).send({ billingEmail })
    expect(status).toBe(200)
    expect(body.billingEmail).toBe(workspace.billingEmail)
  })

  test.each(['a+b@example.com', 'somebody@mailinator.com'])(
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

  test('another code can be asked for after 60 seconds and replaces the first', async () => {
    const { person, workspace, billingEmail, code, put } = await givenCode()
    const again = () =>
      service.dashboard(person).post(codePath(workspace.id)).send({ email: billingEmail })
    service.advance(59_000)
    const early = await again()
    expect(early.status).toBe(429)
    expect(early.headers['retry-after']).toBe('1')
    service.advance(1000)
    expect((await again()).status).toBe(202)
    const replaced = await service.codeFor(billingEmail)
    if (code !== replaced)
      expect((await put({ billingEmail, billingEmailCode: code })).body).toEqual(refusal)
    expect((await put({ billingEmail, billingEmailCode: replaced })).status).toBe(200)
  })
})
