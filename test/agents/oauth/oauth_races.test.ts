import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Agent,
  connectAgent,
  consent,
  decide,
  openBrowser,
  openRequest,
  registerAgent,
} from '../../kit/agent_flow.ts'
import { type Person, startService, type TestService } from '../../kit/service.ts'

let service: TestService
let agent: Agent
let person: Person
beforeAll(async () => {
  service = await startService()
  agent = await registerAgent(service)
  person = await service.givenPerson()
})
afterAll(() => service.close())

const atOnce = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: 6 }, work))

/** Number of successes, and the errors of the rest. */
function tally(replies: { status: number; body: Record<string, unknown> }[]) {
  const refusals = replies.filter(({ status }) => status !== 200)
  return { won: replies.length - refusals.length, errors: refusals.map(({ body }) => body.error) }
}

const oneOfSix = { won: 1, errors: Array<string>(5).fill('invalid_grant') }

async function grantsAlive(): Promise<number> {
  const { body } = await service.dashboard(person).get('/api/connections')
  const connections = body.connections as { revokedAt: string | null }[]
  return connections.filter(({ revokedAt }) => revokedAt === null).length
}

test('of six parallel exchanges of one code, one wins and its tokens are revoked', async () => {
  const authorization = await agent.begin()
  const callback = await consent(service, person, authorization)
  const before = await grantsAlive()
  const replies = await atOnce(() =>
    agent.askForTokens({
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code')!,
      redirect_uri: authorization.redirectUri,
      code_verifier: authorization.verifier,
    }),
  )
  expect(tally(replies)).toEqual(oneOfSix)
  expect(await grantsAlive()).toBe(before)
  const winner = replies.find(({ status }) => status === 200)!
  const refresh = { grant_type: 'refresh_token', refresh_token: String(winner.body.refresh_token) }
  expect((await agent.askForTokens(refresh)).body.error).toBe('invalid_grant')
})

test('of six parallel completions of one consent, one gets a code', async () => {
  const browser = openBrowser(service)
  const redirectTo = await decide(service, person, await openRequest(browser, await agent.begin()))
  const visits = await atOnce(() => browser.visit(redirectTo))
  expect(visits.map(({ status }) => status).sort()).toEqual([303, 400, 400, 400, 400, 400])
  expect(visits.filter(({ location }) => location.includes('code='))).toHaveLength(1)
})

test('of two accounts that decide one request concurrently, one succeeds', async () => {
  const requestId = await openRequest(openBrowser(service), await agent.begin())
  const other = await service.givenPerson()
  const answers = await Promise.all(
    [person, other].map((decider) =>
      service.dashboard(decider).post(`/api/consent/${requestId}`).send({ decision: 'allow' }),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
})

test('a concurrent refresh and revocation leave no working token', async () => {
  const { refreshToken } = await connectAgent(service, person, { agent })
  const before = await grantsAlive()
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken }
  const [reply] = await Promise.all([agent.askForTokens(form), agent.revoke(refreshToken)])
  expect(await grantsAlive()).toBe(before - 1)
  const { refresh_token: rotated } = reply.body
  const next = typeof rotated === 'string' ? rotated : refreshToken
  const again = await agent.askForTokens({ ...form, refresh_token: next })
  expect(again.body.error).toBe('invalid_grant')
})
