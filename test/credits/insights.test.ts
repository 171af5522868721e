import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertUsageEvent, type UsageEvent } from '../../src/queries/credits/usage_events.ts'
import { givenScene } from '../every_operation/fixtures.ts'
import { startService, type TestService } from '../kit/service.ts'

const day = 24 * 3600_000

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

describe('get_insights', () => {
  test('compares what visitors did with as many days before, and counts nobody else', async () => {
    const { workspace, owner } = await givenScene(service)
    const daysAgo = (days: number) => new Date(service.now().getTime() - days * day)
    const record = (event: UsageEvent, days: number) =>
      insertUsageEvent(service.db, workspace.id, event, daysAgo(days))
    const guest = { actorType: 'GUEST', userId: null } as const
    const chat = { ...guest, eventName: 'chat.product', modelKey: 'local' } as const
    await record({ ...guest, eventName: 'visit' }, 0)
    await record({ actorType: 'CUSTOMER', userId: 'cus_1', eventName: 'visit' }, 6)
    await record({ ...guest, eventName: 'click' }, 0)
    await record({ ...chat, creditDelta: -1 }, 0)
    await record({ ...chat, creditDelta: -2, comprehensive: true }, 0)
    await record({ ...chat, creditDelta: -1, details: { isUnanswered: true } }, 0)
    await record({ ...chat, creditDelta: 0, status: 'FAILED' }, 0)
    await record({ ...chat, actorType: 'TRIAL', creditDelta: -1 }, 0)
    await record({ actorType: 'OWNER', userId: 'acc_1', eventName: 'management.write' }, 0)
    await record({ ...guest, eventName: 'visit' }, 7)
    await record({ ...guest, eventName: 'visit' }, 14)

    const dateAt = (days: number) => daysAgo(days).toISOString().slice(0, 10)
    const path = `/api/workspaces/${workspace.id}/insights?from=${dateAt(6)}&to=${dateAt(0)}`
    const { body } = await service.dashboard(owner).get(path).expect(200)
    const none = {
      visits: 0,
      views: 0,
      questions: 0,
      unanswered: 0,
      clicks: 0,
      clicksAfterAnswers: 0,
      credits: 0,
    }
    expect(body).toEqual({
      from: dateAt(6),
      to: dateAt(0),
      before: { from: dateAt(13), to: dateAt(7) },
      figures: { ...none, visits: 2, questions: 3, unanswered: 1, clicks: 1, credits: 4 },
      figuresBefore: { ...none, visits: 1 },
      days: [
        { date: dateAt(6), visits: 1, views: 0, questions: 0, clicks: 0 },
        { date: dateAt(0), visits: 1, views: 0, questions: 3, clicks: 1 },
      ],
      modes: [
        { kind: 'chat.product', comprehensive: false, questions: 2, credits: 2 },
        { kind: 'chat.product', comprehensive: true, questions: 1, credits: 2 },
      ],
    })
  })
})
