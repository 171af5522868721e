import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newToken } from '../../src/core/secrets.ts'
import { type ChatPlace, drySkin, givenChats } from './chats.ts'
import { anImage, aFace } from '../every_operation/fixtures.ts'
import { drawFaces } from '../kit/faces.ts'
import { givenProduct, notFound, outcomeOf, type Product } from '../kit/catalogue.ts'
import { startService, type TestService } from '../kit/service.ts'
import { givenCustomer } from '../kit/visitors.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** A product as an answer refers to it. */
function summaryOf(product: Product) {
  const { id, name, brand, slug, sku, stock, status, images, tags, createdAt, updatedAt } = product
  return { id, name, brand, slug, sku, stock, status, images, tags, createdAt, updatedAt }
}

const threadForm = /^wst_dev_[\w-]{49}$/

async function turnsOf(place: ChatPlace): Promise<{ role: string; text: string }[][]> {
  const threads = place.service.db.selectFrom('threads').select('turns')
  const rows = await threads.where('workspace_id', '=', place.workspaceId).execute()
  return rows.map(({ turns }) => turns)
}

describe('chat_about_product', () => {
  test('answers a guest from the catalogue and charges one credit', async () => {
    const place = await givenChats(service)
    const { body } = await place.ask(place.guest()).expect(200)
    expect(body).toEqual({
      threadId: expect.stringMatching(threadForm),
      response: `${place.product.name}: “Rich care for dry skin.”`,
      products: [summaryOf(place.product)],
      citations: [{ productId: place.product.id, sentence: 'Rich care for dry skin.' }],
      access: { remainingRequests: 4 },
      credits: { charged: 1 },
    })
    expect(await place.wallet()).toEqual({ balance: 99, reserved: 0 })
    expect(await place.events()).toEqual(['chat.product SUCCESS -1'])
  })

  test.each([
    ['LOW', 1],
    ['MEDIUM', 2],
    ['HIGH', 4],
  ])('costs at %s %i', async (thinkingLevel, charged) => {
    const place = await givenChats(service)
    const { body } = await place.ask(place.guest(), { thinkingLevel }).expect(200)
    expect(body.credits).toEqual({ charged })
    expect(await place.wallet()).toEqual({ balance: 100 - charged, reserved: 0 })
  })

  test('is recorded with price, model, product and customer', async () => {
    const place = await givenChats(service)
    const customer = await givenCustomer(place)
    await place.ask(customer, { thinkingLevel: 'HIGH', productName: 'Another name' }).expect(200)
    const { body } = await place.api.get(place.at('usage/events?eventName=chat.product'))
    expect(body.events).toEqual([
      {
        id: expect.stringMatching(/^evt_/),
        userId: customer.id,
        actorType: 'CUSTOMER',
        eventName: 'chat.product',
        endpoint: 'chat_about_product',
        resourceType: 'product',
        status: 'SUCCESS',
        resourceId: place.product.id,
        creditDelta: -4,
        modelKey: 'local/catalogue',
        createdAt: service.now().toISOString(),
      },
    ])
    const report = await place.api.get(place.at('usage?actorType=CUSTOMER'))
    expect(report.body.usage).toMatchObject([
      {
        userId: customer.id,
        requests: 1,
        credits: 4,
        productRequests: 1,
        routineRequests: 0,
        faceAnalyses: 0,
        comprehensiveRequests: 1,
      },
    ])
    const entries = await place.api.get(place.at('wallet/entries?pageSize=1'))
    expect(entries.body.entries).toMatchObject([
      { type: 'USAGE', credits: -4, balanceAfter: 96, reason: 'chat.product' },
    ])
  })

  test('continues a conversation and keeps its messages', async () => {
    const place = await givenChats(service)
    const guest = place.guest()
    const first = await place.ask(guest, { message: 'Is it in stock?' }).expect(200)
    const { threadId } = first.body as { threadId: string }
    const second = await place.ask(guest, { message: 'Really?', threadId }).expect(200)
    expect(second.body.threadId).toBe(threadId)
    const inStock = `Yes. ${place.product.name}: In stock.`
    expect(second.body.response).toBe(inStock)
    expect(second.body.access).toEqual({ remainingRequests: 3 })
    const createdAt = service.now().toISOString()
    const answer = { role: 'assistant', text: inStock, citations: [], createdAt }
    expect(await turnsOf(place)).toEqual([
      [
        { role: 'visitor', text: 'Is it in stock?', createdAt },
        answer,
        { role: 'visitor', text: 'Really?', createdAt },
        answer,
      ],
    ])
  })

  test('keeps the last twenty turns of a conversation', async () => {
    const place = await givenChats(service)
    await place.setPolicy({ guestDailyRequests: 100 })
    const guest = place.guest()
    const { body } = await place.ask(guest, { message: 'Question 0' }).expect(200)
    for (let n = 1; n <= 12; n++)
      await place.ask(guest, { message: `Question ${n}`, threadId: body.threadId }).expect(200)
    const [turns = []] = await turnsOf(place)
    const questions = turns.filter(({ role }) => role === 'visitor').map(({ text }) => text)
    expect([turns.length, questions]).toEqual([
      20,
      ['3', '4', '5', '6', '7', '8', '9', '10', '11', '12'].map((n) => `Question ${n}`),
    ])
  })

  test('finds a conversation only for its visitor in its workspace', async () => {
    const place = await givenChats(service)
    const elsewhere = await givenChats(service)
    const { body } = await place.ask(place.guest()).expect(200)
    const { threadId } = body as { threadId: string }
    for (const [there, visitor] of [
      [place, place.guest()],
      [place, await givenCustomer(place)],
      [elsewhere, elsewhere.guest()],
    ] as const) {
      const answer = await there.ask(visitor, { threadId }).expect(404)
      expect(answer.body).toEqual(notFound('conversation'))
    }
    const unknown = await place.ask(place.guest(), { threadId: 'wst_dev_made_up' }).expect(404)
    expect(unknown.body).toEqual(notFound('conversation'))
  })

  test('refuses a conversation of the other environment as such, before it reads anything', async () => {
    const place = await givenChats(service)
    const guest = place.guest()
    const threadId = newToken('thread', 'production')
    const calls = [
      () => place.ask(guest, { threadId, productId: 'prod_unknown' }),
      () => place.ask(guest, { threadId: 'wst_live_damaged' }),
      () => place.ask(guest, { message: drySkin, threadId }, 'routine'),
      () => place.api.delete(place.at(`experience/threads/${threadId}`)).set(guest.headers),
    ]
    for (const call of calls) {
      const { status, body } = await call()
      expect([status, body.code]).toEqual([401, 'wrong_environment'])
    }
  })

  test('does not find a conversation that its visitor has deleted', async () => {
    const place = await givenChats(service)
    const guest = place.guest()
    const { body } = await place.ask(guest).expect(200)
    const { threadId } = body as { threadId: string }
    await place.api
      .delete(place.at(`experience/threads/${threadId}`))
      .set(guest.headers)
      .expect(204)
    expect((await place.ask(guest, { threadId })).body).toEqual(notFound('conversation'))
    expect(await turnsOf(place)).toEqual([])
  })

  test('accepts only published products of the workspace, and charges for no other', async () => {
    const place = await givenChats(service)
    const hidden = await givenProduct(place, { status: 'INACTIVE' })
    const deleted = await givenProduct(place, { status: 'DELETED' })
    const { product: foreign } = await givenChats(service)
    for (const productId of [hidden.id, deleted.id, foreign.id, 'unknown'])
      expect(outcomeOf(await place.ask(place.guest(), { productId }))).toEqual([
        400,
        'invalid_input',
        { productId: `There is no published product ${productId}.` },
      ])
    expect(await place.wallet()).toEqual({ balance: 100, reserved: 0 })
    expect(await place.events()).toEqual([])
  })

  test.each([
    [0, 2],
    [2, 0],
  ])('names what can be bought before what is as good: stocks %i and %i', async (...stocks) => {
    const place = await givenChats(service)
    const soaps: Product[] = []
    for (const [index, stock] of stocks.entries())
      soaps.push(await givenProduct(place, { name: `Soap ${index}`, description: 'Mild.', stock }))
    const { body } = await place.ask(place.guest(), { message: 'Which soap do you have?' })
    const named = body.products as Product[]
    const inOrder = stocks[0] === 0 ? soaps.toReversed() : soaps
    expect(named.map(({ name }) => name)).toEqual(inOrder.map(({ name }) => name))
  })

  test('refuses a message that shows nothing, and charges nothing for it', async () => {
    const place = await givenChats(service)
    const guest = place.guest()
    const before = await place.wallet()
    for (const kind of ['product', 'routine'] as const)
      for (const message of ['   ', '\u200b\n']) {
        const { status, body } = await place.ask(guest, { message }, kind)
        expect([status, Object.keys(body.fieldErrors)]).toEqual([400, ['message']])
      }
    expect(await place.wallet()).toEqual(before)
    expect((await place.ask(guest).expect(200)).body.access).toEqual({ remainingRequests: 4 })
  })

  test('counts the daily quota of a visitor in UTC', async () => {
    const place = await givenChats(service)
    await place.setPolicy({ guestDailyRequests: 1 })
    const guest = place.guest()
    await place.ask(guest).expect(200)
    const refusal = await place.ask(guest).expect(429)
    expect(refusal.body.code).toBe('quota_exceeded')
    const now = service.now().getTime()
    const untilMidnight = 24 * 3600_000 - (now % (24 * 3600_000))
    expect(refusal.headers['retry-after']).toBe(String(Math.ceil(untilMidnight / 1000)))
    service.advance(untilMidnight - 1)
    await place.ask(guest).expect(429)
    service.advance(1)
    await place.ask(guest).expect(200)
    const { body } = await place.api.get(place.at('experience/bootstrap')).set(guest.headers)
    expect(body.viewer.remainingRequests).toBe(0)
  })
})

describe('chat_about_routine', () => {
  test('orders the selected products and returns each as published', async () => {
    const place = await givenChats(service)
    const cleanser = await givenProduct(place, { name: 'Cleansing gel', information: 'Rinse off.' })
    const answer = await place
      .ask(place.guest(), { ...routine, userSelectedRoutineProducts: [cleanser.id] }, 'routine')
      .expect(200)
    expect(answer.body).toEqual({
      threadId: expect.stringMatching(threadForm),
      response: 'Your routine, in the order of use:\n1. Cleansing gel',
      products: [summaryOf(cleanser)],
      steps: [{ order: 1, title: 'Prepare', productId: cleanser.id, instructions: 'Rinse off.' }],
      citations: [{ productId: cleanser.id, sentence: 'Rinse off.' }],
      access: { remainingRequests: 4 },
      credits: { charged: 2 },
    })
    expect(await place.events()).toEqual(['chat.routine SUCCESS -2'])
  })

  test.each([
    ['LOW', 0, 2],
    ['MEDIUM', 0, 4],
    ['HIGH', 0, 8],
    ['LOW', 1, 3],
    ['HIGH', 3, 11],
  ])('costs at %s with %i pictures %i', async (thinkingLevel, pictures, charged) => {
    const place = await givenChats(service)
    const picture = `data:image/png;base64,${anImage().toString('base64')}`
    const images = Array.from({ length: pictures }, () => picture)
    const userSelectedRoutineProducts = [place.product.id]
    const body = { ...routine, thinkingLevel, images, userSelectedRoutineProducts }
    const answer = await place.ask(place.guest(), body, 'routine').expect(200)
    expect(answer.body.credits).toEqual({ charged })
    expect(await place.wallet()).toEqual({ balance: 100 - charged, reserved: 0 })
  })

  test('names the invalid picture, and charges nothing', async () => {
    const place = await givenChats(service)
    const picture = anImage().toString('base64')
    const jpeg = `data:image/jpeg;base64,${picture}`
    const cases: [string[], Record<string, string>][] = [
      [[picture, 'AAAA'], { 'images.1': 'Not a JPEG, PNG, WebP, GIF or AVIF image.' }],
      [[jpeg], { 'images.0': 'Stated as image/jpeg, but it is image/png.' }],
      [[picture.slice(0, -1)], { 'images.0': 'Not valid base64.' }],
      [[picture.slice(0, 64)], { 'images.0': 'The file is damaged or incomplete.' }],
    ]
    for (const [images, fieldErrors] of cases) {
      const answer = await place.ask(place.guest(), { ...routine, images }, 'routine')
      expect(outcomeOf(answer)).toEqual([400, 'invalid_input', fieldErrors])
    }
    expect(await place.wallet()).toEqual({ balance: 100, reserved: 0 })
  })

  test('names every selected product that is not published', async () => {
    const place = await givenChats(service)
    const hidden = await givenProduct(place, { status: 'INACTIVE' })
    const productIds = [place.product.id, hidden.id]
    const body = { ...routine, userSelectedRoutineProducts: productIds }
    expect(outcomeOf(await place.ask(place.guest(), body, 'routine'))).toEqual([
      400,
      'invalid_input',
      { userSelectedRoutineProducts: `There is no published product ${hidden.id}.` },
    ])
  })
})

const routine = { message: 'What do I do in the evening?', allowAiSuggestions: false }

describe('analyze_face', () => {
  test('describes a face and charges five credits; a chat can continue from it', async () => {
    const place = await givenChats(service)
    const guest = place.guest()
    const image = `data:image/jpeg;base64,${await aFace()}`
    const { body } = await place.ask(guest, { image }, 'analyze-face').expect(200)
    const observations = [
      { area: 'whole face', finding: 'The light is even.', severity: 'LOW' },
      ...(body.analysis.observations as unknown[]).slice(1),
    ]
    expect(body).toEqual({
      threadId: expect.stringMatching(threadForm),
      response: expect.stringMatching(/^What the picture shows, described and not judged:\n- /),
      analysis: { faceDetected: true, observations },
      products: [],
      citations: [],
      access: { remainingRequests: 4 },
      credits: { charged: 5 },
    })
    expect(await place.wallet()).toEqual({ balance: 95, reserved: 0 })
    expect(await place.events()).toEqual(['chat.analyze_face SUCCESS -5'])
    const { threadId } = body as { threadId: string }
    await place.ask(guest, { message: drySkin, threadId }).expect(200)
    const [turns = []] = await turnsOf(place)
    expect(turns.map(({ role }) => role)).toEqual(['visitor', 'assistant', 'visitor', 'assistant'])
  })

  test('answers in the language of the visitor', async () => {
    const place = await givenChats(service)
    const call = place.ask(place.guest(), { image: await aFace() }, 'analyze-face')
    const { body } = await call.set('Accept-Language', 'tr-TR,en;q=0.5').expect(200)
    expect(body.response).toMatch(/^Resimde görünenler/)
  })

  test.each([
    ['no face', []],
    ['two faces', [{}, {}]],
  ])('refuses a picture of %s, charges nothing and records the failure', async (_what, faces) => {
    const place = await givenChats(service)
    const guest = place.guest()
    const image = (await drawFaces(faces)).toString('base64')
    const answer = await place.ask(guest, { image }, 'analyze-face')
    expect(outcomeOf(answer)).toEqual([400, 'no_face', { image: 'Must show exactly one face.' }])
    expect(await place.wallet()).toEqual({ balance: 100, reserved: 0 })
    expect(await place.events()).toEqual(['chat.analyze_face FAILED 0'])
    const { body } = await place.api.get(place.at('experience/bootstrap')).set(guest.headers)
    expect(body.viewer.remainingRequests).toBe(5)
  })

  test('keeps no trace of the picture, neither in the database nor in the log', async () => {
    const place = await givenChats(service)
    const image = await aFace()
    const call = place.ask(place.guest(), { image }, 'analyze-face')
    await call.set('Idempotency-Key', 'a-face').expect(200)
    const { rows } = await service.connection.pool.query<{ query: string }>(
      `select format('select %L || t::text as line from %I t', table_name, table_name) as query
       from information_schema.tables where table_schema = 'public'`,
    )
    const lines: string[] = []
    for (const { query } of rows) {
      const result = await service.connection.pool.query<{ line: string }>(query)
      lines.push(...result.rows.map(({ line }) => line))
    }
    expect(lines.length).toBeGreaterThan(20)
    const everything = lines.join('\n') + JSON.stringify(service.logged())
    const middle = image.slice(2000, 2040)
    for (const mark of [middle, Buffer.from(middle, 'base64').toString('hex')])
      expect(everything).not.toContain(mark)
  })
})
