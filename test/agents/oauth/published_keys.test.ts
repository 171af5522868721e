import { exportJWK } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authenticateClient } from '../../../src/oauth/client_assertions.ts'
import { findClient, findRevokingClient } from '../../../src/oauth/clients.ts'
import { type OAuthFixture, refusalOf, startOAuthParts } from './oauth_parts.ts'
import { unique } from '../../kit/service.ts'
import {
  assertionType as client_assertion_type,
  failed,
  openSignedClients,
  redirect_uris,
  type SignedClients,
  token_endpoint_auth_method,
} from './signed_clients.ts'

let oauth: OAuthFixture
let clients: SignedClients
beforeAll(async () => {
  oauth = await startOAuthParts()
  clients = await openSignedClients(oauth)
})
afterAll(() => oauth.close())

const present: SignedClients['present'] = (text) => clients.present(text)

describe('a key set that a client publishes', () => {
  const jwkOf = async (kid: string, { publicKey } = clients.keys) => ({
    ...(await exportJWK(publicKey)),
    kid,
    use: 'sig',
    alg: 'ES256',
  })
  const signedBy = (kid: string, sub: string, { privateKey } = clients.keys) =>
    clients.assertion({ claims: { sub }, header: { kid }, key: privateKey })
  const givenClient = async (answer: object) => {
    const path = `/${unique('keys')}`
    oauth.host.serve(path, answer)
    const jwks_uri = oauth.host.url(path, 'keys.example.com')
    return { path, id: await clients.register({ jwks_uri }) }
  }

  it('is fetched once and cached, for documents and registered clients alike', async () => {
    const { path, id } = await givenClient({ body: { keys: [await jwkOf('one')] } })
    for (let use = 0; use < 3; use++) expect((await present(await signedBy('one', id))).id).toBe(id)
    expect(oauth.host.requests(path)).toBe(1)
    const jwks_uri = oauth.host.url(path, 'keys.example.com')
    const metadata = { redirect_uris, token_endpoint_auth_method, jwks_uri }
    const document = oauth.host.publish('/signed', metadata)
    await findClient(oauth.parts, document)
    expect((await present(await signedBy('one', document))).id).toBe(document)
  })

  it('is not fetched for a document that was never used to authorize', async () => {
    const metadata = { redirect_uris, token_endpoint_auth_method: 'none' }
    const document = oauth.host.publish('/stranger', metadata)
    const refusal = await refusalOf(clients.authenticate({ client_id: document }))
    const description = 'There is no such client. Authorize first.'
    expect(refusal).toEqual({ code: 'invalid_client', status: 401, description })
    expect(oauth.host.requests('/stranger')).toBe(0)
  })

  it('is fetched again for an unknown key, but at most once a minute', async () => {
    const { path, id } = await givenClient({ body: { keys: [await jwkOf('one')] } })
    await present(await signedBy('one', id))
    oauth.host.serve(path, { body: { keys: [await jwkOf('two', clients.foreign)] } })
    const unknown = failed('the assertion is not signed by a key of this client')
    expect(await refusalOf(present(await signedBy('two', id, clients.foreign)))).toEqual(unknown)
    expect(oauth.host.requests(path)).toBe(1)
    oauth.advance(60)
    expect((await present(await signedBy('two', id, clients.foreign))).id).toBe(id)
    expect(oauth.host.requests(path)).toBe(2)
    for (let use = 0; use < 3; use++)
      expect(await refusalOf(present(await signedBy('three', id)))).toEqual(unknown)
    expect(oauth.host.requests(path)).toBe(2)
  })

  it('is tried key by key if the assertion names none', async () => {
    const both = [await jwkOf('one', clients.foreign), await jwkOf('two')]
    const { id } = await givenClient({ body: { keys: both } })
    expect((await present(await clients.assertion({ claims: { sub: id } }))).id).toBe(id)
  })

  it('is served from the cache while its host is down, then loses removed keys', async () => {
    const { path, id } = await givenClient({ body: { keys: [await jwkOf('one')] } })
    await present(await signedBy('one', id))
    oauth.advance(300)
    oauth.host.goDown(true)
    expect((await present(await signedBy('one', id))).id).toBe(id)
    oauth.host.goDown(false)
    oauth.host.serve(path, { body: { keys: [await jwkOf('two', clients.foreign)] } })
    oauth.advance(60)
    const unknown = failed('the assertion is not signed by a key of this client')
    expect(await refusalOf(present(await signedBy('one', id)))).toEqual(unknown)
  })

  it.each([
    ['is not there', { status: 404 }],
    ['holds no keys', { body: { keys: [] } }],
    ['holds a private key', { body: { keys: [{ kty: 'EC', d: 'secret' }] } }],
  ])('that %s makes the client retry later', async (_what, answer) => {
    const { path, id } = await givenClient(answer)
    const later = {
      code: 'temporarily_unavailable',
      status: 503,
      description: 'jwks_uri answers no public keys. Try again.',
    }
    expect(await refusalOf(present(await signedBy('one', id)))).toEqual(later)
    oauth.host.serve(path, { body: { keys: [await jwkOf('one')] } })
    expect(await refusalOf(present(await signedBy('one', id)))).toEqual(later)
    expect(oauth.host.requests(path)).toBe(1)
    oauth.advance(60)
    expect((await present(await signedBy('one', id))).id).toBe(id)
  })

  it.each([
    ['holds no keys', { body: { keys: [] } }],
    ['holds none that can be used', { body: { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] } }],
    ['is not there', { status: 404 }],
    ['is gone', { status: 410 }],
    ['is not shown', { status: 403 }],
  ])('that %s any more invalidates the cached keys', async (_what, answer) => {
    const { path, id } = await givenClient({ body: { keys: [await jwkOf('one')] } })
    expect((await present(await signedBy('one', id))).id).toBe(id)
    oauth.host.serve(path, answer)
    oauth.advance(300)
    const withdrawn = { code: 'temporarily_unavailable', status: 503 }
    expect(await refusalOf(present(await signedBy('one', id)))).toMatchObject(withdrawn)
    expect(await refusalOf(present(await signedBy('one', id)))).toMatchObject(withdrawn)
    oauth.host.goDown(true)
    oauth.advance(60)
    expect(await refusalOf(present(await signedBy('one', id)))).toMatchObject(withdrawn)
    oauth.host.goDown(false)
  })

  it.each([
    ['does not answer with it', { status: 500 }],
    ['has enough of questions', { status: 429 }],
    ['sends it elsewhere', { status: 302, headers: { Location: '/elsewhere' } }],
    ['answers no JSON', { body: '{"keys":' }],
    ['answers another document', { body: { error: 'try again' } }],
  ])('is served from the cache while its host %s', async (_what, answer) => {
    const { path, id } = await givenClient({ body: { keys: [await jwkOf('one')] } })
    await present(await signedBy('one', id))
    oauth.host.serve(path, answer)
    oauth.advance(300)
    expect((await present(await signedBy('one', id))).id).toBe(id)
    expect(oauth.host.requests(path)).toBe(2)
  })

  it('is not fetched again for a blocked client, which can revoke with its stored keys', async () => {
    const software_id = unique('blocked')
    const path = `/${unique('keys')}`
    oauth.host.serve(path, { body: { keys: [await jwkOf('one')] } })
    const jwks_uri = oauth.host.url(path, 'keys.example.com')
    const id = await clients.register({ jwks_uri, software_id })
    await present(await signedBy('one', id))
    await oauth.setSourceStatus(`software:${software_id}`, 'BLOCKED')
    oauth.advance(300)
    const form = { client_assertion: await signedBy('one', id), client_assertion_type }
    expect((await authenticateClient(oauth.parts, form, findRevokingClient)).id).toBe(id)
    expect(oauth.host.requests(path)).toBe(1)
  })

  it('is fetched again if the client moves it', async () => {
    const [one, two] = [`/${unique('keys')}`, `/${unique('keys')}`]
    oauth.host.serve(one, { body: { keys: [await jwkOf('one')] } })
    oauth.host.serve(two, { body: { keys: [await jwkOf('one', clients.foreign)] } })
    const metadata = (path: string) => ({
      redirect_uris,
      token_endpoint_auth_method,
      jwks_uri: oauth.host.url(path, 'keys.example.com'),
    })
    const id = oauth.host.publish('/moving', metadata(one), { 'Cache-Control': 'max-age=60' })
    await findClient(oauth.parts, id)
    await present(await signedBy('one', id))
    oauth.host.publish('/moving', metadata(two))
    oauth.advance(60)
    expect((await present(await signedBy('one', id, clients.foreign))).id).toBe(id)
  })
})
