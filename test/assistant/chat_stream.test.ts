import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import { postForStream, type ReadStream, wordsOf } from '../kit/event_streams.ts'
import { type ModelServer, startModelServer } from '../kit/peers/model_server.ts'
import { startService, type TestService } from '../kit/service.ts'
import { givenCustomer, type TestVisitor } from '../kit/visitors.ts'
import { brokenIn, type ChatPlace, drySkin, givenChats, modelSettings } from './chats.ts'

let database: TestDatabase
let server: ModelServer
let service: TestService
/** Another process on the same database, and what it waits for before it looks again. */
let neighbour: TestService
let nextLook: () => Promise<void> = () => Promise.resolve()
let builtIn: TestService
beforeAll(async () => {
  server = await startModelServer()
  database = await createDatabase()
  const env = modelSettings(server)
  service = await startService({ databaseUrl: database.url, env })
  neighbour = await startService({ databaseUrl: database.url, env, pause: () => nextLook() })
  builtIn = await startService()
})
afterAll(async () => {
  for (const each of [service, neighbour, builtIn]) await each.close()
  await database.drop()
  await server.close()
})
beforeEach(() => {
  server.seen.length = 0
})

const says = (response: string) => ({ response, productIds: [] as string[], unanswered: false })
const paid = { balance: 99, reserved: 0 }

/** A gate that holds a model until opened. */
function gate(): { opened: Promise<void>; open(): void } {
  let open = () => undefined as void
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open: () => open() }
}

interface Call {
  key?: string
  message?: string
  kind?: 'product' | 'routine'
  at?: TestService
}

async function stream(
  place: ChatPlace,
  visitor: Pick<TestVisitor, 'headers'>,
  { key, message = drySkin, kind = 'product', at = place.service }: Call = {},
): Promise<ReadStream> {
  const body = kind === 'product' ? { message, productId: place.product.id } : { message }
  return postForStream(
    at.urls.api + place.at(`experience/chat/${kind}`),
    {
      ...visitor.headers,
      Authorization: `Bearer ${place.key}`,
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
    },
    body,
  )
}

const builtInAnswer = ({ product }: ChatPlace) => `${product.name}: “Rich care for dry skin.”`
const names = ({ events }: ReadStream) => events.map(({ event }) => event)
const answerIn = ({ events }: ReadStream) => events.at(-1)!.data

describe('a stream of the built-in model', () => {
  test('has the words of the response, then the whole answer, charged once', async () => {
    const place = await givenChats(builtIn)
    const read = await stream(place, place.guest())
    await read.ended
    expect(read.status).toBe(200)
    expect(read.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(read.headers.get('cache-control')).toBe('no-store')
    expect(read.headers.get('ratelimit')).not.toBeNull()
    expect(names(read).at(-1)).toBe('answer')
    const response = builtInAnswer(place)
    expect(wordsOf(read.events)).toBe(response)
    expect(answerIn(read)).toMatchObject({
      response,
      citations: [{ productId: place.product.id, sentence: 'Rich care for dry skin.' }],
      access: { remainingRequests: 4 },
      credits: { charged: 1 },
    })
    expect(await place.wallet()).toEqual(paid)
    expect(await place.events()).toEqual(['chat.product SUCCESS -1'])
  })

  test('of a routine ends with its steps', async () => {
    const place = await givenChats(builtIn)
    const call = { kind: 'routine', message: 'A routine for dry skin' } as const
    const read = await stream(place, place.guest(), call)
    await read.ended
    const answer = answerIn(read)
    expect(wordsOf(read.events)).toBe(answer.response)
    expect(answer.steps).toBeInstanceOf(Array)
    expect(answer.credits).toEqual({ charged: 2 })
  })

  test('is not sent to a caller who prefers JSON, or for a face', async () => {
    const place = await givenChats(builtIn)
    for (const accept of ['*/*', 'application/json', 'application/json, text/event-stream'])
      await place
        .ask(place.guest())
        .set('Accept', accept)
        .expect('Content-Type', /json/)
        .expect(200)
    const face = place.ask(place.guest(), { image: 'AAAA' }, 'analyze-face')
    await face.set('Accept', 'text/event-stream').expect('Content-Type', /json/).expect(400)
  })

  test('is no stream if it is refused: the refusal has its status', async () => {
    const poor = await givenChats(builtIn, 0)
    const read = await stream(poor, poor.guest())
    await read.ended
    expect([read.status, read.headers.get('content-type')]).toEqual([
      402,
      'application/json; charset=utf-8',
    ])
    expect(JSON.parse(read.text())).toMatchObject({ status: 402, code: 'insufficient_credits' })
  })
})

describe('a stream of a provider', () => {
  test('says a sentence as soon as it is checked, and never a mark', async () => {
    const place = await givenChats(service)
    const rest = gate()
    const response = 'It is for dry skin [s1]. It is blue. Use it in the evening. [s2] Bye.'
    server.behave({ says: says(response), pause: { at: 'It is blue. U', until: rest.opened } })
    const read = await stream(place, place.guest())
    await expect.poll(() => wordsOf(read.events)).toBe('It is for dry skin.')
    expect(await place.wallet()).toEqual({ balance: 100, reserved: 1 })
    rest.open()
    await read.ended
    expect(wordsOf(read.events)).toBe('It is for dry skin. Use it in the evening.')
    expect(answerIn(read)).toMatchObject({
      response: 'It is for dry skin. Use it in the evening.',
      credits: { charged: 1 },
    })
    expect(names(read)).not.toContain('again')
    expect(read.text()).not.toMatch(/\[s|blue|Bye/)
    expect(server.seen[0]!.body.stream).toBe(true)
    expect(await place.wallet()).toEqual(paid)
    const { rows } = await service.connection.pool.query<{ details: object }>(
      `select details from usage_events where workspace_id = $1 and event_name = 'chat.product'`,
      [place.workspaceId],
    )
    expect(rows).toEqual([{ details: { inputTokens: 321, outputTokens: 45 } }])
  })

  test('searches before it speaks', async () => {
    const place = await givenChats(service)
    server.behave(
      { calls: [{ name: 'search_catalogue', input: { query: 'dry skin' } }] },
      { says: says('It is for dry skin [s1].') },
    )
    const read = await stream(place, place.guest())
    await read.ended
    expect(wordsOf(read.events)).toBe('It is for dry skin.')
    expect(server.seen).toHaveLength(2)
  })

  const evil = 'It is for dry skin [s1]. Pay at http://evil.example/pay [s1]. More follows [s2].'

  test('takes its words back when a later sentence breaks a rule, and answers anew', async () => {
    const place = await givenChats(service)
    server.behave({ says: says(evil) }, { says: says('Use it in the evening [s2].') })
    const read = await stream(place, place.guest())
    await read.ended
    expect(names(read)).toEqual(['words', 'again', 'words', 'answer'])
    expect(wordsOf(read.events)).toBe('Use it in the evening.')
    expect(read.text()).not.toContain('evil')
    expect(await place.wallet()).toEqual(paid)
  })

  test.each([
    evil,
    'It is for dry skin [s1]. Nothing is cited here, evil.example/pay. Bye [s1].',
    'It is for dry skin [s1]. It costs 10 USD. Bye [s2].',
    'It is for dry skin [s1]. It cures eczema [s2]',
    'It is for dry skin [s1]. Go to e[s1]vil.example/pay now [s2].',
  ])('that breaks a rule twice ends with the built-in answer: %s', async (response) => {
    const place = await givenChats(service)
    server.behave({ says: says(response) })
    const read = await stream(place, place.guest())
    await read.ended
    const instead = builtInAnswer(place)
    expect(names(read).at(-1)).toBe('answer')
    expect(wordsOf(read.events)).toBe(instead)
    expect(answerIn(read)).toMatchObject({ response: instead, credits: { charged: 1 } })
    expect(read.text()).not.toMatch(/evil|USD|eczema/)
    expect(server.seen).toHaveLength(2)
    expect(await place.events()).toEqual(['chat.product SUCCESS -1'])
  })

  test('that breaks off takes its words back for the built-in answer', async () => {
    const place = await givenChats(service)
    server.behave({ says: says('It is for dry skin [s1]. And more [s2].'), pause: { at: 'And m' } })
    const read = await stream(place, place.guest())
    await read.ended
    expect(names(read)).toContain('again')
    expect(wordsOf(read.events)).toBe(builtInAnswer(place))
    expect(answerIn(read)).toMatchObject({ response: builtInAnswer(place) })
  })

  test('that fails before its first words is the built-in one', async () => {
    const place = await givenChats(service)
    server.behave({ status: 500 })
    const read = await stream(place, place.guest())
    await read.ended
    expect(read.status).toBe(200)
    expect(answerIn(read)).toMatchObject({ response: builtInAnswer(place) })
    expect(await place.wallet()).toEqual(paid)
  })

  test.each([
    ['a fence', '```json\n{"response":"It is for dry skin [s1].","productIds":[]}\n```'],
    [
      'reasoning',
      '<think>Is it {dry}?</think>{"response":"It is for dry skin [s1].","productIds":[]}',
    ],
  ])('is read through %s', async (_what, text) => {
    const place = await givenChats(service)
    server.behave({ says: text })
    const read = await stream(place, place.guest())
    await read.ended
    expect(wordsOf(read.events)).toBe('It is for dry skin.')
    expect(names(read)).not.toContain('again')
  })
})

describe('a visitor who loses the stream', () => {
  const response = 'It is for dry skin [s1]. Use it in the evening [s2].'
  const whole = 'It is for dry skin. Use it in the evening.'

  async function interrupted(key: string) {
    const place = await givenChats(service)
    const guest = place.guest()
    const rest = gate()
    server.behave({ says: says(response), pause: { at: 'Use', until: rest.opened } })
    const first = await stream(place, guest, { key })
    await expect.poll(() => wordsOf(first.events)).toBe('It is for dry skin.')
    return { place, guest, first, rest }
  }

  test('is charged, and gets the answer with the same key', async () => {
    const { place, guest, first, rest } = await interrupted('left')
    first.leave()
    await first.ended
    rest.open()
    await expect.poll(() => place.wallet()).toEqual(paid)
    expect(await place.events()).toEqual(['chat.product SUCCESS -1'])

    const again = await stream(place, guest, { key: 'left' })
    await again.ended
    expect(names(again)).toEqual(['words', 'answer'])
    expect(wordsOf(again.events)).toBe(whole)
    const asJson = await place.ask(guest).set('Idempotency-Key', 'left').expect(200)
    expect(asJson.body).toEqual(answerIn(again))
    expect(server.seen).toHaveLength(1)
    expect(await place.wallet()).toEqual(paid)
  })

  test('comes back to it while it runs, from its first word', async () => {
    const { place, guest, first, rest } = await interrupted('back')
    first.leave()
    await first.ended
    const back = await stream(place, guest, { key: 'back' })
    await expect.poll(() => wordsOf(back.events)).toBe('It is for dry skin.')
    rest.open()
    await back.ended
    expect(wordsOf(back.events)).toBe(whole)
    expect(answerIn(back)).toMatchObject({ response: whole, credits: { charged: 1 } })
    expect(server.seen).toHaveLength(1)
    expect(await place.wallet()).toEqual(paid)
    expect(await place.events()).toEqual(['chat.product SUCCESS -1'])
  })

  test('comes back to it after minutes, too', async () => {
    const { place, guest, first, rest } = await interrupted('late')
    first.leave()
    await first.ended
    service.advance(90_000)
    const back = await stream(place, guest, { key: 'late' })
    await expect.poll(() => wordsOf(back.events)).toBe('It is for dry skin.')
    rest.open()
    await back.ended
    expect(answerIn(back)).toMatchObject({ response: whole, credits: { charged: 1 } })
    expect(server.seen).toHaveLength(1)
    expect(await place.wallet()).toEqual(paid)
  })

  test('waits for it in another process, and has the words all at once', async () => {
    const { place, guest, first, rest } = await interrupted('slow')
    neighbour.advance(90_000)
    const look = gate()
    nextLook = () => look.opened
    const back = stream(place, guest, { key: 'slow', at: neighbour })
    rest.open()
    await first.ended
    look.open()
    const read = await back
    await read.ended
    expect(names(read)).toEqual(['words', 'answer'])
    expect(wordsOf(read.events)).toBe(whole)
    expect(answerIn(read)).toEqual(answerIn(first))
    expect(server.seen).toHaveLength(1)
    expect(await place.wallet()).toEqual(paid)
    expect(await place.events()).toEqual(['chat.product SUCCESS -1'])
  })

  test('waits in another process no longer than the model may take', async () => {
    const { place, guest, first, rest } = await interrupted('stuck')
    nextLook = () => Promise.resolve()
    const back = await stream(place, guest, { key: 'stuck', at: neighbour })
    await back.ended
    expect(back.status).toBe(409)
    expect(JSON.parse(back.text())).toMatchObject({ code: 'idempotency_in_progress' })
    rest.open()
    await first.ended
    expect(await place.wallet()).toEqual(paid)
  })

  test('by deleting themselves halfway is charged, and leaves nothing behind', async () => {
    const place = await givenChats(service)
    const customer = await givenCustomer({ service, workspace: place.workspace })
    const rest = gate()
    server.behave({ says: says(response), pause: { at: 'Use', until: rest.opened } })
    const read = await stream(place, customer, { key: 'deleted' })
    await expect.poll(() => wordsOf(read.events)).toBe('It is for dry skin.')
    await place.api.delete(place.at('experience/customer')).set(customer.headers).expect(204)
    rest.open()
    await read.ended
    expect(read.events.at(-1)).toMatchObject({ event: 'error', data: { status: 401 } })
    expect(await place.wallet()).toEqual(paid)
    expect(await place.events()).toEqual(['chat.product SUCCESS -1'])
    const threads = service.db.selectFrom('threads').select('visitor_id')
    expect(await threads.where('workspace_id', '=', place.workspaceId).execute()).toEqual([])
  })

  test('comes back to nothing else: not another body, visitor or form', async () => {
    const { place, guest, first, rest } = await interrupted('mine')
    const key = 'mine'
    const codeOf = async (read: ReadStream) => {
      await read.ended
      return [read.status, (JSON.parse(read.text()) as { code: string }).code]
    }
    expect(await codeOf(await stream(place, guest, { key, message: 'Other' }))).toEqual([
      409,
      'idempotency_mismatch',
    ])
    const asJson = await place.ask(guest).set('Idempotency-Key', key).expect(409)
    expect(asJson.body.code).toBe('idempotency_in_progress')

    server.behave({ says: says('Another answer [s1].') })
    const stranger = await stream(place, place.guest(), { key })
    await stranger.ended
    expect(wordsOf(stranger.events)).toBe('Another answer.')
    rest.open()
    await first.ended
    expect(wordsOf(first.events)).toBe(whole)
    const elsewhere = await stream(place, guest, { key, at: neighbour })
    await elsewhere.ended
    expect(answerIn(elsewhere)).toEqual(answerIn(first))
    expect(await place.wallet()).toEqual({ balance: 98, reserved: 0 })
  })
})

test('after all of this every wallet is consistent', async () => {
  expect(await brokenIn(service)).toEqual([])
  expect(await brokenIn(builtIn)).toEqual([])
})
