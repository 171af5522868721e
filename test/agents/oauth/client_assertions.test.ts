import { randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authenticateClient } from '../../../src/oauth/client_assertions.ts'
import { findRevokingClient, registerClient } from '../../../src/oauth/clients.ts'
import { type OAuthFixture, refusalOf, startOAuthParts } from './oauth_parts.ts'
import { unique } from '../../kit/service.ts'
import {
  assertionType as type,
  failed,
  openSignedClients,
  redirect_uris,
  type SignedClients,
  tokenEndpoint,
} from './signed_clients.ts'

let oauth: OAuthFixture
let clients: SignedClients
beforeAll(async () => {
  oauth = await startOAuthParts()
  clients = await openSignedClients(oauth)
})
afterAll(() => oauth.close())

const seconds = () => clients.seconds()
const assertion: SignedClients['assertion'] = (changes) => clients.assertion(changes)
const authenticate: SignedClients['authenticate'] = (form) => clients.authenticate(form)
const present: SignedClients['present'] = (text, form) => clients.present(text, form)

describe('an assertion', () => {
  it.each([
    ['for the token endpoint', tokenEndpoint],
    ['for the issuer', 'https://api.example.com'],
    ['with its one audience in a list', [tokenEndpoint]],
  ])('%s authenticates the client', async (_what, aud) => {
    expect((await present(await assertion({ claims: { aud } }))).id).toBe(clients.id)
  })

  it.each(['RS256', 'PS256', 'ES256', 'EdDSA'])('signed with %s is accepted', async (alg) => {
    const pair = await generateKeyPair(alg, { extractable: true })
    const id = await clients.register({ jwks: { keys: [await exportJWK(pair.publicKey)] } })
    const form = { claims: { sub: id }, header: { alg }, key: pair.privateKey }
    expect((await present(await assertion(form), { client_id: id })).id).toBe(id)
  })

  const otherList = [tokenEndpoint, 'https://api.example.com']
  const claim = (name: string) => `the claim ${name} is missing or not as it must be`
  it.each([
    ['without an issuer', () => ({ iss: undefined }), claim('iss')],
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
    ['whose id is not a text', () => ({ jti: 7 }), 'jti is not a string of 1 to 256 characters'],
  ])('%s is refused', async (_what, claims, reason) => {
    expect(await refusalOf(present(await assertion({ claims: claims() })))).toEqual(failed(reason))
  })

  it('within the clock tolerance is accepted', async () => {
    const claims = { iat: seconds() + 29, exp: seconds() + 29 + 300 }
    expect((await present(await assertion({ claims }))).id).toBe(clients.id)
  })

  it('signed with another key, with a secret or not at all is refused', async () => {
    const unsigned = failed('the assertion is not signed by a key of this client')
    const otherKey = await assertion({ key: clients.foreign.privateKey })
    expect(await refusalOf(present(otherKey))).toEqual(unsigned)
    const otherName = await assertion({ header: { kid: 'unknown' } })
    expect(await refusalOf(present(otherName))).toEqual(unsigned)
    const [head, body] = (await assertion()).split('.')
    expect(await refusalOf(present(`${head}.${body}.AAAA`))).toEqual(unsigned)

    const algorithms = failed('the algorithm is none of RS256, PS256, ES256, EdDSA')
    const secret = new TextEncoder().encode(clients.id.padEnd(32, 'x'))
    const symmetric = await assertion({ header: { alg: 'HS256' }, key: secret })
    expect(await refusalOf(present(symmetric))).toEqual(algorithms)
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    expect(await refusalOf(present(`${none}.${body}.`))).toEqual(algorithms)
  })

  it('that is malformed, or from an unknown client, is refused', async () => {
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

  it('can be used once', async () => {
    const text = await assertion()
    await present(text)
    expect(await refusalOf(present(text))).toEqual(failed('the assertion was used before'))
    const claims = { jti: randomUUID() }
    await present(await assertion({ claims }))
    const again = await assertion({ claims })
    expect(await refusalOf(present(again))).toEqual(failed('the assertion was used before'))
  })

  it('id can be used once by each client', async () => {
    const id = await clients.register({ jwks: { keys: [await exportJWK(clients.keys.publicKey)] } })
    const jti = randomUUID()
    await present(await assertion({ claims: { jti } }))
    expect((await present(await assertion({ claims: { jti, sub: id } }))).id).toBe(id)
  })

  it('used twenty times concurrently is accepted exactly once', async () => {
    const text = await assertion()
    const uses = await Promise.all(Array.from({ length: 20 }, () => refusalOf(present(text))))
    const replays = uses.filter((refusal) => refusal !== undefined)
    expect(replays).toEqual(Array(19).fill(failed('the assertion was used before')))
  })

  it('that is refused does not use up its id', async () => {
    const jti = randomUUID()
    const foreignOne = await assertion({ claims: { jti }, key: clients.foreign.privateKey })
    await refusalOf(present(foreignOne))
    expect((await present(await assertion({ claims: { jti } }))).id).toBe(clients.id)
  })
})

describe('a client', () => {
  it('registered without a secret needs only its id, and must not sign', async () => {
    const { client_id } = await registerClient(oauth.parts, { redirect_uris })
    expect((await authenticate({ client_id })).id).toBe(client_id)
    const token = await assertion({ claims: { sub: client_id } })
    const reason = 'this client did not register for private_key_jwt'
    expect(await refusalOf(present(token))).toEqual(failed(reason))
  })

  it('registered for signatures must sign', async () => {
    const reason = 'this client authenticates with private_key_jwt; client_assertion is missing'
    expect(await refusalOf(authenticate({ client_id: clients.id }))).toEqual(failed(reason))
  })

  it('must identify itself', async () => {
    const description = 'client_id is missing.'
    const missing = { code: 'invalid_request', status: 400, description }
    expect(await refusalOf(authenticate({}))).toEqual(missing)
  })

  it('of a blocked source is refused as such, and its assertion stays unused', async () => {
    const software_id = unique('blocked')
    const jwks = { keys: [await exportJWK(clients.keys.publicKey)] }
    const id = await clients.register({ jwks, software_id })
    const text = await assertion({ claims: { sub: id } })
    await oauth.setSourceStatus(`software:${software_id}`, 'BLOCKED')
    expect(await refusalOf(present(text))).toMatchObject({ code: 'access_denied', status: 403 })
    await oauth.setSourceStatus(`software:${software_id}`, 'APPROVED')
    expect((await present(text)).id).toBe(id)
  })

  it('of a blocked source must sign to revoke its connection', async () => {
    const software_id = unique('blocked')
    const jwks = { keys: [await exportJWK(clients.keys.publicKey)] }
    const id = await clients.register({ jwks, software_id })
    await oauth.setSourceStatus(`software:${software_id}`, 'BLOCKED')
    const revoking = (form: Record<string, string>) =>
      authenticateClient(oauth.parts, form, findRevokingClient)
    const unsigned = 'this client authenticates with private_key_jwt; client_assertion is missing'
    expect(await refusalOf(revoking({ client_id: id }))).toEqual(failed(unsigned))
    const client_assertion = await assertion({ claims: { sub: id } })
    expect((await revoking({ client_assertion, client_assertion_type: type })).id).toBe(id)
  })
})
