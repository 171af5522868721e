import * as oauth from 'oauth4webapi'
import request from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Agent,
  consent,
  decide,
  fetchAt,
  loopbackUri,
  openBrowser,
  openRequest,
  registerAgent,
} from '../../kit/agent_flow.ts'
import { allScopes, startService, type TestService, unique } from '../../kit/service.ts'

const publicUri = 'https://agent.example.com/callback?tenant=a%20b'

let service: TestService
let agent: Agent
beforeAll(async () => {
  service = await startService()
  agent = await registerAgent(service, { redirect_uris: [publicUri, loopbackUri] })
})
afterAll(() => service.close())

const requestCount = async () =>
  (await service.db.selectFrom('authorization_requests').select('client_id').execute()).length

/** A program's request to an address of the API origin. */
async function ask(url: URL | string) {
  const response = await fetchAt(service)(url, { redirect: 'manual' })
  const location = response.headers.get('location')
  const body = location === null ? ((await response.json()) as Record<string, unknown>) : {}
  return { status: response.status, location, body, headers: response.headers }
}

/** Scopes that only an integrator's backend needs, which uses a key and is not an agent. */
const ofVisitors = ['storefront:read', 'visitors:read', 'visitors:write', 'ai:write']

describe('discovery', () => {
  test('describes the authorization server', async () => {
    const { config } = service
    const issuer = config.baseUrl
    const { body, headers } = await ask(`${issuer}/.well-known/oauth-authorization-server`)
    expect(body).toEqual({
      issuer,
      authorization_endpoint: `${issuer}/oauth/authorize`,
      token_endpoint: `${issuer}/oauth/token`,
      registration_endpoint: `${issuer}/oauth/register`,
      revocation_endpoint: `${issuer}/oauth/revoke`,
      scopes_supported: allScopes.filter((scope) => !ofVisitors.includes(scope)),
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
      token_endpoint_auth_signing_alg_values_supported: ['RS256', 'PS256', 'ES256', 'EdDSA'],
      revocation_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
      revocation_endpoint_auth_signing_alg_values_supported: ['RS256', 'PS256', 'ES256', 'EdDSA'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
      protected_resources: ['', '/readonly', '/confirm'].map((path) => `${issuer}/mcp${path}`),
    })
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })

  test.each(['', '/mcp'])('describes the resource, at the suffix "%s" too', async (suffix) => {
    const issuer = service.config.baseUrl
    const { body, headers } = await ask(`${issuer}/.well-known/oauth-protected-resource${suffix}`)
    expect(body).toEqual({
      resource: `${issuer}/mcp`,
      authorization_servers: [issuer],
      scopes_supported: allScopes.filter((scope) => !ofVisitors.includes(scope)),
      bearer_methods_supported: ['header'],
      resource_name: 'Vitrine',
    })
    expect(headers.get('access-control-allow-origin')).toBe('*')
    const server = await ask(`${issuer}/.well-known/oauth-authorization-server${suffix}`)
    expect(server.body.issuer).toBe(issuer)
  })

  test('a forged Host changes nothing', async () => {
    const forged = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' }
    const at = request(service.urls.api)
    const metadata = await at.get('/.well-known/oauth-authorization-server').set(forged)
    expect(metadata.body.issuer).toBe(service.config.baseUrl)
    const { url } = await agent.begin()
    const { headers } = await at.get(url.pathname + url.search).set(forged)
    expect(headers.location).toMatch(
      new RegExp(`^${service.config.dashboardUrl}/consent/[\\w-]{43}$`),
    )
  })
})

describe('an authorization request', () => {
  test('redirects to the consent page and is bound to the browser', async () => {
    const authorization = await agent.begin()
    const { status, headers } = await openBrowser(service).visit(authorization.url.href)
    expect(status).toBe(303)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('set-cookie')).toMatch(
      /^vitrine_browser=[\w-]{43}; Max-Age=900; Path=\/; HttpOnly; SameSite=Lax$/,
    )
  })

  test.each([
    ['workspaces:read openid offline_access', ['workspaces:read']],
    ['constructor', ['account:read', 'workspaces:read']],
    [' ', ['account:read', 'workspaces:read']],
  ])('for the scope "%s" asks the person for %j', async (scope, requested) => {
    const person = await service.givenPerson()
    const pending = await agent.begin({ scope })
    const tokens = await agent.exchange(pending, await consent(service, person, pending))
    expect(tokens.scope).toBe(requested.join(' '))
  })

  test('does not interfere with others in the same browser', async () => {
    const browser = openBrowser(service)
    const person = await service.givenPerson()
    const [first, second] = [await agent.begin(), await agent.begin()]
    const ids = [await openRequest(browser, first), await openRequest(browser, second)]
    for (const [index, authorization] of [first, second].entries()) {
      const { location } = await browser.visit(await decide(service, person, ids[index]!))
      expect((await agent.exchange(authorization, new URL(location))).token_type).toBe('bearer')
    }
  })

  test.each<[string, Record<string, string | undefined>]>([
    ['an unknown client', { client_id: 'client_00000000000000000000000000' }],
    ['a client id that cannot be stored', { client_id: 'client_\0' }],
    ['no client', { client_id: undefined }],
    ['no redirect_uri', { redirect_uri: undefined }],
    ['another host', { redirect_uri: 'https://evil.example/callback?tenant=a%20b' }],
    ['a host that begins alike', { redirect_uri: 'https://agent.example.com.evil.example/' }],
    ['another path', { redirect_uri: 'https://agent.example.com/other' }],
    ['more in the query', { redirect_uri: `${publicUri}&next=https://evil.example` }],
    [
      'a port on a host that is not loopback',
      { redirect_uri: publicUri.replace('.com', '.com:8443') },
    ],
    ['a user before the host', { redirect_uri: publicUri.replace('//', '//evil.example@') }],
    ['another loopback name', { redirect_uri: 'http://localhost:33418/callback' }],
    ['another path on loopback', { redirect_uri: 'http://127.0.0.1:33418/other' }],
    ['a script', { redirect_uri: 'javascript:alert(1)' }],
  ])('with %s is refused and not redirected', async (_what, changes) => {
    const before = await requestCount()
    const { url } = await agent.begin(changes)
    const { status, location, body } = await ask(url)
    expect([status, location]).toEqual([400, null])
    const unknown = changes.client_id?.endsWith('0') ?? false
    expect(body.error).toBe(unknown ? 'invalid_client' : 'invalid_request')
    expect(Object.keys(body)).toEqual(['error', 'error_description'])
    const page = await openBrowser(service).visit(url.href)
    expect([page.status, page.location]).toEqual([400, ''])
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('set-cookie')).toBeNull()
    expect(await requestCount()).toBe(before)
  })

  test('is refused with a message for the person and an OAuth error for the developer', async () => {
    const { url } = await agent.begin({ redirect_uri: 'https://other.example.com/callback' })
    const headers = { Accept: 'text/html', 'Accept-Language': 'tr' }
    const {
      status,
      text,
      headers: answerHeaders,
    } = await request(service.urls.api)
      .get(url.pathname + url.search)
      .set(headers)
    expect([status, answerHeaders.vary]).toEqual([400, 'Accept, Accept-Language'])
    expect(text).toContain('<html lang="tr">')
    expect(text).toContain('<p>Ajan geçersiz bir istek gönderdi. Bunu üreticisi düzeltmeli.</p>')
    expect(text).toContain(
      '<p class="aside" lang="en"><code>invalid_request</code> redirect_uri is not one of those',
    )
  })

  test.each(['client_id', 'redirect_uri'])('with a repeated %s is not redirected', async (name) => {
    const { url } = await agent.begin()
    url.searchParams.append(name, url.searchParams.get(name)!)
    const { status, location, body } = await ask(url)
    expect([status, location, body.error]).toEqual([400, null, 'invalid_request'])
  })

  const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
  test.each<[string, Record<string, string | undefined>, string]>([
    ['no response_type', { response_type: undefined }, 'invalid_request'],
    ['another response_type', { response_type: 'token' }, 'unsupported_response_type'],
    ['another response_mode', { response_mode: 'fragment' }, 'invalid_request'],
    ['a request object', { request: 'eyJ' }, 'request_not_supported'],
    ['a request_uri', { request_uri: 'urn:x' }, 'request_uri_not_supported'],
    ['no challenge', { code_challenge: undefined }, 'invalid_request'],
    ['an empty challenge', { code_challenge: '' }, 'invalid_request'],
    ['the plain method', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['no method', { code_challenge_method: undefined }, 'invalid_request'],
    ['a challenge that is too short', { code_challenge: challenge.slice(1) }, 'invalid_request'],
    [
      'a challenge that is not base64url',
      { code_challenge: `${challenge.slice(1)}=` },
      'invalid_request',
    ],
    ['another resource', { resource: 'https://evil.example/mcp' }, 'invalid_target'],
    ['the whole origin as resource', { resource: 'http://localhost:3000' }, 'invalid_target'],
    ['prompt=none', { prompt: 'none' }, 'interaction_required'],
    ['a state beyond all measure', { state: 'a'.repeat(2001) }, 'invalid_request'],
  ])('with %s redirects to the client with the error', async (_what, changes, error) => {
    const authorization = await agent.begin(changes)
    const { status, location } = await ask(authorization.url)
    expect(status).toBe(303)
    expect(location?.startsWith(`${publicUri}&error=${error}&`)).toBe(true)
    const answer = new URL(location!).searchParams
    expect(answer.get('state')).toBe(changes.state ?? authorization.state)
    expect(answer.get('iss')).toBe(service.config.baseUrl)
    expect(answer.has('code')).toBe(false)
  })

  test.each(['scope', 'state', 'code_challenge', 'resource', 'prompt'])(
    'with a repeated %s redirects to the client with invalid_request',
    async (name) => {
      const authorization = await agent.begin({ scope: 'account:read', prompt: 'login' })
      authorization.url.searchParams.append(name, authorization.url.searchParams.get(name)!)
      const { location } = await ask(authorization.url)
      const answer = new URL(location!).searchParams
      expect(answer.get('error')).toBe('invalid_request')
      expect(answer.get('state')).toBe(name === 'state' ? null : authorization.state)
    },
  )

  test('of a native client may redirect to any loopback port', async () => {
    const person = await service.givenPerson()
    const authorization = await agent.begin({ redirect_uri: 'http://127.0.0.1:51004/callback' })
    const callback = await consent(service, person, authorization)
    expect(callback.origin).toBe('http://127.0.0.1:51004')
    expect((await agent.exchange(authorization, callback)).token_type).toBe('bearer')
  })

  test('without a resource or a scope defaults to the one resource and the minimal scopes', async () => {
    const person = await service.givenPerson()
    const authorization = await agent.begin({ resource: undefined })
    const tokens = await agent.exchange(
      authorization,
      await consent(service, person, authorization),
    )
    expect(tokens.scope).toBe('account:read workspaces:read')
  })

  test('without a scope defaults to the scopes that the client registered', async () => {
    const scope = 'products:read tags:read'
    const own = await registerAgent(service, { scope })
    const authorization = await own.begin()
    const callback = await consent(service, await service.givenPerson(), authorization)
    expect((await own.exchange(authorization, callback)).scope).toBe(scope)
  })

  test('of a blocked source is refused with 403 and not redirected', async () => {
    const name = unique('blocked')
    const blocked = await registerAgent(service, { client_name: name })
    await service.db
      .updateTable('integration_sources')
      .set({ status: 'BLOCKED' })
      .where('name', '=', name)
      .execute()
    const { status, location, body } = await ask((await blocked.begin()).url)
    expect([status, location, body.error]).toEqual([403, null, 'access_denied'])
  })

  test('accepts only GET', async () => {
    const { status, headers, body } = await request(service.urls.api).post('/oauth/authorize')
    expect([status, headers.allow]).toEqual([405, 'GET'])
    expect(body).toEqual({ error: 'invalid_request', error_description: 'This path takes GET.' })
  })
})

describe('the answer to an authorization request', () => {
  test('carries code, state and issuer, and keeps the registered query', async () => {
    const authorization = await agent.begin()
    const callback = await consent(service, await service.givenPerson(), authorization)
    const start = `${publicUri}&code=`
    expect(callback.href.startsWith(start)).toBe(true)
    const { code, ...rest } = Object.fromEntries(callback.searchParams)
    expect(code).toMatch(/^[\w-]{43}$/)
    expect(rest).toEqual({ tenant: 'a b', state: authorization.state, iss: service.config.baseUrl })
  })

  test('is rejected by a client that expects another issuer', async () => {
    const authorization = await agent.begin()
    const callback = await consent(service, await service.givenPerson(), authorization)
    const other = { ...agent.server, issuer: 'https://other.example' }
    expect(() =>
      oauth.validateAuthResponse(other, agent.client, callback, authorization.state),
    ).toThrow('unexpected "iss"')
  })

  test('gives no code to the sender of a stolen consent link', async () => {
    const [attacker, victim] = [openBrowser(service), openBrowser(service)]
    const authorization = await agent.begin()
    const requestId = await openRequest(attacker, authorization)
    const person = await service.givenPerson()
    const redirectTo = await decide(service, person, requestId)

    // The victim's browser holds the ticket but did not begin the request.
    const ownAuthorization = await agent.begin()
    await openRequest(victim, ownAuthorization)
    for (const browser of [victim, openBrowser(service)]) {
      const { status, location } = await browser.visit(redirectTo)
      expect([status, location]).toEqual([400, ''])
    }
    // The attacker's browser began it but does not hold the ticket.
    const guess = new URL(redirectTo)
    guess.searchParams.set('ticket', 'A'.repeat(43))
    expect((await attacker.visit(guess.href)).status).toBe(400)
    guess.searchParams.delete('ticket')
    expect((await attacker.visit(guess.href)).status).toBe(400)
    const stranger = await service.givenPerson()
    const decision = service.dashboard(stranger).post(`/api/consent/${requestId}`)
    expect((await decision.send({ decision: 'allow' })).status).toBe(404)
    const { body } = await service.dashboard(person).get('/api/connections')
    expect(body).toEqual({ connections: [] })
  })

  test('is refused for a ticket of another account in another browser', async () => {
    const [attacker, victim] = [openBrowser(service), openBrowser(service)]
    const requestId = await openRequest(attacker, await agent.begin())
    const redirectTo = await decide(service, await service.givenPerson(), requestId)
    await openRequest(victim, await agent.begin())
    expect((await victim.visit(redirectTo)).status).toBe(400)
  })

  test('is refused for a ticket of another request in the same browser', async () => {
    const browser = openBrowser(service)
    const person = await service.givenPerson()
    const [first, second] = [
      await openRequest(browser, await agent.begin()),
      await openRequest(browser, await agent.begin()),
    ]
    const redirectTo = new URL(await decide(service, person, first))
    await decide(service, person, second)
    redirectTo.searchParams.set('request', second)
    expect((await browser.visit(redirectTo.href)).status).toBe(400)
  })

  test('is refused while the account is suspended, and the ticket stays usable', async () => {
    const browser = openBrowser(service)
    const person = await service.givenPerson()
    const redirectTo = await decide(
      service,
      person,
      await openRequest(browser, await agent.begin()),
    )
    const setStatus = (status: 'ACTIVE' | 'SUSPENDED') =>
      service.db
        .updateTable('accounts')
        .set({ status })
        .where('id', '=', person.accountId)
        .execute()
    await setStatus('SUSPENDED')
    const refusal = await browser.visit(redirectTo)
    expect([refusal.status, refusal.location]).toEqual([403, ''])
    await setStatus('ACTIVE')
    expect((await browser.visit(redirectTo)).status).toBe(303)
    expect((await browser.visit(redirectTo)).status).toBe(400)
  })
})
