import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { create_workspace } from '../../handlers/workspace.ts'
import { ApiError } from '../../src/core/errors.ts'
import type { Handler } from '../../src/operation.ts'
import { deleteExpired } from '../../src/queries/upkeep/expiry.ts'
import { productBody } from '../kit/catalogue.ts'
import { type Client, startService, type TestService, unique } from '../kit/service.ts'

const hour = 3600_000

let service: TestService
/** Replaces or wraps the handler in the next calls of create_workspace. */
let around: Handler<'create_workspace'> = create_workspace
beforeAll(async () => {
  service = await startService({
    handlers: { create_workspace: (input, caller) => around(input, caller) },
  })
})
afterEach(() => {
  around = create_workspace
})
afterAll(() => service.close())

async function givenCreator(workspaceLimit = 10) {
  const person = await service.givenPerson({ workspaceLimit })
  const { id: keyId, key } = await service.givenKey(person)
  return { person, keyId, api: service.api(key) }
}
type Creator = Awaited<ReturnType<typeof givenCreator>>

const creation = () => ({ name: 'A shop', subDomain: unique('shop'), templateKey: 'minimal' })

const create = (client: Client, key: string, body: object) =>
  client.post('/v1/workspaces').set('Idempotency-Key', key).send(body)

const owned = async (client: Client) =>
  (await client.get('/v1/workspaces')).body.creationPolicy.owned as number

const inProgress = {
  status: 409,
  code: 'idempotency_in_progress',
  message: 'The first call with this Idempotency-Key is still running.',
}

function newGate() {
  let open = () => undefined as void
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open }
}

/** Holds the next call in its handler before it has done anything. */
function holdNextCall(then: Handler<'create_workspace'> = create_workspace) {
  const arrival = newGate()
  const departure = newGate()
  around = async (input, caller) => {
    around = create_workspace
    arrival.open()
    await departure.opened
    return then(input, caller)
  }
  return { arrived: arrival.opened, release: departure.open }
}

describe('a call with an Idempotency-Key', () => {
  test('runs once, and the same key and body get the same answer', async () => {
    const { api } = await givenCreator()
    const body = creation()
    const first = await create(api, 'order-1', body)
    expect(first.status).toBe(200)
    const second = await create(api, 'order-1', body)
    expect(second.status).toBe(200)
    expect(second.text).toBe(first.text)
    expect(second.headers['content-type']).toBe(first.headers['content-type'])
    expect(await owned(api)).toBe(1)
  })

  test('is replayed for 24 hours and runs again after them', async () => {
    const { api } = await givenCreator()
    const body = creation()
    const first = await create(api, 'order-1', body)
    service.advance(24 * hour)
    expect((await create(api, 'order-1', body)).text).toBe(first.text)
    service.advance(1)
    expect((await create(api, 'order-1', body)).body.code).toBe('subdomain_unavailable')
  })

  test('is refused with 409 idempotency_mismatch if the body differs', async () => {
    const { api } = await givenCreator()
    const body = creation()
    const first = await create(api, 'order-1', body)
    const { status, body: refusal } = await create(api, 'order-1', { ...body, name: 'Other' })
    expect(status).toBe(409)
    expect(refusal).toEqual({
      status: 409,
      code: 'idempotency_mismatch',
      message: 'This Idempotency-Key was used with another body.',
    })
    expect((await create(api, 'order-1', body)).text).toBe(first.text)
    expect(await owned(api)).toBe(1)
  })

  test('is the same call if only white space in its body differs', async () => {
    const { api } = await givenCreator()
    const body = creation()
    const first = await create(api, 'order-1', body)
    const spaced = await api
      .post('/v1/workspaces')
      .set('Idempotency-Key', 'order-1')
      .type('application/json')
      .send(JSON.stringify(body, undefined, 4))
    expect(spaced.text).toBe(first.text)
  })

  test('is the same call if only the order of members or the writing of numbers differs', async () => {
    const { person, api } = await givenCreator()
    const { id } = await service.givenWorkspace(person)
    const post = (key: string, body: string) =>
      api
        .post(`/v1/workspaces/${id}/products`)
        .set('Idempotency-Key', key)
        .type('application/json')
        .send(body)
    const sales = (first: string) => `[${first}, {"name": "B", "link": "https://b.example"}]`
    const one = '{"name": "A", "link": "https://a.example"}'
    const turned = '{"link": "https://a.example", "name": "A"}'
    const rest = '"brand": "A", "sku": "A", "barcode": "A", "status": "ACTIVE", "information": ""'
    const first = await post('p', `{"name": "A", "stock": 10, "sales": ${sales(one)}, ${rest}}`)
    expect(first.status).toBe(200)
    const second = await post(
      'p',
      `{${rest}, "sales": ${sales(turned)}, "stock": 1.0e1, "name": "A"}`,
    )
    expect([second.status, second.text]).toEqual([200, first.text])

    const other = '{"name": "B", "link": "https://b.example"}'
    const swapped = await post(
      'p',
      `{"name": "A", "stock": 10, "sales": [${other}, ${one}], ${rest}}`,
    )
    expect([swapped.status, swapped.body.code]).toEqual([409, 'idempotency_mismatch'])
  })

  test('is refused while the first is still running, whatever its body', async () => {
    const { api } = await givenCreator()
    const body = creation()
    const hold = holdNextCall()
    const first = create(api, 'order-1', body).then((answer) => answer)
    await hold.arrived
    const second = await create(api, 'order-1', body)
    expect(second.status).toBe(409)
    expect(second.body).toEqual(inProgress)
    const other = await create(api, 'order-1', { ...body, name: 'Other' })
    expect(other.body.code).toBe('idempotency_mismatch')
    hold.release()
    const answer = await first
    expect(answer.status).toBe(200)
    expect((await create(api, 'order-1', body)).text).toBe(answer.text)
  })

  test('gets a refusal replayed, even if it would succeed now', async () => {
    const { person, api } = await givenCreator(1)
    await create(api, 'order-1', creation())
    const body = creation()
    const refusal = await create(api, 'order-2', body)
    expect(refusal.status).toBe(400)
    expect(refusal.body.code).toBe('workspace_limit_reached')
    await service.db
      .updateTable('accounts')
      .set({ workspace_limit: 2 })
      .where('id', '=', person.accountId)
      .execute()
    const replayed = await create(api, 'order-2', body)
    expect(replayed.status).toBe(400)
    expect(replayed.text).toBe(refusal.text)
    expect((await create(api, 'order-3', body)).status).toBe(200)
  })

  test('gets the fields of a refusal replayed too', async () => {
    const { api } = await givenCreator()
    const body = { ...creation(), subDomain: 'admin' }
    const refusal = await create(api, 'order-1', body)
    expect(refusal.body.fieldErrors).toHaveProperty('subDomain')
    expect((await create(api, 'order-1', body)).text).toBe(refusal.text)
  })

  test.each([
    ['a fault', () => new Error('Broken once'), 500],
    ['a lost race', () => Object.assign(new Error('Deadlock'), { code: '40P01' }), 503],
    ['an outage', () => new ApiError('unavailable', 'unavailable', undefined, 5), 503],
    [
      'a limit',
      () => new ApiError('rate_limited', ['tooManyRequests', { count: 7 }], undefined, 7),
      429,
    ],
  ])('may be retried after %s', async (_what, failure, status) => {
    const { api } = await givenCreator()
    const body = creation()
    around = () => {
      around = create_workspace
      return Promise.reject(failure())
    }
    expect((await create(api, 'order-1', body)).status).toBe(status)
    expect((await create(api, 'order-1', body)).status).toBe(200)
    expect(await owned(api)).toBe(1)
  })

  test('runs again after a refusal by a right that was missing', async () => {
    const { api } = await givenCreator()
    const body = creation()
    around = () => Promise.reject(new ApiError('account_inactive', 'accountSuspended'))
    expect((await create(api, 'order-1', body)).status).toBe(403)
    expect((await create(api, 'order-1', body)).status).toBe(403)
    around = create_workspace
    const done = await create(api, 'order-1', body)
    expect(done.status).toBe(200)
    expect((await create(api, 'order-1', body)).text).toBe(done.text)
    expect(await owned(api)).toBe(1)
  })

  test('succeeds once a taken name is free', async () => {
    const { person, api } = await givenCreator()
    const { id } = await service.givenWorkspace(person)
    const products = `/v1/workspaces/${id}/products`
    const body = productBody()
    const taken = await api.post(products).send(body)
    const post = () => api.post(products).set('Idempotency-Key', 'p').send(body)
    expect((await post()).body.code).toBe('duplicate')
    await api.delete(`${products}/${(taken.body as { id: string }).id}`)
    const created = await post()
    expect(created.status).toBe(200)
    expect((await post()).text).toBe(created.text)
  })

  test('runs once among parallel retries after a refusal', async () => {
    const { api } = await givenCreator()
    const body = creation()
    around = () => Promise.reject(new ApiError('account_inactive', 'accountSuspended'))
    expect((await create(api, 'order-1', body)).status).toBe(403)
    const hold = holdNextCall()
    const first = create(api, 'order-1', body).then((answer) => answer)
    await hold.arrived
    expect((await create(api, 'order-1', body)).body).toEqual(inProgress)
    hold.release()
    const answer = await first
    expect(answer.status).toBe(200)
    expect((await create(api, 'order-1', body)).text).toBe(answer.text)
    expect(await owned(api)).toBe(1)
  })

  test('that fails after its commit is replayed, not repeated', async () => {
    const { api } = await givenCreator()
    const body = creation()
    around = async (input, caller) => {
      around = create_workspace
      await create_workspace(input, caller)
      throw new Error('Broken after the commit')
    }
    expect((await create(api, 'order-1', body)).status).toBe(500)
    const retried = await create(api, 'order-1', body)
    expect(retried.status).toBe(200)
    expect(retried.body.subDomain).toBe(body.subDomain)
    expect(await owned(api)).toBe(1)
  })

  test('that was refused before its handler leaves the key free', async () => {
    const { api } = await givenCreator()
    expect((await create(api, 'order-1', { name: 'x' })).status).toBe(400)
    expect((await create(api, 'order-1', creation())).status).toBe(200)
  })
})

describe('the mark of a running call', () => {
  /** The state after a killed process: the mark is committed, its transaction is not. */
  async function givenDeadMark({ api, keyId }: Creator, body: object) {
    around = () => Promise.reject(new ApiError('unknown_template', 'invalidRequest'))
    await create(api, 'order-1', body)
    around = create_workspace
    const { numUpdatedRows } = await service.db
      .updateTable('idempotency_records')
      .set({ status: null, body: null })
      .where('connection_id', '=', keyId)
      .executeTakeFirst()
    expect(numUpdatedRows).toBe(1n)
  }

  test('ends 60 seconds after its process died', async () => {
    const creator = await givenCreator()
    const { api } = creator
    const body = creation()
    await givenDeadMark(creator, body)
    service.advance(60_000)
    expect((await create(api, 'order-1', body)).body).toEqual(inProgress)
    service.advance(1)
    const answer = await create(api, 'order-1', body)
    expect(answer.status).toBe(200)
    expect((await create(api, 'order-1', body)).text).toBe(answer.text)
    expect(await owned(api)).toBe(1)
  })

  /** A call so slow that another takes over and succeeds. */
  async function takeOver(then?: Handler<'create_workspace'>) {
    const { api } = await givenCreator()
    const body = creation()
    const hold = holdNextCall(then)
    const slow = create(api, 'order-1', body).then((answer) => answer)
    await hold.arrived
    service.advance(60_001)
    const second = await create(api, 'order-1', body)
    expect(second.status).toBe(200)
    hold.release()
    return { slow: await slow, second, retry: () => create(api, 'order-1', body), api }
  }

  test('passes to the call that takes over, and the slow call commits nothing', async () => {
    const separate: Handler<'create_workspace'> = (input, caller) =>
      create_workspace({ ...input, body: { ...input.body, subDomain: unique('slow') } }, caller)
    const { slow, second, retry, api } = await takeOver(separate)
    expect(slow.status).toBe(409)
    expect(slow.body).toEqual(inProgress)
    expect((await retry()).text).toBe(second.text)
    expect(await owned(api)).toBe(1)
  })

  test.each([
    ['refusal', new ApiError('unknown_template', 'invalidRequest'), 400],
    ['fault', new Error('Too late'), 500],
  ])(
    'keeps a late %s of the slow call from replacing the stored answer',
    async (_what, error, is) => {
      const { slow, second, retry } = await takeOver(() => Promise.reject(error))
      expect(slow.status).toBe(is)
      expect((await retry()).text).toBe(second.text)
    },
  )
})

describe('deleteExpired', () => {
  test('removes answers after 24 hours and none before', async () => {
    const { api } = await givenCreator()
    const body = creation()
    const first = await create(api, 'order-1', body)
    service.advance(24 * hour)
    await deleteExpired(service.db, service.now())
    expect((await create(api, 'order-1', body)).text).toBe(first.text)
    service.advance(1)
    await deleteExpired(service.db, service.now())
    const records = service.db.selectFrom('idempotency_records').select('key')
    expect(await records.where('body', '=', first.text).execute()).toEqual([])
  })
})
