import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import type { Connection } from '../../src/db/connect.ts'
import type { Step, StepContext } from '../../src/db/migration.ts'
import { migrations } from '../../src/generated/migrations.ts'
import { insertUsageEvent } from '../../src/queries/credits/usage_events.ts'
import { type Beginning, createBeginning, type PartMigrated } from '../kit/part_migrated.ts'
import { miscountedUsage } from './counted_usage.ts'

const months = '0021_usage_months'

let beginning: Beginning
let database: PartMigrated
let connection: Connection
let buildBefore: pg.Pool
beforeAll(async () => {
  beginning = await createBeginning(
    (name) => name < '0019',
    (pool) =>
      pool.query(
        `insert into workspaces (id, name, sub_domain, billing_email)
         values ('ws_1', 'A shop', 'shop', 'shop@example.com')`,
      ),
  )
})
afterAll(() => beginning.drop())
beforeEach(async () => {
  database = await beginning.copy()
  ;({ connection, buildBefore } = database)
})
afterEach(() => database.drop())

const upToMonths = (name: string) => name <= months
const migrateToEnd = () => database.migrateToEnd()

/** The statement of the build before, prepared once a connection as it does. */
const insertOfBuildBefore = {
  name: 'insert_usage_event',
  text: `insert into usage_events (id, workspace_id, actor_type, user_id, event_name, endpoint,
      resource_type, resource_id, credit_delta, model_key, status, comprehensive, details,
      created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
}

const actors = [
  ['GUEST', null],
  ['CUSTOMER', 'cus_1'],
  ['API_KEY', 'acc_1'],
] as const

/** Writes an event as the build before does; returns its id. */
async function writeBefore(index: number, moment = new Date()): Promise<string> {
  const [actorType, userId] = actors[index % 3]!
  const id = newId('evt')
  const kind = [actorType, userId, index % 2 ? 'chat.product' : 'visit']
  const rest = ['', '', '', -index % 5, '', 'SUCCESS', index % 4 === 0, '{"a":1}', moment]
  const values = [id, 'ws_1', ...kind, ...rest]
  await buildBefore.query({ ...insertOfBuildBefore, values })
  return id
}

async function writeNow(index: number): Promise<void> {
  const [actorType, userId] = actors[index % 3]!
  const event = { actorType, userId, eventName: 'visit', creditDelta: 1 } as const
  await insertUsageEvent(connection.db, 'ws_1', event, new Date())
}

/** Events of seven months, enough for several batches. */
async function givenOldEvents(count = 25_000): Promise<void> {
  await buildBefore.query(
    `insert into usage_events (id, workspace_id, actor_type, user_id, event_name, credit_delta,
       status, comprehensive, created_at)
     select 'evt_' || lpad(n::text, 26, '0'), 'ws_1',
       (array['GUEST', 'CUSTOMER', 'OWNER', 'SYSTEM'])[1 + n % 4],
       (array[null, 'cus_' || n % 7, 'acc_1', null])[1 + n % 4],
       (array['visit', 'chat.product', 'chat.routine'])[1 + n % 3], -(n % 5),
       case when n % 11 = 0 then 'FAILED' else 'SUCCESS' end, n % 13 = 0,
       timestamptz '2026-01-31 20:00:00+00' + n * interval '10 minutes'
     from generate_series(1, $1::integer) n`,
    [count],
  )
}

async function idsIn(table: string): Promise<string[]> {
  const { rows } = await buildBefore.query<{ id: string }>(`select id from ${table} order by id`)
  return rows.map(({ id }) => id)
}

/** Ends the session as a kill of the process would, with nothing committed since. */
const kill = (db: Kysely<unknown>) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(db)

/** Runs the migration until a step is killed: after its work, or after work in one of its batches. */
async function migrateUntilKilled(
  stepName: string,
  { inBatch }: { inBatch?: number } = {},
): Promise<void> {
  const killed = async (step: Step, context: StepContext) => {
    let batches = 0
    await step.run({
      ...context,
      inBatches: (batch) =>
        context.inBatches(async (trx, position) => {
          const reached = await batch(trx, position)
          if (++batches === inBatch) await kill(trx)
          return reached
        }),
    })
    await kill(context.db)
  }
  const { steps } = migrations[months] as { steps: readonly Step[] }
  const changed = steps.map((step) =>
    step.name === stepName
      ? { name: step.name, run: (context: StepContext) => killed(step, context) }
      : step,
  )
  await expect(
    database.migrateTo(upToMonths, { changed: { [months]: { steps: changed } } }),
  ).rejects.toThrow(/terminating connection|Connection terminated|a connection error/)
}

/** Writes without pause, on several connections, until told to stop. */
function writers(write: (index: number) => Promise<unknown>): () => Promise<number> {
  let [stopped, written] = [false, 0]
  const lane = async () => {
    while (!stopped) await write(written++)
  }
  const lanes = Promise.all([lane(), lane(), lane()])
  return async () => {
    stopped = true
    await lanes
    return written
  }
}

async function expectNothingLeft(): Promise<void> {
  const { rows } = await buildBefore.query<{ name: string }>(
    `select proname as name from pg_proc where proname like 'usage_event%'
     union all select relname from pg_class
       where relname in ('usage_events_before', 'usage_events_by_month', 'usage_events_id_index')
     union all select tgname from pg_trigger where tgname like 'usage_event%'`,
  )
  expect(rows).toEqual([])
}

describe('moving events into months', () => {
  test('keeps every event and counts its day, whichever step is killed', async () => {
    await givenOldEvents()
    const old = await idsIn('usage_events')
    const { steps } = migrations[months] as { steps: readonly Step[] }
    const written: string[] = []
    const write = async () => written.push(await writeBefore(written.length))
    for (const { name } of steps) {
      if (name === 'events') {
        await migrateUntilKilled(name, { inBatch: 1 })
        await write()
        await migrateUntilKilled(name, { inBatch: 2 })
        await write()
      }
      await migrateUntilKilled(name)
      await write()
    }
    await database.migrateTo(upToMonths)
    await write()
    expect(await idsIn('usage_events')).toEqual([...old, ...written].toSorted())
    expect(await miscountedUsage(connection.db)).toEqual([])
    await migrateToEnd()
    expect(await idsIn('usage_events')).toEqual([...old, ...written].toSorted())
    expect(await miscountedUsage(connection.db)).toEqual([])
    await expectNothingLeft()
  }, 60_000)

  test('keeps every column of an event', async () => {
    await writeBefore(1)
    await givenOldEvents(10)
    const whole = 'select * from usage_events order by id'
    const before = await buildBefore.query(whole)
    await migrateToEnd()
    expect((await buildBefore.query(whole)).rows).toEqual(before.rows)
  })

  test('counts what both builds write before, during and after it', async () => {
    await givenOldEvents()
    const stopBefore = writers(writeBefore)
    await database.migrateTo(upToMonths)
    const stopNow = writers(writeNow)
    while ((await idsIn('usage_events')).length < 26_000);
    const [before, now] = [await stopBefore(), await stopNow()]
    expect(before).toBeGreaterThan(0)
    expect(now).toBeGreaterThan(0)
    expect(await idsIn('usage_events')).toHaveLength(25_000 + before + now)
    expect(await miscountedUsage(connection.db)).toEqual([])
    await migrateToEnd()
    await writeNow(0)
    expect(await idsIn('usage_events')).toHaveLength(25_001 + before + now)
    expect(await miscountedUsage(connection.db)).toEqual([])
    await expectNothingLeft()
  }, 60_000)

  test('lets the build before write an event of any time meanwhile, and read pages', async () => {
    await givenOldEvents(100)
    await migrateUntilKilled('follow the build before')
    await writeBefore(0, new Date('2019-05-05T05:05:05Z'))
    await writeBefore(1, new Date('2041-05-05T05:05:05Z'))
    await database.migrateTo(upToMonths)
    const { rows } = await buildBefore.query<{ year: number }>(
      `select extract(year from e.created_at)::integer as year
       from (select e.id from usage_events e where e.workspace_id = 'ws_1'
         order by e.created_at desc, e.id desc limit 2 offset 0) page
       join usage_events e on e.id = page.id
       order by e.created_at desc, e.id desc`,
    )
    expect(rows).toEqual([{ year: 2041 }, { year: 2026 }])
    expect(await idsIn('usage_events')).toHaveLength(102)
    expect(await miscountedUsage(connection.db)).toEqual([])
  })
})
