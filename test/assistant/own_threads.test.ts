import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { components } from '../../src/generated/types.ts'
import { startService, type TestService } from '../kit/service.ts'
import { givenCustomer, givenGuest, type TestVisitor } from '../kit/visitors.ts'
import { type ChatPlace, drySkin, givenChats } from './chats.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

type Schemas = components['schemas']
type Who = Pick<TestVisitor, 'headers'>

async function threadsOf(
  place: ChatPlace,
  { headers }: Who,
  query = '',
): Promise<Schemas['ThreadList']> {
  const path = place.at(`experience/threads${query}`)
  return (await place.api.get(path).set(headers).expect(200)).body as Schemas['ThreadList']
}

const read = (place: ChatPlace, { headers }: Who, threadId: string) =>
  place.api.get(place.at(`experience/threads/${threadId}`)).set(headers)

async function said(place: ChatPlace, who: Who, body: object = {}, kind?: 'routine') {
  const answer = await place.ask(who, body, kind).expect(200)
  return answer.body as Schemas['ProductChatAnswer']
}

describe('list_threads', () => {
  test('lists the conversations of the visitor, the latest first', async () => {
    const place = await givenChats(service)
    const guest = place.guest()
    expect((await threadsOf(place, guest)).threads).toEqual([])
    const first = await said(place, guest)
    service.advance(60_000)
    const routine = await said(place, guest, { message: 'A  routine for\n dry skin' }, 'routine')
    expect(await threadsOf(place, guest)).toMatchObject({
      threads: [
        {
          threadId: routine.threadId,
          kind: 'ROUTINE',
          productId: null,
          title: 'A routine for dry skin',
          updatedAt: service.now().toISOString(),
        },
        {
          threadId: first.threadId,
          kind: 'PRODUCT',
          productId: place.product.id,
          title: drySkin,
        },
      ],
      pagination: { total: 2 },
    })
    service.advance(60_000)
    await said(place, guest, { message: 'And when?', threadId: first.threadId })
    const { threads } = await threadsOf(place, guest, '?pageSize=1')
    expect(threads).toEqual([
      {
        threadId: first.threadId,
        kind: 'PRODUCT',
        productId: place.product.id,
        title: drySkin,
        updatedAt: service.now().toISOString(),
      },
    ])
    const second = await threadsOf(place, guest, '?page=2&pageSize=1')
    expect(second.threads.map(({ threadId }) => threadId)).toEqual([routine.threadId])
  })

  test('shows nobody else a conversation, and no product that is hidden', async () => {
    const place = await givenChats(service)
    const guest = place.guest()
    const { threadId } = await said(place, guest)
    const elsewhere = await givenChats(service)
    const same = givenGuest(
      { service, workspace: elsewhere.workspace },
      { deviceId: guest.headers['X-Guest-Device-Id']! },
    )
    for (const [where, who] of [
      [place, place.guest()],
      [place, await givenCustomer({ service, workspace: place.workspace })],
      [elsewhere, same],
    ] as const) {
      expect((await threadsOf(where, who)).threads).toEqual([])
      await read(where, who, threadId).expect(404)
    }
    await place.api.get(place.at('experience/threads')).expect(401)
    await place.api
      .patch(place.at(`products/${place.product.id}`))
      .send({ status: 'INACTIVE' })
      .expect(200)
    expect((await threadsOf(place, guest)).threads).toMatchObject([{ threadId, productId: null }])
  })

  test('cuts a long title', async () => {
    const place = await givenChats(service)
    const guest = place.guest()
    await said(place, guest, { message: `${'é'.repeat(90)}?` })
    const { threads } = await threadsOf(place, guest)
    expect(threads[0]!.title).toBe(`${'é'.repeat(80)}…`)
  })
})

describe('get_thread', () => {
  test('has what was said, with citations and times', async () => {
    const place = await givenChats(service)
    const guest = place.guest()
    const at = service.now().toISOString()
    const { threadId, response, citations, products } = await said(place, guest)
    expect(citations).toHaveLength(1)
    const { body } = await read(place, guest, threadId).expect(200)
    expect(body).toEqual({
      threadId,
      turns: [
        { role: 'VISITOR', text: drySkin, citations: [], createdAt: at },
        { role: 'ASSISTANT', text: response, citations, createdAt: at },
      ],
      products,
    })
    expect(products.map(({ id }) => id)).toEqual([place.product.id])
  })

  test('keeps the latest 20 turns, and cites no product that is hidden', async () => {
    const place = await givenChats(service)
    await place.setPolicy({ guestDailyRequests: 50 })
    const guest = place.guest()
    const { threadId } = await said(place, guest)
    for (let number = 1; number <= 10; number++)
      await said(place, guest, { threadId, message: `${drySkin} ${number}` })
    await place.api
      .patch(place.at(`products/${place.product.id}`))
      .send({ status: 'INACTIVE' })
      .expect(200)
    const { body } = await read(place, guest, threadId).expect(200)
    const { turns, products } = body as Schemas['Thread']
    expect(turns).toHaveLength(20)
    expect(turns[0]).toMatchObject({ role: 'VISITOR', text: `${drySkin} 1` })
    expect(turns.flatMap(({ citations }) => citations)).toEqual([])
    expect(products).toEqual([])
  })

  test('has no products for guests once the catalogue is for customers', async () => {
    const place = await givenChats(service)
    const [guest, customer] = [
      place.guest(),
      await givenCustomer({ service, workspace: place.workspace }),
    ]
    const threads = [await said(place, guest), await said(place, customer)]
    await place.setPolicy({ visibility: 'SIGN_IN' })
    const shown = await Promise.all(
      [guest, customer].map((who, at) => read(place, who, threads[at]!.threadId).expect(200)),
    )
    expect(shown.map(({ body }) => (body as Schemas['Thread']).products.length)).toEqual([0, 1])
  })

  test('does not find one that was deleted', async () => {
    const place = await givenChats(service)
    const guest = place.guest()
    const { threadId } = await said(place, guest)
    await place.api
      .delete(place.at(`experience/threads/${threadId}`))
      .set(guest.headers)
      .expect(204)
    await read(place, guest, threadId).expect(404)
    expect((await threadsOf(place, guest)).threads).toEqual([])
  })

  test('shows a conversation of the build before, which is listed once it has gone on', async () => {
    const place = await givenChats(service)
    const guest = place.guest()
    const { threadId } = await said(place, guest)
    await service.db
      .updateTable('threads')
      .set({
        seed: null,
        kind: null,
        title: null,
        turns: JSON.stringify([{ role: 'visitor', text: 'Earlier' }]),
      })
      .where('workspace_id', '=', place.workspaceId)
      .execute()
    expect((await threadsOf(place, guest)).threads).toEqual([])
    const { body } = await read(place, guest, threadId).expect(200)
    expect(body).toMatchObject({ turns: [{ role: 'VISITOR', text: 'Earlier', citations: [] }] })
    await said(place, guest, { threadId })
    expect((await threadsOf(place, guest)).threads).toMatchObject([{ threadId, title: drySkin }])
  })
})
