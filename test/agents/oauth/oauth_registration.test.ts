import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registeredScopes } from '../../../src/oauth/client_metadata.ts'
import { findClient, registerClient } from '../../../src/oauth/clients.ts'
import { redirectUriMatches } from '../../../src/oauth/redirect_uris.ts'
import { type OAuthFixture, refusalOf, startOAuthParts } from './oauth_parts.ts'

let oauth: OAuthFixture

beforeAll(async () => {
  oauth = await startOAuthParts()
})

afterAll(() => oauth.close())

const callback = 'https://agent.example.com/callback'
const register = (body: unknown) => registerClient(oauth.parts, body)
const refusal = (body: unknown) => refusalOf(register(body))
const jwk = (type: 'ec' | 'rsa', secret = false, options: object = {}) => {
  const size = { modulusLength: 2048, namedCurve: 'P-256', ...options }
  // The overloads are per key type, each with its own option.
  const pair = type === 'ec' ? generateKeyPairSync('ec', size) : generateKeyPairSync('rsa', size)
  return pair[secret ? 'privateKey' : 'publicKey'].export({ format: 'jwk' })
}

describe('a registration', () => {
  it('returns what was registered and can be found again', async () => {
    const keys = [{ ...jwk('ec'), kid: 'one', alg: 'ES256', use: 'sig' }]
    const answer = await register({
      client_name: '  Agent  ',
      redirect_uris: [callback, 'http://127.0.0.1:8080/callback', callback],
      token_endpoint_auth_method: 'private_key_jwt',
      grant_types: ['authorization_code'],
      response_types: ['code', 'token'],
      scope: 'products:write offline_access products:read',
      jwks: { keys: [{ ...keys[0], x5c: ['ignored'] }, jwk('ec', false, { namedCurve: 'P-384' })] },
      software_id: 'agent',
      software_version: '1.2',
      client_uri: 'https://agent.example.com',
      logo_uri: '',
      contacts: ['someone@example.com'],
      client_secret: 'ignored',
    })
    const metadata = {
      client_name: 'Agent',
      redirect_uris: [callback, 'http://127.0.0.1:8080/callback'],
      token_endpoint_auth_method: 'private_key_jwt',
      grant_types: ['authorization_code'],
      response_types: ['code'],
      scope: 'products:read products:write',
      jwks: { keys },
      software_id: 'agent',
      software_version: '1.2',
      client_uri: 'https://agent.example.com',
    }
    const issuedAt = Math.floor(oauth.parts.clock().getTime() / 1000)
    expect(answer).toEqual({
      client_id: expect.stringMatching(/^client_/),
      client_id_issued_at: issuedAt,
      ...metadata,
    })
    const client = await findClient(oauth.parts, answer.client_id)
    expect(client).toEqual({ id: answer.client_id, sourceId: expect.any(String), metadata })
    expect(registeredScopes(client.metadata)).toEqual(['products:read', 'products:write'])
  })

  it('needs only a redirect URI, and then gives a client without a secret', async () => {
    const { client_id, client_id_issued_at, ...metadata } = await register({
      redirect_uris: ['http://localhost:1234'],
      client_name: null,
      scope: 'openid',
    })
    expect([client_id.slice(0, 7), typeof client_id_issued_at]).toEqual(['client_', 'number'])
    expect(metadata).toEqual({
      redirect_uris: ['http://localhost:1234'],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    })
    const client = await findClient(oauth.parts, client_id)
    expect(registeredScopes(client.metadata)).toBeUndefined()
  })
})

const notCallable = 'is neither a public https URL nor an http URL of 127.0.0.1, [::1] or localhost'

describe('redirect URIs', () => {
  it.each([
    'https://agent.example.com/callback',
    'https://agent.example.com:8443/cb?tenant=1',
    'https://93.184.215.14/cb',
    'http://127.0.0.1/cb',
    'http://127.0.0.1:65535/cb?a=b',
    'http://[::1]:8080/cb',
    'http://localhost/',
    'http://localhost:3000',
  ])('%s can be registered', async (uri) => {
    expect((await register({ redirect_uris: [uri] })).redirect_uris).toEqual([uri])
  })

  it.each([
    ['http://agent.example.com/cb', notCallable],
    ['http://localhost.example.com/cb', notCallable],
    ['http://127.0.0.2/cb', notCallable],
    ['cursor://agent/callback', notCallable],
    ['com.example.app://callback', notCallable],
    ['com.example.app:/callback', 'is not a URL'],
    ['javascript:alert(1)', 'is not a URL'],
    ['urn:ietf:wg:oauth:2.0:oob', 'is not a URL'],
    ['/callback', 'is not a URL'],
    ['https://localhost/cb', 'has no public host name'],
    ['https://intranet/cb', 'has no public host name'],
    ['https://agent.example.com./cb', 'has no public host name'],
    ['https://printer.local/cb', 'has no public host name'],
    ['https://*.example.com/cb', 'has no public host name'],
    ['https://%2a.example.com/cb', 'has no public host name'],
    ['https://agent.*/cb', 'has no public host name'],
    ['https://10.0.0.1/cb', 'has no public address'],
    ['https://192.168.0.1/cb', 'has no public address'],
    ['https://[fd00::1]/cb', 'has no public address'],
    ['https://agent.example.com/cb#', 'has a fragment'],
    ['http://localhost/cb#part', 'has a fragment'],
    ['https://user@agent.example.com/cb', 'has a user name'],
    ['http://localhost:80@evil.example.com/cb', 'has a user name'],
    ['https://agent.example.com\\@evil.example.com', 'has characters that a URL cannot hold'],
    ['https://agent.example.com/c b', 'has characters that a URL cannot hold'],
    ['https://ägent.example.com/cb', 'has characters that a URL cannot hold'],
    ['', 'has characters that a URL cannot hold'],
    [7, 'is not a string'],
  ])('%j cannot be registered', async (uri, reason) => {
    expect(await refusal({ redirect_uris: [uri] })).toEqual({
      code: 'invalid_redirect_uri',
      status: 400,
      description: `redirect_uris[0] ${reason}.`,
    })
    const redirect_uris = [uri, 'http://localhost/cb']
    expect((await register({ redirect_uris })).redirect_uris).toEqual(['http://localhost/cb'])
  })

  it.each([
    [undefined],
    [null],
    [[]],
    ['https://agent.example.com/cb'],
    [Array(11).fill(callback)],
  ])('%j is not a list of them', async (redirect_uris) => {
    expect(await refusal({ redirect_uris })).toEqual({
      code: 'invalid_redirect_uri',
      status: 400,
      description: 'redirect_uris is not a list of 1 to 10 URIs.',
    })
  })

  it.each([
    ['https://agent.example.com/cb', 'https://agent.example.com/cb', true],
    ['https://agent.example.com/cb', 'https://agent.example.com/cb/', false],
    ['https://agent.example.com/cb', 'https://agent.example.com:8443/cb', false],
    ['https://agent.example.com/cb', 'https://agent.example.com:443/cb', false],
    ['https://agent.example.com/cb', 'https://AGENT.example.com/cb', false],
    ['https://agent.example.com/cb', 'https://agent.example.com/cb?x=1', false],
    ['http://localhost/cb', 'http://localhost:49152/cb', true],
    ['http://localhost:1/cb?x=1', 'http://localhost:2/cb?x=1', true],
    ['http://localhost:3000', 'http://localhost:4000', true],
    ['http://127.0.0.1:1/cb', 'http://127.0.0.1/cb', true],
    ['http://[::1]:1/cb', 'http://[::1]:2/cb', true],
    ['http://localhost/cb', 'http://127.0.0.1/cb', false],
    ['http://localhost/cb', 'http://localhost:49152/other', false],
    ['http://localhost/cb', 'http://localhost:49152/cb?x=1', false],
    ['http://localhost/cb', 'http://localhost:49152/a/../cb', false],
    ['http://localhost/cb', 'https://localhost:49152/cb', false],
    ['http://localhost/cb', 'http://localhost:49152/cb#part', false],
    ['http://localhost/cb', 'http://localhost:80@evil.example.com/cb', false],
    ['http://localhost/cb', 'http://localhost:99999/cb', false],
  ])('of a client with %s, a request for %s is valid: %s', (registered, requested, right) => {
    expect(redirectUriMatches(requested, registered)).toBe(right)
  })
})

describe('other metadata', () => {
  const jwtAuth = { token_endpoint_auth_method: 'private_key_jwt' }
  const oct = { kty: 'oct', k: 'c2VjcmV0' }
  it.each([
    [{ token_endpoint_auth_method: 'client_secret_jwt' }, /this server shares no secrets\.$/],
    [{ token_endpoint_auth_method: 'tls_client_auth' }, /^token_endpoint_auth_method is neither/],
    [{ grant_types: ['client_credentials'] }, /^grant_types does not have authorization_code\.$/],
    [{ grant_types: 'authorization_code' }, /^grant_types is not a list of at most 20 strings\.$/],
    [{ grant_types: [1] }, /^grant_types is not a list/],
    [{ response_types: ['token'] }, /^response_types does not have code\.$/],
    [{ response_types: Array(21).fill('code') }, /^response_types is not a list/],
    [{ scope: ['products:read'] }, /^scope is not a string of at most 2000 characters\.$/],
    [{ scope: 'a'.repeat(2001) }, /^scope is not a string/],
    [{ client_name: 'a'.repeat(201) }, /^client_name is not a string of at most 200 characters\.$/],
    [{ client_name: 'a\u0000b' }, /^client_name has control characters\.$/],
    [{ client_name: 'a\u202eb' }, /^client_name has control characters\.$/],
    [{ client_name: 'a\ud800' }, /^client_name has control characters\.$/],
    [{ software_id: {} }, /^software_id is not a string/],
    [{ client_uri: 'http://agent.example.com' }, /^client_uri is not an https URL\.$/],
    [{ logo_uri: 'https://10.0.0.1/logo' }, /^logo_uri has no public address\.$/],
    [{ tos_uri: 'javascript:alert(1)' }, /^tos_uri is not a URL\.$/],
    [{ policy_uri: 5 }, /^policy_uri is not a string\.$/],
    [jwtAuth, /^jwks or jwks_uri is needed for private_key_jwt\.$/],
    [{ ...jwtAuth, jwks: { keys: [jwk('ec')] }, jwks_uri: callback }, /^jwks and jwks_uri exclude/],
    [{ jwks: { keys: [] }, jwks_uri: callback }, /^jwks and jwks_uri exclude/],
    [{ ...jwtAuth, jwks_uri: 'http://keys.example.com/' }, /^jwks_uri is not an https URL\.$/],
    [{ ...jwtAuth, jwks_uri: 'https://127.0.0.1/' }, /^jwks_uri has no public address\.$/],
    [{ ...jwtAuth, jwks_uri: 'https://keys.example.com:8443/' }, /^jwks_uri has a port\.$/],
    [{ ...jwtAuth, jwks: [] }, /^jwks is not an object with a list of keys\.$/],
    [{ ...jwtAuth, jwks: { keys: Array(21).fill({}) } }, /^jwks has more than 20 keys\.$/],
    [{ ...jwtAuth, jwks: { keys: [] } }, /^jwks has no RSA, P-256 or Ed25519 signature key\.$/],
    [{ ...jwtAuth, jwks: { keys: [{ ...jwk('ec'), use: 'enc' }] } }, /^jwks has no RSA/],
    [{ ...jwtAuth, jwks: { keys: [{ ...jwk('ec'), x: 'AAAA' }] } }, /^jwks has no RSA/],
    [
      { ...jwtAuth, jwks: { keys: [jwk('rsa', false, { modulusLength: 1024 })] } },
      /^jwks has no R/,
    ],
    [
      { ...jwtAuth, jwks: { keys: [jwk('ec'), jwk('ec', true)] } },
      /^jwks holds a private or shared/,
    ],
    [{ ...jwtAuth, jwks: { keys: [jwk('ec'), oct] } }, /^jwks holds a private or shared key/],
  ])('%j is refused', async (metadata, description) => {
    expect(await refusal({ redirect_uris: [callback], ...metadata })).toEqual({
      code: 'invalid_client_metadata',
      status: 400,
      description: expect.stringMatching(description),
    })
  })

  it.each([[null], [[]], ['text'], [7], [undefined]])('%j is not metadata', async (body) => {
    expect(await refusal(body)).toEqual({
      code: 'invalid_client_metadata',
      status: 400,
      description: 'Client metadata is a JSON object.',
    })
  })
})
