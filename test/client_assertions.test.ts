import { randomUUID } from 'node:crypto'
import { exportJWK, type GenerateKeyPairResult, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authenticateClient } from '../src/oauth/client_assertions.ts'
import { findClient, registerClient } from '../src/oauth/clients.ts'
import { type OAuthFixture, refusalOf, startOAuthParts } from './oauth_parts.ts'
import { unique } from './service.ts'

let oauth: OAuthFixture
let keys: GenerateKeyPairResult
let foreign: GenerateKeyPairResult
let clientId: string

const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const redirect_uris = ['http://localhost/callback']
const token_endpoint_auth_method = 'private_key_jwt'
const tokenEndpoint = 'https://api.example.com/oauth/token'

beforeAll(async () => {
  oauth = await startOAuthParts()
  keys = await generateKeyPair('ES256')
  foreign = await generateKeyPair('ES256')
  clientId = await registerSigned({ jwks: { keys: [await exportJWK(keys.publicKey)] } })
})

afterAll(() => oauth.close())

async function registerSigned(metadata: object): Promise<string> {
  const client = { redirect_uris, token_endpoint_auth_method, ...metadata }
  return (await registerClient(oauth.parts, client)).client_id
}

const seconds = () => Math.floor(oauth.parts.clock().getTime() / 1000)

interface Assertion {
  claims?: Record<string, unknown>
  header?: { alg?: string; kid?: string }
  key?: Parameters<SignJWT['sign']>[0]
}

/** An assertion as it must be, but for what a test changes; an undefined claim is left out. */
function assertion({ claims, header, key = keys.privateKey }: Assertion = {}): Promise<string> {
  const id = typeof claims?.sub === 'string' ? claims.sub : clientId
  const [iat, exp] = [seconds(), seconds() + 300]
  const usual = { iss: id, sub: id, aud: tokenEndpoint, jti: randomUUID(), iat, exp }
  return new SignJWT({ ...usual, ...claims })
    .setProtectedHeader({ alg: 'ES256', ...header })
    .sign(key)
}

const authenticate = (form: Record<string, string>) => authenticateClient(oauth.parts, form)
const present = (client_assertion: string, form: Record<string, string> = {}) =>
  authenticate({ client_assertion, client_assertion_type: type, ...form })
const failed = (reason: string) => ({
  ...{ code: 'invalid_client', status: 401 },
  description: `Client authentication failed: ${reason}.`,
})

describe('an assertion', () => {
  it.each([
    ['for the token endpoint', tokenEndpoint],
    ['for the issuer', 'https://api.example.com'],
    ['with its one audience in a list', [tokenEndpoint]],
  ])('%s proves the client', async (_what, aud) => {
    expect((await present(await assertion({ claims: { aud } }))).id).toBe(clientId)
  })

  it.each(['RS256', 'PS256', 'ES256', 'EdDSA'])('of the algorithm %s is taken', async (alg) => {
    const pair = await generateKeyPair(alg, { extractable: true })
    const id = await registerSigned({ jwks: { keys: [await exportJWK(pair.publicKey)] } })
    const form = { claims: { sub: id }, header: { alg }, key: pair.privateKey }
    expect((await present(await assertion(form), { client_id: id })).id).toBe(id)
  })

  const otherList = [tokenEndpoint, 'https://api.example.com']
  const claim = (name: string) => `the claim ${name} is missing or not as it must be`
  it.each([
    ['of no issuer', () => ({ iss: undefined }), claim('iss')],
    ['of another issuer', () => ({ iss: 'https://api.example.com' }), claim('iss')],
    ['for no audience', () => ({ aud: undefined }), claim('aud')],
    ['for another audience', () => ({ aud: 'https://evil.example.com/token' }), claim('aud')],
    ['for the MCP endpoint', () => ({ aud: 'https://api.example.com/mcp' }), claim('aud')],
    ['for the issuer with a slash', () => ({ aud: 'https://api.example.com/' }), claim('aud')],
    ['for two audiences', () => ({ aud: otherList }), 'aud has not exactly one value'],
    ['without an end', () => ({ exp: undefined }), claim('exp')],
    ['whose end is text', () => ({ exp: `${seconds() + 60}` }), claim('exp')],
    ['that has ended', () => ({ exp: seconds() - 30 }), 'the assertion has expired'],
    ['without a beginning', () => ({ iat: undefined }), claim('iat')],
    ['begun in the future', () => ({ iat: seconds() + 60, exp: seconds() + 90 }), claim('iat')],
    ['begun too long ago', () => ({ iat: seconds() - 400 }), 'the assertion has expired'],
    ['not yet valid', () => ({ nbf: seconds() + 60 }), claim('nbf')],
    [
      'that lives too long',
      () => ({ exp: seconds() + 301 }),
      'the assertion is valid for more than 300 seconds',
    ],
    ['without an id', () => ({ jti: undefined }), claim('jti')],
    ['of an empty id', () => ({ jti: '' }), 'jti is not a string of 1 to 256 characters'],
    [
      'of a long id',
      () => ({ jti: 'a'.repeat(257) }),
      'jti is not a string of 1 to 256 characters',
    ],
    ['whose id is no text', () => ({ jti: 7 }), 'jti is not a string of 1 to 256 characters'],
  ])('%s is refused', async (_what, claims, reason) => {
    expect(await refusalOf(present(await assertion({ claims: claims() })))).toEqual(failed(reason))
  })

  it('within the tolerance of clocks is taken', async () => {
    const claims = { iat: seconds() + 29, exp: seconds() + 29 + 300 }
    expect((await present(await assertion({ claims }))).id).toBe(clientId)
  })

  it('signed by another key, by a secret or not at all is refused', async () => {
    const unsigned = failed('the assertion is not signed by a key of this client')
    const otherKey = await assertion({ key: foreign.privateKey })
    expect(await refusalOf(present(otherKey))).toEqual(unsigned)
    const otherName = await assertion({ header: { kid: 'unknown' } })
    expect(await refusalOf(present(otherName))).toEqual(unsigned)
    const [head, body] = (await assertion()).split('.')
    expect(await refusalOf(present(`${head}.${body}.AAAA`))).toEqual(unsigned)

    const algorithms = failed('the algorithm is none of RS256, PS256, ES256, EdDSA')
    const secret = new TextEncoder().encode(clientId.padEnd(32, 'x'))
    const symmetric = await assertion({ header: { alg: 'HS256' }, key: secret })
    expect(await refusalOf(present(symmetric))).toEqual(algorithms)
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    expect(await refusalOf(present(`${none}.${body}.`))).toEqual(algorithms)
  })

  it('that is no assertion, or of no known client, is refused', async () => {
    const noJwt = failed('client_assertion is not a JWT with a subject')
    for (const text of ['', 'nonsense', 'a.b.c', await assertion({ claims: { sub: 7 } })])
      expect(await refusalOf(present(text))).toEqual(noJwt)
    const stranger = await assertion({ claims: { sub: 'client_of_nobody' } })
    expect(await refusalOf(present(stranger))).toMatchObject({ code: 'invalid_client' })
  })

  it('is refused with the id of another client, or without its type', async () => {
    const other = failed('client_id is not the subject of the assertion')
    expect(await refusalOf(present(await assertion(), { client_id: 'another' }))).toEqual(other)
    const wrong = failed(`client_assertion goes with the client_assertion_type ${type}`)
    const client_assertion = await assertion()
    expect(await refusalOf(authenticate({ client_assertion }))).toEqual(wrong)
    expect(await refusalOf(authenticate({ client_assertion_type: type }))).toEqual(wrong)
    const saml = 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer'
    const form = { client_assertion, client_assertion_type: saml }
    expect(await refusalOf(authenticate(form))).toEqual(wrong)
  })

  it('is used once', async () => {
    const text = await assertion()
    await present(text)
    expect(await refusalOf(present(text))).toEqual(failed('the assertion was used before'))
    const claims = { jti: randomUUID() }
    await present(await assertion({ claims }))
    const again = await assertion({ claims })
    expect(await refusalOf(present(again))).toEqual(failed('the assertion was used before'))
  })

  it('of one id is used once by each client', async () => {
    const id = await registerSigned({ jwks: { keys: [await exportJWK(keys.publicKey)] } })
    const jti = randomUUID()
    await present(await assertion({ claims: { jti } }))
    expect((await present(await assertion({ claims: { jti, sub: id } }))).id).toBe(id)
  })

  it('used twenty times at once lets exactly one in', async () => {
    const text = await assertion()
    const uses = await Promise.all(Array.from({ length: 20 }, () => refusalOf(present(text))))
    const replays = uses.filter((refusal) => refusal !== undefined)
    expect(replays).toEqual(Array(19).fill(failed('the assertion was used before')))
  })

  it('that is refused does not use up its id', async () => {
    const jti = randomUUID()
    const foreignOne = await assertion({ claims: { jti }, key: foreign.privateKey })
    await refusalOf(present(foreignOne))
    expect((await present(await assertion({ claims: { jti } }))).id).toBe(clientId)
  })
})

describe('a client', () => {
  it('that registered without a secret needs its id alone, and may not sign', async () => {
    const { client_id } = await registerClient(oauth.parts, { redirect_uris })
    expect((await authenticate({ client_id })).id).toBe(client_id)
    const signed = await assertion({ claims: { sub: client_id } })
    const reason = 'this client did not register for private_key_jwt'
    expect(await refusalOf(present(signed))).toEqual(failed(reason))
  })

  it('that registered for signatures has to sign', async () => {
    const reason = 'this client authenticates with private_key_jwt; client_assertion is missing'
    expect(await refusalOf(authenticate({ client_id: clientId }))).toEqual(failed(reason))
  })

  it('has to say who it is', async () => {
    const description = 'client_id is missing.'
    const missing = { code: 'invalid_request', status: 400, description }
    expect(await refusalOf(authenticate({}))).toEqual(missing)
  })

  it('of a blocked source is refused as such and its assertion stays unused', async () => {
    const software_id = unique('blocked')
    const jwks = { keys: [await exportJWK(keys.publicKey)] }
    const id = await registerSigned({ jwks, software_id })
    const text = await assertion({ claims: { sub: id } })
    await oauth.setSourceStatus(`software:${software_id}`, 'BLOCKED')
    expect(await refusalOf(present(text))).toMatchObject({ code: 'access_denied', status: 403 })
    await oauth.setSourceStatus(`software:${software_id}`, 'APPROVED')
    expect((await present(text)).id).toBe(id)
  })
})

describe('a key set that a client publishes', () => {
  const published = async (kid: string, { publicKey } = keys) => ({
    ...(await exportJWK(publicKey)),
    ...{ kid, use: 'sig', alg: 'ES256' },
  })
  const signedBy = (kid: string, sub: string, { privateKey } = keys) =>
    assertion({ claims: { sub }, header: { kid }, key: privateKey })
  const given = async (answer: object) => {
    const path = `/${unique('keys')}`
    oauth.host.serve(path, answer)
    const jwks_uri = oauth.host.url(path, 'keys.example.com')
    return { path, id: await registerSigned({ jwks_uri }) }
  }

  it('is fetched once and kept, for a document as for a registered client', async () => {
    const { path, id } = await given({ body: { keys: [await published('one')] } })
    for (let use = 0; use < 3; use++) expect((await present(await signedBy('one', id))).id).toBe(id)
    expect(oauth.host.requests(path)).toBe(1)
    const jwks_uri = oauth.host.url(path, 'keys.example.com')
    const metadata = { redirect_uris, token_endpoint_auth_method, jwks_uri }
    const document = oauth.host.publish('/signed', metadata)
    await findClient(oauth.parts, document)
    expect((await present(await signedBy('one', document))).id).toBe(document)
  })

  it('is not asked for by a document that has never been used to authorize', async () => {
    const metadata = { redirect_uris, token_endpoint_auth_method: 'none' }
    const document = oauth.host.publish('/stranger', metadata)
    const refusal = await refusalOf(authenticate({ client_id: document }))
    const description = 'There is no such client. Authorize first.'
    expect(refusal).toEqual({ code: 'invalid_client', status: 401, description })
    expect(oauth.host.requests('/stranger')).toBe(0)
  })

  it('is asked for a new key at once, but no more than once a minute', async () => {
    const { path, id } = await given({ body: { keys: [await published('one')] } })
    await present(await signedBy('one', id))
    oauth.host.serve(path, { body: { keys: [await published('two', foreign)] } })
    const unknown = failed('the assertion is not signed by a key of this client')
    expect(await refusalOf(present(await signedBy('two', id, foreign)))).toEqual(unknown)
    expect(oauth.host.requests(path)).toBe(1)
    oauth.advance(60)
    expect((await present(await signedBy('two', id, foreign))).id).toBe(id)
    expect(oauth.host.requests(path)).toBe(2)
    for (let use = 0; use < 3; use++)
      expect(await refusalOf(present(await signedBy('three', id)))).toEqual(unknown)
    expect(oauth.host.requests(path)).toBe(2)
  })

  it('of several keys is tried through where the assertion names none', async () => {
    const both = [await published('one', foreign), await published('two')]
    const { id } = await given({ body: { keys: both } })
    expect((await present(await assertion({ claims: { sub: id } }))).id).toBe(id)
  })

  it('serves from its copy while its host is down, and a lost key is lost with the next', async () => {
    const { path, id } = await given({ body: { keys: [await published('one')] } })
    await present(await signedBy('one', id))
    oauth.advance(300)
    oauth.host.goDown(true)
    expect((await present(await signedBy('one', id))).id).toBe(id)
    oauth.host.goDown(false)
    oauth.host.serve(path, { body: { keys: [await published('two', foreign)] } })
    oauth.advance(60)
    const unknown = failed('the assertion is not signed by a key of this client')
    expect(await refusalOf(present(await signedBy('one', id)))).toEqual(unknown)
  })

  it.each([
    ['is not there', { status: 404 }],
    ['holds no keys', { body: { keys: [] } }],
    ['holds a private key', { body: { keys: [{ kty: 'EC', d: 'secret' }] } }],
  ])('that %s makes the client try again later', async (_what, answer) => {
    const { path, id } = await given(answer)
    const later = {
      ...{ code: 'temporarily_unavailable', status: 503 },
      description: 'jwks_uri answers no public keys. Try again.',
    }
    expect(await refusalOf(present(await signedBy('one', id)))).toEqual(later)
    oauth.host.serve(path, { body: { keys: [await published('one')] } })
    expect(await refusalOf(present(await signedBy('one', id)))).toEqual(later)
    expect(oauth.host.requests(path)).toBe(1)
    oauth.advance(60)
    expect((await present(await signedBy('one', id))).id).toBe(id)
  })

  it('is fetched anew where the client moves it', async () => {
    const [one, two] = [`/${unique('keys')}`, `/${unique('keys')}`]
    oauth.host.serve(one, { body: { keys: [await published('one')] } })
    oauth.host.serve(two, { body: { keys: [await published('one', foreign)] } })
    const metadata = (path: string) => ({
      ...{ redirect_uris, token_endpoint_auth_method },
      jwks_uri: oauth.host.url(path, 'keys.example.com'),
    })
    const id = oauth.host.publish('/moving', metadata(one), { 'Cache-Control': 'max-age=60' })
    await findClient(oauth.parts, id)
    await present(await signedBy('one', id))
    oauth.host.publish('/moving', metadata(two))
    oauth.advance(60)
    expect((await present(await signedBy('one', id, foreign))).id).toBe(id)
  })
})
