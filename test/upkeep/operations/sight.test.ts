import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { parse } from 'yaml'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTracing, wantsTraces } from '../../../src/adapters/tracing.ts'
import { startRuntimeMetrics } from '../../../src/core/telemetry/runtime_metrics.ts'
import { readMetrics } from '../../../src/core/metrics.ts'
import { traceOf } from '../../../src/core/telemetry/traces.ts'
import { createLog } from '../../../src/core/log.ts'
import { startCosts } from '../../../src/domain/upkeep/costs.ts'
import { createSweep } from '../../../src/domain/upkeep/sweep.ts'
import { diskMediaStore } from '../../../src/adapters/media_store.ts'
import { listCosts } from '../../../src/queries/upkeep/costs.ts'
import { prepared } from '../../../src/db/prepared.ts'
import { givenProduct, givenShop, type Shop } from '../../kit/catalogue.ts'
import { createDatabase } from '../../kit/database.ts'
import { holdTransaction } from '../../kit/held_transactions.ts'
import { startService, type TestService } from '../../kit/service.ts'

const folder = join(import.meta.dirname, '..', '..', '..', 'scripts', 'operator', 'monitoring')

let service: TestService
let shop: Shop
beforeAll(async () => {
  startRuntimeMetrics('0000_build_of_the_tests')
  service = await startService()
  shop = await givenShop(service)
  await givenProduct(shop)
})
afterAll(() => service.close())

interface Panel {
  title: string
  targets: { expr: string }[]
}

const { panels } = JSON.parse(readFileSync(join(folder, 'dashboard.json'), 'utf8')) as {
  panels: Panel[]
}
const { groups } = parse(readFileSync(join(folder, 'alerts.yml'), 'utf8')) as {
  groups: { rules: { alert: string; expr: string; annotations: { panel?: string } }[] }[]
}
const rules = groups.flatMap((group) => group.rules)

const metricIn = /\b(?:vitrine|nodejs|process)_[a-z_0-9]+/g
const expressionsOf = (title: string) =>
  panels.find((panel) => panel.title === title)!.targets.map(({ expr }) => expr)

/** The sum of all series of a metric whose labels hold a text. */
async function valueOf(metric: string, label = ''): Promise<number> {
  const lines = (await readMetrics()).split('\n')
  const series = lines.filter((line) => {
    const [name = ''] = line.split(/[{ ]/)
    return name === metric && line.includes(label)
  })
  return series.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

describe('the dashboard and the alerts', () => {
  test('ask for metrics that there are', async () => {
    const { db, config } = service
    const mediaStore = diskMediaStore(join(config.dataDir, 'media'))
    await createSweep({
      db,
      lookUpTxt: () => Promise.resolve([]),
      mediaStore,
      log: createLog('silent'),
      clock: () => new Date(),
      config,
    })()
    const text = await readMetrics()
    const known = new Set(
      text.match(/^# TYPE (\w+)/gm)!.map((line) => line.slice('# TYPE '.length)),
    )
    const asked = [...panels.flatMap(({ targets }) => targets), ...rules]
      .flatMap(({ expr }) => expr.match(metricIn) ?? [])
      .map((name) => name.replace(/_(bucket|sum|count)$/, ''))
    expect(asked.filter((name) => !known.has(name) && !known.has(`${name}_total`))).toEqual([])
  })

  test('belong together: each alert names a panel', () => {
    const titles = panels.map(({ title }) => title)
    const named = rules.flatMap(({ annotations: { panel } }) => panel ?? [])
    expect(named.filter((title) => !titles.includes(title))).toEqual([])
    expect(named).toHaveLength(rules.length - 1)
  })

  test('show a slow statement by its name', async () => {
    const slow = prepared<{ seconds: number }>()(
      'a_slow_statement',
      (_db, parameter) => sql<object>`
      select pg_sleep(${parameter('seconds')}::double precision)`,
    )
    await slow(service.db, { seconds: 0.6 })
    const [expression] = expressionsOf('Slowest statements, p99')
    expect(expression).toContain('vitrine_statement_seconds_bucket')
    const label = 'statement="a_slow_statement"'
    const within = async (le: string) => {
      const lines = (await readMetrics()).split('\n')
      const line = lines.find((each) => each.includes(label) && each.includes(`le="${le}"`))
      return Number(line?.split(' ').at(-1))
    }
    expect([await within('0.5'), await within('1')]).toEqual([0, 1])
  })

  test('show a full pool by the wait for its connections', async () => {
    const [, expression] = expressionsOf('Wait for a connection')
    expect(expression).toContain('vitrine_database_connections{state="waiting"}')
    const { pool } = service.connection
    const held: PoolClient[] = []
    for (let count = 0; count < 12; count++) held.push(await pool.connect())
    const before = await valueOf('vitrine_pool_wait_seconds_sum')
    const call = shop.api.get(shop.at('products')).then((answer) => answer.status)
    const waiting = () => valueOf('vitrine_database_connections', 'state="waiting"')
    await expect.poll(waiting).toBeGreaterThanOrEqual(1)
    for (const client of held) client.release()
    expect(await call).toBe(200)
    expect(await valueOf('vitrine_pool_wait_seconds_sum')).toBeGreaterThan(before)
  })

  test('show a loop that was blocked', async () => {
    const expressions = expressionsOf('Event loop lag').join(' ')
    expect(expressions).toContain('nodejs_eventloop_lag_max_seconds')
    const blocked = async () => {
      for (const until = performance.now() + 400; performance.now() < until;);
      // The loop notices when it turns.
      for (let turn = 0; turn < 2; turn++) await setImmediate()
      return valueOf('nodejs_eventloop_lag_max_seconds')
    }
    await expect.poll(blocked).toBeGreaterThan(0.3)
  })

  test('show queues with the age of their oldest', async () => {
    const database = await createDatabase()
    const late = await startService({ databaseUrl: database.url })
    const soon = new Date(late.now().getTime() + 1000)
    const mail = { id: 'old', recipient: '', subject: '', body: '' }
    await late.db
      .insertInto('mails')
      .values({ ...mail, created_at: late.now(), next_attempt_at: soon })
      .execute()
    // Held, it cannot be sent when its time has come.
    const lock = await holdTransaction(database.url, (trx) =>
      trx.selectFrom('mails').where('id', '=', 'old').select('id').forUpdate().execute(),
    )
    late.advance(3601_000)
    expect(await valueOf('vitrine_queue_oldest_seconds', 'queue="mails"')).toBe(3600)
    expect(await valueOf('vitrine_queue_length', 'queue="mails"')).toBe(1)
    await lock.rollback()
    await late.close()
    await database.drop()
  })
})

describe('the log line of a call', () => {
  test('has its workspace, its trace and what it cost', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    const { length } = service.logged()
    await shop.api
      .get(shop.at('products'))
      .set('traceparent', `00-${traceId}-b7ad6b7169203331-01`)
      .expect(200)
    await expect.poll(() => service.logged().length).toBeGreaterThan(length)
    const line = service.logged().findLast(({ operation }) => operation === 'list_products')!
    expect(line).toMatchObject({ workspaceId: shop.workspaceId, traceId })
    expect(line.databaseMilliseconds).toBeGreaterThan(0)
    expect(line.waitMilliseconds).toBeGreaterThanOrEqual(0)
    expect(line.bytes).toBeGreaterThan(500)
  })

  test.each([
    ['ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', 'of a forbidden version'],
    ['00-00000000000000000000000000000000-b7ad6b7169203331-01', 'without a trace'],
    ['00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01', 'without a parent'],
    ['00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01', 'in capitals'],
    ['', 'empty'],
  ])('takes no trace over from %s, which is %s', (header) => {
    expect(traceOf(header)).toBeUndefined()
  })
})

test('what workspaces cost is added up by the minute', async () => {
  const { db } = service
  // In a time of its own: the service notes what its calls cost, too.
  const now = new Date(service.now().getTime() + 24 * 3600_000)
  const costs = startCosts({ db, log: createLog('silent'), clock: () => now })
  const cost = { milliseconds: 10, databaseMilliseconds: 4, waitMilliseconds: 1, bytes: 1000 }
  for (let call = 0; call < 3; call++) costs.add(shop.workspaceId, cost)
  costs.add('ws_other', { ...cost, databaseMilliseconds: 500 })
  await costs.flush()
  costs.add(shop.workspaceId, cost)
  await costs.stop()
  const since = new Date(now.getTime() - 3600_000)
  const [first, second] = await listCosts(db, since, 10)
  expect(first).toMatchObject({ workspaceId: 'ws_other', name: null, databaseMilliseconds: 500 })
  expect(second).toMatchObject({
    workspaceId: shop.workspaceId,
    name: expect.any(String),
    calls: 4,
    databaseMilliseconds: 16,
    bytes: 4000,
  })
  await db.deleteFrom('workspace_costs').execute()
})

describe('traces', () => {
  test('are collected only where the standard variables ask for it', () => {
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }
    expect(wantsTraces({})).toBe(false)
    expect(wantsTraces({ ...endpoint, OTEL_SDK_DISABLED: 'true' })).toBe(false)
    expect(wantsTraces({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' })).toBe(false)
    expect(wantsTraces(endpoint)).toBe(true)
  })

  test('go to the collector, under the trace of the caller', async () => {
    const received: string[] = []
    const collector = createServer((request: IncomingMessage, response) => {
      void request.toArray().then((chunks) => {
        received.push(`${request.url} ${Buffer.concat(chunks as Buffer[]).toString()}`)
        response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
      })
    })
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
    const { port } = collector.address() as AddressInfo
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` }
    Object.assign(process.env, env)
    try {
      const tracing = await openTracing(process.env)
      tracing!.record({
        surface: 'api',
        method: 'GET',
        path: '/v1/workspaces',
        operation: 'list_workspaces',
        workspaceId: undefined,
        status: 200,
        startedAt: performance.now(),
        milliseconds: 5,
        meter: { databaseMilliseconds: 2, waitMilliseconds: 0 },
        trace: traceOf('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'),
      })
      await tracing!.close()
      expect(received).toHaveLength(1)
      expect(received[0]).toMatch(/^\/v1\/traces /)
      for (const part of [
        'list_workspaces',
        '0af7651916cd43dd8448eb211c80319c',
        'b7ad6b7169203331',
      ])
        expect(received[0]).toContain(part)
    } finally {
      Reflect.deleteProperty(process.env, 'OTEL_EXPORTER_OTLP_ENDPOINT')
      collector.close()
    }
  })
})
