import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import type { components } from '../../src/generated/types.ts'
import { insertUsageEvent, type UsageEvent } from '../../src/queries/credits/usage_events.ts'
import { givenMember, givenScene, type Scene } from '../every_operation/fixtures.ts'
import { declarationOf } from '../every_operation/operations.ts'
import { startService, type TestService, unique } from '../kit/service.ts'

type Schemas = components['schemas']

let service: TestService
let scene: Scene
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(async () => {
  scene = await givenScene(service)
})

const day = 24 * 3600_000
const at = (path: string) => `/v1/workspaces/${scene.workspace.id}/${path}`
const dateOf = (time: Date) => time.toISOString().slice(0, 10)
const daysAgo = (days: number) => new Date(service.now().getTime() - days * day)

async function read<T>(path: string): Promise<T> {
  const { status, body } = await service.api(scene.key).get(at(path))
  expect(status).toBe(200)
  return body as T
}
const report = (query = '') => read<Schemas['UsageReport']>(`usage${query}`)
const events = (query = '') => read<Schemas['UsageEventList']>(`usage/events${query}`)
const record = (event: UsageEvent, time = service.now()) =>
  insertUsageEvent(service.db, scene.workspace.id, event, time)

const guest = { actorType: 'GUEST', userId: null } as const
const chat = (eventName: UsageEvent['eventName'], credits: number, more: object = {}) => ({
  ...guest,
  eventName,
  creditDelta: -credits,
  modelKey: 'local',
  ...more,
})

const nothing = {
  events: 0,
  requests: 0,
  credits: 0,
  productRequests: 0,
  routineRequests: 0,
  faceAnalyses: 0,
  comprehensiveRequests: 0,
  productViews: 0,
  visits: 0,
}

describe('get_usage_report', () => {
  test('is empty where nothing was done, and says which days it covers', async () => {
    const { usage, totals, from, to, pagination } = await report()
    expect([usage, totals]).toEqual([[], { events: 0, requests: 0, credits: 0 }])
    expect([from, to]).toEqual([dateOf(daysAgo(29)), dateOf(service.now())])
    expect(pagination).toMatchObject({ page: 1, limit: 20, total: 0, totalPages: 0 })
  })

  test('counts guests together, by request', async () => {
    await record(chat('chat.product', 1))
    await record(chat('chat.product', 4, { comprehensive: true }))
    await record(chat('chat.routine', 2))
    await record(chat('chat.analyze_face', 5))
    await record(chat('chat.product', 0, { status: 'FAILED' }))
    await record({ ...guest, eventName: 'product.view' })
    await record({ ...guest, eventName: 'visit' })
    await record({ ...guest, eventName: 'page.view' })
    const { usage, totals } = await report()
    expect(usage).toEqual([
      {
        actorType: 'GUEST',
        userId: null,
        name: 'Guests',
        lastUsedAt: service.now().toISOString(),
        events: 8,
        requests: 4,
        credits: 12,
        productRequests: 2,
        routineRequests: 1,
        faceAnalyses: 1,
        comprehensiveRequests: 2,
        productViews: 1,
        visits: 1,
      },
    ])
    expect(totals).toEqual({ events: 8, requests: 4, credits: 12 })
  })

  test('shows customers by their own name', async () => {
    const times = { created_at: service.now(), updated_at: service.now() }
    const ada = { id: newId('cus'), email: 'ada@example.com', name: 'Ada', language: 'en' }
    const row = { ...ada, workspace_id: scene.workspace.id, phone: null, ...times }
    await service.db.insertInto('customers').values(row).execute()
    await record({ actorType: 'CUSTOMER', userId: ada.id, eventName: 'visit' })
    const { usage } = await report()
    expect(usage.map(({ actorType, userId, name }) => [actorType, userId, name])).toEqual([
      ['CUSTOMER', ada.id, 'Ada'],
    ])
  })

  test('has a row per kind of actor and person, latest first', async () => {
    const { accountId } = scene.owner
    const write = { userId: accountId, eventName: 'management.write' } as const
    await record({ actorType: 'API_KEY', ...write }, daysAgo(2))
    await record({ actorType: 'OWNER', ...write }, daysAgo(1))
    await record({ actorType: 'OWNER', ...write }, daysAgo(3))
    const system = { actorType: 'SYSTEM', userId: null } as const
    await record({ ...system, eventName: 'credits.refund', creditDelta: -500 })
    const { usage, totals } = await report()
    const person = { userId: accountId, name: 'A person' }
    expect(usage).toEqual([
      {
        ...nothing,
        actorType: 'SYSTEM',
        userId: null,
        name: 'System',
        events: 1,
        lastUsedAt: service.now().toISOString(),
      },
      {
        ...nothing,
        actorType: 'OWNER',
        ...person,
        events: 2,
        lastUsedAt: daysAgo(1).toISOString(),
      },
      {
        ...nothing,
        actorType: 'API_KEY',
        ...person,
        events: 1,
        lastUsedAt: daysAgo(2).toISOString(),
      },
    ])
    expect(totals).toEqual({ events: 4, requests: 0, credits: 0 })
    const owners = await report('?actorType=OWNER')
    expect(owners.usage.map(({ events: count }) => count)).toEqual([2])
    expect(owners.totals.events).toBe(2)
  })

  test('pages its rows, with totals over all of them', async () => {
    for (const index of [1, 2, 3])
      await record(
        { actorType: 'CUSTOMER', userId: `cus_${index}`, eventName: 'visit' },
        daysAgo(index),
      )
    const { usage, totals, pagination } = await report('?pageSize=2&page=2')
    expect(usage.map(({ userId }) => userId)).toEqual(['cus_3'])
    expect(pagination).toMatchObject({ total: 3, totalPages: 2, hasPreviousPage: true })
    expect(totals.events).toBe(3)
    expect((await report('?page=5')).totals.events).toBe(3)
  })

  test('covers both dates to their last millisecond, in UTC', async () => {
    const moments = ['2026-02-28T23:59:59.999Z', '2026-03-01T00:00:00.000Z']
    for (const moment of [...moments, '2026-03-02T23:59:59.999Z', '2026-03-03T00:00:00.000Z'])
      await record({ ...guest, eventName: 'visit' }, new Date(moment))
    const { totals, from, to } = await report('?from=2026-03-01&to=2026-03-02')
    expect([totals.events, from, to]).toEqual([2, '2026-03-01', '2026-03-02'])
    const month = await report('?to=2026-03-02')
    expect([month.from, month.totals.events]).toEqual(['2026-02-01', 3])
  })

  test.each([
    ['from=2026-03-02&to=2026-03-01', 'Must not be after the last date, 2026-03-01.'],
    ['from=2025-01-26&to=2026-03-02', 'Must be within the 400 days up to 2026-03-02.'],
  ])('refuses %s', async (query, sentence) => {
    const { status, body } = await service.api(scene.key).get(at(`usage?${query}`))
    expect([status, body.fieldErrors]).toEqual([400, { from: sentence }])
  })

  test.each(['2026-02-30', '2026-3-1', 'today', '1999-01-01'])(
    'refuses the invalid date %s',
    async (date) => {
      const { status, body } = await service.api(scene.key).get(at(`usage?from=${date}`))
      expect([status, Object.keys(body.fieldErrors as object)]).toEqual([400, ['from']])
    },
  )

  test('covers at most 400 days', async () => {
    const { from } = await report('?from=2025-01-27&to=2026-03-02')
    expect(from).toBe('2025-01-27')
  })
})

describe('get_usage_by_day', () => {
  const days = async (query = '') => {
    const path = `/api/workspaces/${scene.workspace.id}/usage/days${query}`
    const { status, body } = await service.dashboard(scene.owner).get(path)
    expect(status).toBe(200)
    return body as Schemas['UsageByDay']
  }

  test('is empty where nothing was done, and says which days it covers', async () => {
    const [from, to] = [dateOf(daysAgo(29)), dateOf(service.now())]
    expect(await days()).toEqual({ days: [], from, to })
  })

  test('counts each UTC day by kind of actor, with credits for answers only', async () => {
    const [yesterday, today] = [dateOf(daysAgo(1)), dateOf(service.now())]
    await record(chat('chat.product', 4), daysAgo(1))
    await record(chat('chat.product', 0, { status: 'FAILED' }), daysAgo(1))
    await record({ ...guest, eventName: 'visit' })
    await record({
      actorType: 'SYSTEM',
      userId: null,
      eventName: 'credits.adjust',
      creditDelta: 50,
    })
    expect((await days()).days).toEqual([
      { date: yesterday, key: 'GUEST', events: 2, credits: 4 },
      { date: today, key: 'GUEST', events: 1, credits: 0 },
      { date: today, key: 'SYSTEM', events: 1, credits: 0 },
    ])
  })

  test('counts by kind of event on request, and only within the dates', async () => {
    await record(chat('chat.routine', 2))
    await record({ ...guest, eventName: 'visit' })
    await record({ ...guest, eventName: 'visit' }, daysAgo(3))
    const today = dateOf(service.now())
    expect((await days(`?by=EVENT&from=${today}&to=${today}`)).days).toEqual([
      { date: today, key: 'chat.routine', events: 1, credits: 2 },
      { date: today, key: 'visit', events: 1, credits: 0 },
    ])
  })
})

describe('list_usage_events', () => {
  test('shows every column, newest first', async () => {
    await record({ ...guest, eventName: 'visit' }, daysAgo(1))
    await record(
      chat('chat.product', 2, {
        endpoint: 'chat_about_product',
        resourceType: 'product',
        resourceId: 'prod_1',
        actorType: 'CUSTOMER',
        userId: 'cus_1',
        comprehensive: true,
      }),
    )
    const { events: list, pagination } = await events()
    const id = expect.stringMatching(/^evt_/) as string
    expect(list).toEqual([
      {
        id,
        userId: 'cus_1',
        actorType: 'CUSTOMER',
        eventName: 'chat.product',
        endpoint: 'chat_about_product',
        resourceType: 'product',
        resourceId: 'prod_1',
        creditDelta: -2,
        modelKey: 'local',
        status: 'SUCCESS',
        createdAt: service.now().toISOString(),
      },
      {
        id,
        userId: null,
        actorType: 'GUEST',
        eventName: 'visit',
        endpoint: '',
        resourceType: '',
        resourceId: '',
        creditDelta: 0,
        modelKey: '',
        status: 'SUCCESS',
        createdAt: daysAgo(1).toISOString(),
      },
    ])
    expect(pagination).toMatchObject({ total: 2, totalPages: 1 })
  })

  test('filters by actor, name and dates, and pages from both ends', async () => {
    for (let index = 0; index < 5; index++)
      await record({ ...guest, eventName: 'visit', resourceId: String(index) }, daysAgo(index))
    await record({ ...guest, eventName: 'click' })
    await record({ actorType: 'CUSTOMER', userId: 'cus_1', eventName: 'visit' })
    const ids = async (query: string) =>
      (await events(query)).events.map(({ resourceId }) => resourceId)
    const visits = 'eventName=visit&actorType=GUEST&pageSize=2'
    expect(await ids(`?${visits}`)).toEqual(['0', '1'])
    expect(await ids(`?${visits}&page=2`)).toEqual(['2', '3'])
    expect(await ids(`?${visits}&page=3`)).toEqual(['4'])
    expect(await ids(`?${visits}&page=4`)).toEqual([])
    expect(await ids(`?${visits}&to=${dateOf(daysAgo(3))}`)).toEqual(['3', '4'])
  })

  test('shows nothing from another workspace', async () => {
    await record({ ...guest, eventName: 'visit' })
    const other = await givenScene(service)
    const path = `/v1/workspaces/${other.workspace.id}/usage/events`
    const { body } = await service.api(other.key).get(path)
    expect(body.events).toEqual([])
  })
})

describe('a management write', () => {
  const writes = async () =>
    (await events('?eventName=management.write')).events.map(
      ({ actorType, userId, endpoint, resourceType, resourceId }) =>
        [actorType, userId, endpoint, resourceType, resourceId] as const,
    )
  const tagOf = (body: unknown) => (body as { id: string }).id

  test('by a key is recorded with its operation and the id it created', async () => {
    const { body } = await service.api(scene.key).post(at('tags')).send({ name: 'New' })
    const id = tagOf(body)
    await service
      .api(scene.key)
      .delete(at(`tags/${id}`))
      .expect(200)
    const { accountId } = scene.owner
    expect((await writes()).reverse()).toEqual([
      ['API_KEY', accountId, 'create_tag', 'tag', id],
      ['API_KEY', accountId, 'delete_tag', 'tag', id],
    ])
  })

  test('is recorded with the id of a product, though a query builds the answer', async () => {
    const product = declarationOf('create_product').bodyExamples[0]
    const { status, body } = await service.api(scene.key).post(at('products')).send(product)
    expect(status).toBe(200)
    const [write] = await writes()
    expect(write?.slice(2)).toEqual(['create_product', 'product', tagOf(body)])
  })

  test('by a member is recorded as by the owner or staff', async () => {
    const staff = await service.givenPerson()
    await givenMember(scene, staff, 'staff')
    await service.dashboard(scene.owner).post(at('tags')).send({ name: 'A' }).expect(200)
    await service.dashboard(staff).post(at('tags')).send({ name: 'B' }).expect(200)
    expect((await writes()).map(([actorType, userId]) => [actorType, userId]).reverse()).toEqual([
      ['OWNER', scene.owner.accountId],
      ['STAFF', staff.accountId],
    ])
  })

  test('that creates a workspace is its first recorded event', async () => {
    const example = { name: 'Another', subDomain: unique('made'), templateKey: 'minimal' }
    const { body } = await service.api(scene.key).post('/v1/workspaces').send(example)
    const id = tagOf(body)
    const { body: list } = await service.api(scene.key).get(`/v1/workspaces/${id}/usage/events`)
    expect(list.events).toMatchObject([
      { endpoint: 'create_workspace', resourceType: 'workspace', resourceId: id },
    ])
  })

  test('that is refused, and a read, are not recorded', async () => {
    await service.api(scene.key).post(at('tags')).send({ name: '' }).expect(400)
    await service.api(scene.key).delete(at('tags/tag_none')).expect(404)
    const change = { billingEmail: 'new@example.com', billingEmailCode: '000000' }
    await service.api(scene.key).put(at('workspace')).send(change).expect(400)
    await service.api(scene.key).get(at('tags')).expect(200)
    expect(await writes()).toEqual([])
  })

  test('repeated under its Idempotency-Key is recorded once', async () => {
    const send = () =>
      service.api(scene.key).post(at('tags')).set('Idempotency-Key', 'k').send({ name: 'Once' })
    await send().expect(200)
    await send().expect(200)
    expect(await writes()).toHaveLength(1)
  })
})
