import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publicContract } from '../../src/core/contract_documents.ts'
import { startService, type TestService } from '../kit/service.ts'
import { workspaceBody, ownersOf, unavailable } from './workspaces.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const { givenCreator, givenOwner } = ownersOf(() => service)

/** The form of a subdomain that the public contract states. */
function publishedForm(): RegExp {
  const { components } = JSON.parse(publicContract('https://api.example')) as {
    components: { schemas: { SubDomain: { pattern: string } } }
  }
  return new RegExp(components.schemas.SubDomain.pattern, 'u')
}

const reservedNames = `api workspace admin docs website-editor www mail smtp imap ftp ns1 ns2 app dashboard
  static assets cdn media status support help login account auth oauth mcp widget blog shop`

describe('create_workspace', () => {
  test('sets the defaults', async () => {
    const { person, api } = await givenCreator()
    const input = workspaceBody()
    const { status, body } = await api.post('/v1/workspaces').send(input)
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/^ws_[0-9a-z]{26}$/),
      ...input,
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

  test('makes the account its active owner, with access for its key', async () => {
    const { person, api } = await givenCreator()
    const { body } = await api.post('/v1/workspaces').send(workspaceBody())
    expect((await api.get(`/v1/workspaces/${body.id}/workspace`)).body).toEqual(body)
    const members = await service.dashboard(person).get(`/api/workspaces/${body.id}/members`)
    expect(members.body.members).toMatchObject([
      { accountId: person.accountId, email: person.email, role: 'owner', status: 'ACTIVE' },
    ])
  })

  test('refuses one more than the limit with 400 workspace_limit_reached', async () => {
    const { api } = await givenOwner({ workspaceLimit: 1 })
    const { status, body } = await api.post('/v1/workspaces').send(workspaceBody())
    expect(status).toBe(400)
    expect(body).toEqual({
      status: 400,
      code: 'workspace_limit_reached',
      message: 'This account may own 1 workspace.',
    })
  })

  test('refuses reserved subdomains', async () => {
    const { api } = await givenCreator()
    for (const subDomain of reservedNames.split(/\s+/)) {
      const { status, body } = await api.post('/v1/workspaces').send(workspaceBody(subDomain))
      expect([subDomain, status]).toEqual([subDomain, 400])
      expect(body).toEqual(unavailable(subDomain))
    }
  })

  test('refuses punycode, which browsers show as a name in another script', async () => {
    const { api } = await givenCreator()
    const subDomain = 'xn--bcher-kva'
    const { status, body } = await api.post('/v1/workspaces').send(workspaceBody(subDomain))
    expect(status).toBe(400)
    expect(body).toEqual(unavailable(subDomain))
  })

  test('takes two hyphens in third and fourth place, as the first release did', async () => {
    const { api } = await givenCreator()
    const { status, body } = await api.post('/v1/workspaces').send(workspaceBody('ab--cd'))
    expect([status, body.subDomain]).toEqual([200, 'ab--cd'])
  })

  test.each(['a-b', 'abc', 'a--b', 'abc--d', 'ab--cd', 'ab---d', `a-${'b'.repeat(30)}`])(
    'accepts the form of %s',
    (subDomain) => {
      expect(subDomain).toMatch(publishedForm())
    },
  )

  test('refuses a taken subdomain with 400, in the words of a reserved one', async () => {
    const { workspace } = await givenOwner()
    const { api } = await givenCreator()
    const { status, body } = await api
      .post('/v1/workspaces')
      .send(workspaceBody(workspace.subDomain))
    expect(status).toBe(400)
    expect(body).toEqual(unavailable(workspace.subDomain))
    expect((await api.get('/v1/workspaces')).body.creationPolicy.owned).toBe(0)
  })

  test('refuses a template that does not exist', async () => {
    const { api } = await givenCreator()
    const input = { ...workspaceBody(), templateKey: 'baroque' }
    const { status, body } = await api.post('/v1/workspaces').send(input)
    expect(status).toBe(400)
    expect(body).toMatchObject({
      code: 'unknown_template',
      fieldErrors: { templateKey: 'There is no template baroque. list_templates lists them all.' },
    })
  })

  test('requires a phone with the customized template and makes it the billing phone', async () => {
    const { api, person } = await givenCreator()
    const input = { ...workspaceBody(), templateKey: 'customized' }
    const without = await api.post('/v1/workspaces').send(input)
    expect(without.status).toBe(400)
    expect(without.body).toMatchObject({
      code: 'invalid_input',
      fieldErrors: { phone: 'The Customized template needs a phone number.' },
    })
    const { status, body } = await api
      .post('/v1/workspaces')
      .send({ ...input, phone: '+905551234567' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ templateKey: 'customized', billingPhone: '+905551234567' })
    const requests = service.db.selectFrom('contact_requests').select(['name', 'email', 'message'])
    const message = `Call +905551234567 about the website of ${body.name} (${body.subDomain}): its template is Customized.\n${body.id}`
    expect(await requests.execute()).toContainEqual({
      name: 'A person',
      email: person.email,
      message,
    })
  })

  test('keeps an optional phone', async () => {
    const { api } = await givenCreator()
    const { body } = await api
      .post('/v1/workspaces')
      .send({ ...workspaceBody(), phone: '+905551234567' })
    expect(body.billingPhone).toBe('+905551234567')
  })

  test.each(['ab', '-shop', 'shop-', 'Shop', 'sh_op', 'şhop', 'a'.repeat(33)])(
    'refuses the subdomain %s by its form',
    async (subDomain) => {
      const { api } = await givenCreator()
      const { status, body } = await api.post('/v1/workspaces').send(workspaceBody(subDomain))
      expect(status).toBe(400)
      expect(body.code).toBe('invalid_input')
      expect(Object.keys(body.fieldErrors)).toEqual(['subDomain'])
    },
  )

  test('refuses unknown fields, including those an account may not set', async () => {
    const { api } = await givenCreator()
    const { status, body } = await api
      .post('/v1/workspaces')
      .send({ ...workspaceBody(), credits: 500, status: 'ACTIVE' })
    expect(status).toBe(400)
    const unknown = 'Unknown field; known are name, subDomain, templateKey, phone.'
    expect(body.fieldErrors).toEqual({ credits: unknown, status: unknown })
  })

  test('works at the dashboard with the session cookie', async () => {
    const { person } = await givenCreator(1)
    const session = service.dashboard(person)
    expect((await session.post('/v1/workspaces').send(workspaceBody())).status).toBe(200)
    expect((await session.post('/v1/workspaces').send(workspaceBody())).body.code).toBe(
      'workspace_limit_reached',
    )
  })
})
