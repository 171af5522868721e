import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OperationId } from '../../src/operation.ts'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import {
  credentialOf,
  givenScene,
  type Scene,
  send,
  validCall,
} from '../every_operation/fixtures.ts'
import { mainWayTo, servedIds } from '../every_operation/operations.ts'
import { originsOf, startService, type TestService } from '../kit/service.ts'
import { unavailable } from './unavailable.ts'

/** The network between the service and its database. */
interface Network {
  /** The database's address behind this network. */
  url: string
  /** Ends every connection and refuses new ones. */
  cut(): Promise<void>
  /**
   * Drops every byte, like a firewall that has lost its connection state. Connections that are open
   * now or opened before `restore` stay dead.
   */
  hang(): void
  restore(): Promise<void>
  close(): Promise<void>
}

async function startNetwork(databaseUrl: string): Promise<Network> {
  const { hostname, port } = new URL(databaseUrl)
  const open = new Set<Socket>()
  const forgotten = new WeakSet<Socket>()
  let hanging = false
  const server: Server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from)
      if (hanging) forgotten.add(from)
      from.on('data', (bytes) => forgotten.has(from) || to.write(bytes))
      from.on('error', () => undefined)
      from.on('close', () => {
        open.delete(from)
        to.destroy()
      })
    }
  })
  const listen = async (at: number) => {
    server.listen(at, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const ownPort = await listen(0)
  const cut = async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of open) socket.destroy()
    await closed
  }
  const url = new URL(databaseUrl)
  url.port = String(ownPort)
  // Not through the socket of the server itself.
  url.searchParams.delete('host')
  return {
    url: url.href,
    cut,
    hang() {
      hanging = true
      for (const socket of open) forgotten.add(socket)
    },
    async restore() {
      hanging = false
      if (!server.listening) await listen(ownPort)
    },
    close: () => (server.listening ? cut() : Promise.resolve()),
  }
}

let database: TestDatabase
let network: Network
let service: TestService
let scene: Scene
/** A connection that bypasses the network, for tests to act on the database itself. */
let operator: pg.Client

beforeAll(async () => {
  database = await createDatabase()
  network = await startNetwork(database.url)
  service = await startService({ databaseUrl: network.url })
  scene = await givenScene(service)
  operator = new pg.Client(database.url)
  await operator.connect()
})
afterAll(async () => {
  await network.restore()
  await service.close()
  await operator.end()
  await network.close()
  await database.drop()
})

const profilePath = () => `/v1/workspaces/${scene.workspace.id}/workspace`
const rename = (name: string) => service.api(scene.key).put(profilePath()).send({ name })
const nameNow = async () => {
  const { rows } = await operator.query('select name from workspaces where id = $1', [
    scene.workspace.id,
  ])
  return (rows as { name: string }[])[0]?.name
}

/** Resolves when a session of this database waits for a lock. */
async function untilBlocked(): Promise<void> {
  const query = `select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  const count = async () => {
    // Within a transaction, pg_stat_activity is a snapshot from its first read.
    await operator.query('select pg_stat_clear_snapshot()')
    return ((await operator.query(query)).rows as { n: number }[])[0]?.n
  }
  await expect.poll(count).toBe(1)
}

describe('without its database', () => {
  test('every operation that needs it answers 503 with Retry-After and the error object', async () => {
    const ids = servedIds.filter((id) => id !== 'get_config')
    const calls = new Map<OperationId, Awaited<ReturnType<typeof validCall>>>()
    for (const id of ids) calls.set(id, await validCall(id, scene))
    await network.cut()
    for (const id of ids) {
      const way = mainWayTo(id)
      const answer = await send(service, id, way, calls.get(id)!, credentialOf(scene, way))
      expect([id, answer.status, answer.headers['retry-after'], answer.body]).toEqual([
        id,
        503,
        '5',
        unavailable,
      ])
    }
    await network.restore()
  })

  test('it is live but not ready, and ready again without a restart', async () => {
    await network.cut()
    for (const url of originsOf(service)) {
      expect((await fetch(`${url}/healthz`)).status).toBe(200)
      const ready = await fetch(`${url}/readyz`)
      expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '5'])
      expect(await ready.json()).toEqual(unavailable)
    }
    const { body } = await service.dashboard().get('/api/config')
    expect(body.environment).toBe('development')

    await network.restore()
    for (const url of originsOf(service)) expect((await fetch(`${url}/readyz`)).status).toBe(200)
    expect((await service.api(scene.key).get('/v1/workspaces')).status).toBe(200)
  })

  test('a browser gets a page that says so', async () => {
    await network.cut()
    const headers = { Accept: 'text/html', 'Accept-Language': 'en' }
    const page = await fetch(`${service.urls.dashboard}/checkout/chk_any`, { headers })
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await page.text()).toContain('<h1>We cannot be reached at the moment</h1>')
    await network.restore()
  })

  test('the log has the cause, which the answer omits', async () => {
    const start = service.logged().length
    await network.cut()
    const { body } = await service.api(scene.key).get('/v1/workspaces')
    expect(body).toEqual(unavailable)
    const lines = () =>
      service
        .logged()
        .slice(start)
        .filter((line) => line.msg === 'request')
    await expect
      .poll(lines)
      .toMatchObject([
        { level: 50, operation: 'list_workspaces', status: 503, err: { code: 'ECONNREFUSED' } },
      ])
    await network.restore()
  })

  test('a mail that could not be queued or sent is sent once the database is back', async () => {
    const email = 'patient@example.com'
    await network.cut()
    const refusal = await service.dashboard().post('/api/session/code').send({ email })
    expect(refusal.status).toBe(503)
    await network.restore()
    const answer = await service.dashboard().post('/api/session/code').send({ email })
    expect(answer.status).toBe(202)
    expect(await service.codeFor(email)).toMatch(/^\d{6}$/)
  })
})

describe('a database that is lost during a transaction', () => {
  test('while a statement runs: 503, nothing is written and the service continues', async () => {
    const before = await nameNow()
    await operator.query('begin')
    await operator.query('select 1 from workspaces where id = $1 for update', [scene.workspace.id])
    const answer = rename('Written by nobody').then((response) => response)
    await untilBlocked()
    await network.cut()
    const { status, body } = await answer
    expect([status, body]).toEqual([503, unavailable])
    await operator.query('commit')
    await network.restore()
    expect(await nameNow()).toBe(before)
    expect((await rename('Written after all')).status).toBe(200)
    expect(await nameNow()).toBe('Written after all')
  })

  test('between two statements: 503, nothing is written and the service continues', async () => {
    let markBegun = () => undefined as void
    let proceed = () => undefined as void
    const hasBegun = new Promise<void>((resolve) => (markBegun = resolve))
    const mayProceed = new Promise<void>((resolve) => (proceed = resolve))
    const other = await startService({
      databaseUrl: network.url,
      handlers: {
        update_own_account: (_input, caller) =>
          caller.transaction(async (trx) => {
            const change = trx.updateTable('accounts').where('id', '=', caller.accountId)
            await change.set({ name: 'Written by nobody' }).execute()
            markBegun()
            await mayProceed
            await change.set({ name: 'Written by nobody either' }).execute()
            throw new Error('The connection was thought to be lost.')
          }),
      },
    })
    const answer = other
      .dashboard(scene.owner)
      .put('/api/account')
      .send({ name: 'New', phone: null, language: 'tr' })
      .then((response) => response)
    await hasBegun
    await network.cut()
    await network.restore()
    proceed()
    const { status, body } = await answer
    expect([status, body]).toEqual([503, unavailable])
    const { body: account } = await other.dashboard(scene.owner).get('/api/account')
    expect(account.name).toBe('A person')
    await other.close()
  })

  test('because an operator ended the session: 503, and the next call is served', async () => {
    await operator.query('begin')
    await operator.query('select 1 from workspaces where id = $1 for update', [scene.workspace.id])
    const answer = rename('Written by nobody').then((response) => response)
    await untilBlocked()
    await operator.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`)
    const { status, body } = await answer
    expect([status, body]).toEqual([503, unavailable])
    await operator.query('rollback')
    expect((await rename('Written next')).status).toBe(200)
  })
})

describe('a database that stops answering', () => {
  test('is given up on old and new connections, with 503', async () => {
    // Opens several connections while the network still works.
    await Promise.all([1, 2, 3].map(() => service.api(scene.key).get('/v1/workspaces')))
    network.hang()
    const answers = await Promise.all([
      service.api(scene.key).get('/v1/workspaces'),
      rename('Written by nobody'),
      service.api().get('/readyz'),
      ...Array.from({ length: 12 }, () => service.api(scene.key).get(profilePath())),
    ])
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503))
    expect(answers[0]?.body).toEqual(unavailable)
    expect((await service.api().get('/healthz')).status).toBe(200)
  })

  test('is used again as soon as it answers, without a restart', async () => {
    await network.restore()
    expect((await service.api().get('/readyz')).status).toBe(200)
    expect((await service.api(scene.key).get('/v1/workspaces')).status).toBe(200)
    expect((await rename('Written at last')).status).toBe(200)
  })
})

describe('a failing rate limit store', () => {
  /** With several processes the counters are in the database. */
  const shared = { WEB_CONCURRENCY: '2' }
  const nothingIsCounted = 'create trigger full_disk before insert on rate_limits execute function'

  test('answers neither 200 nor 429 but 503, and 200 once it works again', async () => {
    const other = await startService({ databaseUrl: network.url, env: shared })
    const call = () => other.api(scene.key).get('/v1/workspaces')
    expect((await call()).status).toBe(200)
    await operator.query(`create function full_disk() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file "base/1"' using errcode = 'disk_full'; end $$`)
    await operator.query(`${nothingIsCounted} full_disk()`)
    const { status, body, headers } = await call()
    expect([status, body, headers['retry-after']]).toEqual([503, unavailable, '5'])
    const email = 'nobody@example.com'
    const code = await other.dashboard().post('/api/session/code').send({ email })
    expect([code.status, code.body]).toEqual([503, unavailable])
    await operator.query('drop function full_disk cascade')
    expect((await call()).status).toBe(200)
    await other.close()
  })
})
