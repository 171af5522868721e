import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService, unique } from '../kit/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

async function givenOwner(templateKey = 'minimal') {
  const person = await service.givenPerson()
  const workspace = await service.givenWorkspace(person, { templateKey })
  const { key } = await service.givenKey(person)
  const api = service.api(key)
  const path = `/v1/workspaces/${workspace.id}/website`
  const read = async () => (await api.get(path)).body
  return { person, workspace, path, api, read, put: (change: object) => api.put(path).send(change) }
}

describe('list_templates', () => {
  test('lists every template and whether it requires a phone', async () => {
    const { person, api } = await givenOwner()
    const { status, body } = await api.get('/v1/templates')
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['templates'])
    const summary = (body.templates as { key: string; requiresPhone: boolean }[]).map(
      ({ key, requiresPhone }) => [key, requiresPhone],
    )
    expect(summary).toEqual([
      ['minimal', false],
      ['boutique', false],
      ['beauty', false],
      ['textile', false],
      ['customized', true],
    ])
    for (const template of body.templates)
      expect(Object.keys(template)).toEqual(['key', 'name', 'description', 'requiresPhone'])
    expect((await service.dashboard(person).get('/v1/templates')).body).toEqual(body)
  })
})

describe('get_website', () => {
  test('returns a new website with the theme of its template and the default policy', async () => {
    const { workspace, path, api } = await givenOwner('beauty')
    const { status, body } = await api.get(path)
    expect(status).toBe(200)
    expect(body).toEqual({
      templateKey: 'beauty',
      theme: { primaryColor: '#7a2e4d', accentColor: '#f2c6d0', font: 'Inter' },
      logoImageId: null,
      headline: '',
      tagline: '',
      about: '',
      contactEmail: null,
      socialLinks: [],
      seo: { title: workspace.name, description: '' },
      accessPolicy: {
        visibility: 'PUBLIC',
        guestAiEnabled: true,
        guestDailyRequests: 5,
        customerDailyRequests: 30,
        challenge: 'GUESTS',
      },
      language: 'en',
      embedOrigins: [],
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
  })

  test('has the language of the owner who made it', async () => {
    const person = await service.givenPerson()
    await service.db
      .updateTable('accounts')
      .set({ language: 'tr-TR' })
      .where('id', '=', person.accountId)
      .execute()
    const body = { name: 'Gül', subDomain: unique('gul'), templateKey: 'minimal' }
    const { id } = (await service.dashboard(person).post('/v1/workspaces').send(body)).body
    const website = await service.dashboard(person).get(`/v1/workspaces/${id}/website`)
    expect(website.body.language).toBe('tr')
  })
})

describe('update_website', () => {
  const everything = {
    templateKey: 'boutique',
    theme: { primaryColor: '#000000', accentColor: '#FFFFFF', font: 'Work Sans' },
    logoImageId: null,
    headline: 'Skin care from roses',
    tagline: 'Made in Isparta',
    about: 'Since 1923.',
    contactEmail: 'hello@example.com',
    socialLinks: ['https://social.example/shop', 'http://other.example/shop'],
    seo: { title: 'Roses', description: 'All about roses' },
    accessPolicy: {
      visibility: 'SIGN_IN',
      guestAiEnabled: false,
      guestDailyRequests: 0,
      customerDailyRequests: 100,
      challenge: 'ALWAYS',
    },
    language: 'tr',
    embedOrigins: ['https://www.example.com', 'http://localhost:5173'],
  }

  test('stores every field and returns the updated website', async () => {
    const { put, read } = await givenOwner()
    const { status, body } = await put(everything)
    expect(status).toBe(200)
    expect(body).toEqual({ ...everything, updatedAt: service.now().toISOString() })
    expect(await read()).toEqual(body)
  })

  test('keeps omitted fields, including those inside theme, seo and accessPolicy', async () => {
    const { put } = await givenOwner()
    await put(everything)
    const { body } = await put({
      headline: '',
      theme: { accentColor: '#123456' },
      seo: { description: '' },
      accessPolicy: { visibility: 'CLOSED' },
    })
    expect(body).toEqual({
      ...everything,
      headline: '',
      theme: { ...everything.theme, accentColor: '#123456' },
      seo: { ...everything.seo, description: '' },
      accessPolicy: { ...everything.accessPolicy, visibility: 'CLOSED' },
      updatedAt: service.now().toISOString(),
    })
  })

  test('an empty change, at any level, is a no-op', async () => {
    const { put } = await givenOwner()
    const { body: before } = await put(everything)
    expect((await put({})).body).toEqual(before)
    expect((await put({ theme: {}, seo: {}, accessPolicy: {} })).body).toEqual(before)
  })

  test.each([
    'http://www.example.com',
    'https://www.example.com:443',
    'https://WWW.example.com',
    'https://user@www.example.com',
    'https://www.example.com/shop',
  ])('refuses to let the assistant be embedded at %s', async (origin) => {
    const { put } = await givenOwner()
    const { status, body } = await put({ embedOrigins: ['https://one.example', origin] })
    expect(status).toBe(400)
    expect(Object.keys(body.fieldErrors)).toEqual(['embedOrigins.1'])
  })

  test('replaces the social links as a whole', async () => {
    const { put } = await givenOwner()
    await put(everything)
    const socialLinks = ['https://third.example/shop']
    expect((await put({ socialLinks })).body.socialLinks).toEqual(socialLinks)
    expect((await put({ socialLinks: [] })).body.socialLinks).toEqual([])
  })

  test.each([
    [{ colour: 'red' }, 'colour'],
    [{ updatedAt: '2026-01-01T00:00:00.000Z' }, 'updatedAt'],
    [{ theme: { background: '#000000' } }, 'theme.background'],
    [{ seo: { keywords: 'roses' } }, 'seo.keywords'],
    [{ accessPolicy: { password: 'x' } }, 'accessPolicy.password'],
  ])('refuses the unknown field of %o and applies nothing', async (change, field) => {
    const { put, read } = await givenOwner()
    const before = await read()
    const { status, body } = await put({ headline: 'New', ...change })
    expect(status).toBe(400)
    expect(body.fieldErrors).toEqual({
      [field]: expect.stringMatching(/^Unknown field; known are \w+(, \w+)*\.$/),
    })
    expect(await read()).toEqual(before)
  })

  test.each([
    [{ theme: { primaryColor: 'red' } }, 'theme.primaryColor'],
    [{ theme: { font: 'Inter; } body { display: none' } }, 'theme.font'],
    [{ socialLinks: ['javascript:alert(1)'] }, 'socialLinks.0'],
    [{ socialLinks: ['https://a.example', 'https://a.example'] }, 'socialLinks'],
    [{ contactEmail: 'nobody' }, 'contactEmail'],
    [{ accessPolicy: { visibility: 'HIDDEN' } }, 'accessPolicy.visibility'],
    [{ accessPolicy: { guestDailyRequests: -1 } }, 'accessPolicy.guestDailyRequests'],
    [{ accessPolicy: { challenge: null } }, 'accessPolicy.challenge'],
    [{ logoImageId: 'med_of_nobody' }, 'logoImageId'],
  ])('refuses %o and applies nothing', async (change, field) => {
    const { put, read } = await givenOwner()
    const before = await read()
    const { status, body } = await put({ headline: 'New', ...change })
    expect(status).toBe(400)
    expect(body.code).toBe('invalid_input')
    expect(Object.keys(body.fieldErrors)).toEqual([field])
    expect(await read()).toEqual(before)
  })

  test('switches the template, keeps the theme, and the workspace shows the new template', async () => {
    const { workspace, put, api } = await givenOwner('beauty')
    const { body } = await put({ templateKey: 'textile' })
    expect(body).toMatchObject({ templateKey: 'textile', theme: { primaryColor: '#7a2e4d' } })
    const profile = await api.get(`/v1/workspaces/${workspace.id}/workspace`)
    expect(profile.body.templateKey).toBe('textile')
  })

  test('refuses a template that does not exist and applies nothing', async () => {
    const { put, read } = await givenOwner()
    const before = await read()
    const { status, body } = await put({ headline: 'New', templateKey: 'baroque' })
    expect(status).toBe(400)
    expect(body.code).toBe('unknown_template')
    expect(Object.keys(body.fieldErrors)).toEqual(['templateKey'])
    expect(await read()).toEqual(before)
  })

  test('switches to the customized template once the workspace has a billing phone', async () => {
    const { workspace, put, api } = await givenOwner()
    const profile = `/v1/workspaces/${workspace.id}/workspace`
    await api.put(profile).send({ billingPhone: null })
    const refusal = await put({ templateKey: 'customized' })
    expect(refusal.status).toBe(400)
    expect(refusal.body.code).toBe('invalid_input')
    expect(Object.keys(refusal.body.fieldErrors)).toEqual(['templateKey'])

    await api.put(profile).send({ billingPhone: '+905551234567' })
    expect((await put({ templateKey: 'customized' })).body.templateKey).toBe('customized')
    const { email } = await service.givenStaff()
    for (const templateKey of ['beauty', 'customized', 'beauty', 'customized'])
      await put({ templateKey })
    // The staff have not read the first request yet, and are not told again.
    expect(await service.mailsTo(email)).toEqual([])
  })

  test('is for owners only: staff and billing are refused at the dashboard', async () => {
    const { workspace, path, read } = await givenOwner()
    const before = await read()
    for (const role of ['staff', 'billing'] as const) {
      const member = await service.givenPerson()
      await service.db
        .insertInto('members')
        .values({
          id: `mem_${role}`,
          workspace_id: workspace.id,
          account_id: member.accountId,
          email: member.email,
          role,
          status: 'ACTIVE',
        })
        .execute()
      const { status, body } = await service.dashboard(member).put(path).send({ headline: 'New' })
      expect(status).toBe(403)
      expect(body.code).toBe('role_insufficient')
    }
    expect(await read()).toEqual(before)
  })

  test('works at the dashboard for an owner', async () => {
    const { person, path } = await givenOwner()
    const { status, body } = await service.dashboard(person).put(path).send({ headline: 'New' })
    expect(status).toBe(200)
    expect(body.headline).toBe('New')
  })
})
