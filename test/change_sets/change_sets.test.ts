import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { components } from '../../src/generated/types.ts'
import { message, post as callTool, resultOf } from '../kit/agents.ts'
import { type Person, startService, type TestService, unique } from '../kit/service.ts'

type Schemas = components['schemas']
type ChangeSet = Schemas['ChangeSet']
type Row = Schemas['ProductRow']

let service: TestService
let owner: Person
let workspaceId: string
let key: string
beforeAll(async () => {
  service = await startService()
  owner = await service.givenPerson()
  workspaceId = (await service.givenWorkspace(owner)).id
  key = (await service.givenKey(owner)).key
})
afterAll(() => service.close())

const at = (path: string) => `/v1/workspaces/${workspaceId}/${path}`

async function post<T>(path: string, body: object = {}, status = 200): Promise<T> {
  const answer = await service.api(key).post(at(path)).send(body)
  expect([answer.status, answer.body]).toEqual([status, answer.body])
  return answer.body as T
}

async function get<T>(path: string): Promise<T> {
  return (await service.api(key).get(at(path)).expect(200)).body as T
}

/** A product whose name, SKU and barcode are its own. */
async function givenProduct(values: object = {}): Promise<Schemas['Product']> {
  return post('products', { ...newValues(), ...values })
}

function newValues() {
  const sku = unique('sku')
  return {
    name: `Name ${sku}`,
    brand: 'Ana',
    sku,
    barcode: `b-${sku}`,
    stock: 5,
    status: 'ACTIVE',
    information: 'Rose oil.',
    description: 'For dry skin.',
    sales: [{ name: 'Our shop', link: 'https://shop.example/x' }],
  }
}

/** What a client sees of a product, and its tag. */
async function seen(id: string): Promise<{ status: number; etag: string; body: unknown }> {
  const { status, headers, body } = await service.api(key).get(at(`products/${id}`))
  return { status, etag: headers['etag'] as string, body: body as unknown }
}

const write = (rows: Row[], more: object = {}, status = 200) =>
  post<Schemas['ProductBatchResult']>('products/batch', { rows, ...more }, status)
const plan = (rows: Row[]) => post<ChangeSet>('change-sets', { rows })
const step = (id: string, name: string, body: object = {}, status = 200) =>
  post<ChangeSet & Schemas['ApiError']>(`change-sets/${id}/${name}`, body, status)
const rowsOf = async (id: string) =>
  (await get<Schemas['ChangeSetRowList']>(`change-sets/${id}/rows?pageSize=100`)).rows

describe('a batch', () => {
  test('writes each row for itself and says what became of it', async () => {
    const [changed, removed, same] = [
      await givenProduct(),
      await givenProduct(),
      await givenProduct(),
    ]
    const created = newValues()
    const answer = await write([
      { action: 'create', data: created },
      { action: 'patch', sku: changed.sku.toUpperCase(), data: { stock: { add: 10 } } },
      { action: 'delete', id: removed.id },
      { action: 'patch', id: same.id, data: { stock: 5 } },
      { action: 'patch', sku: 'unknown', data: { stock: 1 } },
      { action: 'create', data: { ...newValues(), stock: -1 } },
      { action: 'upsert', data: { sku: changed.sku, stock: 1 } },
    ])
    const { results } = answer
    expect(results.map(({ row, outcome }) => `${row} ${outcome}`)).toEqual([
      '0 CREATED',
      '1 UPDATED',
      '2 DELETED',
      '3 UNCHANGED',
      '4 FAILED',
      '5 FAILED',
      '6 FAILED',
    ])
    expect(answer.counts).toEqual({ created: 1, updated: 1, unchanged: 1, deleted: 1, failed: 3 })
    expect(results[4]!.error).toEqual({
      status: 404,
      code: 'not_found',
      message: 'There is no such product.',
      fieldErrors: { sku: 'There is no such product.' },
    })
    expect(results[5]!.error).toMatchObject({
      code: 'invalid_input',
      fieldErrors: { stock: 'At least 0.' },
    })
    expect(results[6]!.error).toMatchObject({ status: 409, code: 'write_conflict' })
    expect(await get(`products/${results[0]!.id}`)).toMatchObject({
      ...created,
      slug: expect.any(String),
    })
    expect(await get(`products/${changed.id}`)).toMatchObject({ stock: 15 })
    expect((await seen(removed.id)).status).toBe(404)
  })

  test('that is atomic writes nothing if a row fails, and names it', async () => {
    const product = await givenProduct()
    const refused = (await write(
      [
        { action: 'patch', id: product.id, data: { stock: 1 } },
        { action: 'create', data: { ...newValues(), name: '' } },
        { action: 'patch', id: 'unknown', data: {} },
      ],
      { atomic: true },
      400,
    )) as unknown as Schemas['ApiError']
    expect(refused.fieldErrors).toEqual({
      'rows.1.data.name': 'Must not be empty.',
      'rows.2.id': 'There is no such product.',
    })
    expect(await get(`products/${product.id}`)).toMatchObject({ stock: 5 })
  })

  test('of nothing but failures leaves no change set', async () => {
    expect(await write([{ action: 'delete', sku: 'unknown' }])).toMatchObject({ changeSetId: null })
  })

  test('adds to the stock exactly, whatever runs beside it', async () => {
    const product = await givenProduct()
    const amounts = Array.from({ length: 12 }, (_, index) => (index % 3 === 2 ? -2 : 3))
    await Promise.all(
      amounts.map((add) => write([{ action: 'patch', id: product.id, data: { stock: { add } } }])),
    )
    const sum = amounts.reduce((total, add) => total + add, 5)
    expect(await get(`products/${product.id}`)).toMatchObject({ stock: sum })
  })

  test('decides with the database who gets a name that several want at once', async () => {
    const values = newValues()
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => write([{ action: 'create', data: values }])),
    )
    const outcomes = answers.map(({ results }) => results[0]!.outcome).sort()
    expect(outcomes).toEqual(['CREATED', 'FAILED', 'FAILED', 'FAILED'])
    const codes = answers.flatMap(({ results }) => results[0]!.error?.code ?? [])
    expect(codes).toEqual(['duplicate', 'duplicate', 'duplicate'])
  })

  test('refuses what the stock does not have', async () => {
    const { id } = await givenProduct()
    const { results } = await write([{ action: 'patch', id, data: { stock: { add: -6 } } }])
    expect(results[0]!.error?.fieldErrors).toEqual({
      stock: 'There are only 5: the stock cannot fall below 0.',
    })
  })
})

describe('a change set', () => {
  test('is planned, applied and undone to the letter', async () => {
    const tag = await post<{ id: string }>('tags', { name: unique('tag') })
    const collection = await post<{ id: string }>('collections', { name: unique('collection') })
    const changed = await givenProduct({ tagIds: [tag.id] })
    const removed = await givenProduct({ tagIds: [tag.id] })
    await post(`collections/${collection.id}/products/${removed.id}`)
    const before = [await seen(changed.id), await seen(removed.id)]
    const summary = (await get<Schemas['ProductList']>('products')).summary
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
    expect([await seen(changed.id), await seen(removed.id)]).toEqual(before)
    expect((await rowsOf(set.id))[0]!.changes.map(({ field }) => field)).toEqual([
      'name',
      'stock',
      'tags',
      'collections',
    ])
    expect(await step(set.id, 'apply')).toMatchObject({
      state: 'APPLIED',
      appliedBy: { type: 'API_KEY' },
    })
    const [, , created] = await rowsOf(set.id)
    expect((await seen(removed.id)).status).toBe(404)
    expect(await get(`products/${changed.id}`)).toMatchObject({ stock: 0, tags: [] })
    expect(await get(`collections/${collection.id}`)).toMatchObject({ productIds: [changed.id] })
    service.advance(1000)
    expect(await step(set.id, 'undo')).toMatchObject({ state: 'UNDONE' })
    expect([await seen(changed.id), await seen(removed.id)]).toEqual(before)
    expect((await seen(created!.productId!)).status).toBe(404)
    expect(await get(`collections/${collection.id}`)).toMatchObject({ productIds: [removed.id] })
    expect((await get<Schemas['ProductList']>('products')).summary).toEqual(summary)
  })

  test('follows an undo by time, though updatedAt is as before', async () => {
    const [first, second] = [await givenProduct(), await givenProduct()]
    service.advance(1000)
    const set = await plan([{ action: 'patch', id: first.id, data: { stock: 9 } }])
    await step(set.id, 'apply')
    service.advance(1000)
    await post(`change-sets/${set.id}/undo`)
    const query = `products?ids=${first.id},${second.id}&sort=-updatedAt`
    const { products } = await get<{ products: { id: string }[] }>(query)
    expect(products.map(({ id }) => id)).toEqual([first.id, second.id])
  })

  test('lets two products change names with each other', async () => {
    const [one, other] = [await givenProduct(), await givenProduct()]
    const set = await plan([
      { action: 'patch', id: one.id, data: { name: other.name, sku: other.sku } },
      { action: 'patch', id: other.id, data: { name: one.name, sku: one.sku } },
    ])
    expect(set.counts).toMatchObject({ updates: 2, errors: 0 })
    await step(set.id, 'apply')
    expect(await get(`products/${one.id}`)).toMatchObject({ name: other.name, sku: other.sku })
    await step(set.id, 'undo')
    expect(await get(`products/${one.id}`)).toMatchObject({ name: one.name, sku: one.sku })
  })

  test('names what has changed since the plan, and is planned again', async () => {
    const [kept, moved] = [await givenProduct(), await givenProduct()]
    const set = await plan(
      [kept, moved].map(({ id }) => ({ action: 'patch', id, data: { stock: 1 } })),
    )
    await service
      .api(key)
      .patch(at(`products/${moved.id}`))
      .send({ stock: 7 })
      .expect(200)
    const refused = await step(set.id, 'apply', {}, 409)
    expect([refused.code, refused.fieldErrors]).toEqual([
      'write_conflict',
      { [moved.id]: moved.name },
    ])
    expect(await get(`products/${kept.id}`)).toMatchObject({ stock: 5 })
    await step(set.id, 'plan')
    expect(await step(set.id, 'apply')).toMatchObject({ state: 'APPLIED' })
  })

  test('is not undone where a product has changed since', async () => {
    const [kept, moved] = [await givenProduct(), await givenProduct()]
    const set = await plan(
      [kept, moved].map(({ id }) => ({ action: 'patch', id, data: { stock: 1 } })),
    )
    await step(set.id, 'apply')
    const tag = await post<{ id: string }>('tags', { name: unique('tag') })
    await post(`products/${moved.id}/tags/${tag.id}`)
    const refused = await step(set.id, 'undo', {}, 409)
    expect(refused.fieldErrors).toEqual({ [moved.id]: moved.name })
    expect(await get(`products/${kept.id}`)).toMatchObject({ stock: 1 })
  })

  test('with errors is applied only without them', async () => {
    const product = await givenProduct()
    const set = await plan([
      { action: 'patch', id: product.id, data: { stock: 2 } },
      { action: 'create', data: { ...newValues(), name: product.name } },
      { action: 'patch', id: product.id, data: { price: 3 } },
    ])
    expect(set.counts).toMatchObject({ updates: 1, errors: 2 })
    const errors = (await rowsOf(set.id)).map((row) => row.errors)
    expect(errors[1]).toEqual({ name: 'Another product has this name.' })
    expect(Object.keys(errors[2]!)).toEqual(['price'])
    expect((await step(set.id, 'apply', {}, 409)).code).toBe('change_set_has_errors')
    expect(await step(set.id, 'apply', { skipErrors: true })).toMatchObject({ state: 'APPLIED' })
    expect(await get(`products/${product.id}`)).toMatchObject({ stock: 2 })
  })

  test('of a selection changes every product that matches', async () => {
    const tag = await post<{ id: string }>('tags', { name: unique('tag') })
    const products = [1, 2, 3].map(() => givenProduct({ tagIds: [tag.id] }))
    const ids = (await Promise.all(products)).map(({ id }) => id)
    const select = { where: { tagId: tag.id }, change: { stock: { add: 10 } } }
    const set = await post<ChangeSet>('change-sets', { title: 'More', select })
    expect(set).toMatchObject({ title: 'More', counts: { rows: 3, updates: 3 } })
    await step(set.id, 'apply')
    for (const id of ids) expect(await get(`products/${id}`)).toMatchObject({ stock: 15 })
  })

  test('takes rows or a selection, and no selection of everything', async () => {
    const change = { stock: 1 }
    const refusals = [{}, { rows: [], select: { where: { stock: 'IN' }, change } }]
    for (const body of refusals) await post('change-sets', body, 400)
    const refused = await post<Schemas['ApiError']>(
      'change-sets',
      { select: { where: {}, change } },
      400,
    )
    expect(Object.keys(refused.fieldErrors ?? {})).toEqual(['select.where'])
  })

  test('allows a step only in its state', async () => {
    const { id } = await givenProduct()
    const set = await plan([{ action: 'patch', id, data: { stock: 1 } }])
    expect(await step(set.id, 'cancel')).toMatchObject({ state: 'CANCELLED' })
    for (const name of ['apply', 'undo', 'plan', 'cancel'])
      expect((await step(set.id, name, {}, 409)).code).toBe('change_set_state')
  })

  test('expires after seven days', async () => {
    const { id } = await givenProduct()
    const set = await plan([{ action: 'patch', id, data: { stock: 1 } }])
    service.advance(7 * 86_400_000 + 1)
    expect(await get(`change-sets/${set.id}`)).toMatchObject({ state: 'EXPIRED' })
    expect((await step(set.id, 'apply', {}, 409)).code).toBe('change_set_state')
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
    const collection = await post<{ id: string }>('collections', { name: unique('collection') })
    const { id } = await givenProduct()
    const { key: narrow } = await service.givenKey(owner, {
      scopes: ['products:read', 'products:write'],
    })
    const rows = [{ action: 'patch', id, data: { addToCollectionIds: [collection.id] } }]
    const answer = await service.api(narrow).post(at('products/batch')).send({ rows }).expect(200)
    const { results } = answer.body as Schemas['ProductBatchResult']
    expect(results[0]!.error?.code).toBe('insufficient_scope')
    const set = await plan(rows as Row[])
    const path = at(`change-sets/${set.id}/apply`)
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
    const product = await givenProduct()
    const settings = `/api/workspaces/${workspaceId}/agent-changes`
    const setting = { agentChangesNeedApproval: true }
    await service.dashboard(owner).put(settings).send(setting).expect(200)
    const rows = [{ action: 'patch', id: product.id, data: { stock: 1 } }]
    const { token } = await service.givenAgent(owner, { name: 'Helper' })
    const call = async (name: string, given: object) => {
      const body = message('tools/call', { name, arguments: { workspaceId, ...given } })
      return resultOf(await callTool(service, body, { Authorization: `Bearer ${token}` }))
    }
    const batch = await call('write_products', { data: { rows } })
    const { changeSetId } = batch.structuredContent as Schemas['ProductBatchResult']
    expect(batch.structuredContent).toMatchObject({ results: [] })
    const planned = await call('create_change_set', { data: { rows } })
    const { id } = planned.structuredContent as ChangeSet
    const applied = await call('apply_change_set', { id })
    expect(applied.structuredContent).toMatchObject({ state: 'WAITING', appliedBy: null })
    expect(await get(`products/${product.id}`)).toMatchObject({ stock: 5 })
    const waiting = await get<Schemas['ChangeSetList']>('change-sets?waiting=true')
    expect(waiting.changeSets.map((set) => set.id)).toEqual([id, changeSetId])
    await step(id, 'apply', {}, 409)
    // A key is the owner's own program, and is not held.
    const { id: keys } = await givenProduct()
    const ofKey = await write([{ action: 'patch', id: keys, data: { stock: 2 } }])
    expect(ofKey.counts).toMatchObject({ updated: 1 })
    const path = at(`change-sets/${id}/apply`)
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
