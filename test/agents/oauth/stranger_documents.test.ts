import request from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPublicFetch } from '../../../src/adapters/public_fetch.ts'
import { loopbackUri } from '../../kit/agent_flow.ts'
import {
  type HostAnswer,
  type MetadataHost,
  startMetadataHost,
} from '../../kit/peers/metadata_host.ts'
import { startService, type TestService, unique } from '../../kit/service.ts'

const redirect_uris = [loopbackUri]

let host: MetadataHost
beforeAll(async () => {
  host = await startMetadataHost()
})
afterAll(() => host.close())

/** Requests authorization in a browser as the client that this document describes. */
function authorize(service: TestService, ip: string, clientId: string) {
  const parameters = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: loopbackUri,
    state: 'state',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })
  return request(service.urls.api)
    .get(`/oauth/authorize?${parameters.toString()}`)
    .redirects(0)
    .set({ 'X-Forwarded-For': ip, Accept: 'text/html' })
}

describe('the document of a new client', () => {
  /** A twentieth of the usual limits: one registration an hour. */
  let strict: TestService
  beforeAll(async () => {
    const publicFetch = createPublicFetch(host.fetchParts)
    const env = { RATE_LIMIT_PER_MINUTE: '6', TRUST_PROXY: '1' }
    strict = await startService({ publicFetch, env })
  })
  afterAll(() => strict.close())

  test('counts as a registration from its address before it is fetched', async () => {
    const [knownPath, unknownPath] = [`/${unique('known')}`, `/${unique('unknown')}`]
    const [knownId, unknownId] = [knownPath, unknownPath].map((path) =>
      host.publish(path, { redirect_uris }),
    ) as [string, string]
    const [ip, neighbour, other] = ['2001:db8:1:1::1', '2001:db8:1:1::2', '2001:db8:1:2::1']
    await authorize(strict, ip, knownId).expect(303)

    const refusal = await authorize(strict, neighbour, unknownId)
    expect([refusal.status, refusal.headers.location]).toEqual([429, undefined])
    expect(Number(refusal.headers['retry-after'])).toBeGreaterThan(3500)
    expect(refusal.text).toContain('<code>temporarily_unavailable</code>')
    expect(host.requests(unknownPath)).toBe(0)
    await request(strict.urls.api)
      .post('/oauth/register')
      .set('X-Forwarded-For', ip)
      .send({ redirect_uris })
      .expect(429)

    await authorize(strict, ip, knownId).expect(303)
    await authorize(strict, other, unknownId).expect(303)
    expect(host.requests(unknownPath)).toBe(1)
  })
})

describe('documents that do not arrive', () => {
  let service: TestService
  beforeAll(async () => {
    const publicFetch = createPublicFetch({ ...host.fetchParts, timeLimitMilliseconds: 60_000 })
    service = await startService({ publicFetch, env: { TRUST_PROXY: '1' } })
  })
  afterAll(() => service.close())

  /** Publishes a document that is sent only when released. */
  function heldDocument(after: Promise<void>): { path: string; id: string } {
    const path = `/${unique('held')}`
    const id = host.url(path)
    host.serve(path, { body: { client_id: id, redirect_uris }, after })
    return { path, id }
  }

  test('take up at most four fetches per address, and the fifth is told to retry', async () => {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const documents = Array.from({ length: 4 }, () => heldDocument(released))
    const calls = documents.map(async ({ id }, index) =>
      authorize(service, `2001:db8:2:1::${index}`, id),
    )
    for (const { path } of documents) await expect.poll(() => host.requests(path)).toBe(1)

    const fifth = heldDocument(Promise.resolve())
    const busy = await authorize(service, '2001:db8:2:1::5', fifth.id)
    expect([busy.status, busy.headers.location]).toEqual([503, undefined])
    expect(busy.headers['retry-after']).toBe('5')
    expect(busy.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(busy.text).toContain('<code>temporarily_unavailable</code>')
    expect(host.requests(fifth.path)).toBe(0)
    await authorize(service, '2001:db8:2:2::1', fifth.id).expect(303)

    release()
    for (const { status } of await Promise.all(calls)) expect(status).toBe(303)
    await authorize(service, '2001:db8:2:1::5', heldDocument(Promise.resolve()).id).expect(303)
  })

  test('do not block a known client', async () => {
    const path = `/${unique('renewed')}`
    const id = host.publish(path, { client_name: 'Known', redirect_uris })
    const ip = '198.51.100.7'
    await authorize(service, ip, id).expect(303)
    service.advance(300_000)
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const documents = Array.from({ length: 4 }, () => heldDocument(released))
    const calls = documents.map(async (document) => authorize(service, ip, document.id))
    for (const document of documents) await expect.poll(() => host.requests(document.path)).toBe(1)
    await authorize(service, ip, id).expect(303)
    expect(host.requests(path)).toBe(1)
    release()
    await Promise.all(calls)
    await authorize(service, ip, id).expect(303)
    expect(host.requests(path)).toBe(2)
  })
})

describe('CLIENT_METADATA_DOCUMENTS=false', () => {
  test('offers no documents and fetches none, so that agents register', async () => {
    const publicFetch = createPublicFetch(host.fetchParts)
    const env = { CLIENT_METADATA_DOCUMENTS: 'false', TRUST_PROXY: '1' }
    const service = await startService({ publicFetch, env })
    try {
      const api = request(service.urls.api)
      const { body } = await api.get('/.well-known/oauth-authorization-server').expect(200)
      expect(body.client_id_metadata_document_supported).toBe(false)
      const path = `/${unique('unwanted')}`
      const id = host.publish(path, { redirect_uris })
      const refusal = await authorize(service, '198.51.100.9', id).expect(400)
      expect(refusal.text).toContain('<code>invalid_client</code>')
      expect(refusal.text).toContain('Register.')
      expect(host.requests(path)).toBe(0)
    } finally {
      await service.close()
    }
  })
})

describe('a misleading document', () => {
  const huge = { body: { a: 'x'.repeat(70_000) } }
  const elsewhere = { status: 302, headers: { Location: 'https://agent.example.com/other.json' } }
  const inside = ['93.184.215.14', '10.0.0.1']

  test.each<[string, HostAnswer, { addresses?: string[]; connections: number }]>([
    ['resolves to a private address', {}, { addresses: inside, connections: 0 }],
    ['redirects', elsewhere, { connections: 1 }],
    ['is slow', { body: '{}', drips: true }, { connections: 1 }],
    ['is huge', huge, { connections: 1 }],
  ])('whose host %s is not a client', async (_what, answer, { addresses, connections }) => {
    const publicFetch = createPublicFetch({
      ...host.fetchParts,
      ...(addresses ? { resolve: () => Promise.resolve(addresses) } : {}),
      timeLimitMilliseconds: 1000,
    })
    const service = await startService({ publicFetch, env: { TRUST_PROXY: '1' } })
    try {
      const path = `/${unique('astray')}`
      host.serve(path, answer)
      const before = host.connections().length
      const refusal = await authorize(service, '198.51.100.8', host.url(path))
      expect([refusal.status, refusal.headers.location]).toEqual([503, undefined])
      expect(refusal.text).toContain('<code>temporarily_unavailable</code>')
      expect(refusal.text).toContain('could not be fetched from its maker')
      expect(refusal.text).toContain(
        `href="/oauth/authorize?client_id=${encodeURIComponent(host.url(path))}&amp;`,
      )
      expect(host.connections().slice(before)).toHaveLength(connections)
      expect(host.requests('/other.json')).toBe(0)
      const clients = await service.db.selectFrom('oauth_clients').select('id').execute()
      expect(clients).toEqual([])
    } finally {
      await service.close()
    }
  })
})
