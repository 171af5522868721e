import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertUsageEvent, type UsageEvent } from '../../src/queries/credits/usage_events.ts'
import { givenScene } from '../every_operation/fixtures.ts'
import { startService, type TestService } from '../kit/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const guest = { actorType: 'GUEST', userId: null } as const
const visit = { ...guest, eventName: 'visit' } as const
const chat = { ...guest, eventName: 'chat.product', modelKey: 'local', creditDelta: -2 } as const

async function givenShop() {
  const { workspace, owner } = await givenScene(service)
  const dashboard = service.dashboard(owner)
  const at = (path: string) => `/api/workspaces/${workspace.id}/${path}`
  const read = async (path: string) => (await dashboard.get(path).expect(200)).body
  return {
    owner,
    /** Records an event of the workspace at a moment. */
    record: (event: UsageEvent, moment: string) =>
      insertUsageEvent(service.db, workspace.id, event, new Date(moment)),
    choose: (timeZone: string) => dashboard.put(at('time-zone')).send({ timeZone }),
    insights: (dates: string) => read(at(`insights?days=SHOP&${dates}`)),
    byDay: (dates: string) => read(at(`usage/days?days=SHOP&by=EVENT&${dates}`)),
    report: (dates: string) => read(`/v1/workspaces/${workspace.id}/usage?${dates}`),
    exported: async (dates: string) => {
      const path = `/v1/workspaces/${workspace.id}/usage/events/export?${dates}`
      return (await dashboard.get(path).expect(200)).text
    },
    session: () => read('/api/session'),
  }
}

/** The days on which visitors came, as Usage shows them. */
const visitsOf = ({ days }: { days: { date: string; visits: number }[] }) =>
  days.map(({ date, visits }) => `${date} ${visits}`)

describe('update_time_zone', () => {
  test('the session tells the chosen zone, and an unknown name is refused', async () => {
    const shop = await givenShop()
    expect((await shop.session()).memberships[0].timeZone).toBeNull()
    expect((await shop.choose('Europe/Istanbul').expect(200)).body).toEqual({
      timeZone: 'Europe/Istanbul',
    })
    expect((await shop.session()).memberships[0].timeZone).toBe('Europe/Istanbul')
    const refused = await shop.choose('Europe/Atlantis').expect(400)
    expect(refused.body.fieldErrors).toEqual({ timeZone: 'No time zone has this name.' })
  })
})

describe("reports by the shop's days", () => {
  test('count an event on the date that it had in the shop, half hours included', async () => {
    const shop = await givenShop()
    await shop.choose('Asia/Kolkata').expect(200)
    for (const moment of [
      '2026-03-09T18:29:59.999Z', // the 9th
      '2026-03-09T18:30:00.000Z', // the 10th
      '2026-03-10T12:00:00.000Z',
      '2026-03-10T18:29:59.999Z',
      '2026-03-10T18:30:00.000Z', // the 11th
    ])
      await shop.record(visit, moment)
    await shop.record(chat, '2026-03-09T19:00:00.000Z')
    await shop.record(
      { ...chat, details: { isUnanswered: true }, comprehensive: true },
      '2026-03-10T18:00:00.000Z',
    )
    const insights = await shop.insights('from=2026-03-10&to=2026-03-10')
    expect(insights.figures).toMatchObject({ visits: 3, questions: 2, unanswered: 1, credits: 4 })
    expect(insights.figuresBefore).toMatchObject({ visits: 1, questions: 0, credits: 0 })
    expect(insights.before).toEqual({ from: '2026-03-09', to: '2026-03-09' })
    expect(insights.modes).toEqual([
      { kind: 'chat.product', comprehensive: false, questions: 1, credits: 2 },
      { kind: 'chat.product', comprehensive: true, questions: 1, credits: 2 },
    ])
    const days = 'from=2026-03-08&to=2026-03-12'
    expect(visitsOf(await shop.insights(days))).toEqual([
      '2026-03-09 1',
      '2026-03-10 3',
      '2026-03-11 1',
    ])
    expect((await shop.byDay(days)).days).toEqual([
      { date: '2026-03-09', key: 'visit', events: 1, credits: 0 },
      { date: '2026-03-10', key: 'chat.product', events: 2, credits: 4 },
      { date: '2026-03-10', key: 'visit', events: 3, credits: 0 },
      { date: '2026-03-11', key: 'visit', events: 1, credits: 0 },
    ])
  })

  test('have days of 23 and 25 hours when clocks change', async () => {
    const shop = await givenShop()
    await shop.choose('America/New_York').expect(200)
    const moments = (first: string, hours: number) =>
      Array.from({ length: hours }, (_, hour) =>
        new Date(Date.parse(first) + hour * 3600_000).toISOString(),
      )
    // One visit an hour, for three days around each change.
    for (const moment of moments('2026-03-07T05:00:00Z', 71)) await shop.record(visit, moment)
    for (const moment of moments('2026-10-31T04:00:00Z', 73)) await shop.record(visit, moment)
    expect(visitsOf(await shop.insights('from=2026-03-07&to=2026-03-09'))).toEqual([
      '2026-03-07 24',
      '2026-03-08 23',
      '2026-03-09 24',
    ])
    expect(visitsOf(await shop.insights('from=2026-10-31&to=2026-11-02'))).toEqual([
      '2026-10-31 24',
      '2026-11-01 25',
      '2026-11-02 24',
    ])
  })

  test('name people and export events by the same dates, and stay in UTC unless asked', async () => {
    const shop = await givenShop()
    await shop.choose('America/Los_Angeles').expect(200)
    const ada = { actorType: 'CUSTOMER', userId: 'cus_ada', eventName: 'product.view' } as const
    const bo = { ...ada, userId: 'cus_bo' } as const
    await shop.record(ada, '2026-02-01T07:59:00Z') // 31 January in Los Angeles
    await shop.record(ada, '2026-02-01T08:00:00Z')
    await shop.record(bo, '2026-03-01T07:59:00Z') // 28 February there
    await shop.record(visit, '2026-03-01T08:00:00Z') // 1 March there
    const february = 'from=2026-02-01&to=2026-02-28'
    const rowsOf = ({ usage }: { usage: { userId: string | null; productViews: number }[] }) =>
      usage.map(({ userId, productViews }) => [userId, productViews])
    const inUtc = await shop.report(february)
    expect(rowsOf(inUtc)).toEqual([['cus_ada', 2]])
    expect(inUtc.totals.events).toBe(2)
    const inShop = await shop.report(`${february}&days=SHOP`)
    expect(rowsOf(inShop)).toEqual([
      ['cus_bo', 1],
      ['cus_ada', 1],
    ])
    expect(inShop.totals.events).toBe(2)
    const exported = await shop.exported(`${february}&days=SHOP`)
    expect(exported.match(/2026-0[^,]+Z/g)).toEqual([
      '2026-03-01T07:59:00.000Z',
      '2026-02-01T08:00:00.000Z',
    ])
  })
})
