import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { components } from '../../src/generated/types.ts'
import { message, post as callTool, resultOf } from '../kit/agents.ts'
import { type Person, startService, type TestService, unique } from '../kit/service.ts'
import { type ChangeSet, fileCalls, type FileCalls, newValues } from './file_calls.ts'

type Schemas = components['schemas']

let service: TestService
let owner: Person
let key: string
let shop: FileCalls
beforeAll(async () => {
  service = await startService()
  owner = await service.givenPerson()
  key = (await service.givenKey(owner)).key
  shop = fileCalls(service, key, (await service.givenWorkspace(owner)).id)
})
afterAll(() => service.close())

const plan = (rows: Schemas['ProductRow'][]) => shop.post<ChangeSet>('change-sets', { rows })
const rowsOf = async (id: string) =>
  (await shop.get<Schemas['ChangeSetRowList']>(`change-sets/${id}/rows?pageSize=100`)).rows

describe('a change set', () => {
  test('is planned, applied and undone to the letter', async () => {
    const tag = await shop.post<{ id: string }>('tags', { name: unique('tag') })
    const collection = await shop.post<{ id: string }>('collections', {
      name: unique('collection'),
    })
    const changed = await shop.givenProduct({ tagIds: [tag.id] })
    const removed = await shop.givenProduct({ tagIds: [tag.id] })
    await shop.post(`collections/${collection.id}/products/${removed.id}`)
    const before = [await shop.seen(changed.id), await shop.seen(removed.id)]
    const summary = (await shop.get<Schemas['ProductList']>('products')).summary
    service.advance(1000)
    const set = await plan([
      {
        action: 'patch',
        id: changed.id,
        data: {
          name: unique('Renamed'),
          stock: 0,
          removeTagIds: [tag.id],
          addToCollectionIds: [collection.id],
        },
      },
      { action: 'delete', id: removed.id },
      { action: 'create', data: newValues() },
    ])
    expect(set).toMatchObject({
      state: 'PLANNED',
      counts: { rows: 3, creates: 1, updates: 1, deletes: 1, unchanged: 0, errors: 0 },
      progress: { done: 3, total: 3 },
      createdBy: { type: 'API_KEY' },
      appliedAt: null,
    })
    expect([await shop.seen(changed.id), await shop.seen(removed.id)]).toEqual(before)
    expect((await rowsOf(set.id))[0]!.changes.map(({ field }) => field)).toEqual([
      'name',
      'stock',
      'tags',
      'collections',
    ])
    expect(await shop.step(set.id, 'apply')).toMatchObject({
      state: 'APPLIED',
      appliedBy: { type: 'API_KEY' },
    })
    const [, , created] = await rowsOf(set.id)
    expect((await shop.seen(removed.id)).status).toBe(404)
    expect(await shop.get(`products/${changed.id}`)).toMatchObject({ stock: 0, tags: [] })
    expect(await shop.get(`collections/${collection.id}`)).toMatchObject({
      productIds: [changed.id],
    })
    service.advance(1000)
    expect(await shop.step(set.id, 'undo')).toMatchObject({ state: 'UNDONE' })
    expect([await shop.seen(changed.id), await shop.seen(removed.id)]).toEqual(before)
    expect((await shop.seen(created!.productId!)).status).toBe(404)
    expect(await shop.get(`collections/${collection.id}`)).toMatchObject({
      productIds: [removed.id],
    })
    expect((await shop.get<Schemas['ProductList']>('products')).summary).toEqual(summary)
  })

  test('follows an undo by time, though updatedAt is as before', async () => {
    const [first, second] = [await shop.givenProduct(), await shop.givenProduct()]
    service.advance(1000)
    const set = await plan([{ action: 'patch', id: first.id, data: { stock: 9 } }])
    await shop.step(set.id, 'apply')
    service.advance(1000)
    await shop.post(`change-sets/${set.id}/undo`)
    const query = `products?ids=${first.id},${second.id}&sort=-updatedAt`
    const { products } = await shop.get<{ products: { id: string }[] }>(query)
    expect(products.map(({ id }) => id)).toEqual([first.id, second.id])
  })

  test('answers a step that is sent again with its Idempotency-Key as before', async () => {
    const product = await shop.givenProduct()
    const { id } = await plan([{ action: 'patch', id: product.id, data: { stock: { add: 1 } } }])
    const once = async (step: string) => {
      const request = service.api(key).post(shop.at(`change-sets/${id}/${step}`))
      const { status, text } = await request.set('Idempotency-Key', `${step}-${id}`)
      return [status, text]
    }
    for (const [step, stock] of [
      ['plan', 5],
      ['apply', 6],
      ['undo', 5],
    ] as const) {
      const first = await once(step)
      expect(first[0]).toBe(200)
      expect(await once(step)).toEqual(first)
      expect(await shop.get(`products/${product.id}`)).toMatchObject({ stock })
    }
  })

  test('lets two products change names with each other', async () => {
    const [one, other] = [await shop.givenProduct(), await shop.givenProduct()]
    const set = await plan([
      { action: 'patch', id: one.id, data: { name: other.name, sku: other.sku } },
      { action: 'patch', id: other.id, data: { name: one.name, sku: one.sku } },
    ])
    expect(set.counts).toMatchObject({ updates: 2, errors: 0 })
    await shop.step(set.id, 'apply')
    expect(await shop.get(`products/${one.id}`)).toMatchObject({ name: other.name, sku: other.sku })
    await shop.step(set.id, 'undo')
    expect(await shop.get(`products/${one.id}`)).toMatchObject({ name: one.name, sku: one.sku })
  })

  test('names what has changed since the plan, and is planned again', async () => {
    const [kept, moved] = [await shop.givenProduct(), await shop.givenProduct()]
    const set = await plan(
      [kept, moved].map(({ id }) => ({ action: 'patch', id, data: { stock: 1 } })),
    )
    await service
      .api(key)
      .patch(shop.at(`products/${moved.id}`))
      .send({ stock: 7 })
      .expect(200)
    const refused = await shop.step(set.id, 'apply', {}, 409)
    expect([refused.code, refused.fieldErrors]).toEqual([
      'write_conflict',
      { [moved.id]: moved.name },
    ])
    expect(await shop.get(`products/${kept.id}`)).toMatchObject({ stock: 5 })
    await shop.step(set.id, 'plan')
    expect(await shop.step(set.id, 'apply')).toMatchObject({ state: 'APPLIED' })
  })

  test('is not undone where a product has changed since', async () => {
    const [kept, moved] = [await shop.givenProduct(), await shop.givenProduct()]
    const set = await plan(
      [kept, moved].map(({ id }) => ({ action: 'patch', id, data: { stock: 1 } })),
    )
    await shop.step(set.id, 'apply')
    const tag = await shop.post<{ id: string }>('tags', { name: unique('tag') })
    await shop.post(`products/${moved.id}/tags/${tag.id}`)
    const refused = await shop.step(set.id, 'undo', {}, 409)
    expect(refused.fieldErrors).toEqual({ [moved.id]: moved.name })
    expect(await shop.get(`products/${kept.id}`)).toMatchObject({ stock: 1 })
  })

  test('with errors is applied only without them', async () => {
    const product = await shop.givenProduct()
    const set = await plan([
      { action: 'patch', id: product.id, data: { stock: 2 } },
      { action: 'create', data: { ...newValues(), name: product.name } },
      { action: 'patch', id: product.id, data: { price: 3 } },
    ])
    expect(set.counts).toMatchObject({ updates: 1, errors: 2 })
    const errors = (await rowsOf(set.id)).map((row) => row.errors)
    expect(errors[1]).toEqual({ name: 'Another product has this name.' })
    expect(Object.keys(errors[2]!)).toEqual(['price'])
    expect((await shop.step(set.id, 'apply', {}, 409)).code).toBe('change_set_has_errors')
    expect(await shop.step(set.id, 'apply', { skipErrors: true })).toMatchObject({
      state: 'APPLIED',
    })
    expect(await shop.get(`products/${product.id}`)).toMatchObject({ stock: 2 })
  })

  test('of a selection changes every product that matches', async () => {
    const tag = await shop.post<{ id: string }>('tags', { name: unique('tag') })
    const products = [1, 2, 3].map(() => shop.givenProduct({ tagIds: [tag.id] }))
    const ids = (await Promise.all(products)).map(({ id }) => id)
    const select = { where: { tagId: tag.id }, change: { stock: { add: 10 } } }
    const set = await shop.post<ChangeSet>('change-sets', { title: 'More', select })
    expect(set).toMatchObject({ title: 'More', counts: { rows: 3, updates: 3 } })
    await shop.step(set.id, 'apply')
    for (const id of ids) expect(await shop.get(`products/${id}`)).toMatchObject({ stock: 15 })
  })

  test('of a selection takes one status as well as several', async () => {
    const tag = await shop.post<{ id: string }>('tags', { name: unique('tag') })
    const asleep = await shop.givenProduct({ tagIds: [tag.id], status: 'INACTIVE' })
    await shop.givenProduct({ tagIds: [tag.id] })
    const selecting = (status: unknown) => ({
      select: { where: { tagId: tag.id, status }, change: { stock: 9 } },
    })
    for (const status of ['INACTIVE', ['INACTIVE'], ['DELETED', 'INACTIVE']]) {
      const { id } = await shop.post<ChangeSet>('change-sets', selecting(status))
      expect((await rowsOf(id)).map(({ productId }) => productId)).toEqual([asleep.id])
    }
  })

  test.each([
    ['ASLEEP', '', 'Must be one of ACTIVE, INACTIVE, DELETED.'],
    [['ASLEEP'], '.0', 'Must be one of ACTIVE, INACTIVE, DELETED.'],
    [[], '', 'At least 1 item.'],
    [['ACTIVE', 'ACTIVE'], '', 'The same item is listed twice.'],
  ])(
    'of a selection with the status %j says once why it is refused',
    async (status, at, reason) => {
      const select = { where: { status }, change: { stock: 9 } }
      const { fieldErrors } = await shop.post<Schemas['ApiError']>('change-sets', { select }, 400)
      expect(fieldErrors).toEqual({ [`select.where.status${at}`]: reason })
    },
  )

  test('takes rows or a selection, and no selection of everything', async () => {
    const change = { stock: 1 }
    const refusals = [{}, { rows: [], select: { where: { stock: 'IN' }, change } }]
    for (const body of refusals) await shop.post('change-sets', body, 400)
    const refused = await shop.post<Schemas['ApiError']>(
      'change-sets',
      { select: { where: {}, change } },
      400,
    )
    expect(Object.keys(refused.fieldErrors ?? {})).toEqual(['select.where'])
  })

  test('allows a step only in its state', async () => {
    const { id } = await shop.givenProduct()
    const set = await plan([{ action: 'patch', id, data: { stock: 1 } }])
    expect(await shop.step(set.id, 'cancel')).toMatchObject({ state: 'CANCELLED' })
    for (const name of ['apply', 'undo', 'plan', 'cancel'])
      expect((await shop.step(set.id, name, {}, 409)).code).toBe('change_set_state')
  })

  test('expires after seven days', async () => {
    const { id } = await shop.givenProduct()
    const set = await plan([{ action: 'patch', id, data: { stock: 1 } }])
    service.advance(7 * 86_400_000 + 1)
    expect(await shop.get(`change-sets/${set.id}`)).toMatchObject({ state: 'EXPIRED' })
    expect((await shop.step(set.id, 'apply', {}, 409)).code).toBe('change_set_state')
  })

  test('of another workspace is not there', async () => {
    const set = await plan([{ action: 'delete', sku: 'unknown' }])
    const other = await service.givenPerson()
    const place = await service.givenWorkspace(other)
    const { key: foreign } = await service.givenKey(other)
    const path = `/v1/workspaces/${place.id}/change-sets/${set.id}`
    await service.api(foreign).get(path).expect(404)
    await service.api(foreign).post(`${path}/apply`).expect(404)
  })

  test('needs the scope of what it writes', async () => {
    const collection = await shop.post<{ id: string }>('collections', {
      name: unique('collection'),
    })
    const { id } = await shop.givenProduct()
    const { key: narrow } = await service.givenKey(owner, {
      scopes: ['products:read', 'products:write'],
    })
    const rows = [{ action: 'patch', id, data: { addToCollectionIds: [collection.id] } }]
    const answer = await service
      .api(narrow)
      .post(shop.at('products/batch'))
      .send({ rows })
      .expect(200)
    const { results } = answer.body as Schemas['ProductBatchResult']
    expect(results[0]!.error?.code).toBe('insufficient_scope')
    const set = await plan(rows as Schemas['ProductRow'][])
    const path = shop.at(`change-sets/${set.id}/apply`)
    expect((await service.api(narrow).post(path).expect(403)).body).toMatchObject({
      code: 'insufficient_scope',
    })
  })

  test('of more than a thousand products goes on in the background', async () => {
    const place = await service.givenWorkspace(owner)
    const there = (path: string) => `/v1/workspaces/${place.id}/${path}`
    const client = service.api(key)
    for (let batch = 0; batch < 11; batch++) {
      const rows = Array.from({ length: 100 }, () => ({ action: 'create', data: newValues() }))
      await client.post(there('products/batch')).send({ rows }).expect(200)
    }
    const select = { where: { stock: 'IN' }, change: { stock: { add: 1 } } }
    const { body: set } = await client.post(there('change-sets')).send({ select }).expect(200)
    const { id } = set as ChangeSet
    const now = async () => (await client.get(there(`change-sets/${id}`))).body as ChangeSet
    await service.app.changeSets.flush()
    expect(await now()).toMatchObject({ state: 'PLANNED', counts: { updates: 1100 } })
    await client.post(there(`change-sets/${id}/apply`)).expect(200)
    await service.app.changeSets.flush()
    expect(await now()).toMatchObject({ state: 'APPLIED', failure: null })
    const { body } = await client.get(there('products?sort=stock&pageSize=1')).expect(200)
    expect((body as { products: { stock: number }[] }).products[0]!.stock).toBe(6)
    await client.post(there(`change-sets/${id}/undo`)).expect(200)
    await service.app.changeSets.flush()
    expect(await now()).toMatchObject({ state: 'UNDONE' })
  })

  test('of an agent waits for a person where the owner wants that', async () => {
    const product = await shop.givenProduct()
    const settings = `/api/workspaces/${shop.workspaceId}/agent-changes`
    const setting = { agentChangesNeedApproval: true }
    await service.dashboard(owner).put(settings).send(setting).expect(200)
    const rows = [{ action: 'patch', id: product.id, data: { stock: 1 } }]
    const { token } = await service.givenAgent(owner, { name: 'Helper' })
    const call = async (name: string, given: object) => {
      const body = message('tools/call', {
        name,
        arguments: { workspaceId: shop.workspaceId, ...given },
      })
      return resultOf(await callTool(service, body, { Authorization: `Bearer ${token}` }))
    }
    const batch = await call('write_products', { data: { rows } })
    const { changeSetId } = batch.structuredContent as Schemas['ProductBatchResult']
    expect(batch.structuredContent).toMatchObject({ results: [] })
    const planned = await call('create_change_set', { data: { rows } })
    const { id } = planned.structuredContent as ChangeSet
    const applied = await call('apply_change_set', { id })
    expect(applied.structuredContent).toMatchObject({ state: 'WAITING', appliedBy: null })
    expect(await shop.get(`products/${product.id}`)).toMatchObject({ stock: 5 })
    const waiting = await shop.get<Schemas['ChangeSetList']>('change-sets?waiting=true')
    expect(waiting.changeSets.map((set) => set.id)).toEqual([id, changeSetId])
    await shop.step(id, 'apply', {}, 409)
    // A key is the owner's own program, and is not held.
    const { id: keys } = await shop.givenProduct()
    const ofKey = await shop.write([{ action: 'patch', id: keys, data: { stock: 2 } }])
    expect(ofKey.counts).toMatchObject({ updated: 1 })
    const path = shop.at(`change-sets/${id}/apply`)
    const approved = await service.dashboard(owner).post(path).expect(200)
    expect(approved.body).toMatchObject({
      state: 'APPLIED',
      createdBy: { type: 'AGENT' },
      appliedBy: { type: 'OWNER' },
    })
    await service
      .dashboard(owner)
      .put(settings)
      .send({ agentChangesNeedApproval: false })
      .expect(200)
  })
})
