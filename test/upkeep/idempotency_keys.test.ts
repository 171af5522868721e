import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../src/generated/operations.ts'
import {
  type IdempotencyAddress,
  startRecord,
} from '../../src/queries/upkeep/idempotency_records.ts'
import { type Client, startService, type TestService, unique } from '../kit/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

async function givenCreator() {
  const person = await service.givenPerson({ workspaceLimit: 10 })
  const { key } = await service.givenKey(person)
  return { person, api: service.api(key) }
}

const creation = () => ({ name: 'A shop', subDomain: unique('shop'), templateKey: 'minimal' })

const create = (client: Client, key: string, body: object) =>
  client.post('/v1/workspaces').set('Idempotency-Key', key).send(body)

const owned = async (client: Client) =>
  (await client.get('/v1/workspaces')).body.creationPolicy.owned as number

describe('an Idempotency-Key', () => {
  test.each([
    ['255 characters', 'k'.repeat(255)],
    ['one character', 'k'],
    ['any visible ASCII', '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'],
  ])('may have %s', async (_what, key) => {
    const { api } = await givenCreator()
    const body = creation()
    const first = await create(api, key, body)
    expect(first.status).toBe(200)
    expect((await create(api, key, body)).text).toBe(first.text)
  })

  test.each([
    ['no character', ''],
    ['256 characters', 'k'.repeat(256)],
    ['a space inside', 'order 1'],
    ['a letter beyond ASCII', 'örder-1'],
  ])('may not have %s', async (_what, key) => {
    const { api } = await givenCreator()
    const { status, body } = await create(api, key, creation())
    expect(status).toBe(400)
    expect(body.code).toBe('invalid_input')
    expect(Object.keys(body.fieldErrors).map((name) => name.toLowerCase())).toEqual([
      'idempotency-key',
    ])
    expect(await owned(api)).toBe(0)
  })

  test('belongs to one connection', async () => {
    const { person, api } = await givenCreator()
    const { key } = await service.givenKey(person)
    const session = service.dashboard(person)
    for (const client of [api, service.api(key), session])
      expect((await create(client, 'order-1', creation())).status).toBe(200)
    expect(await owned(api)).toBe(3)
  })

  test('belongs to one visitor, operation and path', async () => {
    const base: IdempotencyAddress = {
      workspace_id: 'ws_a',
      connection_id: unique('key'),
      visitor: '',
      operation: 'create_product',
      path: '{"workspaceId":"ws_a"}',
      key: 'order-1',
    }
    const now = service.now()
    const call = { bodyHash: Buffer.alloc(32), now, deadBefore: now, expiredBefore: now }
    const start = (change: Partial<IdempotencyAddress>) =>
      startRecord(service.db, { ...base, ...change }, call)
    for (const change of [
      {},
      { visitor: 'guest' },
      { operation: 'create_tag' },
      { path: '{"workspaceId":"ws_a","id":"prod_a"}' },
      { workspace_id: 'ws_b', path: '{"workspaceId":"ws_b"}' },
    ]) {
      expect(await start(change)).toBeUndefined()
      expect(await start(change)).toEqual({ bodyHash: call.bodyHash, status: null, body: null })
    }
  })

  test('is taken by every POST of /v1 whose answer is no credential and whose session goes on', () => {
    const without = Object.entries(operations)
      .filter(([, { method, path }]) => method === 'post' && path.startsWith('/v1/'))
      .filter(([, { takesIdempotencyKey }]) => !takesIdempotencyKey)
    expect(without.map(([id]) => id)).toEqual([
      'create_media_upload',
      'create_webhook',
      'log_out_customer',
      'refresh_customer_session',
      'rotate_webhook_secret',
      'verify_customer_code',
    ])
  })
})
