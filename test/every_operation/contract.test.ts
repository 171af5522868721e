import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { handlers } from '../../handlers/index.ts'
import { type ErrorCode } from '../../src/generated/operations.ts'
import type { AccountCaller, OperationId } from '../../src/operation.ts'
import { contractViolations } from './contract_answers.ts'
import { givenScene, type Scene } from './fixtures.ts'
import { declarationOf, rows, servedIds } from './operations.ts'
import { type TestService } from '../kit/service.ts'
import { answersIn, openServices, type Services, type World } from './answers.ts'

let services: Services
let service: TestService
let faulty: TestService
beforeAll(async () => {
  services = await openServices()
  ;({ service, faulty } = services)
  untouched = await givenScene(service)
})
afterAll(() => services.close())

let scene: Scene
/** Never changes: every call in it is refused, or reads. */
let untouched: Scene
const prepared: World['prepared'] = new Map()

const inFreshScene = async () => {
  scene = await givenScene(service)
}
const inUntouchedScene = () => {
  scene = untouched
}
/** Statuses answered before the call has any effect. */
const immediateRefusals = [400, 401, 404, 413, 415, 500, 503]

const { call, producers } = answersIn(() => ({
  ...services,
  scene,
  ...(scene === untouched ? { prepared } : {}),
}))

describe.each(servedIds)('%s', (id) => {
  const { responses } = declarationOf(id)
  const statuses = Object.keys(responses).map(Number)
  const answersAsDeclared = async (status: number) => {
    const produce = producers[status]
    if (!produce) throw new Error(`Nothing here produces ${status}.`)
    const answer = await produce(id)
    const { text, body, headers, ...response } = answer
    expect(response.status).toBe(status)
    expect(contractViolations(id, { status, body: text || undefined })).toEqual([])
    if (status >= 400) expect(body.status).toBe(status)
    const names = Object.keys(responses[status]?.headers ?? {})
    expect(names.filter((name) => !(name.toLowerCase() in headers))).toEqual([])
    return answer
  }

  describe('that is refused at once', () => {
    beforeEach(inUntouchedScene)

    const applicable = statuses.filter((status) => immediateRefusals.includes(status))
    const others = applicable.filter((status) => status < 500)
    test(`answers ${others.join(', ')} as declared`, async () => {
      for (const status of others) await answersAsDeclared(status)
    })

    test('answers 500 as declared, and keeps the details of an internal error in the log', async () => {
      const { text, headers } = await answersAsDeclared(500)
      expect(JSON.parse(text)).toEqual({
        status: 500,
        code: 'internal',
        message: 'Something went wrong on our side. The request id helps us find out what.',
      })
      expect(JSON.stringify(headers)).not.toContain('secret internal text')
      const line = faulty.logged().find(({ requestId }) => requestId === headers['x-request-id'])
      expect(line).toMatchObject({ operation: id, err: { message: 'secret internal text' } })
    })

    test('answers 503 as declared, and sends Retry-After while the database is down', async () => {
      const { headers, body } = await answersAsDeclared(503)
      expect(headers['retry-after']).toBe('5')
      expect(JSON.stringify(body)).not.toContain('secret internal text')
    })
  })

  describe('that is processed', () => {
    const others = statuses.filter((status) => !immediateRefusals.includes(status))
    // A success has the largest body that is accepted.
    test.each(others)('answers %d as declared', async (status) => {
      const isRead = rows[id].method === 'get' && status < 400
      await (isRead ? inUntouchedScene() : inFreshScene())
      await answersAsDeclared(status)
    })

    takesItsExamples(id)
  })
})

function takesItsExamples(id: OperationId): void {
  const { bodyExamples } = declarationOf(id)
  if (bodyExamples.length > 0)
    test.each(bodyExamples)('accepts the example of the contract: %j', async (body) => {
      await inFreshScene()
      const { status, body: answer } = await call(id, { body })
      const refusal = refusedExamples[id]
      if (refusal) expect([status, answer.code]).toEqual(refusal.answer)
      else expect(status).toBe(rows[id].status)
    })
}

/** Examples that show a call's form but cannot succeed verbatim. */
const refusedExamples: Partial<
  Record<OperationId, { answer: [status: number, code: ErrorCode]; because: string }>
> = {
  chat_about_product: {
    answer: [400, 'invalid_input'],
    because: 'Each workspace has products of its own.',
  },
  create_contact_request: {
    answer: [403, 'challenge_failed'],
    because: 'A challenge is solved once.',
  },
  create_session: { answer: [401, 'code_invalid'], because: 'Each code is mailed to its address.' },
  create_staff_session: {
    answer: [401, 'code_invalid'],
    because: 'Each code is mailed to its address.',
  },
  start_trial: {
    answer: [403, 'not_owner'],
    because: 'Each account owns workspaces of its own.',
  },
  undo_account_email: {
    answer: [400, 'invalid_input'],
    because: 'Each token is mailed to the old address.',
  },
  update_account_email: {
    answer: [400, 'invalid_input'],
    because: 'Each code is mailed to its address.',
  },
  update_customer_profile: {
    answer: [400, 'invalid_input'],
    because: 'Each customer has an address of their own.',
  },
  verify_customer_code: {
    answer: [401, 'code_invalid'],
    because: 'Each code is mailed to its address.',
  },
}

describe('get_account', () => {
  beforeEach(inFreshScene)

  test('is a tool, not a route', async () => {
    const { status: atApi } = await service.api(scene.key).get('/v1/account')
    const { status: atDashboard } = await service.dashboard(scene.owner).get('/v1/account')
    expect([atApi, atDashboard]).toEqual([404, 404])
  })

  test('returns the account as declared', async () => {
    const { accountId, email } = scene.owner
    const caller = { db: service.db, accountId } as AccountCaller
    const account = await handlers.get_account({} as never, caller)
    expect(account).toMatchObject({ id: accountId, email })
    const body = JSON.stringify(account)
    expect(contractViolations('get_account', { status: 200, body })).toEqual([])
  })
})
