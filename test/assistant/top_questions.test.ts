import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService } from '../kit/service.ts'
import { type ChatPlace, givenChats } from './chats.ts'

const day = 24 * 3600_000

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const dateAt = (days: number) =>
  new Date(service.now().getTime() - days * day).toISOString().slice(0, 10)

async function topOf(place: ChatPlace, from = dateAt(0)) {
  const path = `/api/workspaces/${place.workspace.id}/top-questions?from=${from}&to=${from}`
  const { body } = await service.dashboard(place.person).get(path).expect(200)
  expect(body).toMatchObject({ from, to: from })
  return body.questions as { text: string; asked: number }[]
}

describe('list_top_questions', () => {
  test('counts a question of several visitors once, however it is written', async () => {
    const place = await givenChats(service)
    const [one, other, third] = [place.guest(), place.guest(), place.guest()]
    const first = await place.ask(one, { message: 'Is it fit for dry skin?' }).expect(200)
    const { threadId } = first.body as { threadId: string }
    await place.ask(one, { message: 'Is it fit for dry skin?', threadId }).expect(200)
    await place.ask(other, { message: ' is it FIT for dry skin? ' }).expect(200)
    await place.ask(other, { message: 'When do I apply it?' }).expect(200)
    await place.ask(third, { message: 'When do I apply it?' }).expect(200)
    expect(await topOf(place)).toEqual([
      { text: 'Is it fit for dry skin?', asked: 3 },
      { text: 'When do I apply it?', asked: 2 },
    ])
    expect(await topOf(place, dateAt(1))).toEqual([])
  })

  test('tells nothing that one visitor alone has asked, however often', async () => {
    const place = await givenChats(service)
    const guest = place.guest()
    for (let time = 0; time < 2; time++)
      await place.ask(guest, { message: 'I am Ada: is it fit for my skin?' }).expect(200)
    expect(await topOf(place)).toEqual([])
  })

  test('leaves out what owners ask in trials', async () => {
    const place = await givenChats(service)
    const body = { workspaceId: place.workspace.id }
    for (let time = 0; time < 2; time++) {
      const trial = await service.dashboard(place.person).post('/api/trials').send(body).expect(201)
      const { key } = trial.body as { key: string }
      await place.ask(place.guest()).set('Authorization', `Bearer ${key}`).expect(200)
    }
    await place.ask(place.guest()).expect(200)
    expect(await topOf(place)).toEqual([])
    await place.ask(place.guest()).expect(200)
    expect(await topOf(place)).toMatchObject([{ asked: 2 }])
  })
})
