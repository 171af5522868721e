import type { Response } from 'supertest'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OperationId } from '../../src/operation.ts'
import { bearer, givenScene, type Scene, send, validCall } from '../every_operation/fixtures.ts'
import {
  type Call,
  mainWayTo,
  operationIds,
  resourceNames,
  rows,
} from '../every_operation/operations.ts'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import { startService, type TestService } from '../kit/service.ts'
import { givenCustomer, givenGuest, type TestVisitor } from '../kit/visitors.ts'

/** Every operation of the experience API, as two visitors on one key. */
const experience = operationIds.filter((id) => rows[id].surface === 'experience')

/** After these a visitor is signed out. */
const endSession: readonly OperationId[] = ['delete_customer', 'log_out_customer']

/** Operations that require a customer. */
const customersOnly = new Set<OperationId>([
  'delete_customer',
  'get_customer_profile',
  'get_customer_session',
  'log_out_customer',
  'refresh_customer_session',
  'update_customer_profile',
])

let database: TestDatabase
let service: TestService
/** Limits each visitor to one call a minute, with enough calls for the key. */
let limited: TestService
beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ databaseUrl: database.url })
  const env = { RATE_LIMIT_PER_MINUTE: '4' }
  limited = await startService({ databaseUrl: database.url, env })
})
afterAll(async () => {
  for (const each of [service, limited]) await each.close()
  await database.drop()
})

let scene: Scene
const inNewScene = async () => {
  scene = await givenScene(service)
  await setChallenge('OFF')
}

async function setChallenge(challenge: 'OFF' | 'GUESTS'): Promise<void> {
  const path = `/v1/workspaces/${scene.workspace.id}/website`
  await service.api(scene.key).put(path).send({ accessPolicy: { challenge } }).expect(200)
}

async function ask(id: OperationId, call: Call, at = service): Promise<Response> {
  return send(at, id, mainWayTo(id), call, bearer(scene.key))
}

/** Status of a success; status and code of a refusal. */
function outcome({ status, body }: Response): number | string {
  return status < 400 ? status : `${status} ${body.code}`
}

/** Everything that identifies a visitor. */
function marksOf({ id, email, headers }: TestVisitor): string[] {
  return [id, email, ...Object.values(headers)].filter((mark) => mark !== '')
}

type Pair = [first: TestVisitor, second: TestVisitor]

const pairs: Record<string, (place: Scene) => Promise<Pair>> = {
  'two guests': (place) => Promise.resolve([givenGuest(place), givenGuest(place)]),
  'two customers': async (place) => [await givenCustomer(place), await givenCustomer(place)],
  'a guest and a customer': async (place) => [givenGuest(place), await givenCustomer(place)],
}

const cases = experience.flatMap((id) =>
  Object.keys(pairs)
    .filter((who) => !customersOnly.has(id) || who === 'two customers')
    .map((who) => ({ id, who })),
)

describe.each(cases)('$id for $who on one key', ({ id, who }) => {
  const success = rows[id].status
  let first: TestVisitor
  let second: TestVisitor
  beforeEach(async () => {
    await inNewScene()
    ;[first, second] = await pairs[who]!(scene)
  })

  test('reveals neither visitor to the other', async () => {
    const answers = new Map<TestVisitor, string>()
    for (const visitor of [first, second, first]) {
      if (endSession.includes(id) && answers.has(visitor)) break
      const answer = await ask(id, await validCall(id, scene, visitor))
      expect(outcome(answer)).toBe(success)
      answers.set(visitor, answer.text)
    }
    for (const mark of marksOf(second)) expect(answers.get(first)).not.toContain(mark)
    for (const mark of marksOf(first)) expect(answers.get(second)).not.toContain(mark)
  })

  test('counts the calls of each separately', async () => {
    const [ofFirst, ofSecond] = [
      await validCall(id, scene, first),
      await validCall(id, scene, second),
    ]
    const greeting = await validCall('get_bootstrap', scene, first)
    expect(outcome(await ask('get_bootstrap', greeting, limited))).toBe(200)
    expect(outcome(await ask(id, ofFirst, limited))).toBe('429 rate_limited')
    expect(outcome(await ask(id, ofSecond, limited))).toBe(success)
  })

  if (rows[id].takesIdempotencyKey)
    test('keeps their answers separate under one Idempotency-Key', async () => {
      const headers = { 'Idempotency-Key': 'the-same' }
      for (const visitor of [first, second]) {
        const call = await validCall(id, scene, visitor)
        const input = { ...call, headers: { ...call.headers, ...headers } }
        expect(outcome(await ask(id, input))).toBe(success)
      }
      const records = await service.db
        .selectFrom('idempotency_records')
        .select(['visitor', 'operation', 'status'])
        .where('path', '=', JSON.stringify({ workspaceId: scene.workspace.id }))
        .execute()
      const expected = [first, second].map((visitor) => ({
        visitor: visitor.id,
        operation: id,
        status: success,
      }))
      const byVisitor = (a: { visitor: string }, b: { visitor: string }) =>
        a.visitor < b.visitor ? -1 : 1
      expect(records.sort(byVisitor)).toEqual(expected.sort(byVisitor))
    })

  // Published resources are for every visitor; any other path id belongs to one visitor.
  if (resourceNames(id).length > 0 && rows[id].tag !== 'storefront')
    test("does not find the other's", async () => {
      const call = await validCall(id, scene, first)
      const asSecond = { ...call, headers: { ...second.headers } }
      expect(outcome(await ask(id, asSecond))).toBe('404 not_found')
      expect(outcome(await ask(id, call))).toBe(success)
    })
})

describe.each(experience)('%s', (id) => {
  beforeAll(inNewScene)

  test('refuses a visitor of another site of the same owner', async () => {
    const workspace = await service.givenWorkspace(scene.owner)
    const elsewhere = { ...scene, workspace }
    const call = await validCall(id, scene)
    for (const visitor of [await givenCustomer(elsewhere), givenGuest(elsewhere)]) {
      const foreign = { ...call, headers: { ...visitor.headers } }
      expect(outcome(await ask(id, foreign))).toBe('401 unauthenticated')
    }
    expect(outcome(await ask(id, call))).toBe(rows[id].status)
  })

  test('does not treat the owner as a visitor', async () => {
    const call = await validCall(id, scene)
    const { Cookie, ...rest } = { ...call.headers, Cookie: scene.owner.cookie }
    const alone = { ...call, headers: { Cookie } }
    expect(Object.keys(rest)).toEqual(['X-Visitor-Token'])
    const answer = await ask(id, alone)
    if (answer.status < 400) expect(withoutVisitor).toContain(id)
    else expect(outcome(answer)).toBe(id === 'get_bootstrap' ? '400 invalid_input' : needsVisitor)
    for (const mark of [scene.owner.accountId, scene.owner.email])
      expect(answer.text).not.toContain(mark)
  })
})

const needsVisitor = '401 visitor_required'

/** Operations without a visitor: published reads, and becoming a customer. */
const withoutVisitor = [
  ...experience.filter((id) => rows[id].tag === 'storefront'),
  'request_customer_code',
  'verify_customer_code',
]
