import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ChatKind, type ChatPlace, drySkin, givenChats, modelSettings } from './chats.ts'
import { aFace, anImage } from '../every_operation/fixtures.ts'
import { type ModelServer, startModelServer } from '../kit/peers/model_server.ts'
import { allScopes, startService, type TestService } from '../kit/service.ts'
import { solvedChallenge } from '../kit/solved_challenge.ts'
import { givenCustomer, givenThread } from '../kit/visitors.ts'

let server: ModelServer
let service: TestService
beforeAll(async () => {
  server = await startModelServer()
  service = await startService({ env: modelSettings(server) })
})
afterAll(async () => {
  await service.close()
  await server.close()
})

/** A call that is wrong in every way, fixed by one remedy after another. */
interface Attempt {
  key: string
  headers: Record<string, string>
  body: Record<string, unknown>
}

/** The expected refusal, and the remedy that removes its cause. */
type Step = [refusal: string, remedy: (attempt: Attempt) => unknown]

const wrongInEveryWay: Record<ChatKind, Record<string, unknown>> = {
  product: { message: '', productId: 'unknown', threadId: 'unknown' },
  routine: { message: '', userSelectedRoutineProducts: ['unknown'], threadId: 'unknown' },
  'analyze-face': { image: '!' },
}

const replies: Record<ChatKind, object> = {
  product: { response: 'So.', productIds: [] },
  routine: { response: 'So.', steps: [] },
  'analyze-face': { response: 'So.', faceDetected: true, observations: [] },
}

/** Everything the body refers to, in the order it is checked. */
function referencesOf(place: ChatPlace, kind: ChatKind, threadId: string): Step[] {
  const conversation: Step = ['404 not_found', ({ body }) => (body.threadId = threadId)]
  const noPicture = (field: string) => `400 invalid_input ${field}`
  if (kind === 'analyze-face')
    return [[noPicture('image'), async ({ body }) => (body.image = await aFace())]]
  if (kind === 'product')
    return [
      ['400 invalid_input productId', ({ body }) => (body.productId = place.product.id)],
      conversation,
    ]
  return [
    [
      '400 invalid_input userSelectedRoutineProducts',
      ({ body }) => (body.userSelectedRoutineProducts = [place.product.id]),
    ],
    [noPicture('images.0'), ({ body }) => (body.images = [anImage().toString('base64')])],
    conversation,
  ]
}

async function stepsOf(place: ChatPlace, kind: ChatKind): Promise<Step[]> {
  const { db } = service
  const guest = place.guest()
  const { threadId } = await givenThread(place, guest)
  const keyWith = async (scopes: typeof allScopes) =>
    (await service.givenKey(place.person, { scopes })).key
  const setStatus = (status: 'ACTIVE' | 'SUSPENDED') =>
    db.updateTable('workspaces').set({ status }).where('id', '=', place.workspaceId).execute()
  const setModes = (enabled: boolean) =>
    db
      .updateTable('workspaces')
      .set({ ai_fast_enabled: enabled, ai_comprehensive_enabled: enabled })
      .where('id', '=', place.workspaceId)
      .execute()
  await place.setPolicy({ visibility: 'CLOSED', challenge: 'ALWAYS', guestDailyRequests: 0 })
  await setModes(false)
  await setStatus('SUSPENDED')
  await place.addCredits(-1)
  server.behave({ says: replies[kind] })
  const solve = async ({ body }: Attempt) =>
    (body.challengeToken = await solvedChallenge(service, place.workspaceId, 'chat'))
  const field = kind === 'analyze-face' ? 'image' : 'message'
  return [
    ['401 unauthenticated', async (attempt) => (attempt.key = await keyWith(['storefront:read']))],
    ['403 insufficient_scope', async (attempt) => (attempt.key = await keyWith(allScopes))],
    ['403 workspace_inactive', () => setStatus('ACTIVE')],
    [
      `400 invalid_input ${field}`,
      ({ body }) => {
        body[field] = kind === 'analyze-face' ? 'AAAA' : drySkin
        if (kind === 'routine') body.images = ['AAAA']
      },
    ],
    ['403 access_restricted', () => place.setPolicy({ visibility: 'SIGN_IN' })],
    ['401 sign_in_required', () => place.setPolicy({ visibility: 'PUBLIC' })],
    ['401 visitor_required', (attempt) => (attempt.headers = guest.headers)],
    ['403 ai_mode_disabled', () => setModes(true)],
    ...referencesOf(place, kind, threadId),
    ['403 challenge_required', ({ body }) => (body.challengeToken = 'nonsense')],
    ['403 challenge_failed', solve],
    [
      '429 quota_exceeded',
      async (attempt) => {
        await place.setPolicy({ guestDailyRequests: 5 })
        await solve(attempt)
      },
    ],
    [
      '402 wallet_in_debt',
      async (attempt) => {
        await place.addCredits(1)
        await solve(attempt)
      },
    ],
    [
      '402 insufficient_credits',
      async (attempt) => {
        await place.addCredits(10)
        await solve(attempt)
      },
    ],
  ]
}

test.each(['product', 'routine', 'analyze-face'] as const)(
  'chat/%s checks its preconditions in the documented order',
  async (kind) => {
    const place = await givenChats(service, 0)
    const attempt: Attempt = { key: '', headers: {}, body: wrongInEveryWay[kind] }
    const steps = await stepsOf(place, kind)
    const seen: string[] = []
    const send = () =>
      service
        .api(attempt.key || undefined)
        .post(place.at(`experience/chat/${kind}`))
        .set(attempt.headers)
        .send(attempt.body)
    for (const [, remedy] of steps) {
      const { status, body } = await send()
      const fields = status === 400 ? Object.keys(body.fieldErrors as object) : []
      const expected = steps[seen.length]![0].split(' ')[2]
      seen.push(`${status} ${body.code}${expected ? ` ${fields.find((f) => f === expected)}` : ''}`)
      await remedy(attempt)
    }
    expect(seen).toEqual(steps.map(([refusal]) => refusal))
    const { body } = await send().expect(200)
    expect(body.access).toEqual({ remainingRequests: 4 })
    const events = await place.events()
    expect(events.map((line) => line.split(' ')[1])).toEqual(['SUCCESS'])
  },
)

test('a guest is refused if the policy reserves AI for customers', async () => {
  const place = await givenChats(service)
  server.behave({ says: replies.product })
  await place.setPolicy({ guestAiEnabled: false })
  const { body } = await place.ask(place.guest()).expect(403)
  expect(body.code).toBe('access_restricted')
  await place.ask(await givenCustomer(place)).expect(200)
})

test.each([
  ['LOW', { fastEnabled: false, comprehensiveEnabled: true }],
  ['MEDIUM', { fastEnabled: true, comprehensiveEnabled: false }],
  ['HIGH', { fastEnabled: true, comprehensiveEnabled: false }],
])('%s is refused if its mode is switched off', async (thinkingLevel, modes) => {
  const place = await givenChats(service)
  await place.api
    .put(place.at('ai-settings'))
    .send({ ...modes, sector: 'AUTO' })
    .expect(200)
  const { body } = await place.ask(place.guest(), { thinkingLevel }).expect(403)
  expect(body.code).toBe('ai_mode_disabled')
})

test('a face belongs to the comprehensive mode', async () => {
  const place = await givenChats(service)
  const modes = { fastEnabled: true, comprehensiveEnabled: false, sector: 'AUTO' }
  await place.api.put(place.at('ai-settings')).send(modes).expect(200)
  const { body } = await place.ask(place.guest(), { image: await aFace() }, 'analyze-face')
  expect(body.code).toBe('ai_mode_disabled')
})

test('a visitor has ten AI calls a minute, counted before the body is validated', async () => {
  const limited = await startService({ env: { RATE_LIMIT_PER_MINUTE: '120' } })
  const place = await givenChats(limited)
  const guest = place.guest()
  const wrong = { productId: 'unknown' }
  for (let n = 0; n < 10; n++) {
    const { status, headers } = await place.ask(guest, wrong)
    expect(status).toBe(400)
    expect(headers['ratelimit-policy']).toBe(
      '"experience";q=600;w=60, "visitor";q=30;w=60, "ai";q=10;w=60',
    )
  }
  const { status, body, headers } = await place.ask(guest, { message: '' })
  expect([status, body.code]).toEqual([429, 'rate_limited'])
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  // Their other calls, and other visitors, are not affected.
  await place.api.get(place.at('experience/bootstrap')).set(guest.headers).expect(200)
  await place.ask(place.guest()).expect(200)
  await limited.close()
})
