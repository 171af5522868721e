import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { OperationId } from '../../src/operation.ts'
import {
  credentialOf,
  givenScene,
  type Scene,
  send,
  validCall,
} from '../every_operation/fixtures.ts'
import { mainWayTo, rows, servedIds } from '../every_operation/operations.ts'
import { message, post } from '../kit/agents.ts'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import { originsOf, startService, type TestService } from '../kit/service.ts'
import { unavailable } from './unavailable.ts'

let database: TestDatabase
let service: TestService
let scene: Scene
let agent: string
let clientId: string
/** Administers the server from another database. */
let operator: pg.Client
let name: string
/** The service's own role: unlike a superuser, it can be kept out. */
const role = `service_${randomBytes(6).toString('hex')}`

beforeAll(async () => {
  database = await createDatabase()
  operator = new pg.Client(inject('serverUrl'))
  await operator.connect()
  name = new URL(database.url).pathname.slice(1)
  await operator.query(`create role ${role} login password 'first' in role current_user`)
  const url = new URL(database.url)
  url.username = role
  url.password = 'first'
  service = await startService({ databaseUrl: url.href })
  scene = await givenScene(service)
  agent = (await service.givenAgent(scene.owner)).token
  clientId = ((await register()).body as { client_id: string }).client_id
})
afterAll(async () => {
  await service.close()
  await database.drop()
  await operator.query(`drop role ${role}`)
  await operator.end()
})

async function endSessions(): Promise<void> {
  const sessions = `from pg_stat_activity where datname = '${name}'`
  await operator.query(`select pg_terminate_backend(pid) ${sessions}`)
  const left = async () =>
    (await operator.query<{ n: number }>(`select count(*)::int as n ${sessions}`)).rows[0]?.n
  await expect.poll(left).toBe(0)
}

/** Runs statements while nobody can connect: a database in use cannot be renamed. */
async function whileClosed(...statements: string[]): Promise<void> {
  await operator.query(`alter database ${name} allow_connections false`)
  await endSessions()
  for (const statement of statements) await operator.query(statement)
}

interface Outage {
  code: string
  begin: () => Promise<unknown>
  end: () => Promise<unknown>
}

const byRole = (code: string, begin: string, end: string): Outage => ({
  code,
  begin: () => operator.query(`alter role ${role} ${begin}`).then(endSessions),
  end: () => operator.query(`alter role ${role} ${end}`),
})

const outages: Record<string, Outage> = {
  'allows no connections': {
    code: '55000',
    begin: () => whileClosed(),
    end: () => operator.query(`alter database ${name} allow_connections true`),
  },
  'was renamed': {
    code: '3D000',
    begin: () =>
      whileClosed(
        `alter database ${name} rename to ${name}_old`,
        `alter database ${name}_old allow_connections true`,
      ),
    end: () => operator.query(`alter database ${name}_old rename to ${name}`),
  },
  'refuses the password': byRole('28P01', "password 'second'", "password 'first'"),
  'refuses the role': byRole('28000', 'nologin', 'login'),
  'has too many connections': byRole('53300', 'connection limit 0', 'connection limit -1'),
  'takes away the right to connect': {
    code: '42501',
    begin: async () => {
      await operator.query(`revoke connect on database ${name} from public`)
      await operator.query(`revoke ${operator.user} from ${role}`)
      await endSessions()
    },
    end: () => operator.query(`grant ${operator.user} to ${role}`),
  },
}

const json = { 'Content-Type': 'application/json' }
const form = { 'Content-Type': 'application/x-www-form-urlencoded' }

interface Told {
  path: string
  status: number
  retryAfter: string | null
  body: unknown
}

async function ask(origin: string, path: string, init?: RequestInit): Promise<Told> {
  const answer = await fetch(origin + path, init)
  const { status, headers } = answer
  return { path, status, retryAfter: headers.get('retry-after'), body: await answer.json() }
}

/** One way in at each origin, and the endpoints beside the contract. */
function everyWay(): Promise<Told[]> {
  const { api, dashboard, admin } = service.urls
  return Promise.all([
    ...originsOf(service).map((url) => ask(url, '/readyz')),
    ask(api, '/v1/workspaces', { headers: { Authorization: `Bearer ${scene.key}` } }),
    ask(dashboard, '/api/session', { headers: { Cookie: scene.owner.cookie } }),
    ask(admin, '/api/admin/session', { headers: { Cookie: scene.staff.cookie } }),
    ask(api, `/challenge?siteKey=${scene.workspace.id}`),
    ask(api, '/mcp', {
      method: 'POST',
      headers: { ...json, Authorization: `Bearer ${agent}` },
      body: JSON.stringify(message('tools/list')),
    }),
  ])
}

const register = () =>
  ask(service.urls.api, '/oauth/register', {
    method: 'POST',
    headers: json,
    body: JSON.stringify({
      client_name: 'An agent',
      redirect_uris: ['http://127.0.0.1/callback'],
      token_endpoint_auth_method: 'none',
    }),
  })

/** The authorization server's endpoints, which answer in the shape of their RFCs. */
function everyOAuthWay(): Promise<Told[]> {
  const { api } = service.urls
  const token = `grant_type=refresh_token&refresh_token=any&client_id=${clientId}`
  const revocation = `token=any&client_id=${clientId}`
  const redirectUri = encodeURIComponent('http://127.0.0.1/callback')
  return Promise.all([
    register(),
    ask(api, '/oauth/token', { method: 'POST', headers: form, body: token }),
    ask(api, '/oauth/revoke', { method: 'POST', headers: form, body: revocation }),
    ask(api, `/oauth/authorize?client_id=${clientId}&redirect_uri=${redirectUri}`),
  ])
}

describe.each(Object.entries(outages))('a database that %s', (_state, { code, begin, end }) => {
  test('is 503 with Retry-After at every origin, and served again without a restart', async () => {
    await begin()
    try {
      for (const { path, ...told } of await everyWay())
        expect([path, told]).toEqual([path, { status: 503, retryAfter: '5', body: unavailable }])
      const temporary = {
        error: 'temporarily_unavailable',
        error_description: unavailable.message,
      }
      for (const { path, ...told } of await everyOAuthWay())
        expect([path, told]).toEqual([path, { status: 503, retryAfter: '5', body: temporary }])
      const refused = service.logged().filter(({ status }) => status === 503)
      expect(refused.at(-1)).toMatchObject({ err: { code } })
    } finally {
      await end()
    }
    for (const { path, status } of await everyWay()) expect([path, status]).not.toEqual([path, 503])
    expect((await service.api(scene.key).get('/v1/workspaces')).status).toBe(200)
  })
})

describe('a read-only database', () => {
  const turn = (mode: string) =>
    operator.query(`alter database ${name} set default_transaction_read_only = ${mode}`)

  /** Lets reads have something to note: a last use, and sessions to extend. */
  async function makeNotesDue(): Promise<void> {
    const soon = new Date(service.now().getTime() + 2 * 86_400_000)
    const { db } = service
    await db.updateTable('api_keys').set({ last_used_at: null }).execute()
    await db.updateTable('dashboard_sessions').set({ expires_at: soon }).execute()
    await db.updateTable('customer_sessions').set({ expires_at: soon }).execute()
  }

  test('is not ready, serves every read, and answers no operation with 500', async () => {
    const calls = new Map<OperationId, Awaited<ReturnType<typeof validCall>>>()
    for (const id of servedIds) calls.set(id, await validCall(id, scene))
    await makeNotesDue()
    await turn('on')
    await endSessions()
    const unsaid: unknown[] = []
    try {
      for (const url of originsOf(service))
        expect(await ask(url, '/readyz')).toMatchObject({ status: 503, retryAfter: '5' })
      for (const id of servedIds) {
        const way = mainWayTo(id)
        const { status, headers, body } = await send(
          service,
          id,
          way,
          calls.get(id)!,
          credentialOf(scene, way),
        )
        const isTold =
          status === 503 && headers['retry-after'] === '5' && body.code === 'unavailable'
        const isRead = rows[id].method === 'get'
        if (isRead ? status !== rows[id].status : status >= 400 && !isTold)
          unsaid.push([id, status, body])
      }
      expect(unsaid).toEqual([])
      expect(await register()).toMatchObject({
        status: 503,
        retryAfter: '5',
        body: { error: 'temporarily_unavailable' },
      })
      expect((await service.api(scene.key).get('/v1/workspaces')).status).toBe(200)
    } finally {
      await turn('off')
    }
  })

  test('loses its connections, which would stay read-only, and takes writes again', async () => {
    const path = `/v1/workspaces/${scene.workspace.id}/workspace`
    const rename = () => service.api(scene.key).put(path).send({ name: 'Written at last' })
    await turn('on')
    await endSessions()
    expect((await rename()).status).toBe(503)
    await turn('off')
    expect((await rename()).status).toBe(200)
    await turn('on')
    await endSessions()
    const tool = message('tools/call', {
      name: 'update_workspace',
      arguments: { workspaceId: scene.workspace.id, data: { name: 'Written by nobody' } },
    })
    const { body } = await post(service, tool, { Authorization: `Bearer ${agent}` })
    expect(body.result).toMatchObject({ isError: true })
    expect(JSON.parse(body.result.content[0].text as string)).toEqual(unavailable)
    await turn('off')
    expect((await ask(service.urls.api, '/readyz')).status).toBe(200)
    expect((await rename()).status).toBe(200)
  })
})
