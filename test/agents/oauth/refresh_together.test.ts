import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { authenticateToken } from '../../../src/access/tokens.ts'
import {
  type Agent,
  agentOf,
  connectAgent,
  registerAgent,
  type Reply,
} from '../../kit/agent_flow.ts'
import { hashToken } from '../../../src/core/secrets.ts'
import { consumeRefreshToken } from '../../../src/queries/agents/oauth_tokens.ts'
import { createDatabase } from '../../kit/database.ts'
import { holdTransaction, waitersOn } from '../../kit/held_transactions.ts'
import { openConnection, requestText } from '../../kit/raw_http.ts'
import { type Person, startService, type TestService } from '../../kit/service.ts'

/** Holds refreshes in their pause until this many wait, then lets them go on together. */
function gateFor(count: number) {
  const waits: number[] = []
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const pause = (milliseconds: number) => {
    if (waits.push(milliseconds) === count) open()
    return opened
  }
  return { pause, waits }
}

let gate = gateFor(1)
let database: Awaited<ReturnType<typeof createDatabase>>
/** Two processes on one database. */
let processes: [TestService, TestService]
let agents: [Agent, Agent]
let person: Person
let refreshToken: string

beforeAll(async () => {
  database = await createDatabase()
  const pause = (milliseconds: number) => gate.pause(milliseconds)
  const options = { databaseUrl: database.url, pause }
  processes = [await startService(options), await startService(options)]
  const agent = await registerAgent(processes[0])
  agents = [agent, agentOf(processes[1], agent.server, agent.client)]
})
beforeEach(async () => {
  person = await processes[0].givenPerson()
  refreshToken = (await connectAgent(processes[0], person, { agent: agents[0] })).refreshToken
})
afterAll(async () => {
  for (const service of processes) await service.close()
  await database.drop()
})

const form = (more: Record<string, string> = {}) => ({
  grant_type: 'refresh_token',
  refresh_token: refreshToken,
  ...more,
})

/** Sends the same refresh six times, three to each process; all arrive before one is consumed. */
function sixAtOnce(forms: Record<string, string>[] = [form()]): Promise<Reply[]> {
  gate = gateFor(6)
  return Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      agents[index % 2]!.askForTokens(forms[index % forms.length]!),
    ),
  )
}

async function refreshAlone(token: unknown): Promise<Reply> {
  gate = gateFor(1)
  return agents[0].askForTokens({ grant_type: 'refresh_token', refresh_token: String(token) })
}

async function isRevoked(): Promise<boolean> {
  const { body } = await processes[0].dashboard(person).get('/api/connections').expect(200)
  const [only] = body.connections as { revokedAt: string | null }[]
  return only!.revokedAt !== null
}

async function scopesOf(accessToken: unknown): Promise<readonly string[]> {
  const [service] = processes
  const { environment, baseUrl } = service.config
  const circumstances = { environment, now: service.now(), resource: `${baseUrl}/mcp` }
  const authorization = `Bearer ${String(accessToken)}`
  return (await authenticateToken(service.db, circumstances, authorization, '')).scopes
}

test('parallel refreshes at two processes get one successor, and the connection goes on', async () => {
  const replies = await sixAtOnce()
  expect(gate.waits).toEqual(Array(6).fill(300))
  expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(200))
  const [{ body }] = replies as [Reply]
  // The clocks of the two processes differ a little.
  for (const other of replies) expect({ ...other.body, expires_in: body.expires_in }).toEqual(body)
  expect(await scopesOf(body.access_token)).toEqual(['account:read', 'workspaces:read'])
  expect((await refreshAlone(body.refresh_token)).status).toBe(200)
  expect(await isRevoked()).toBe(false)
})

test('a refresh that arrives after the consumption ends the connection', async () => {
  const [{ body }] = (await sixAtOnce()) as [Reply]
  const late = await refreshAlone(refreshToken)
  expect([late.status, late.body.error]).toEqual([400, 'invalid_grant'])
  // It was refused at once, without waiting for others.
  expect(gate.waits).toEqual([])
  expect(await isRevoked()).toBe(true)
  expect((await refreshAlone(body.refresh_token)).body.error).toBe('invalid_grant')
})

test('parallel refreshes with other scopes have access tokens of their own', async () => {
  const replies = await sixAtOnce([form(), form({ scope: 'workspaces:read' })])
  const [all, some] = replies.map(({ body }) => body) as [Reply['body'], Reply['body']]
  expect(new Set(replies.map(({ body }) => body.refresh_token)).size).toBe(1)
  expect(await scopesOf(all.access_token)).toEqual(['account:read', 'workspaces:read'])
  expect(await scopesOf(some.access_token)).toEqual(['workspaces:read'])
})

test('a connection that is revoked while a refresh waits gives no tokens', async () => {
  gate = gateFor(2)
  const waiting = agents[0].askForTokens(form())
  await expect.poll(() => gate.waits.length).toBe(1)
  await agents[1].revoke(refreshToken)
  void gate.pause(0)
  const { status, body } = await waiting
  expect([status, body.error]).toEqual([400, 'invalid_grant'])
})

test('refreshes that wait hold no connection of the database', async () => {
  const count = processes[0].connection.pool.options.max + 1
  gate = gateFor(count)
  const calls = Array.from({ length: count }, () => agents[0].askForTokens(form()))
  const replies = await Promise.all(calls)
  expect(gate.waits).toHaveLength(count)
  expect(new Set(replies.map(({ body }) => body.refresh_token)).size).toBe(1)
})

test('a refresh that came before the consumption, and was held up since, gets the successor', async () => {
  gate = gateFor(1)
  const tokenHash = hashToken(refreshToken)
  const other = await holdTransaction(database.url, (trx) =>
    consumeRefreshToken(trx, tokenHash, { seed: Buffer.alloc(32), now: processes[0].now() }),
  )
  const heldUp = agents[0].askForTokens(form())
  await expect.poll(() => waitersOn(processes[0])).toBe(1)
  await other.commit()
  expect((await heldUp).status).toBe(200)
  expect(await isRevoked()).toBe(false)
})

test('a client that leaves before the answer keeps its token', async () => {
  gate = gateFor(2)
  const [{ client }] = agents
  const connection = await openConnection(processes[0].urls.api)
  const body = new URLSearchParams({ client_id: client.client_id, ...form() }).toString()
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  connection.send(requestText('POST', '/oauth/token', { headers, body }))
  await expect.poll(() => gate.waits.length).toBe(1)
  connection.close()
  await expect.poll(() => processes[0].logged().at(-1)).toMatchObject({ aborted: true })
  void gate.pause(0)
  expect((await refreshAlone(refreshToken)).status).toBe(200)
  expect(await isRevoked()).toBe(false)
})
