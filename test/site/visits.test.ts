import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { givenMediaRow, type Product, productBody } from '../kit/catalogue.ts'
import { givenMember, givenScene, type Scene } from '../every_operation/fixtures.ts'
import { startService, type TestService, unique } from '../kit/service.ts'
import { statementsOf } from '../kit/statements.ts'
import { givenCustomer, givenGuest, givenThread, type TestVisitor } from '../kit/visitors.ts'

const day = 24 * 3600_000

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

let scene: Scene
beforeEach(async () => {
  scene = await givenScene(service)
})

type Headers = Record<string, string>

const manage = (path: string) => `/v1/workspaces/${scene.workspace.id}/${path}`
const at = (path: string) => manage(`experience/${path}`)
const bootstrap = (headers: Headers) => service.api(scene.key).get(at('bootstrap')).set(headers)
const record = ({ headers }: Pick<TestVisitor, 'headers'>, event: object) =>
  service.api(scene.key).post(at('events')).set(headers).send(event)
const write = ({ headers }: Pick<TestVisitor, 'headers'>, message: string) =>
  service.api(scene.key).post(at('feedback')).set(headers).send({ message })

async function givenProduct(
  { workspace, key }: Scene,
  { status }: Pick<Product, 'status'>,
): Promise<Product> {
  const call = service.api(key).post(`/v1/workspaces/${workspace.id}/products`)
  return (await call.send(productBody({ status })).expect(200)).body as Product
}

async function eventsOf(name: string): Promise<object[]> {
  return service.db
    .selectFrom('usage_events')
    .select(['actor_type as actorType', 'user_id as userId', 'endpoint', 'details'])
    .select(['resource_type as resourceType', 'resource_id as resourceId'])
    .where('workspace_id', '=', scene.workspace.id)
    .where('event_name', '=', name)
    .orderBy('id')
    .execute()
}

describe('get_bootstrap', () => {
  test('returns the public part of the workspace to a guest', async () => {
    const { status, body } = await bootstrap({ 'X-Guest-Device-Id': unique('device') })
    expect(status).toBe(200)
    const website = (await service.api(scene.key).get(manage('website'))).body
    const { id, name, subDomain, templateKey } = scene.workspace
    expect(body).toEqual({
      workspace: { id, name, subDomain, templateKey, website: { ...website, logo: null } },
      accessPolicy: website.accessPolicy,
      viewer: { type: 'GUEST', customer: null, remainingRequests: 5 },
      guestToken: expect.stringMatching(/^wsg_dev_/),
      challengeSiteKey: id,
      catalogueVersion: expect.any(String),
    })
    const { billingEmail } = scene.workspace
    expect(JSON.stringify(body)).not.toContain(billingEmail)
  })

  test('shows the logo, and not only its id', async () => {
    const workspaceId = scene.workspace.id
    const { id, url } = await givenMediaRow({ service, workspaceId })
    const write = (logoImageId: string | null) =>
      service.api(scene.key).put(manage('website')).send({ logoImageId }).expect(200)
    await write(id)
    const { body } = await bootstrap({ 'X-Guest-Device-Id': unique('device') })
    expect(body.workspace.website).toMatchObject({ logoImageId: id, logo: { id, url } })
    await write(null)
  })

  test('recognises a customer by name, also on a device where they are signed in', async () => {
    const customer = await givenCustomer(scene)
    const { body } = await bootstrap(customer.headers)
    expect(body.guestToken).toBeNull()
    expect(body.viewer).toEqual({
      type: 'CUSTOMER',
      customer: {
        id: customer.id,
        name: 'A customer',
        email: customer.email,
        phone: null,
        language: 'en',
      },
      remainingRequests: 30,
    })
    const device = { 'X-Guest-Device-Id': unique('device') }
    const { body: both } = await bootstrap({ ...customer.headers, ...device })
    expect(both.viewer.type).toBe('CUSTOMER')
    const guest = { ...device, 'X-Guest-Token': both.guestToken as string }
    expect((await bootstrap(guest)).body.viewer.type).toBe('GUEST')
  })

  test('requires a device id from anyone but a customer', async () => {
    const { status, body } = await bootstrap({})
    expect([status, body.fieldErrors]).toEqual([
      400,
      { 'X-Guest-Device-Id': 'Required without X-Visitor-Token.' },
    ])
  })

  test('returns the remaining daily quota of each visitor', async () => {
    const guest = givenGuest(scene)
    const customer = await givenCustomer(scene)
    const today = service.now().toISOString().slice(0, 10)
    const quota = { workspace_id: scene.workspace.id, day: today }
    await service.db
      .insertInto('visitor_quotas')
      .values([
        { ...quota, visitor_id: guest.id, requests: 3 },
        { ...quota, visitor_id: customer.id, requests: 31 },
      ])
      .execute()
    const remainingFor = async ({ headers }: Pick<TestVisitor, 'headers'>): Promise<unknown> =>
      (await bootstrap(headers)).body.viewer.remainingRequests
    expect([
      await remainingFor(guest),
      await remainingFor(givenGuest(scene)),
      await remainingFor(customer),
    ]).toEqual([2, 5, 0])
    const policy = { accessPolicy: { guestAiEnabled: false, customerDailyRequests: 40 } }
    await service.api(scene.key).put(manage('website')).send(policy).expect(200)
    expect([await remainingFor(guest), await remainingFor(customer)]).toEqual([0, 9])
    service.advance(day)
    expect(await remainingFor(customer)).toBe(40)
  })

  test('records one visit per visitor and day, even in ten concurrent calls', async () => {
    const guest = givenGuest(scene)
    const customer = await givenCustomer(scene)
    await Promise.all(Array.from({ length: 10 }, async () => bootstrap(guest.headers).expect(200)))
    await bootstrap(customer.headers).expect(200)
    await bootstrap(customer.headers).expect(200)
    const visit = { endpoint: 'get_bootstrap', details: null, resourceType: '', resourceId: '' }
    const expected = [
      { actorType: 'GUEST', userId: null, ...visit },
      { actorType: 'CUSTOMER', userId: customer.id, ...visit },
    ]
    expect(await eventsOf('visit')).toEqual(expected)
    service.advance(day)
    await bootstrap(guest.headers).expect(200)
    expect(await eventsOf('visit')).toEqual([...expected, expected[0]])
  })

  test('takes two statements after the first call of the day', async () => {
    const { headers } = givenGuest(scene)
    await bootstrap(headers).expect(200)
    expect(await statementsOf(service, () => bootstrap(headers).then())).toHaveLength(2)
  })
})

describe('record_event', () => {
  test('attributes events to the right visitor', async () => {
    const product = await givenProduct(scene, { status: 'ACTIVE' })
    const guest = givenGuest(scene)
    const customer = await givenCustomer(scene)
    const view = { name: 'PRODUCT_VIEW', productId: product.id, path: '/roses' }
    for (const visitor of [guest, customer]) {
      const { status, body } = await record(visitor, view)
      expect([status, body]).toEqual([202, { accepted: true }])
    }
    const event = {
      endpoint: 'record_event',
      resourceType: 'product',
      resourceId: product.id,
      details: { path: '/roses' },
    }
    expect(await eventsOf('product.view')).toEqual([
      { actorType: 'GUEST', userId: null, ...event },
      { actorType: 'CUSTOMER', userId: customer.id, ...event },
    ])
  })

  test.each([
    ['PAGE_VIEW', 'page.view'],
    ['CLICK', 'click'],
    ['CUSTOM', 'custom'],
  ])('records %s as %s with its properties', async (name, eventName) => {
    const properties = { campaign: 'spring', position: 3.5, returning: true }
    await record(givenGuest(scene), { name, properties }).expect(202)
    expect(await eventsOf(eventName)).toEqual([
      {
        actorType: 'GUEST',
        userId: null,
        endpoint: 'record_event',
        resourceType: '',
        resourceId: '',
        details: { properties },
      },
    ])
  })

  test.each([
    ['PRODUCT_VIEW', 'productId'],
    ['COLLECTION_VIEW', 'collectionId'],
  ])('refuses %s without %s, and counts nothing', async (name, field) => {
    const { status, body } = await record(givenGuest(scene), { name, path: '/roses' })
    expect([status, body.fieldErrors]).toEqual([400, { [field]: 'Required.' }])
    expect(await eventsOf(name.toLowerCase().replace('_', '.'))).toEqual([])
  })

  test.each([
    [{ name: 'PAGE_VIEW', path: '/roses' }, 'page', '/roses'],
    [{ name: 'CLICK', path: '/x', properties: { name: 'buy' } }, 'page', '/x'],
    [{ name: 'CLICK', properties: { name: 'buy' } }, 'custom', 'buy'],
    [{ name: 'CUSTOM', path: '/x', properties: { name: 'quiz' } }, 'custom', 'quiz'],
    [{ name: 'CUSTOM', path: '/x', properties: { name: 3 } }, 'page', '/x'],
    [{ name: 'CUSTOM', properties: { step: 2 } }, '', ''],
  ])('%j is listed as about %s %s', async (event, resourceType, resourceId) => {
    await record(givenGuest(scene), event).expect(202)
    const { body } = await service.api(scene.key).get(manage('usage/events'))
    const [first] = (body as { events: object[] }).events
    expect(first).toMatchObject({ endpoint: 'record_event', resourceType, resourceId })
  })

  test('accepts only published products and collections of this workspace', async () => {
    const guest = givenGuest(scene)
    const foreign = await givenProduct(await givenScene(service), { status: 'ACTIVE' })
    const inactive = await givenProduct(scene, { status: 'INACTIVE' })
    const deleted = await givenProduct(scene, { status: 'DELETED' })
    const collection = await service
      .api(scene.key)
      .post(manage('collections'))
      .send({ name: 'Roses' })
    const collectionId = (collection.body as { id: string }).id
    for (const productId of [foreign.id, inactive.id, deleted.id, 'unknown']) {
      const { status, body } = await record(guest, { name: 'CLICK', productId, collectionId })
      expect([status, body.fieldErrors]).toEqual([
        400,
        { productId: 'There is no such published product.' },
      ])
    }
    const both = { name: 'CLICK', productId: inactive.id, collectionId: 'unknown' }
    expect(Object.keys((await record(guest, both)).body.fieldErrors)).toEqual([
      'productId',
      'collectionId',
    ])
    expect(await eventsOf('click')).toEqual([])
    await record(guest, { name: 'COLLECTION_VIEW', collectionId }).expect(202)
    const active = await givenProduct(scene, { status: 'ACTIVE' })
    await record(guest, { name: 'CLICK', productId: active.id, collectionId }).expect(202)
    expect(await eventsOf('click')).toMatchObject([
      { resourceType: 'product', resourceId: active.id, details: { collectionId } },
    ])
    expect(await eventsOf('collection.view')).toMatchObject([
      { resourceType: 'collection', resourceId: collectionId, details: null },
    ])
  })

  test('is a single insert that waits for no lock', async () => {
    const { id } = await givenProduct(scene, { status: 'ACTIVE' })
    const guest = givenGuest(scene)
    const event = { name: 'PRODUCT_VIEW', productId: id }
    await record(guest, event).expect(202)
    const statements = await statementsOf(service, () => record(guest, event).then())
    // Behind a pooler, a write has a transaction of its own.
    expect(statements.filter((text) => !/^(begin|commit)\b/.test(text))).toHaveLength(2)
    // Product and workspace are locked as for a write, and the event is still recorded.
    const holder = await service.connection.pool.connect()
    try {
      await holder.query('begin')
      const product = [scene.workspace.id, id]
      const lock = 'select from products where workspace_id = $1 and id = $2 for update'
      await holder.query(lock, product)
      await holder.query('select from workspaces where id = $1 for no key update', [
        scene.workspace.id,
      ])
      await record(guest, event).expect(202)
    } finally {
      await holder.query('rollback')
      holder.release()
    }
  })

  test('does not accept an actor in the body', async () => {
    const customer = await givenCustomer(scene)
    const { status, body } = await record(givenGuest(scene), { name: 'CLICK', userId: customer.id })
    expect([status, Object.keys(body.fieldErrors)]).toEqual([400, ['userId']])
  })
})

describe('create_feedback', () => {
  test('delivers feedback of guests and customers to the shop', async () => {
    const customer = await givenCustomer(scene)
    const { status, text } = await write(givenGuest(scene), 'Bir sorum var: 😀')
    expect([status, text]).toEqual([204, ''])
    service.advance(1000)
    await write(customer, 'Lovely').expect(204)
    const { body } = await service.api(scene.key).get(manage('feedback')).expect(200)
    const { id: workspaceId, name: workspaceName } = scene.workspace
    const entry = { id: expect.stringMatching(/^fbk_/), workspaceId, workspaceName }
    const later = service.now()
    const earlier = new Date(later.getTime() - 1000)
    expect(body).toEqual({
      feedbacks: [
        { ...entry, userId: customer.id, message: 'Lovely', createdAt: later.toISOString() },
        { ...entry, userId: null, message: 'Bir sorum var: 😀', createdAt: earlier.toISOString() },
      ],
      pagination: {
        page: 1,
        limit: 20,
        total: 2,
        totalPages: 1,
        hasNextPage: false,
        hasPreviousPage: false,
      },
    })
    const ids = (body as { feedbacks: { id: string }[] }).feedbacks.map(({ id }) => id)
    const event = { endpoint: 'create_feedback', resourceType: 'feedback', details: null }
    expect(await eventsOf('feedback.create')).toEqual([
      { actorType: 'GUEST', userId: null, ...event, resourceId: ids[1] },
      { actorType: 'CUSTOMER', userId: customer.id, ...event, resourceId: ids[0] },
    ])
  })

  test('runs once per Idempotency-Key', async () => {
    const guest = givenGuest(scene)
    const retried = { headers: { ...guest.headers, 'Idempotency-Key': 'once' } }
    for (let count = 0; count < 3; count++) {
      const { status, text } = await write(retried, 'Once')
      expect([status, text]).toEqual([204, ''])
    }
    const { body } = await service.api(scene.key).get(manage('feedback'))
    expect(body.pagination.total).toBe(1)
  })
})

describe('list_feedback', () => {
  test('pages newest first', async () => {
    const guest = givenGuest(scene)
    for (const message of ['one', 'two', 'three']) await write(guest, message).expect(204)
    const page = async (number: number) => {
      const { body } = await service
        .api(scene.key)
        .get(manage(`feedback?page=${number}&pageSize=2`))
      const { feedbacks, pagination } = body as {
        feedbacks: { message: string }[]
        pagination: { total: number; hasNextPage: boolean }
      }
      return [feedbacks.map(({ message }) => message), pagination.total, pagination.hasNextPage]
    }
    expect([await page(1), await page(2), await page(3)]).toEqual([
      [['three', 'two'], 3, true],
      [['one'], 3, false],
      [[], 3, false],
    ])
  })

  test('is open to staff but not to billing', async () => {
    const [staff, billing] = [await service.givenPerson(), await service.givenPerson()]
    await givenMember(scene, staff, 'staff')
    await givenMember(scene, billing, 'billing')
    expect((await service.dashboard(staff).get(manage('feedback'))).status).toBe(200)
    expect((await service.dashboard(billing).get(manage('feedback'))).status).toBe(403)
  })
})

describe('delete_thread', () => {
  const remove = ({ headers }: Pick<TestVisitor, 'headers'>, threadId: string) =>
    service
      .api(scene.key)
      .delete(at(`threads/${threadId}`))
      .set(headers)

  test('removes a conversation of this visitor, once', async () => {
    const guest = givenGuest(scene)
    const { threadId } = await givenThread(scene, guest)
    const { status, text } = await remove(guest, threadId)
    expect([status, text]).toEqual([204, ''])
    expect((await remove(guest, threadId)).status).toBe(404)
  })

  test('does not find one of another visitor or workspace', async () => {
    const guest = givenGuest(scene)
    const { threadId } = await givenThread(scene, guest)
    const elsewhere = { ...scene, workspace: await service.givenWorkspace(scene.owner) }
    const same = givenGuest(elsewhere, { deviceId: guest.deviceId })
    const foreign = await givenThread(elsewhere, same)
    for (const visitor of [givenGuest(scene), await givenCustomer(scene)])
      expect((await remove(visitor, threadId)).status).toBe(404)
    expect((await remove(guest, foreign.threadId)).status).toBe(404)
    expect((await remove(guest, threadId)).status).toBe(204)
  })

  test('keeps the id of a conversation out of the log', async () => {
    const guest = givenGuest(scene)
    const { threadId } = await givenThread(scene, guest)
    await remove(guest, threadId).expect(204)
    expect(JSON.stringify(service.logged())).not.toContain(threadId.slice(8))
  })
})
