import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService } from '../kit/service.ts'
import { brokenIn, givenChats } from './chats.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

describe('an answer that says nothing', () => {
  test.each([
    ['what the catalogue does not say', 'Does it come with a trolley?'],
    ['a greeting', 'Hello!'],
    ['a greeting in Turkish', 'Merhaba'],
    ['a thank you', 'Thank you very much'],
    ['a thank you in Turkish', 'Çok teşekkür ederim'],
  ])('costs nothing and counts against the quota: %s', async (_what, message) => {
    const place = await givenChats(service)
    const guest = place.guest()
    const { body } = await place.ask(guest, { message, thinkingLevel: 'HIGH' }).expect(200)
    expect(body.credits).toEqual({ charged: 0 })
    expect(body.access).toEqual({ remainingRequests: 4 })
    expect(await place.wallet()).toEqual({ balance: 100, reserved: 0 })
    expect(await place.events()).toEqual(['chat.product SUCCESS 0'])
    const { body: wallet } = await place.api.get(place.at('wallet/entries'))
    expect(wallet.entries).toHaveLength(1)
  })

  test('with the closest passage says so, and is listed as unanswered', async () => {
    const place = await givenChats(service)
    const message = 'Will the balm soothe chapped elbows?'
    const { body } = await place.ask(place.guest(), { message }).expect(200)
    expect(body.response).toMatch(/^I could not find an answer to this in the catalogue\./)
    expect(body.credits).toEqual({ charged: 0 })
    const { body: listed } = await place.api.get(place.at('questions/unanswered'))
    expect(JSON.stringify(listed)).toContain(message)
    const { rows } = await service.connection.pool.query<{ details: object }>(
      `select details from usage_events where workspace_id = $1 and event_name = 'chat.product'`,
      [place.workspaceId],
    )
    expect(rows[0]!.details).toMatchObject({ found: false })
  })

  test('of a routine without a step costs nothing', async () => {
    const place = await givenChats(service)
    const message = 'A routine for repairing bicycles'
    const { body } = await place.ask(place.guest(), { message }, 'routine').expect(200)
    expect([body.steps, body.credits]).toEqual([[], { charged: 0 }])
    expect(await place.wallet()).toEqual({ balance: 100, reserved: 0 })
  })

  test('needs the credits of one that says something', async () => {
    const place = await givenChats(service, 0)
    await place.ask(place.guest(), { message: 'Hello!' }).expect(402)
  })

  test('leaves every wallet consistent', async () => {
    expect(await brokenIn(service)).toEqual([])
  })
})
