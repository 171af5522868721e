import request from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Agent, connectAgent, loopbackUri, registerAgent } from '../../kit/agent_flow.ts'
import { startService, type TestService } from '../../kit/service.ts'

let service: TestService
let agent: Agent
beforeAll(async () => {
  service = await startService()
  agent = await registerAgent(service)
})
afterAll(() => service.close())

const at = () => request(service.urls.api)
const forms = ['/oauth/token', '/oauth/revoke']
const programs = [...forms, '/oauth/register']

describe.each(programs)('%s', (path) => {
  test('accepts only POST', async () => {
    const { status, headers, body } = await at().get(path)
    expect([status, headers.allow]).toEqual([405, 'POST'])
    expect(body).toEqual({ error: 'invalid_request', error_description: 'This path takes POST.' })
  })

  test('can be called from pages of any site', async () => {
    const preflight = await at()
      .options(path)
      .set({ Origin: 'https://site.example', 'Access-Control-Request-Method': 'POST' })
      .set('Access-Control-Request-Headers', 'content-type,mcp-protocol-version')
    expect(preflight.status).toBe(204)
    expect(preflight.headers['access-control-allow-origin']).toBe('*')
    expect(preflight.headers['access-control-allow-headers']).toBe(
      'content-type,mcp-protocol-version',
    )
    const { headers } = await at().post(path).set('Origin', 'https://site.example')
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers['cache-control']).toBe('no-store')
  })

  test('accepts a body of 32 kB and not one byte more', async () => {
    const type = forms.includes(path) ? 'application/x-www-form-urlencoded' : 'application/json'
    const sendSized = (bytes: number) =>
      at().post(path).set('Content-Type', type).send('a'.repeat(bytes))
    expect((await sendSized(32 * 1024)).status).toBe(400)
    const { status, body } = await sendSized(32 * 1024 + 1)
    expect([status, body.error]).toEqual([413, 'invalid_request'])
  })

  test('accepts only its own content type', async () => {
    const other = forms.includes(path) ? 'application/json' : 'application/x-www-form-urlencoded'
    const { status, body } = await at().post(path).set('Content-Type', other).send('{}')
    expect([status, body.error]).toEqual([415, 'invalid_request'])
    expect(Object.keys(body)).toEqual(['error', 'error_description'])
  })
})

describe.each(forms)('%s', (path) => {
  const send = (body: string) =>
    at().post(path).set('Content-Type', 'application/x-www-form-urlencoded').send(body)

  test.each(['client_id', 'grant_type', 'code', 'token'])('refuses a repeated %s', async (name) => {
    const form = `client_id=${agent.client.client_id}&grant_type=refresh_token&token=a&code=b`
    const { status, body } = await send(`${form}&${name}=c`)
    expect([status, body.error]).toEqual([400, 'invalid_request'])
    expect(body.error_description).toBe(`${name} is given more than once.`)
  })

  test.each(['client_%00', 'https://agent.example.com/%00'])(
    'refuses the client id %s, which cannot exist',
    async (id) => {
      const { status, body } = await send(`client_id=${id}&token=a&grant_type=refresh_token`)
      expect([status, body.error]).toEqual([401, 'invalid_client'])
    },
  )

  test('refuses an unknown client, and one that identifies itself in a header', async () => {
    const unknown = await send('client_id=client_00000000000000000000000000&token=a')
    expect([unknown.status, unknown.body.error]).toEqual([401, 'invalid_client'])
    const basic = await send(`client_id=${agent.client.client_id}`).set(
      'Authorization',
      'Basic YTpi',
    )
    expect([basic.status, basic.body.error]).toEqual([401, 'invalid_client'])
    expect(basic.headers['www-authenticate']).toBe('Basic realm="oauth"')
  })

  test('requires a client', async () => {
    const { status, body } = await send('token=a')
    expect([status, body.error]).toEqual([400, 'invalid_request'])
  })
})

describe('/oauth/register', () => {
  test('answers 201 with the metadata and no secret', async () => {
    const metadata = { client_name: 'A shelf', redirect_uris: [loopbackUri] }
    const { status, headers, body } = await at().post('/oauth/register').send(metadata)
    expect(status).toBe(201)
    expect(headers['cache-control']).toBe('no-store')
    expect(body).toEqual({
      client_id: expect.stringMatching(/^client_[0-9a-z]{26}$/),
      client_id_issued_at: Math.floor(service.now().getTime() / 1000),
      ...metadata,
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    })
  })

  test.each([
    ['', 'invalid_client_metadata'],
    ['{', 'invalid_request'],
    ['[]', 'invalid_client_metadata'],
    ['"a"', 'invalid_client_metadata'],
  ])('refuses the body %j', async (text, error) => {
    const registration = at()
      .post('/oauth/register')
      .set('Content-Type', 'application/json')
      .send(text)
    const { status, body } = await registration
    expect([status, body.error]).toEqual([400, error])
  })
})

describe('the limits', () => {
  /** A twentieth of the usual limits: one registration an hour, three tokens a minute. */
  let strict: TestService
  beforeAll(async () => {
    strict = await startService({ env: { RATE_LIMIT_PER_MINUTE: '6', TRUST_PROXY: '1' } })
  })
  afterAll(() => strict.close())

  const register = (ip: string) =>
    request(strict.urls.api)
      .post('/oauth/register')
      .set('X-Forwarded-For', ip)
      .send({ redirect_uris: [loopbackUri] })
  const askForTokens = (ip: string, clientId: string) =>
    request(strict.urls.api)
      .post('/oauth/token')
      .set('X-Forwarded-For', ip)
      .type('form')
      .send({ client_id: clientId, grant_type: 'refresh_token', refresh_token: 'a' })

  test('of registrations apply per address', async () => {
    expect((await register('192.0.2.1')).status).toBe(201)
    const { status, headers, body } = await register('192.0.2.1')
    expect([status, body.error]).toEqual([429, 'temporarily_unavailable'])
    expect(Number(headers['retry-after'])).toBeGreaterThan(3500)
    expect((await register('192.0.2.2')).status).toBe(201)
  })

  test('of tokens apply per client', async () => {
    const clientId = (await register('192.0.2.3')).body.client_id as string
    for (let i = 0; i < 3; i++) expect((await askForTokens('192.0.2.3', clientId)).status).toBe(400)
    const { status, headers } = await askForTokens('192.0.2.3', clientId)
    expect(status).toBe(429)
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60)
    expect((await askForTokens('192.0.2.3', 'another')).status).toBe(401)
    expect((await askForTokens('192.0.2.4', clientId)).status).toBe(400)
  })

  test('of tokens apply per connection, however many people connect one agent', async () => {
    const agent = await registerAgent(strict)
    const [one, other] = [
      await connectAgent(strict, await strict.givenPerson(), { agent }),
      await connectAgent(strict, await strict.givenPerson(), { agent }),
    ]
    const refresh = (refresh_token: unknown) =>
      agent.askForTokens({ grant_type: 'refresh_token', refresh_token: String(refresh_token) })
    const second = await refresh(one.refreshToken)
    const third = await refresh(second.body.refresh_token)
    expect([second.status, third.status]).toEqual([200, 200])
    const fourth = await refresh(third.body.refresh_token)
    expect([fourth.status, fourth.body.error]).toEqual([429, 'temporarily_unavailable'])
    expect((await refresh(other.refreshToken)).status).toBe(200)
  })

  test('of authorization requests apply per address', async () => {
    const ask = () =>
      request(strict.urls.api).get('/oauth/authorize').set('X-Forwarded-For', '192.0.2.5')
    for (let i = 0; i < 3; i++) expect((await ask()).status).toBe(400)
    expect((await ask()).status).toBe(429)
  })
})

describe('an unavailable database', () => {
  test('is reported as an OAuth error', async () => {
    const adrift = await startService({ databaseUrl: 'postgres://127.0.0.1:1/nowhere' })
    try {
      const { status, headers, body } = await request(adrift.urls.api)
        .post('/oauth/token')
        .type('form')
        .send({ client_id: agent.client.client_id })
      expect([status, body.error]).toEqual([503, 'temporarily_unavailable'])
      expect(headers['retry-after']).toBe('5')
    } finally {
      await adrift.close()
    }
  })
})
