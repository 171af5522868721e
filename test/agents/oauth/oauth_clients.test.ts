import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/core/ids.ts'
import { deleteIdleClients, insertAssertion } from '../../../src/queries/agents/oauth_clients.ts'
import { deleteExpired } from '../../../src/queries/upkeep/expiry.ts'
import { findClient, registerClient } from '../../../src/oauth/clients.ts'
import { type OAuthFixture, refusalOf, startOAuthParts } from './oauth_parts.ts'
import { unique } from '../../kit/service.ts'

let oauth: OAuthFixture

beforeAll(async () => {
  oauth = await startOAuthParts()
})

afterAll(() => oauth.close())

const redirect_uris = ['http://localhost/callback']
const find = (id: string) => findClient(oauth.parts, id)
const register = (metadata: object) => registerClient(oauth.parts, { redirect_uris, ...metadata })
const blocked = {
  code: 'access_denied',
  status: 403,
  description: 'An administrator has blocked this integration.',
}
const removed = {
  code: 'invalid_client',
  status: 401,
  description: 'There is no client metadata document at client_id.',
}
const unreachable = {
  code: 'temporarily_unavailable',
  status: 503,
  description: 'The client metadata document could not be fetched. Try again.',
}

describe('a client id', () => {
  it.each(['', 'client_01k9x5wd8c', newId('client'), 'http://agent.example.com/c', 'a\u0000b'])(
    '%j is unknown',
    async (id) => {
      expect(await refusalOf(find(id))).toEqual({
        code: 'invalid_client',
        status: 401,
        description: 'There is no such client. Register again.',
      })
    },
  )

  const form = 'is not a normalised https URL with a path and without a port'
  it.each([
    ['https://agent.example.com', form],
    ['https://agent.example.com/', form],
    ['https://agent.example.com:443/client', form],
    ['https://agent.example.com:8443/client', form],
    ['https://AGENT.example.com/client', form],
    ['https://agent.example.com/a/../client', form],
    ['https://agent.example.com/%2e%2e/client', form],
    ['https://agent.example.com/client#part', 'has a fragment'],
    ['https://user@agent.example.com/client', 'has a user name'],
    ['https://agent.example.com./client', 'has no public host name'],
    ['https://localhost/client', 'has no public host name'],
    ['https://10.0.0.1/client', 'has no public address'],
    [`https://agent.example.com/${'a'.repeat(2000)}`, 'is longer than 2000 characters'],
  ])('%s is refused before anything is fetched', async (id, reason) => {
    const connections = oauth.host.connections().length
    expect(await refusalOf(find(id))).toEqual({
      code: 'invalid_client',
      status: 401,
      description: `client_id ${reason}.`,
    })
    expect(oauth.host.connections()).toHaveLength(connections)
  })
})

describe('a client metadata document', () => {
  it('describes the client whose id is its URL', async () => {
    const id = oauth.host.publish('/described', { client_name: 'Described', redirect_uris })
    expect(await find(id)).toEqual({
      id,
      sourceId: expect.any(String),
      metadata: {
        client_name: 'Described',
        redirect_uris,
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
    })
  })

  it.each([
    [
      'of another id',
      { client_id: 'https://agent.example.com/other' },
      /^client_id is not the URL/,
    ],
    ['without an id', { client_id: undefined }, /^client_id is not the URL of its document\.$/],
    ['with a secret', { client_secret: 's' }, /^client_secret is in a public document\.$/],
    ['of a shared secret', { token_endpoint_auth_method: 'client_secret_post' }, /no secrets\.$/],
    ['of a private page', { client_uri: 'https://10.0.0.1/' }, /^client_uri has no public address/],
  ])('%s is refused and not cached', async (_what, members, description) => {
    const id = oauth.host.publish('/refused', { redirect_uris, ...members })
    expect(await refusalOf(find(id))).toMatchObject({
      code: 'invalid_client_metadata',
      status: 400,
      description: expect.stringMatching(description),
    })
    oauth.host.publish('/refused', { redirect_uris })
    expect((await find(id)).id).toBe(id)
    await oauth.parts.db.deleteFrom('oauth_clients').where('id', '=', id).execute()
  })

  it.each([
    ['is a page', { headers: { 'Content-Type': 'text/html' } }],
    ['is huge', { body: { a: 'x'.repeat(70_000) } }],
  ])('that %s is not a client', async (_what, answer) => {
    oauth.host.serve('/none', answer)
    expect(await refusalOf(find(oauth.host.url('/none')))).toEqual(unreachable)
  })

  it('that is not there is not a client', async () => {
    oauth.host.serve('/none', { status: 404 })
    expect(await refusalOf(find(oauth.host.url('/none')))).toEqual(removed)
  })

  it('at a host without an address is not a client', async () => {
    expect(await refusalOf(find('https://nowhere.example.com/c'))).toEqual(unreachable)
  })

  it.each([302, 403, 500])('that its host answers with %i may be tried again', async (status) => {
    oauth.host.serve('/refusing', { status, headers: { Location: '/described' } })
    expect(await refusalOf(find(oauth.host.url('/refusing')))).toEqual({
      ...unreachable,
      description: `The client metadata document could not be fetched: its host answered ${status}. Try again.`,
    })
  })

  it.each([
    ['as its host says', { 'Cache-Control': 'max-age=1000' }, 1000],
    ['for five minutes where its host says nothing', {}, 300],
    ['for a minute at least', { 'Cache-Control': 'no-store' }, 60],
    ['for a day at most', { 'Cache-Control': 'max-age=9999999' }, 86_400],
  ])('is cached %s, and then a change is picked up', async (_what, headers, seconds) => {
    const path = `/${unique('kept')}`
    const id = oauth.host.publish(path, { client_name: 'Old', redirect_uris }, { ...headers })
    await find(id)
    oauth.host.publish(path, { client_name: 'New', redirect_uris }, { ...headers })
    oauth.advance(seconds - 1)
    expect((await find(id)).metadata.client_name).toBe('Old')
    expect(oauth.host.requests(path)).toBe(1)
    oauth.advance(1)
    expect((await find(id)).metadata.client_name).toBe('New')
    expect(oauth.host.requests(path)).toBe(2)
  })

  it('is served from the cache while the host is down, which is retried once a minute', async () => {
    const id = oauth.host.publish('/down', { client_name: 'Copy', redirect_uris })
    await find(id)
    oauth.host.goDown(true)
    oauth.advance(300)
    const before = oauth.host.connections().length
    expect((await find(id)).metadata.client_name).toBe('Copy')
    expect((await find(id)).metadata.client_name).toBe('Copy')
    expect(oauth.host.connections()).toHaveLength(before + 1)
    oauth.advance(60)
    expect((await find(id)).metadata.client_name).toBe('Copy')
    expect(oauth.host.connections()).toHaveLength(before + 2)
    oauth.host.goDown(false)
    oauth.host.serve('/down', { status: 503 })
    oauth.advance(60)
    expect((await find(id)).metadata.client_name).toBe('Copy')
    oauth.host.publish('/down', { client_name: 'Back', redirect_uris })
    oauth.advance(60)
    expect((await find(id)).metadata.client_name).toBe('Back')
  })

  it.each([404, 410])('that its host answers with %i is removed', async (status) => {
    const path = `/${unique('gone')}`
    const id = oauth.host.publish(path, { redirect_uris })
    await find(id)
    oauth.host.serve(path, { status })
    oauth.advance(300)
    expect(await refusalOf(find(id))).toEqual(removed)
  })

  it('is fetched and stored once for concurrent calls', async () => {
    const id = oauth.host.url('/at-once')
    let requests = 0
    let answerAll = () => {}
    const after = new Promise<void>((resolve) => {
      answerAll = resolve
    })
    oauth.host.serve('/at-once', { body: { client_id: id, redirect_uris }, after })
    const publicFetch = (url: string) => {
      if (++requests === 10) answerAll()
      return oauth.parts.publicFetch(url)
    }
    const lookups = Array.from({ length: 10 }, () =>
      findClient({ ...oauth.parts, publicFetch }, id),
    )
    const clients = await Promise.all(lookups)
    expect(new Set(clients.map(({ sourceId }) => sourceId)).size).toBe(1)
    expect(oauth.host.requests('/at-once')).toBe(1)
  })
})

describe('the source of a client', () => {
  const sourceOf = async (metadata: object) => {
    const { client_id } = await register(metadata)
    return (await find(client_id)).sourceId
  }

  it('of a document is its host, whatever the document says', async () => {
    const [one, other] = [
      oauth.host.publish('/one', { client_name: 'One', redirect_uris }),
      oauth.host.publish('/other', { client_name: 'Other', redirect_uris, software_id: 'other' }),
    ]
    expect((await find(one)).sourceId).toBe((await find(other)).sourceId)
    expect(await oauth.sources()).toContainEqual({
      identity: 'document:agent.example.com',
      name: 'Described',
      status: 'APPROVED',
    })
  })

  it('of a registered client is its normalised software id', async () => {
    const first = await sourceOf({ software_id: 'Straße-Ⅳ', client_name: 'One' })
    expect(await sourceOf({ software_id: ' STRASSE-\u200bIV', client_name: 'Two' })).toBe(first)
    expect(await oauth.sources()).toContainEqual({
      identity: 'software:strasse-iv',
      name: 'One',
      status: 'APPROVED',
    })
  })

  it('of a client without a software id is its name and redirect hosts', async () => {
    const web = ['https://b.example.com:8443/cb', 'https://a.example.com/cb']
    const first = await sourceOf({ client_name: 'My  Agent', redirect_uris: web })
    const hidden = 'my\u00a0agent\u00ad\ufe0f'
    const again = { client_name: hidden, redirect_uris: [...web].reverse() }
    expect(await sourceOf(again)).toBe(first)
    expect(await sourceOf({ client_name: 'My Agent' })).not.toBe(first)
    expect(await oauth.sources()).toEqual(
      expect.arrayContaining([
        {
          identity: 'client:a.example.com,b.example.com/my agent',
          name: 'My  Agent',
          status: 'APPROVED',
        },
        { identity: 'client:loopback/my agent', name: 'My Agent', status: 'APPROVED' },
      ]),
    )
  })

  it('differs from one of another kind with the same text', async () => {
    const software = await sourceOf({ software_id: 'agent.example.com' })
    const id = oauth.host.publish('/kind', { redirect_uris })
    expect((await find(id)).sourceId).not.toBe(software)
  })

  it('can be as long as its longest parts', async () => {
    // One character that becomes eighteen in its compatibility form.
    const client_name = '\ufdfa'.repeat(200)
    const labels = Array.from({ length: 10 }, (_, index) => `${index}${'a'.repeat(60)}`)
    const long = labels.map((label) => `https://${label}.${label}.${label}.example.com/cb`)
    const first = await sourceOf({ client_name, redirect_uris: long })
    expect(await sourceOf({ client_name, redirect_uris: long })).toBe(first)
    expect(
      await sourceOf({ client_name: `${client_name.slice(1)}a`, redirect_uris: long }),
    ).not.toBe(first)
  })

  it('is the same for concurrent registrations', async () => {
    const software_id = unique('at-once')
    const sources = await Promise.all(Array.from({ length: 20 }, () => sourceOf({ software_id })))
    expect(new Set(sources).size).toBe(1)
  })
})

describe('a blocked source', () => {
  it('refuses every client, registered or new, until it is unblocked', async () => {
    const client_name = unique('Blocked')
    const identity = `client:loopback/${client_name.toLowerCase()}`
    const { client_id } = await register({ client_name })
    await oauth.setSourceStatus(identity, 'BLOCKED')
    expect(await refusalOf(find(client_id))).toEqual(blocked)
    expect(await refusalOf(register({ client_name: ` ${client_name.toUpperCase()}` }))).toEqual(
      blocked,
    )
    await oauth.setSourceStatus(identity, 'APPROVED')
    expect((await find(client_id)).id).toBe(client_id)
  })

  it('has no documents fetched, known or new', async () => {
    const knownId = oauth.host.publish('/known', { redirect_uris })
    const unknownId = oauth.host.publish('/unknown', { redirect_uris })
    await find(knownId)
    oauth.advance(300)
    await oauth.setSourceStatus('document:agent.example.com', 'BLOCKED')
    const before = oauth.host.connections().length
    expect(await refusalOf(find(knownId))).toEqual(blocked)
    expect(await refusalOf(find(unknownId))).toEqual(blocked)
    expect(oauth.host.connections()).toHaveLength(before)
    await oauth.setSourceStatus('document:agent.example.com', 'APPROVED')
    expect((await find(unknownId)).id).toBe(unknownId)
  })
})

describe('the sweep', () => {
  it('deletes clients without a grant for a month, and expired assertions', async () => {
    const { db, clock } = oauth.parts
    const [idle, active] = [await register({}), await register({ client_name: 'Granted' })]
    const { sourceId } = await find(active.client_id)
    const accountId = newId('acc')
    const account = { id: accountId, email: 'a@example.com', name: 'A', language: 'en' }
    await db.insertInto('accounts').values(account).execute()
    await db
      .insertInto('grants')
      .values({
        id: newId('grant'),
        account_id: accountId,
        source_id: sourceId,
        client_id: active.client_id,
        requested_scopes: [],
        scopes: [],
        consent_version: 1,
        resource: 'https://api.example.com/mcp',
        created_at: clock(),
        expires_at: clock(),
      })
      .execute()
    const jti = { clientId: idle.client_id, jtiHash: Buffer.from('jti'), expiresAt: clock() }
    await insertAssertion(db, jti)

    oauth.advance(30 * 86_400)
    await deleteExpired(db, clock())
    await deleteIdleClients(db, clock())
    expect((await find(idle.client_id)).id).toBe(idle.client_id)
    expect(await insertAssertion(db, jti)).toBe(true)

    oauth.advance(1)
    await deleteIdleClients(db, clock())
    expect(await refusalOf(find(idle.client_id))).toMatchObject({ code: 'invalid_client' })
    expect((await find(active.client_id)).id).toBe(active.client_id)
  })
})
