import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { components } from '../../src/generated/types.ts'
import { insertUsageEvent, type UsageEvent } from '../../src/queries/credits/usage_events.ts'
import { givenScene, type Scene } from '../every_operation/fixtures.ts'
import { randomNumbers } from '../kit/random_numbers.ts'
import { startService, type TestService } from '../kit/service.ts'
import { givenGuest } from '../kit/visitors.ts'
import { miscountedUsage } from './counted_usage.ts'

type Schemas = components['schemas']

let service: TestService
let scene: Scene
beforeAll(async () => {
  service = await startService({ waitMilliseconds: 60_000 })
})
afterAll(() => service.close())
beforeEach(async () => {
  scene = await givenScene(service)
})

type Recorded = Required<Pick<UsageEvent, 'status' | 'comprehensive' | 'creditDelta'>> &
  Pick<UsageEvent, 'actorType' | 'userId' | 'eventName'> & { at: Date }

const record = ({ at, ...event }: Recorded, workspaceId = scene.workspace.id) =>
  insertUsageEvent(service.db, workspaceId, event, at)

const dateOf = (moment: Date) => moment.toISOString().slice(0, 10)

/** Events of 90 days from 5 January 2027, at hours near midnight too. */
function randomEvents(count: number, seed: number): Recorded[] {
  const random = randomNumbers(seed)
  const one = <T>(list: readonly T[]) => list[random(list.length)]!
  const actors = [
    { actorType: 'GUEST', userId: null },
    { actorType: 'SYSTEM', userId: null },
    ...['OWNER', 'STAFF', 'API_KEY', 'AGENT'].map((actorType) => ({ actorType, userId: 'acc_1' })),
    ...['cus_1', 'cus_2', 'cus_3'].map((userId) => ({ actorType: 'CUSTOMER', userId })),
  ] as Pick<UsageEvent, 'actorType' | 'userId'>[]
  const names = [
    'chat.product',
    'chat.routine',
    'chat.analyze_face',
    'visit',
    'product.view',
  ] as const
  return Array.from({ length: count }, () => ({
    ...one(actors),
    eventName: one(names),
    status: one(['SUCCESS', 'SUCCESS', 'FAILED'] as const),
    comprehensive: random(3) === 0,
    creditDelta: -random(5),
    at: new Date(Date.UTC(2027, 0, 5 + random(90), one([0, 11, 23]), one([0, 59]), random(60))),
  }))
}

const isRequest = ({ eventName, status }: Recorded) =>
  eventName.startsWith('chat.') && status === 'SUCCESS'
const creditsOf = (events: Recorded[]) =>
  0 - events.filter(isRequest).reduce((sum, { creditDelta }) => sum + creditDelta, 0)

function groupsOf(events: Recorded[], key: (event: Recorded) => string): [string, Recorded[]][] {
  const groups = new Map<string, Recorded[]>()
  for (const event of events) groups.set(key(event), [...(groups.get(key(event)) ?? []), event])
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1))
}

/** What a report must say of one actor. */
function rowOf(events: Recorded[]) {
  const { actorType, userId } = events[0]!
  const succeeded = (name: string) =>
    events.filter((event) => event.eventName === name && event.status === 'SUCCESS')
  const comprehensive = events.filter(
    (event) => isRequest(event) && (event.comprehensive || event.eventName === 'chat.analyze_face'),
  )
  return {
    actorType,
    userId,
    name: actorType === 'GUEST' ? 'Guests' : actorType === 'SYSTEM' ? 'System' : '',
    lastUsedAt: new Date(Math.max(...events.map(({ at }) => at.getTime()))).toISOString(),
    events: events.length,
    requests: events.filter(isRequest).length,
    credits: creditsOf(events),
    productRequests: succeeded('chat.product').length,
    routineRequests: succeeded('chat.routine').length,
    faceAnalyses: succeeded('chat.analyze_face').length,
    comprehensiveRequests: comprehensive.length,
    productViews: succeeded('product.view').length,
    visits: succeeded('visit').length,
  }
}

const byActor = (a: { actorType: string; userId: string | null }, b: typeof a) =>
  `${a.actorType} ${a.userId}` < `${b.actorType} ${b.userId}` ? -1 : 1

async function read<T>(path: string): Promise<T> {
  const { status, body } = await service
    .api(scene.key)
    .get(`/v1/workspaces/${scene.workspace.id}/${path}`)
  expect(status).toBe(200)
  return body as T
}

describe('reports of random events', () => {
  test.each([
    { seed: 1, from: '2027-01-05', to: '2027-04-04' },
    { seed: 2, from: '2027-01-31', to: '2027-02-01' },
    { seed: 3, from: '2027-02-10', to: '2027-03-09', actorType: 'CUSTOMER' as const },
    { seed: 4, from: '2027-03-01', to: '2027-03-31', actorType: 'GUEST' as const },
    { seed: 5, from: '2027-04-01', to: '2027-04-02' },
  ])('equal a count of the events: $from to $to', async ({ seed, from, to, actorType }) => {
    const written = randomEvents(400, seed)
    await Promise.all(written.map((event) => record(event)))
    const inRange = written.filter(({ at }) => dateOf(at) >= from && dateOf(at) <= to)
    const events = inRange.filter((event) => !actorType || event.actorType === actorType)
    const query = `from=${from}&to=${to}&pageSize=100${actorType ? `&actorType=${actorType}` : ''}`

    const report = await read<Schemas['UsageReport']>(`usage?${query}`)
    const actors = groupsOf(events, ({ actorType: type, userId }) => `${type} ${userId}`)
    expect(report.usage.toSorted(byActor)).toEqual(
      actors.map(([, ofActor]) => rowOf(ofActor)).toSorted(byActor),
    )
    const times = report.usage.map(({ lastUsedAt }) => lastUsedAt)
    expect(times).toEqual(times.toSorted().reverse())
    expect(report.totals).toEqual({
      events: events.length,
      requests: events.filter(isRequest).length,
      credits: creditsOf(events),
    })

    const list = await read<Schemas['UsageEventList']>(`usage/events?${query}&eventName=visit`)
    const visits = events.filter(({ eventName }) => eventName === 'visit')
    expect(list.pagination.total).toBe(visits.length)
    expect(list.events.map(({ createdAt }) => createdAt)).toEqual(
      visits
        .map(({ at }) => at.toISOString())
        .toSorted()
        .reverse(),
    )

    for (const by of ['ACTOR', 'EVENT'] as const) {
      const path = `/api/workspaces/${scene.workspace.id}/usage/days`
      const { body } = await service
        .dashboard(scene.owner)
        .get(`${path}?from=${from}&to=${to}&by=${by}`)
      const key = (event: Recorded) => (by === 'ACTOR' ? event.actorType : event.eventName)
      const days = groupsOf(inRange, (event) => `${dateOf(event.at)} ${key(event)}`)
      expect((body as Schemas['UsageByDay']).days).toEqual(
        days.map(([name, group]) => ({
          date: name.slice(0, 10),
          key: name.slice(11),
          events: group.length,
          credits: creditsOf(group),
        })),
      )
    }
    expect(await miscountedUsage(service.db)).toEqual([])
  })
})

describe('parallel events', () => {
  const many = <T>(count: number, work: () => Promise<T>) =>
    Promise.all(Array.from({ length: count }, work))
  const rowsIn = (table: 'usage_days' | 'usage_people') =>
    service.db
      .selectFrom(table)
      .select('events')
      .where('workspace_id', '=', scene.workspace.id)
      .execute()

  test('of one customer and of guests are all counted', async () => {
    const event = {
      eventName: 'product.view',
      status: 'SUCCESS',
      comprehensive: false,
      creditDelta: 0,
      at: service.now(),
    } as const
    await Promise.all([
      many(150, () => record({ ...event, actorType: 'CUSTOMER', userId: 'cus_1' })),
      many(150, () => record({ ...event, actorType: 'GUEST', userId: null })),
    ])
    const { usage, totals } = await read<Schemas['UsageReport']>('usage')
    expect(totals.events).toBe(300)
    expect(usage.map(({ actorType, productViews }) => [actorType, productViews])).toEqual([
      ['CUSTOMER', 150],
      ['GUEST', 150],
    ])
    // A person has a row for the day and one for the month; sessions share at most 16 of the rest.
    expect(await rowsIn('usage_people')).toEqual([{ events: 150 }, { events: 150 }])
    expect((await rowsIn('usage_days')).length).toBeLessThanOrEqual(32)
    expect(await miscountedUsage(service.db)).toEqual([])
  })

  test('count a visit once, and nothing where an event was refused', async () => {
    const { headers } = givenGuest(scene)
    const path = `/v1/workspaces/${scene.workspace.id}/experience`
    const send = (body: object) =>
      service.api(scene.key).post(`${path}/events`).set(headers).send(body)
    await send({ name: 'PRODUCT_VIEW', productId: 'prod_none' }).expect(400)
    await send({ name: 'PAGE_VIEW' }).expect(202)
    await many(5, async () => {
      await service.api(scene.key).get(`${path}/bootstrap`).set(headers).expect(200)
    })
    const { usage, totals } = await read<Schemas['UsageReport']>('usage')
    expect(totals.events).toBe(2)
    expect(usage.map(({ actorType, visits }) => [actorType, visits])).toEqual([['GUEST', 1]])
    expect(await miscountedUsage(service.db)).toEqual([])
  })
})
